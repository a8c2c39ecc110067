-- Reads, writes, may-writes and refinements of variables in functions of any size, and
-- questions about them (spec/support/growing.lua).
local phial = require "phial"

local cases = {}

local function case(name, n, make, call)
  cases[#cases + 1] = { name = name, n = n, make = make, call = call }
end

local function func(accesses)
  local fn = phial.fn("f", { "c:i1" }, nil,
    { rules = false, where = false, accesses = accesses ~= false })
  return fn, fn:var "x", fn:entry()
end

local function finished(fn, block)
  block:ret()
  return fn:finish { verify = false }
end

local function reaching_all(fn)
  assert(#fn:defs_and_uses(fn:read_accesses()) > 0)
  assert(#fn:defs_and_uses(fn:write_accesses()) > 0)
end

-- n ifs, one after the other: x may be written in each, and is read after each.
local function diamonds(n)
  local fn, x, b = func()
  b:write(x, 0)
  for i = 1, n do
    local arm, join = fn:block(nil, 1), fn:block(nil, 2)
    b:branch(fn:arg(1), arm, join)
    arm:write(x, i)
    arm:jump(join)
    join:read(x)
    b = join
  end
  return finished(fn, b)
end

-- n loops, one after the other, or each in the one before.
local function loops(n, nested)
  local fn, x, b = func()
  b:write(x, 0)
  local heads, exits = {}, {}
  local function leave(i)
    b:write(x, b:add(x, i))
    b:jump(heads[i])
    heads[i]:seal()
    exits[i]:seal()
    b = exits[i]
    b:read(x)
  end
  for i = 1, n do
    heads[i], exits[i] = fn:block(), fn:block()
    b:jump(heads[i])
    b = fn:block(nil, 1)
    heads[i]:branch(fn:arg(1), b, exits[i])
    if not nested then leave(i) end
  end
  for i = nested and n or 0, 1, -1 do leave(i) end
  return finished(fn, b)
end

case("accesses: all of n ifs", 1000, diamonds, reaching_all)
case("accesses: all of n loops", 1000, loops, reaching_all)
case("accesses: all of n nested loops", 1000, function(n) return loops(n, true) end, reaching_all)

case("accesses: of each of n writes with a read", 1000, function(n)
  local fn, x, b = func()
  for i = 1, n do
    fn:set_node(i)
    b:write(x, i)
    b:read(x)
  end
  return finished(fn, b)
end, function(fn)
  for i, write in ipairs(fn:write_accesses()) do assert(i == 1 or #write:reads() == 1) end
  for _, read in ipairs(fn:read_accesses()) do assert(#read:writes() == 1) end
end)

case("accesses: one or several definitions, of each of n phis", 1000, diamonds, function(fn)
  for _, read in ipairs(fn:read_accesses()) do
    local v = read:value()
    if v:op() == "phi" then assert(#v:definitions(2) == 2) end
  end
end)

-- Here building the function is part of the call.
local function itself(n) return n end

-- All that is made is one value in the end.
case("nodes: of n equal instructions, values that replace one another, and phis", 2000, itself,
  function(n)
    local fn = phial.fn("f", { "x:i64" }, nil, { where = false })
    local b, sum = fn:entry(), nil
    for i = 1, n do
      fn:set_node(i)
      sum = b:add(fn:arg(1), 1)
      assert(#fn:const(0):nodes() == 0)
    end
    assert(#sum:nodes() == n)
    finished(fn, b)
    local last = sum
    for i = 1, n do
      fn:set_node(-i)
      local w = b:back():add(fn:arg(1), i)
      last:replace(w)
      last = w
    end
    assert(#last:nodes() == 2 * n)
  end)

case("may-writes: n calls may write a group of n variables", 1000, itself, function(n)
  local fn, x, b = func()
  local group = fn:group { x }
  for i = 2, n do group:add(fn:var("v" .. i)) end
  b:write(x, 0)
  for i = 1, n do
    local next = fn:block(nil, 1)
    fn:set_node(i)
    b:may_write(group, i)
    b:jump(next)
    b = next
  end
  b:read(x)
  finished(fn, b)
  assert(#fn:read_accesses()[1]:writes() == n + 1)
  assert(#fn:defs_and_uses(fn:write_accesses()) == 1)
end)

case("refinements: n nested ifs", 1000, itself, function(n)
  local fn, x, b = func(false)
  local joins, use = {}, fn:var "use"
  b:write(x, 0)
  for i = 1, n do
    local yes, no = fn:block(nil, 1), fn:block(nil, 1)
    joins[i] = fn:block(nil, 2)
    b:branch(fn:arg(1), yes, no, { refine = { x } })
    no:write(use, x)
    no:jump(joins[i])
    yes:write(use, x)
    b = yes
  end
  for i = n, 1, -1 do
    b:jump(joins[i])
    b = joins[i]
    b:call("use", nil, x)
  end
  finished(fn, b)
end)

case("refinements: n loops", 1000, itself, function(n)
  local fn, x, b = func(false)
  b:write(x, 0)
  for _ = 1, n do
    local head, body, exit = fn:block(nil, 2), fn:block(nil, 1), fn:block(nil, 1)
    b:jump(head)
    head:branch(fn:arg(1), body, exit, { refine = { x } })
    body:write(x, body:add(x, 1))
    body:jump(head)
    exit:call("use", nil, x)
    b = exit
  end
  finished(fn, b)
end)

return cases
