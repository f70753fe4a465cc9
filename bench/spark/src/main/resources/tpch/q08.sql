-- National market share. NATION = BRAZIL, REGION = AMERICA, TYPE = ECONOMY ANODIZED STEEL.
SELECT year(o_orderdate) AS o_year,
       sum(CASE WHEN supplier_nation.n_name = 'BRAZIL' THEN l_extendedprice * (1 - l_discount) ELSE 0 END)
         / sum(l_extendedprice * (1 - l_discount)) AS mkt_share
FROM part
JOIN lineitem ON l_partkey = p_partkey
JOIN supplier ON s_suppkey = l_suppkey
JOIN orders ON o_orderkey = l_orderkey
JOIN customer ON c_custkey = o_custkey
JOIN nation customer_nation ON customer_nation.n_nationkey = c_nationkey
JOIN region ON r_regionkey = customer_nation.n_regionkey
JOIN nation supplier_nation ON supplier_nation.n_nationkey = s_nationkey
WHERE r_name = 'AMERICA'
  AND o_orderdate BETWEEN DATE'1995-01-01' AND DATE'1996-12-31'
  AND p_type = 'ECONOMY ANODIZED STEEL'
GROUP BY year(o_orderdate)
ORDER BY o_year
