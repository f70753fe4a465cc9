"""Runs the queries of its standard input, one a line, by Spark Connect: connect-client.py sc://HOST:15002

The server keeps sessions in memory. When another server has taken its place, this opens a new session and runs the query again.
Whatever belonged to the old session, such as temporary views and configuration, would have to be made again there.
"""

import sys

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession


def is_gone(error):
    """Whether the server does not know the session, or the client has closed it for that reason."""
    return any(word in str(error) for word in ("INVALID_HANDLE", "NO_ACTIVE_SESSION"))


def rows(session, query):
    return [tuple(row) for row in session.sql(query).collect()]


def main(url):
    session = None
    for query in sys.stdin:
        for attempt in range(3):
            try:
                session = session or SparkSession.builder.remote(url).create()
                print(rows(session, query), flush=True)
                break
            except PySparkException as error:
                if attempt == 2 or not is_gone(error):
                    raise
                print("new session:", error, file=sys.stderr, flush=True)
                session = None


if __name__ == "__main__":
    main(sys.argv[1])
