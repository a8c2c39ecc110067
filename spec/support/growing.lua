-- Calls, with what they are about in any size: their time must be near-linear in it.
-- A spec checks that, and the tables of growth measure it.
local core = require "phial.core"
local language = require "phial.emit.c.language"
local lateread = require "spec.support.lateread"
local phial = require "phial"

local PLAIN = { rules = false, where = false }

-- A switch with n cases, a block each, that join: the function, the blocks and
-- the join, which has a phi.
local function fan(n)
  local fn = phial.fn("f", { "x" }, "i64", PLAIN)
  local b, join, other, v = fn:entry(), fn:block "join", fn:block "other", fn:var "v"
  local blocks = {}
  for i = 1, n do blocks[i] = fn:block() end
  b:switch(fn:arg(1), other, blocks)
  other:seal()
  other:ret(0)
  for i, block in ipairs(blocks) do
    block:seal()
    block:write(v, i)
    block:jump(join)
  end
  join:seal()
  join:ret(join:read(v))
  return fn:finish { verify = false }, blocks, join, other
end

-- A switch whose n cases all go to one block.
local function bundle(n)
  local fn = phial.fn("f", { "x" }, "i64", PLAIN)
  local one, other, list = fn:block "one", fn:block "other", {}
  for i = 1, n do list[i] = one end
  fn:entry():switch(fn:arg(1), other, list)
  one:seal()
  other:seal()
  one:ret(1)
  other:ret(2)
  return fn:finish { verify = false }, one, other, n
end

-- n loops, each in the one before.
local function nest(n)
  local fn = phial.fn("f", { "c:i1" }, nil, PLAIN)
  local b, heads, exits = fn:entry(), {}, {}
  for i = 1, n do
    heads[i], exits[i] = fn:block(), fn:block()
    b:jump(heads[i])
    b = fn:block()
    heads[i]:branch(fn:arg(1), b, exits[i])
    b:seal()
  end
  for i = n, 1, -1 do
    b:jump(heads[i])
    heads[i]:seal()
    exits[i]:seal()
    b = exits[i]
  end
  b:ret()
  return fn:finish { verify = false }
end

-- A switch whose n cases go to three blocks, in turns; each block has a phi.
local function turns(n)
  local fn = phial.fn("f", { "x" }, "i64", PLAIN)
  local few, list = {}, {}
  for k = 1, 3 do few[k] = fn:block() end
  for i = 1, n do list[i] = few[i % 3 + 1] end
  fn:entry():switch(fn:arg(1), few[1], list)
  for _, b in ipairs(few) do
    b:seal()
    b:ret(0)
  end
  fn:finish { verify = false }
  for _, b in ipairs(few) do b:front():phi { [fn:entry()] = 7 } end
  return fn, few, n
end

---@class spec.Growing
---@field name string
---@field n integer a small size
---@field make fun(n: integer): ... makes what the call is about
---@field call fun(...)

---@type spec.Growing[]
local cases = {}

local function case(name, n, make, call)
  cases[#cases + 1] = { name = name, n = n, make = make, call = call }
end

case("retarget: the edges into a join", 400, fan, function(_, blocks, join, other)
  for _, block in ipairs(blocks) do block:retarget(join, other) end
end)

case("retarget: the edges into a join, with a look at each block", 400, fan,
  function(_, blocks, join, other)
    for _, block in ipairs(blocks) do
      assert(block:terminator():op() == "jump" and #block:succs() == 1 and #block:preds() == 1)
      block:retarget(join, other)
      assert(#block:phis() == 0 and block:succs()[1] == other)
    end
  end)

case("retarget, v:replace, v:set_arg: in turns", 400, fan, function(fn, blocks, join, other)
  for _, block in ipairs(blocks) do
    local v = block:front():add(fn:arg(1), 1)
    local w = block:front():mul(v, v)
    block:retarget(join, other)
    v:replace(fn:arg(1))
    w:set_arg(1, 3)
    v:erase()
  end
end)

case("retarget: the cases of a switch", 400, fan, function(fn, blocks, _, other)
  for _, block in ipairs(blocks) do fn:entry():retarget(block, other) end
end)

case("retarget: many edges between two blocks, at once", 2000, bundle, function(fn, one, other)
  fn:entry():retarget(one, other)
end)

case("split_edge: the edges into a join", 900, fan, function(_, blocks, join)
  for _, block in ipairs(blocks) do block:split_edge(join) end
end)

case("split_edge: many edges between two blocks", 250, bundle, function(fn, one, _, n)
  for _ = 1, n do fn:entry():split_edge(one, 1) end
end)

case("copy_into: a function into itself", 2000, fan, function(fn)
  fn:copy_into(fn:entry():back(), { 1 })
end)

case("copy_into: a small function, for each of n calls, the last ones first", 400, function(n)
  local callee = phial.build("g", { "x:i64" }, "i64", PLAIN, function(b, v) b:ret(v.x + 1) end)
  local fn, calls = phial.fn("f", { "x:i64" }, "i64", PLAIN), {}
  fn:set_current(fn:entry())
  local v = fn:arg(1)
  for i = 1, n do
    v = fn:call(callee, nil, v)
    calls[n - i + 1] = v
  end
  fn:ret(v)
  return fn:finish { verify = false }, callee, calls
end, function(_, callee, calls)
  for _, call in ipairs(calls) do
    local _, _, result = callee:copy_into(call:before(), call:args())
    call:replace(result)
    call:erase()
  end
end)

case("block:back(): new terminators of the predecessors of a join", 800, fan, function(_, blocks)
  for _, block in ipairs(blocks) do block:back():ret(1) end
end)

case("add_edge: cases of a switch", 400, bundle, function(fn, _, other, n)
  for i = 1, n do fn:entry():add_edge(other, n + i) end
end)

case("remove_edge: the cases of a switch", 400, fan, function(fn, blocks)
  for _, block in ipairs(blocks) do fn:entry():remove_edge(block) end
end)

case("remove_edge: the cases of a switch, last ones first", 400, fan, function(fn, blocks)
  for i = #blocks, 1, -1 do fn:entry():remove_edge(blocks[i]) end
end)

case("retarget: the cases of a switch, last ones first, to a block with a phi", 400, fan,
  function(fn, blocks, join)
    local values = { [join:phis()[1]] = 7 }
    for i = #blocks, 1, -1 do fn:entry():retarget(blocks[i], join, values) end
  end)

case("remove_edge: cases that share three targets", 400, turns,
  function(fn, few, n)
    for i = 1, n do fn:entry():remove_edge(few[i % 3 + 1], i % 3 == 0 and 2 or 1) end
  end)

case("split_edge: cases that share three targets, last ones first", 400, turns,
  function(fn, few, n)
    for i = n, 4, -1 do fn:entry():split_edge(few[i % 3 + 1], i // 3) end
  end)

case("remove_edge: defaults and first cases", 1200, turns,
  function(fn, few, n)
    for _ = 1, n // 3 do fn:entry():remove_edge(few[1], 1) end
  end)

case("fn:loops(): nested loops", 250, nest, function(fn) fn:loops() end)
case("fn:find, of all names: nested loops", 250, nest, function(fn)
  for b in fn:blocks() do assert(fn:find(tostring(b)) == b) end
  for v in fn:values() do assert(fn:find(tostring(v)) == v) end
  assert(not fn:find "%nothing" and not fn:find "nothing")
end)
case("fn:is_minimal(): nested loops, the phis a cycle", 1000, function(n)
  return (lateread(n):finish { verify = false })
end, function(fn) assert(fn:is_minimal()) end)

local function text(n, pattern)
  local lines = {}
  for i = 1, n do lines[i] = pattern:format(i, 1000 + i) end
  return table.concat(lines, "\n")
end

local function rules(n) return phial.rules(text(n, "r%d: x + %d => x")), n end

case("emit: rules that differ in a constant", 500, function(n)
  local R = rules(n)
  local fn = phial.fn("f", { "x" }, nil, { rules = R, where = false })
  fn:entry():add(fn:arg(1), 1)
  return fn, n
end, function(fn, n)
  for i = 1, n do fn:entry():add(fn:arg(1), 10 + i) end
end)

case("emit: rules that differ in a constant of an operand", 500, function(n)
  local R = phial.rules(text(n, "r%d: (x + %d) - y => x"))
  local fn = phial.fn("f", { "x", "y" }, nil, { rules = R, where = false })
  fn:entry():sub(fn:arg(1), fn:arg(2))
  return fn, n
end, function(fn, n)
  local b, x, y = fn:entry(), fn:arg(1), fn:arg(2)
  for i = 1, n do b:sub(b:add(x, 10 + i), y) end
end)

-- Many rules for differences that differ in ops up to four levels down: products of random ops,
-- and those that the rules ask for.
local DEEP <const> = { "bxor", "shl", "shr", "sar", "rotl", "rotr", "sdiv", "udiv", "srem", "urem",
  "smin", "smax", "umin", "umax", "umulh", "smulh" }

local function deep_op(i, digit) return DEEP[(i >> 4 * digit) % #DEEP + 1] end

local function deep_rules(n)
  local lines = {}
  for i = 1, n do
    lines[i] = ("%s(%s(%s(x, y), u), z) * %s(w, v) - 7 => x"):format(deep_op(i, 2), deep_op(i, 1),
      deep_op(i, 0), deep_op(i, 3))
  end
  return phial.rules(table.concat(lines, "\n"))
end

-- Returns n products, whose differences from constants have yet to be emitted.
local function deep_products(n)
  local fn = phial.fn("f", { "x", "y" }, nil, { rules = deep_rules(n), where = false })
  local b, x, y, products = fn:entry(), fn:arg(1), fn:arg(2), {}
  for i = 1, n do
    local left = b:emit(deep_op(i, 1), b:emit(deep_op(i, 0), b:add(x, i), y), y)
    products[i] = b:mul(b:emit(deep_op(i, 2), left, x), b:emit(deep_op(i, 3), x, y))
  end
  return b, products
end

local function emit_differences(b, products)
  for i, product in ipairs(products) do b:sub(product, i + 7) end
end

case("emit: the first of an op with rules that differ in ops four levels down", 500, deep_products,
  function(b, products) b:sub(products[1], 9) end)

case("emit: rules that differ in ops four levels down", 500, function(n)
  local b, products = deep_products(n)
  b:sub(products[1], 9)
  return b, products
end, emit_differences)

case("R:remove, by name", 900, rules, function(R, n)
  for i = 1, n do R:remove("r" .. i) end
end)

case("R:text, by name", 250, rules, function(R, n)
  for i = 1, n do R:text("r" .. i) end
end)

-- n rules by a pattern with %d for a number.
local function rules_like(pattern)
  return function(n)
    local lines = {}
    for i = 1, n do lines[i] = pattern:gsub("%%d", 1000 + i) end
    return phial.rules(table.concat(lines, "\n"))
  end
end

local function lint(R) R:lint() end

for _, pattern in ipairs {
  "x + %d => x", "(x - y) + %d => x", "(x + y) * %d => x", "(~x + %d) - y => x", "x + 1 => x",
  "x + y => %d", "x + C => x if C == %d",
} do
  case("R:lint: rules like " .. pattern, 125, rules_like(pattern), lint)
end

-- [a|b|...] with n constants.
local function bracket(n)
  local list = {}
  for i = 1, n do list[i] = 1000 + i end
  return "[" .. table.concat(list, "|") .. "]"
end

local function alternatives(n) return ("a: x + %s => x"):format(bracket(n)) end

case("phial.rules: [a|b|...]", 125, alternatives, phial.rules)

case("phial.rules: [a|b|...], several", 60, function(n)
  local list = bracket(n)
  return ("a: ((x + %s) & %s) ~ %s => x"):format(list, list, list)
end, phial.rules)

case("R:lint: [a|b|...]", 125, function(n) return phial.rules(alternatives(n)) end, lint)

-- n ifs in a row that may assign a variable, whose versions are one location.
local function ifs(n)
  local fn = phial.fn("f", { "x" }, "i64", PLAIN)
  local b, v, x = fn:entry(), fn:var "v", fn:arg(1)
  b:write(v, x)
  for _ = 1, n do
    local yes, no = fn:block(), fn:block()
    b:branch(b:slt(v, x), yes, no)
    yes:seal()
    yes:let(v, "add", v, x)
    yes:jump(no)
    no:seal()
    b = no
  end
  b:ret(v)
  return fn:finish { verify = false }
end

-- A loop around a switch, each of whose n cases adds to a variable; other: that many
-- keys lead back to the loop, each with a value of its own.
local function machine(n, other)
  local fn = phial.fn("f", { "x" }, "i64", PLAIN)
  local entry, head, done, v = fn:entry(), fn:block(), fn:block(), fn:var "v"
  local blocks = {}
  entry:write(v, 0)
  entry:jump(head)
  for i = 1, n do blocks[i] = fn:block() end
  for i = n + 1, n + (other or 0) do blocks[i] = head end
  head:switch(v, done, blocks)
  for i = 1, n do
    local block = blocks[i]
    block:seal()
    block:let(v, "add", v, i)
    block:jump(head)
  end
  head:seal()
  done:seal()
  done:ret(v)
  return fn:finish { verify = false }
end

local function leave(fn)
  local d, count = fn:leave(), {}
  for b in fn:blocks() do
    for _, to in ipairs(b:succs()) do
      count[to] = (count[to] or 0) + 1
      d:moves(b, to, count[to])
    end
    count = {}
  end
  d:critical_edges()
  fn:leave { split = true, coalesce = false }
end

case("leave: a variable that ifs assign", 500, ifs, leave)
case("leave: a switch in a loop", 500, machine, leave)
case("leave: a switch with many edges to one block", 500, function(n) return machine(1, n) end,
  leave)
case("leave: nested loops", 500, nest, leave)

-- A block of 2n instructions, each of which needs the one before.
local function one_block(n)
  local fn = phial.fn("f", { "x" }, "i64", PLAIN)
  local b, v, insts = fn:entry(), fn:arg(1), {}
  for i = 1, 2 * n do
    v = b:add(v, i <= n and i or fn:arg(1)) -- x is live across all
    insts[i] = v
  end
  b:ret(v)
  return insts, fn:finish { verify = false }
end

case("v:live_across: of all instructions of a block, in two orders", 1000, one_block,
  function(insts)
    for i = 1, #insts do assert(#insts[i]:live_across() <= 1) end
    for i = #insts, 1, -1 do assert(#insts[i]:live_out() <= 2) end
  end)

-- Loops in a row, of n blocks.
local function row_of_loops(n)
  local fn = phial.fn("f", { "x", "c:i1" }, "i64", PLAIN)
  local b, x, c = fn:entry(), fn:arg(1), fn:arg(2)
  for _ = 1, n // 2 do
    local head, exit = fn:block(), fn:block(nil, 1)
    b:jump(head)
    x = head:add(x, 1)
    head:branch(c, head, exit)
    head:seal()
    b = exit
  end
  b:ret(x)
  return fn:finish { verify = false }
end

case("edits of instructions, dominators and loops asked after each", 3125, row_of_loops,
  function(fn)
    local entry, before = fn:entry(), fn:entry()
    local function ask(b, depth)
      assert(entry:dominates(b) and b:idom() == before and b:loop_depth() == depth)
    end
    for _, b in ipairs(fn:rpo()) do
      local depth = b == b:succs()[1] and 1 or 0
      if b ~= entry then
        local v = b:front():mul(fn:arg(1), 3)
        ask(b, depth)
        v:set_name "v"
        ask(b, depth)
        v:set_arg(2, 5)
        ask(b, depth)
        v:replace(fn:arg(1))
        ask(b, depth)
        v:move_before(b:terminator())
        ask(b, depth)
        v:erase()
        ask(b, depth)
      end
      before = b
    end
  end)

case("phial.emit.json: nested loops", 400, nest, function(fn) phial.emit.json(fn) end)

local function dot(fn) return phial.emit.dot(fn) end
local function lua(fn) return phial.emit.lua(fn) end

case("phial.emit.dot: a switch", 300, fan, dot)
case("phial.emit.dot: many edges between two blocks", 300, bundle, dot)

case("emitters: n jumps to a block that only returns, and n values unused", 1000, function(n)
  local fn, _, join = fan(n)
  local at = join:front()
  for i = 1, n do at:add(fn:arg(1), i) end
  return fn
end, function(fn) core.symbolic(fn, language.plain) end)

case("phial.emit.lua: an op with many results", 1000, function(n)
  local D = phial.dialect("d", {
    op = { args = 1, result = "i64", results = n, eval = function(x) return x end },
  })
  local fn = phial.fn("f", { "x" }, "i64", PLAIN)
  local results = table.pack(fn:entry():emit(D.op, fn:arg(1)))
  local sum = results[1]
  for i = 2, n do sum = fn:entry():add(sum, results[i]) end
  fn:entry():ret(sum)
  return fn:finish { verify = false }
end, lua)

case("emit, by name: ops of a large dialect", 1000, function(n)
  local ops = {}
  for i = 1, n do ops["op" .. i] = { args = 1, result = "i64" } end
  local D = phial.dialect("d", ops)
  return phial.fn("f", { "x" }, nil, { rules = false, where = false, dialects = { D } }), n
end, function(fn, n)
  for i = 1, n do fn:entry():emit("d.op" .. i, fn:arg(1)) end
end)

-- A list of n blocks, each of which leads to the next.
local function chain(n)
  local fn = phial.fn("f", {}, nil, PLAIN)
  local blocks = { fn:entry() }
  for i = 2, n do
    blocks[i] = fn:block(nil, 1)
    blocks[i - 1]:jump(blocks[i])
  end
  return blocks, fn
end

local function ask(blocks)
  for _, b in ipairs(blocks) do assert(b:is_reachable()) end
end

-- A row of n loops that write a variable, all sealed: their end, n variables without a write, the
-- one that is written, and the blocks.
local function unwritten(n)
  local fn = phial.fn("f", { "c:i1" }, nil, PLAIN)
  local b, written, never, blocks = fn:entry(), fn:var "written", {}, {}
  for i = 1, n do
    local head, after = fn:block(), fn:block()
    blocks[i] = head
    never[i] = fn:var("never" .. i)
    b:write(written, i)
    b:jump(head)
    head:write(written, i)
    head:branch(fn:arg(1), head, after)
    head:seal()
    after:seal()
    b = after
  end
  return b, never, written, blocks
end

case("read: variables that nothing writes, below loops", 250, unwritten, function(b, never)
  for _, var in ipairs(never) do b:read(var) end
end)

case("read: the ends of all blocks, last ones first, once they are sealed", 500, unwritten,
  function(_, _, written, blocks)
    for i = #blocks, 1, -1 do blocks[i]:read(written) end
  end)

case("is_reachable, while the function is built", 2000, chain, ask)
case("is_reachable, of a finished function", 2000, function(n)
  local blocks, fn = chain(n)
  blocks[n]:ret()
  fn:finish { verify = false }
  return blocks, fn
end, ask)

case("set_data, data", 2000, chain, function(blocks)
  for i, b in ipairs(blocks) do b:set_data(i) end
  for i, b in ipairs(blocks) do assert(b:data() == i) end
end)

case("phial.parse, of unknown dialects", 500, function(n)
  local lines = { "fn f(%x: a.t) {\nentry:\n" }
  for i = 1, n do
    lines[#lines + 1] = ("  a.op%d {\"x.y\"} %%x, undef:b.t%d -- [c.d]\n"):format(i, i % 100)
  end
  return table.concat(lines) .. "  ret\n}\n"
end, function(source) assert(phial.parse(source, { dialects = "any" })) end)

-- n ifs without else, each of which may change x; after each x is used. Returns the
-- function, x and the blocks of the ifs.
local function may_change(n)
  local fn = phial.fn("f", { "c:i1", "n" }, "i64", PLAIN)
  local b, blocks = fn:entry(), {}
  local x = b:add(fn:arg(2), 1)
  for i = 1, n do
    local join = fn:block(nil, 2)
    blocks[i] = fn:block(nil, 1)
    b:branch(fn:arg(1), blocks[i], join)
    blocks[i]:jump(join)
    join:mul(x, 3)
    b = join
  end
  b:ret(x)
  fn:finish { verify = false }
  x:use_count()
  return fn, x, blocks
end

case("repair: a definition in each of n ifs", 1000, may_change, function(fn, x, blocks)
  local r = fn:repair(x)
  for i, block in ipairs(blocks) do r:define(block, i) end
  assert(r:rewrite().phis == #blocks)
end)

case("repair: in the innermost of n loops, for a use in the outermost", 1000, function(n)
  local fn = nest(n)
  local blocks = fn:rpo()
  local x = fn:entry():back():add(1, 2)
  fn:entry():succs()[1]:back():add(x, 3)
  x:use_count()
  return fn, x, blocks[2 * n + 1], n
end, function(fn, x, inner, n)
  assert(fn:repair(x):define(inner, 7):rewrite().phis >= 1)
  assert(fn:clean { phis = true }.phis <= n)
end)

case("repair: each of n values of a block", 400, function(n)
  local fn = phial.fn("f", { "n" }, "i64", PLAIN)
  local b, values, v = fn:entry(), {}, fn:arg(1)
  for i = 1, n do
    v = b:add(v, i)
    values[i] = v
  end
  b:ret(v)
  fn:finish { verify = false }
  v:use_count()
  return fn, values
end, function(fn, values)
  for _, v in ipairs(values) do fn:repair(v):define(v, 7):rewrite() end
end)

case("repair: n values, each in a few of n blocks", 400, may_change, function(fn, x, blocks)
  for i, block in ipairs(blocks) do
    local y = block:front():add(i, 1)
    block:back():add(y, 1)
    assert(fn:repair(y):define(y, 7):rewrite().visited == 1)
  end
  assert(x)
end)

-- n shapes, each after the one before or in it, that change a variable.
local function shaped(shape)
  return function(n)
    local fn = phial.fn("f", { "c:i1", "x" }, "i64", PLAIN)
    local v = fn:var "v"
    fn:entry():write(v, 1)
    shape(fn, v, n):ret(v)
    return fn:finish { verify = false }
  end
end

local function diamonds(fn, v, n)
  local b = fn:entry()
  for _ = 1, n do
    local yes, no, join = fn:block(nil, 1), fn:block(nil, 1), fn:block(nil, 2)
    b:branch(fn:arg(1), yes, no)
    yes:let(v, "add", v, 1)
    yes:jump(join)
    no:let(v, "mul", v, 3)
    no:jump(join)
    b = join
  end
  return b
end

local function loop(fn, b)
  local head, body, exit = fn:block(), fn:block(nil, 1), fn:block(nil, 1)
  b:jump(head)
  head:branch(fn:arg(1), body, exit)
  return head, body, exit
end

local function loops(fn, v, n)
  local b = fn:entry()
  for _ = 1, n do
    local head, body, exit = loop(fn, b)
    body:let(v, "add", v, 1)
    body:jump(head)
    head:seal()
    b = exit
  end
  return b
end

local function nested(fn, v, n)
  local b, heads, exits = fn:entry(), {}, {}
  for i = 1, n do heads[i], b, exits[i] = loop(fn, b) end
  b:let(v, "add", v, 1)
  for i = n, 1, -1 do
    b:jump(heads[i])
    heads[i]:seal()
    b = exits[i]
  end
  return b
end

-- Constants, as conditional constant propagation has them.
local function solve(fn)
  local function join(a, b) return a == b and a or "varies" end
  local r = fn:solve { bottom = "none", join = join, transfer = {
    const = function(v) return v:const() end, param = function() return "varies" end,
    add = function(_, fact)
      local a = fact(1)
      return math.type(a) and a + 1 or a
    end,
    default = function(_, fact) return fact(1) end,
  }, edge = function() return true end }
  assert(r:is_taken(fn:rpo()[#fn:rpo()]))
end

case("fn:solve: diamonds", 2000, shaped(diamonds), solve)
case("fn:solve: loops", 2000, shaped(loops), solve)
case("fn:solve: nested loops", 2000, shaped(nested), solve)
case("fn:solve: a switch in a loop", 2000, machine, solve)

-- n variables in memory, each changed in a diamond of its own, and one in all of them.
case("fn:promote: variables changed in diamonds", 1000, function(n)
  local fn = phial.fn("f", { "c:i1" }, "i64", PLAIN)
  local entry, b = fn:entry(), fn:entry()
  local sum = b:alloca "i64"
  b:store(sum, 0)
  for i = 1, n do
    local slot, yes, join = entry:alloca "i64", fn:block(), fn:block()
    b:store(slot, i)
    b:branch(fn:arg(1), yes, join)
    yes:store(slot, yes:load(sum, "i64"))
    yes:jump(join)
    join:store(sum, join:load(slot, "i64"))
    b = join
  end
  b:ret(b:load(sum, "i64"))
  return fn:finish { verify = false }
end, function(fn) assert(fn:promote().phis > 0) end)
-- n diamonds, in which a place is stored or loaded, and loaded after the next one: more places than
-- are known at once.
case("fn:forward: places in diamonds", 10000, function(n)
  local fn = phial.fn("f", { "p:ptr", "c:i1" }, "i64", PLAIN)
  local b, sum = fn:entry(), fn:const(0, "i64")
  for i = 1, n do
    local at, yes, no, join = b:ptradd(fn:arg(1), 8 * i), fn:block(), fn:block(), fn:block()
    b:branch(fn:arg(2), yes, no)
    yes:store(at, i)
    yes:jump(join)
    no:load(at, "i64")
    no:jump(join)
    sum = join:add(sum, join:load(at, "i64"))
    b = join
  end
  b:ret(sum)
  return fn:finish { verify = false }
end, function(fn) assert(fn:forward().phis > 0) end)
-- A place that is accessed with n sets of classes.
case("fn:forward: sets of classes at one place", 500, function(n)
  local fn = phial.fn("f", { "p:ptr" }, "i64", PLAIN)
  local b, p = fn:entry(), fn:arg(1)
  for i = 1, n do
    local set = {}
    for k = 0, 13 do
      if i >> k & 1 == 1 then set[#set + 1] = "c" .. k end
    end
    b:store(p, i, { writes = set })
  end
  b:ret(b:load(p, "i64"))
  return fn:finish { verify = false }
end, function(fn) fn:forward() end)
-- n diamonds, with a write to one of 30 classes on one side and a read of all on the other.
case("finish: reads of memory that has classes", 100, function(n)
  local fn = phial.fn("f", { "p:ptr", "c:i1" }, "i64", { where = false })
  local b, p, c = fn:entry(), fn:arg(1), fn:arg(2)
  for i = 1, n do
    local l, r, join = fn:block(nil, 1), fn:block(nil, 1), fn:block(nil, 2)
    b:branch(c, l, r)
    l:store(p, i, { writes = { "c" .. i % 30 } })
    l:jump(join)
    r:load(p, "i64")
    r:jump(join)
    b = join
  end
  b:ret(b:load(p, "i64"))
  return fn
end, function(fn) fn:finish { verify = false } end)

case("instance:call of one function, when n have been called", 500, function(n)
  local m = phial.module("m", PLAIN)
  for i = 1, n do m:build("f" .. i, { "x:i64" }, "i64", function(b, v) b:ret(v.x + i) end) end
  local instance = m:instance()
  for i = 1, n do instance:call("f" .. i, i) end
  return instance, n
end, function(instance, n)
  for i = 1, n do assert(instance:call("f1", i) == i + 1) end
end)

-- A function that calls one of n others, chosen by its parameter; by name: in the table.
local function calls_one_of(n, by_name)
  local fn, env = phial.fn("f", { "x" }, "i64", PLAIN), {}
  local entry, other, blocks, callees = fn:entry(), fn:block "other", {}, {}
  for i = 1, n do
    blocks[i] = fn:block()
    callees[i] = phial.build("g" .. i, { "x:i64" }, "i64", PLAIN, function(b, v) b:ret(v.x + i) end)
    env["g" .. i] = by_name and callees[i] or nil
  end
  entry:switch(fn:arg(1), other, blocks)
  other:seal()
  other:ret(0)
  for i, b in ipairs(blocks) do
    b:seal()
    b:ret(b:call(by_name and "g" .. i or callees[i], "i64", fn:arg(1)))
  end
  fn:finish { verify = false }
  for i = 1, n do fn(i, { env = env }) end
  return fn, n, env
end

local function call_one(fn, n, env)
  for _ = 1, n do assert(fn(2, { env = env }) == 4) end
end

case("fn(...): one of n callees, when all have been called", 500, calls_one_of, call_one)
case("fn(...): one of n callees by name, when all have been called", 500,
  function(n) return calls_one_of(n, true) end, call_one)

case("a module: functions made again from the last on, declarations defined", 500, function(n)
  local m = phial.module "m"
  for i = 1, n do
    m:fn("f" .. i)
    m:declare("d" .. i)
  end
  return m, n
end, function(m, n)
  for i = n, 1, -1 do
    m:get("f" .. i):close()
    m:fn("f" .. i)
    m:fn("d" .. i)
  end
end)
-- A chain of blocks, each with a may-write of n variables, of which one is read.
case("lazy definitions: may-writes of a group", 1000, function(n) return n end, function(n)
  local fn = phial.fn("f", {}, "i64", PLAIN)
  local vars, block = {}, fn:entry()
  for i = 1, n do vars[i] = fn:var("x" .. i) end
  block:write(vars[1], 0)
  local group = fn:group(vars)
  for i = 1, n do
    local next = fn:block(nil, 1)
    block:may_write(group, i)
    block:jump(next)
    block = next
  end
  block:ret(vars[1])
  fn:finish()
end)

case("lazy definitions: refinements", 1000, function(n) return n end, function(n)
  local fn = phial.fn("f", { "x", "c:i1" }, "i64", PLAIN)
  local x, c = table.unpack(fn:params())
  local block, done = fn:entry(), fn:block()
  for _ = 1, n do
    local next = fn:block(nil, 1)
    block:branch(c, next, done, { refine = { x } })
    next:read(x)
    block = next
  end
  block:jump(done)
  done:ret(x)
  fn:finish()
end)

case("phial.emit.c: a chain of diamonds", 500, function(n)
  local fn = phial.fn("f", { "x:i64" }, "i64", PLAIN)
  local x, b = fn:param(1), fn:entry()
  for _ = 1, n do
    local left, join = fn:block(), fn:block(nil, 2)
    b:branch(b:slt(x, 5), left, join)
    left:seal()
    left:write(x, left:add(x, 1))
    left:jump(join)
    b = join
  end
  b:ret(x)
  return fn:finish()
end, phial.emit.c)

case("phial.emit.c: cases with a move each, to three blocks in turn", 500, turns,
  function(fn) return phial.emit.c(fn) end)
for _, it in ipairs(require "spec.support.growing_variables") do cases[#cases + 1] = it end

return { cases = cases, nest = nest }
