-- Functions of any size with may-writes and refinements, and questions about them
-- (spec/support/growing.lua).
local phial = require "phial"

local cases = {}

local function itself(n) return n end

-- Building the function is part of the call.
local function case(name, n, build)
  cases[#cases + 1] = { name = name, n = n, make = itself, call = build }
end

local function func(opts)
  opts = opts or {}
  opts.rules, opts.where = false, false
  local fn = phial.fn("f", { "c:i1" }, nil, opts)
  return fn, fn:var "x", fn:entry()
end

local function finished(fn, block)
  block:ret()
  return fn:finish { verify = false }
end

case("may-writes: n calls may write a group of n variables", 1000, function(n)
  local fn, x, b = func { accesses = true }
  local group = fn:group { x }
  for i = 2, n do group:add(fn:var("v" .. i)) end
  b:write(x, 0)
  for i = 1, n do
    local next = fn:block(nil, 1)
    b:may_write_as(i, group, i)
    b:jump(next)
    b = next
  end
  b:read(x)
  finished(fn, b)
  assert(#fn:reads()[1]:writes() == n + 1)
  assert(#fn:reaching(fn:writes()) == 1)
end)

case("refinements: n nested ifs", 1000, function(n)
  local fn, x, b = func()
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

case("refinements: n loops", 1000, function(n)
  local fn, x, b = func()
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
