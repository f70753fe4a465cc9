-- Important stock identification. NATION = GERMANY, FRACTION = 0.0001 / scale factor.
WITH stock AS (
  SELECT ps_partkey, ps_supplycost * ps_availqty AS worth
  FROM partsupp
  JOIN supplier ON s_suppkey = ps_suppkey
  JOIN nation ON n_nationkey = s_nationkey
  WHERE n_name = 'GERMANY'
)
SELECT ps_partkey, sum(worth) AS value
FROM stock
GROUP BY ps_partkey
HAVING sum(worth) > (SELECT sum(worth) * CAST(${fraction} AS DECIMAL(11, 10)) FROM stock)
ORDER BY value DESC
