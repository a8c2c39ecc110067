create table person(id integer primary key, name text not null, born date, height real, photo blob)
insert into person(name, born, height) values ('Ada', '1815-12-10', 1.65), ('Grace', '1906-12-09', 1.68), ('Alan', '1912-06-23', 1.78), ('Edsger', '1930-05-11', 1.86)
insert into person(name, born) values ('Barbara', '1939-11-07') returning id, name
select * from person order by born
select count(*), min(height), max(height), avg(height), sum(height), total(height) from person
select name, length(name), upper(name), substr(name, 2, 3), instr(name, 'a') from person
select name from person where name like '%a%' order by name desc limit 2 offset 1
select name from person where name glob 'A*' or height is null
select coalesce(height, 0), ifnull(height, -1), nullif(name, 'Ada'), iif(height > 1.7, 'tall', 'small') from person
create unique index person_name on person(name)
insert into person(name) values ('Ada')
insert into person(id) values (9)
insert into person(name, height) values ('Ada', 1.6) on conflict(name) do update set height = excluded.height
explain query plan select * from person where name = 'Ada'
create table paper(id integer primary key, author integer references person(id) on delete cascade, title text, year int check (year > 1800))
insert into paper(author, title, year) select id, name || ' on numbers', 1843 + id * 31 from person
insert into paper(author, title, year) values (1, 'Notes', 1700)
select name, title, year from person join paper on author = person.id order by year
select a.name, b.name from person a cross join person b where a.id < b.id and a.height > b.height
select author, count(*) n, group_concat(title, '; ') from paper group by author having n > 0 order by 1
select decade, count(*) from (select year / 10 * 10 as decade from paper) group by decade
select name, rank() over (order by height desc), row_number() over (order by name) from person
select year, sum(year) over (order by year rows between 1 preceding and 1 following), lag(year) over (order by year) from paper
select ntile(2) over (order by id), first_value(name) over (order by id), percent_rank() over (order by id) from person
with recursive n(i) as (select 1 union all select i + 1 from n where i < 20) select sum(i), group_concat(i) from n
with recursive fib(a, b) as (values (0, 1) union all select b, a + b from fib limit 60) select max(a) from fib
with recursive m(x, y, n, a, b) as (select 0.3, 0.5, 0, 0.0, 0.0 union all select x, y, n + 1, a * a - b * b + x, 2 * a * b + y from m where n < 30) select n, round(a, 6), round(b, 6) from m where n % 10 = 0
create table big(k integer primary key, v text, n real)
with recursive c(i) as (select 1 union all select i + 1 from c where i < 3000) insert into big select i, hex(i * 7919 % 10007), i * 0.37 from c
select count(*), sum(length(v)), min(v), max(v), round(sum(n), 3) from big
create index big_v on big(v, n desc)
select k, v from big where v between '31' and '3130' order by v, k limit 8
select count(distinct substr(v, 1, 2)), count(*) filter (where k % 3 = 0) from big
update big set n = n * 2 where k % 100 = 0 returning k, n
delete from big where k > 2000
select changes(), total_changes() > 0, last_insert_rowid()
select 7 / 2, -7 / 2, 7 % 3, -7 % 3, 7.0 / 2, 1 / 0, 5 << 3, 255 >> 2, 6 & 3, 6 | 3, ~6
select 9223372036854775807 + 1, -9223372036854775808, 9223372036854775807 * 2, abs(-5)
select 0.1 + 0.2, 1e100, 1.5e-7, 123456789.125, 1e15, 1e16, 100.0, -0.0, 2.5
select round(2.5), round(-2.5), round(3.14159, 2), cast(3.99 as int), cast('12abc' as int), cast('1.5e3x' as real)
select cast(12345.678 as text), cast(x'414243' as text), cast(7 as blob), quote(1.25), quote('it''s'), quote(x'0aff'), quote(null)
select sqrt(2), pow(2, 0.5), round(exp(1), 12), ln(10), log10(1000), sin(1), atan2(1, 2), pi(), ceil(1.2), floor(-1.2), trunc(-1.7), mod(7.5, 2)
select printf('%d|%5d|%-5d|%05d|%+d|%x|%X|%o|%c', 42, 42, 42, 42, 42, 255, 255, 8, 'abc')
select printf('%f|%.2f|%10.3f|%e|%g|%s|%q|%Q|%w', 1.5, 2.345, 3.14159, 12345.678, 0.0001, 'x', 'it''s', null, 'a"b')
select printf('%,d %!.20s %lld %%', 1234567, 'abc', -9007199254740993)
select hex('abc'), char(72, 228, 8364, 128512), unicode('€'), length('häß'), length(x'00ff')
select trim('  a '), ltrim('xxa', 'x'), rtrim('axx', 'x'), replace('banana', 'an', '<>'), soundex('Robert')
select date('2024-02-28', '+2 days'), time('12:34:56', '-90 minutes'), datetime(1700000000, 'unixepoch'), julianday('2000-01-01'), strftime('%Y %j %W %w %s', '2023-07-04 10:20:30')
select date('2024-01-31', '+1 month'), date('2024-03-15', 'start of month', '-1 day'), date('2024-05-05', 'weekday 1'), date('nonsense')
select born, strftime('%d.%m.%Y', born), cast((julianday('2000-01-01') - julianday(born)) / 365.25 as int) from person
select json('{"a": [1, 2.5, null, true, "x"]}'), json_extract('{"a": {"b": [10, 20]}}', '$.a.b[1]'), '{"k": 7}' ->> 'k', '[1,2]' -> 0
select json_array(1, 'two', 3.5, null), json_object('a', 1, 'b', json('[2]')), json_type('[1]'), json_valid('{x'), json_array_length('[1,2,3]')
select key, value, type, path from json_each('{"x": 1, "y": [2, 3], "z": "w"}')
select fullkey, atom from json_tree('{"a": {"b": [true, 1.5]}}') where atom is not null
select json_group_array(name), json_group_object(name, height) from person
select json_set('{"a": 1}', '$.b', 2), json_remove('[1,2,3]', '$[1]'), json_patch('{"a": 1}', '{"a": null, "c": 3}')
create virtual table note using fts5(title, body)
insert into note values ('ssa', 'each variable is assigned once'), ('phi', 'a phi joins what variables have'), ('loop', 'variables of loops need a phi each')
select title, snippet(note, 1, '[', ']', '..', 5) from note where note match 'phi' order by rank
select title, round(bm25(note), 4) from note where note match 'variable* NOT loops' order by title
create virtual table old_note using fts3(body)
insert into old_note values ('the quick brown fox'), ('jumps over the lazy dog')
select docid, offsets(old_note) from old_note where body match 'the'
create virtual table box using rtree(id, x0, x1, y0, y1)
insert into box select k, k % 50, k % 50 + 2, k / 50, k / 50 + 1.5 from big
select id, x0, y1 from box where x0 between 10 and 11 and y0 between 3 and 5 order by id
create view tall as select name, height from person where height > 1.67
select * from tall
create table log(what text)
create trigger grown after update of height on person begin insert into log values (old.name || ': ' || ifnull(old.height, '?') || ' to ' || new.height); end
update person set height = 1.7 where id in (2, 5)
select * from log
begin
savepoint s
delete from person
select count(*) from person
rollback to s
commit
select count(*) from person
pragma foreign_keys = on
delete from person where name = 'Edsger'
alter table person add column language text default 'English'
alter table person rename column born to birthday
select sql from sqlite_schema where name = 'person'
select name, type from sqlite_schema order by name
select x from (select 1 as x union select 3 union all select 3 intersect select 3) except select 9 order by x desc
select * from (values (1, 'b'), (2, 'A'), (3, 'a')) order by column2 collate nocase, column1
select exists (select 1 from person where height > 2), 3 in (1, 2, 3), 2 between 1 and 3, null is null, 'a' < 'B', 10 < '9'
select case name when 'Ada' then 'first' else 'later' end, min(birthday) from person
select no_such_column from person
select from where
create table strict_one(a int, b text) strict
insert into strict_one values ('x', 1)
create table pair(a, b, c generated always as (a * b) stored, primary key (a, b)) without rowid
insert into pair(a, b) values (3, 4), (1, 2), (2, 9)
select *, (select max(c) from pair p where p.a <= pair.a) from pair
vacuum
analyze
select tbl, idx, stat from sqlite_stat1 order by 1, 2
pragma integrity_check
