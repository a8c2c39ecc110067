--- Input for sqlite's shell: a few hundred statements over tables of generated rows.
local M = {}

local SCHEMA <const> = [[
.mode list
.headers on
PRAGMA page_size = 1024;
PRAGMA foreign_keys = ON;
CREATE TABLE maker (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, since INT);
CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT, maker INT REFERENCES maker ON DELETE
  CASCADE,
  name TEXT, price REAL CHECK (price >= 0), stock INT DEFAULT 0, note BLOB,
  worth REAL GENERATED ALWAYS AS (price * stock) VIRTUAL);
CREATE TABLE pair (a, b, c, PRIMARY KEY (a, b)) WITHOUT ROWID;
CREATE TABLE log (at INTEGER PRIMARY KEY, what TEXT, old, new);
CREATE INDEX item_name ON item (name, price DESC);
CREATE INDEX item_cheap ON item (price) WHERE price < 20;
CREATE INDEX item_length ON item (length(name));
CREATE VIEW stocked AS SELECT m.name AS maker, i.name, i.worth FROM item i JOIN maker m
  ON m.id = i.maker WHERE i.stock > 0;
CREATE TRIGGER item_update AFTER UPDATE OF price ON item WHEN old.price <> new.price BEGIN
  INSERT INTO log (what, old, new) VALUES ('price ' || new.id, old.price, new.price);
END;
CREATE TRIGGER item_delete BEFORE DELETE ON item BEGIN
  INSERT INTO log (what, old) VALUES ('delete', old.name);
  SELECT CASE WHEN old.stock > 95 THEN raise(ABORT, 'too many') END;
END;
CREATE TRIGGER stocked_insert INSTEAD OF INSERT ON stocked BEGIN
  INSERT INTO item (maker, name, price, stock)
    VALUES ((SELECT id FROM maker WHERE name = new.maker), new.name, new.worth, 1);
END;
]]

-- After the rows. Statements that fail are meant to.
local QUERIES <const> = [[
ANALYZE;
SELECT count(*), sum(stock), round(avg(price), 4), min(name), max(worth), total(note) FROM item;
SELECT m.name, count(i.id) AS n, group_concat(i.id, '/') FROM maker m LEFT JOIN item i
  ON i.maker = m.id AND i.price < 10 GROUP BY m.id HAVING n <> 1 ORDER BY n DESC, m.name;
SELECT * FROM stocked WHERE worth > 3000 ORDER BY worth DESC, name LIMIT 10 OFFSET 2;
SELECT a.id, b.id FROM item a JOIN item b ON a.name = b.name AND a.id < b.id ORDER BY 1, 2 LIMIT 20;
SELECT i.name FROM item i NATURAL JOIN (SELECT id FROM item WHERE stock BETWEEN 40 AND 45) ORDER
  BY 1;
SELECT m.name, i.name FROM maker m FULL JOIN item i ON m.since = i.stock + 1950 ORDER BY 1, 2
  LIMIT 15;
SELECT DISTINCT maker, stock % 3 FROM item ORDER BY 1 DESC, 2;
SELECT id FROM item WHERE maker IN (SELECT id FROM maker WHERE since > 1990) EXCEPT
  SELECT id FROM item WHERE price > 15 UNION SELECT -1 INTERSECT SELECT -1 ORDER BY 1;
SELECT name FROM item WHERE name LIKE '%a_e%' OR name GLOB 'b*[xyz]' ORDER BY name COLLATE
  NOCASE DESC;
SELECT id FROM item i WHERE EXISTS (SELECT 1 FROM item j WHERE j.maker = i.maker AND j.price >
  i.price * 8)
  AND NOT EXISTS (SELECT 1 FROM pair WHERE a = i.id) ORDER BY id;
SELECT CASE WHEN price < 5 THEN 'low' WHEN price < 50 THEN 'middle' ELSE 'high' END AS class,
  count(*)
  FROM item GROUP BY 1 ORDER BY 2;
WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n WHERE x < 40),
  fib(i, a, b) AS (SELECT 1, 0, 1 UNION ALL SELECT i + 1, b, a + b FROM fib WHERE i < 30)
  SELECT x, a FROM n LEFT JOIN fib ON x = i WHERE x % 4 = 0;
WITH RECURSIVE
  xaxis(x) AS (VALUES (-2.0) UNION ALL SELECT x + 0.1 FROM xaxis WHERE x < 1.0),
  yaxis(y) AS (VALUES (-1.0) UNION ALL SELECT y + 0.2 FROM yaxis WHERE y < 1.0),
  m(iter, cx, cy, x, y) AS (SELECT 0, x, y, 0.0, 0.0 FROM xaxis, yaxis UNION ALL
    SELECT iter + 1, cx, cy, x * x - y * y + cx, 2.0 * x * y + cy FROM m
    WHERE (x * x + y * y) < 4.0 AND iter < 20),
  m2(iter, cx, cy) AS (SELECT max(iter), cx, cy FROM m GROUP BY cx, cy),
  a(t) AS (SELECT group_concat(substr(' .+*#', 1 + min(iter / 5, 4), 1), '') FROM m2 GROUP BY cy)
  SELECT group_concat(rtrim(t), x'0a') FROM a;
WITH big AS MATERIALIZED (SELECT * FROM item WHERE stock > 90) SELECT count(*) FROM big b1, big b2
  WHERE b1.maker = b2.maker;
SELECT id, stock, row_number() OVER w, rank() OVER w, dense_rank() OVER w, ntile(4) OVER w,
  lag(stock, 1, 0) OVER w, lead(id) OVER w FROM item WHERE id < 40 WINDOW w AS (PARTITION BY maker
  ORDER BY stock, id) ORDER BY maker, stock, id;
SELECT id, sum(stock) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT
  ROW),
  first_value(id) OVER (ORDER BY stock RANGE BETWEEN 5 PRECEDING AND 5 FOLLOWING),
  nth_value(id, 2) OVER (ORDER BY maker GROUPS 1 PRECEDING), percent_rank() OVER (ORDER BY stock),
  cume_dist() OVER (PARTITION BY maker ORDER BY stock), count(*) FILTER (WHERE stock > 50) OVER ()
  FROM item WHERE id <= 25 ORDER BY id;
EXPLAIN QUERY PLAN SELECT * FROM item WHERE name = 'x' AND price > 3 ORDER BY price;
EXPLAIN QUERY PLAN SELECT * FROM item i, maker m, pair p WHERE i.maker = m.id AND p.a = i.id AND
  price < 9;
EXPLAIN SELECT count(*), max(price) FROM item WHERE length(name) = 5 GROUP BY maker;
SELECT quote(note), typeof(note), hex(note), length(note), unicode(name) FROM item WHERE note IS
  NOT NULL
  ORDER BY id LIMIT 12;
SELECT printf('%08.3f|%-6s|%x|%,d|%Q|%e', 3.14159, 'ab', 255, 1234567, 'it''s', 12345.678),
  round(2.5),
  round(-2.567, 2), abs(-9223372036854775807), 7 / 2, -7 / 2, 7 % -3, 7.0 / 2, 1 << 40, ~5, 5 &
  6 | 8;
SELECT substr('hello', -3, 2), instr('hello', 'l'), replace('banana', 'an', '<>'), trim('  x '),
  ltrim('xxy', 'x'), upper('abc'), 'a' || 1 || 2.5, coalesce(NULL, 3), nullif(1, 1), iif(0, 1, 2),
  likely(1), zeroblob(3) = x'000000', char(65, 8364);
SELECT cast('12abc' AS INT), cast(2.9 AS INT), cast(1 AS TEXT), 1 = '1', '1' < 2, NULL IS NULL,
  NULL = 1,
  1 IN (1, NULL), 2 IN (1, NULL), 9223372036854775807 + 1, 0x10, 1e3, .5, 'a' < 'B', 'a' < 'B'
  COLLATE NOCASE;
SELECT date('2024-02-29', '+1 year'), datetime(1e9, 'unixepoch'), strftime('%j %W %w %s',
  '2001-09-09'),
  julianday('2000-01-01'), time('12:00', '-90 minutes'), date('2023-01-31', '+1 month', 'weekday
  0');
SELECT json_extract('{"a":[1,2,{"b":"x"}]}', '$.a[2].b'), json('[1, 2 ,3]'), json_array(1, 'x',
  NULL),
  json_set('{"a":1}', '$.b', 2), json_type('{"a":1.5}', '$.a'), json_valid('{x'), '{"a":5}' ->
  '$.a';
SELECT key, value, type, path FROM json_tree('{"a":[1,{"b":null}],"c":"d"}');
SELECT json_group_array(name), json_group_object(name, since) FROM (SELECT * FROM maker ORDER BY
  id LIMIT 4);
INSERT INTO maker VALUES (1, 'again', 2000);
INSERT INTO maker VALUES (99, 'MAKER1', 2000);
INSERT INTO item (maker, name, price) VALUES (12345, 'orphan', 1);
INSERT INTO item (maker, name, price) VALUES (1, 'negative', -1);
INSERT INTO nothing VALUES (1);
SELECT nonsense FROM item;
SELECT * FROM item WHERE;
SELECT sum(abs(-9223372036854775808));
INSERT OR IGNORE INTO maker VALUES (1, 'again', 2000), (100, 'new', 2001);
INSERT OR REPLACE INTO maker VALUES (100, 'newer', 2002);
INSERT INTO maker VALUES (100, 'x', 1) ON CONFLICT (id) DO UPDATE SET since = since + excluded.since
  RETURNING *;
INSERT INTO stocked (maker, name, worth) VALUES ('newer', 'through the view', 12.5) RETURNING name;
SELECT id, maker, name, price, stock, worth FROM item WHERE maker = 100;
UPDATE item SET price = price * 1.5 WHERE id % 50 = 0 RETURNING id, round(price, 3);
UPDATE item SET stock = m.since FROM maker m WHERE m.id = item.maker AND item.id IN (3, 5, 7)
  RETURNING item.id, stock;
DELETE FROM item WHERE stock > 90;
DELETE FROM item WHERE id IN (SELECT id FROM item WHERE stock < 95 ORDER BY id LIMIT 7)
  RETURNING id;
SELECT * FROM log ORDER BY at;
BEGIN; UPDATE item SET stock = 0; SAVEPOINT one; DELETE FROM log; SELECT count(*) FROM log;
  ROLLBACK TO one;
SELECT count(*), sum(stock) FROM log, item; RELEASE one; ROLLBACK; SELECT sum(stock) FROM item;
BEGIN IMMEDIATE; DELETE FROM maker WHERE id = 2; SELECT count(*) FROM item WHERE maker = 2;
COMMIT;
BEGIN; INSERT INTO pair VALUES (1000, 1, 1); INSERT INTO pair VALUES (1000, 1, 2);
COMMIT;
SELECT * FROM pair WHERE a >= 1000 OR (a, b) > (199, 3) ORDER BY a, b;
SELECT a, count(*), sum(c) FROM pair WHERE b > 2 GROUP BY a HAVING sum(c) > 150 ORDER BY 3 DESC,
  1 LIMIT 10;
CREATE TEMP TABLE copy AS SELECT * FROM item WHERE id % 2;
ALTER TABLE copy RENAME COLUMN name TO title; ALTER TABLE copy ADD COLUMN extra DEFAULT 'none';
ALTER TABLE copy DROP COLUMN note; ALTER TABLE copy RENAME TO copied;
SELECT title, extra FROM copied ORDER BY id LIMIT 3;
CREATE UNIQUE INDEX copied_id ON copied (id); DROP INDEX copied_id; REINDEX;
SELECT type, name, tbl_name FROM sqlite_schema ORDER BY type, name;
PRAGMA table_xinfo(item); PRAGMA index_list(item); PRAGMA foreign_key_list(item);
ATTACH ':memory:' AS other; CREATE TABLE other.item2 AS SELECT id, name FROM main.item WHERE
  stock = 50;
SELECT count(*) FROM other.item2; DETACH other;
PRAGMA integrity_check; PRAGMA foreign_key_check; VACUUM; PRAGMA quick_check; PRAGMA page_count;
SELECT count(*), sum(id) FROM (SELECT id FROM item ORDER BY random());
SELECT max(id), min(id) FROM item; SELECT changes(), total_changes() > 1000, last_insert_rowid();
.mode box
SELECT id, name, price FROM item ORDER BY price DESC LIMIT 5;
.mode csv
SELECT * FROM maker;
.mode insert
SELECT * FROM pair LIMIT 5;
.mode json
SELECT id, name, note FROM item LIMIT 5;
.mode column
SELECT * FROM log LIMIT 5;
.schema
.dump pair
]]

--- The statements.
---@param rows integer of the largest table
---@return string
function M.script(rows)
  local state = 20240229
  local function random(n)
    state = (state * 1103515245 + 12345) % 0x80000000
    return state // 65536 % n + 1
  end
  local function word()
    local letters = {}
    for i = 1, 3 + random(6) do letters[i] = string.char(96 + random(26)) end
    return table.concat(letters)
  end
  local out = { SCHEMA }
  for i = 1, 12 do
    out[#out + 1] = ("INSERT INTO maker VALUES (%d, 'maker%d', %d);"):format(i, i, 1950 +
  random(70))
  end
  out[#out + 1] = "BEGIN;"
  for i = 1, rows do
    out[#out + 1] = ("INSERT INTO item (maker, name, price, stock, note) VALUES "
      .. "(%d, '%s', %d.%02d, %d, %s);"):format(random(12), word(), random(100) // random(20),
      random(100) - 1, random(100) - 1, i % 7 == 0 and ("x'%04x'"):format(random(65536) - 1)
      or i % 11 == 0 and random(999) or "NULL")
    if i % 100 == 0 then out[#out + 1] = "COMMIT; BEGIN;" end
  end
  out[#out + 1] = "COMMIT;"
  out[#out + 1] = ("WITH RECURSIVE n(x) AS (VALUES (0) UNION ALL SELECT x + 1 FROM n WHERE x < %d) "
    .. "INSERT INTO pair SELECT x / 5, x %% 5, (x * 7919) %% 101 FROM n;"):format(rows * 3)
  out[#out + 1] = QUERIES
  return table.concat(out, "\n")
end

return M
