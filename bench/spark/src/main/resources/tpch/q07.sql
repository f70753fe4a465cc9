-- Volume shipping. NATION1 = FRANCE, NATION2 = GERMANY.
SELECT supplier_nation.n_name AS supp_nation, customer_nation.n_name AS cust_nation,
       year(l_shipdate) AS l_year, sum(l_extendedprice * (1 - l_discount)) AS revenue
FROM supplier
JOIN lineitem ON l_suppkey = s_suppkey
JOIN orders ON o_orderkey = l_orderkey
JOIN customer ON c_custkey = o_custkey
JOIN nation supplier_nation ON supplier_nation.n_nationkey = s_nationkey
JOIN nation customer_nation ON customer_nation.n_nationkey = c_nationkey
WHERE ((supplier_nation.n_name = 'FRANCE' AND customer_nation.n_name = 'GERMANY')
    OR (supplier_nation.n_name = 'GERMANY' AND customer_nation.n_name = 'FRANCE'))
  AND l_shipdate BETWEEN DATE'1995-01-01' AND DATE'1996-12-31'
GROUP BY supplier_nation.n_name, customer_nation.n_name, year(l_shipdate)
ORDER BY supp_nation, cust_nation, l_year
