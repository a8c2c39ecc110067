-- SQL's logic of three values: a comparison with null is null, and a row stays only where its
-- condition is true. Laws that hold for two values can be wrong here: R:check finds out.
-- usage: lua5.4 sql.lua
local phial = require "phial"

local NULL <const> = "null"

-- A function of values none of which is null.
local function strict(f)
  return function(...)
    for i = 1, select("#", ...) do
      if select(i, ...) == NULL then return NULL end
    end
    return f(...)
  end
end

local function compare(f)
  return { args = { "int", "int" }, result = "bool", pure = true, cost = 4, eval = strict(f) }
end

-- What one operand decides, or null if one of them is.
local function connect(decides)
  return { args = { "bool", "bool" }, result = "bool", pure = true, commutative = true, cost = 4,
    eval = function(a, b)
      if a == decides or b == decides then return decides end
      return (a == NULL or b == NULL) and NULL or not decides
    end }
end

local sql = phial.dialect("sql", {
  eq = compare(function(a, b) return a == b end), ne = compare(function(a, b) return a ~= b end),
  lt = compare(function(a, b) return a < b end), le = compare(function(a, b) return a <= b end),
  both = connect(false), either = connect(true),
  no = { args = { "bool" }, result = "bool", pure = true, cost = 3,
    eval = strict(function(a) return not a end) },
  is_null = { args = { "int" }, result = "bool", pure = true, cost = 2,
    eval = function(a) return a == NULL end },
  yes = { args = 0, result = "bool", pure = true, cost = 1, eval = function() return true end },
  keep = { args = { "bool" }, result = "i1", pure = true, cost = 2,
    eval = function(a) return a == true end },
}, { "int", "bool" })

-- What the schema says of a column. A check asks the second function, which is given values.
local columns = { id = "never null" }
local function never_null(v) return columns[v:name()] ~= nil end
local checking = {
  samples = { ["sql.int"] = { 1, 2, 3, NULL }, ["sql.bool"] = { true, false, NULL } },
  facts = { [never_null] = function(v) return v ~= NULL end },
}

local function laws(text)
  return phial.rules():attach(sql):add(text, { never_null = never_null })
end

local R = laws [[
  no_no:      sql.no(sql.no(a))                       => a
  not_lt:     sql.no(sql.lt(x, y))                    => sql.le(y, x)
  not_le:     sql.no(sql.le(x, y))                    => sql.lt(y, x)
  both_yes:   sql.both(a, sql.yes())                  => a
  absorb:     sql.both(a, sql.either(a, _))           => a
  no_both:    sql.no(sql.both(once(sql.no(a)), once(sql.no(b)))) => sql.either(a, b)
  equal:      sql.eq(x, x)                            => sql.yes() if $never_null(x)
  at_most:    sql.le(x, x)                            => sql.yes() if $never_null(x)
  kept_equal: sql.keep(sql.eq(x, x)) => sql.keep(sql.no(sql.is_null(x))) @ unoriented
]]

-- Each holds for two values: not, swapped; a value is less, equal or greater; one equals itself.
local hasty = laws [[
  not_lt:     sql.no(sql.lt(x, y))                    => sql.le(x, y)
  trichotomy: sql.either(sql.lt(x, y), sql.le(y, x))  => sql.yes()
  same:       sql.eq(x, x)                            => sql.yes()
]]

local function show(_, verdicts) print(table.concat(verdicts, "\n")) end
show(R:check(checking))
show(hasty:check(checking))

-- where not (not (price <= id) and not (id < id)) and id = id
local function condition(set)
  local fn = phial.fn("condition", { "id:sql.int", "price:sql.int" }, "i1",
    { rules = set, dialects = { sql } })
  local e, id, price = fn:entry(), fn:arg(1), fn:arg(2)
  local function op(name, ...) return e:emit(sql[name], ...) end
  local inner = op("both", op("no", op("le", price, id)), op("no", op("lt", id, id)))
  e:ret(op("keep", op("both", op("no", inner), op("eq", id, id))))
  fn:finish()
  fn:clean { dead = true }
  return fn
end

print(condition(false))
print(condition(R))
