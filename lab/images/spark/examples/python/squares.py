"""Sums the squares of 0 to 999 twice: with Python functions on the executors, and with a DataFrame.

Argument: [slices]. Prints `SQUARES rdd=332833500 dataframe=332833500 driverPython=3.11 executorPython=3.11`.
"""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions


def python_version(_):
    return "%d.%d" % sys.version_info[:2]


def main():
    slices = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    spark = SparkSession.builder.appName("Squares").getOrCreate()
    numbers = spark.sparkContext.parallelize(range(1000), slices)
    from_rdd = numbers.map(lambda n: n * n).sum()
    column = functions.col("id")
    from_dataframe = spark.range(1000).agg(functions.sum(column * column)).first()[0]
    versions = sorted(set(numbers.map(python_version).collect()))
    print(
        "SQUARES rdd=%d dataframe=%d driverPython=%s executorPython=%s"
        % (from_rdd, from_dataframe, python_version(None), ",".join(versions)),
        flush=True,
    )
    spark.stop()


if __name__ == "__main__":
    main()
