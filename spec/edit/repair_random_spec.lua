-- fn:repair on random functions: against its definition (spec/oracle/repairing.lua),
-- against a run that keeps the variable, and against construction from scratch.
local assert = require "spec.support.assert"
local draws = require "spec.support.draws"
local interpret = require "spec.oracle.programs"
local keeping = require "spec.support.keeping"
local list = require "spec.support.list"
local phial = require "phial"
local plans = require "spec.oracle.repairing"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local under = require "spec.support.under"

local STEPS = 40
-- 10,000 cases only if there is time, and not where every array moves at each push.
local LONG = os.getenv "LONG" and not under.hard

local function results(fn)
  local out = {}
  for v in fn:values() do
    if v:type() == "any" then out[#out + 1] = v end
  end
  return out
end

local function phis_of(fn)
  local out = {}
  for v in fn:values() do out[v] = v:op() == "phi" or nil end
  return out
end

-- A place in a function, and what can be a definition there: undef, or a value that
-- dominates it, perhaps a new one.
local function random_definition(fn, draw, ours)
  local blocks = list(fn:blocks())
  local block = blocks[draw(#blocks)]
  local insts = block:insts()
  local at = draw(#insts + 1) - 1
  local place = at == 0 and block or insts[at]
  local found = {}
  for _, v in ipairs(results(fn)) do
    local of, is_before = v:block(), v:op() == "phi"
    for i = 1, at do is_before = is_before or insts[i] == v end
    if not ours[v] and (of == block and is_before
      or of ~= block and of:dominates(block)) then
      found[#found + 1] = v
    end
  end
  if #found == 0 or draw(4) == 1 then
    local new = block:front():emit("rnd.mix", fn:const(draw(9)), fn:const(1))
    if draw(5) == 1 then return place, fn:undef "any" end
    return at == 0 and new or place, new
  end
  return place, found[draw(3) == 1 and 1 or draw(#found)]
end

local function is_block(it) return getmetatable(it).__name == "phial.Block" end

-- The variable as the interpreter wants it.
local function variable_of(values, definitions)
  local variable = { values = values, at = {}, behind = {} }
  local function add(map, place, value)
    map[place] = map[place] or {}
    table.insert(map[place], value)
  end
  for _, v in ipairs(values) do
    if v:op() == "phi" then add(variable.at, v:block(), v) else add(variable.behind, v, v) end
  end
  for _, d in ipairs(definitions) do
    if is_block(d[1]) then
      add(variable.at, d[1], d[2])
    elseif d[1]:op() == "phi" then
      add(variable.at, d[1]:block(), d[2])
    else
      add(variable.behind, d[1], d[2])
    end
  end
  return variable
end

-- Values that become a variable: phis with their operands, if there are any.
local function random_values(fn, draw)
  local found, values, ours = results(fn), {}, {}
  local function take(v)
    if not v:block() or ours[v] then return end
    values[#values + 1], ours[v] = v, true
  end
  for _ = 1, #found > 0 and draw(3) or 0 do
    local v = found[draw(#found)]
    for _ = 1, 9 do v = v:op() == "phi" and v or found[draw(#found)] end
    take(v)
    for _, arg in ipairs(v:op() == "phi" and draw(2) == 1 and v:args() or {}) do take(arg) end
  end
  return values, ours
end

local function check_repair(fn, draw)
  local values, ours = random_values(fn, draw)
  local definitions = {}
  if #values == 0 then return end
  for i = 1, draw(6) - 1 do
    definitions[i] = { random_definition(fn, draw, ours) }
  end
  local before, plan = phis_of(fn), plans.plan(fn, values, definitions)
  local expected = interpret.ssa(fn, STEPS, variable_of(values, definitions))
  local repair = fn:repair(table.unpack(values))
  for _, d in ipairs(definitions) do repair:define(d[1], d[2]) end
  plans.check(plan, fn, repair:rewrite(), before)
  for v in fn:values() do v:use_count() end
  fn:clean { phis = true }
  assert(fn:verify())
  assert.same(expected, interpret.ssa(fn, STEPS))
  local again = phial.parse(fn:text(), { dialects = { programs.dialect } })
  assert.same(expected, interpret.ssa(again, STEPS))
end

describe("fn:repair of values that become a variable", function()
  it("does what its definition says, and what the variable would do", function()
    prop.forall(draws.cases(150, 20), function(case)
      local fn, draw = programs.build(case.program):finish(), draws.of(case)
      for _ = 1, 3 do check_repair(fn, draw) end
    end, LONG and 1000)
  end)
end)

-- Functions over variables: each assignment is a copy, so that the values of a variable
-- are its copies and phis, and all that blocks share belongs to a variable.
local variables = {}

local function with_all_written(program)
  for var = 1, program.vars do
    table.insert(program.blocks[1], 1, { op = "init", var = var })
  end
  return program
end

-- An edited function: the variable of each value that has one, and any one value of each.
local function web_of(fn)
  local web = { fn = fn, var = {}, some = {} }
  for v in fn:values() do
    local var = (v:op() == "phi" or v:op() == "copy") and v:var()
    if var then web.var[v], web.some[var:name()] = var:name(), v end
  end
  return web
end

local function any_of(web, draw)
  local names = {}
  for name in pairs(web.some) do names[#names + 1] = name end
  table.sort(names)
  return web.some[names[draw(#names)]]
end

-- For phis of a new edge: any value of their variable, since it will be repaired.
local function incoming(web, ...)
  local values = {}
  for _, target in ipairs { ... } do
    for _, phi in ipairs(target:phis()) do values[phi] = web.some[web.var[phi]] end
  end
  return values
end

local function some_block(web, draw)
  local blocks = list(web.fn:blocks())
  return blocks[draw(#blocks)]
end

-- A block that leads to another, and that.
local function some_edge(web, draw)
  local from = some_block(web, draw)
  local succs = from:succs()
  if #succs == 0 or #from:preds() == 0 and from ~= web.fn:entry() then return nil end
  return from, succs[draw(#succs)]
end

-- Makes the instructions of a block again at the end of another one.
local function copy_block(web, block, into)
  local at, now = into:back(), {}
  for _, inst in ipairs(block:insts()) do
    local args, op = inst:args(), inst:op()
    for i, arg in ipairs(args) do args[i] = now[arg] or arg end
    if op == "ret" then
      at:ret()
    elseif op == "jump" then
      at:jump(block:succs()[1], incoming(web, block:succs()[1]))
    elseif op == "rnd.fork" then
      local targets = block:succs()
      targets.phis = incoming(web, table.unpack(targets))
      at:emit(op, args[1], targets)
    elseif op == "copy" then
      now[inst] = at:copy(args[1])
    else
      now[inst] = at:emit(op, table.unpack(args))
    end
    web.var[now[inst] or false] = web.var[inst]
  end
end

function variables.duplicate(web, draw)
  local from, to = some_edge(web, draw)
  if not from then return end
  local twin = web.fn:block()
  copy_block(web, to, twin)
  from:retarget(to, twin)
end

function variables.redirect(web, draw)
  local from, old = some_edge(web, draw)
  local to = some_block(web, draw)
  if not from or to == old or to == web.fn:entry() then return end
  from:retarget(old, to, incoming(web, to))
end

function variables.split(web, draw)
  local from, to = some_edge(web, draw)
  if from then from:split_edge(to, 1) end
end

-- A cursor in a block, not before phis.
local function some_point(web, draw)
  local insts = some_block(web, draw):insts()
  return insts[draw(#insts)]:before()
end

function variables.assign(web, draw)
  local at, v = some_point(web, draw), any_of(web, draw)
  local new = draw(2) == 1 and at:copy(any_of(web, draw)) or at:emit("rnd.mix", draw(9), v)
  web.var[new] = web.var[v]
end

function variables.use(web, draw)
  some_point(web, draw):emit("rnd.use", any_of(web, draw))
end

-- The same function by construction, from its variables.
local function constructed(web)
  local fn = phial.fn("random", {}, nil, { rules = false, type = "any",
    dialects = { programs.dialect } })
  local vars, blocks = {}, {}
  for name in pairs(web.some) do vars[name] = fn:var(name) end
  for block in web.fn:blocks() do
    blocks[block] = block == web.fn:entry() and fn:entry() or fn:block()
  end
  for block in web.fn:blocks() do
    local at, now = blocks[block], {}
    for _, inst in ipairs(block:insts()) do
      local args, op, new = inst:args(), inst:op(), nil
      for i, arg in ipairs(args) do
        local var = web.var[arg]
        args[i] = now[arg] or var and at:read(vars[var]) or arg:op() == "const" and arg:const()
        if arg:op() == "undef" then args[i] = fn:undef "any" end
      end
      if op == "ret" then
        at:ret()
      elseif op == "jump" then
        at:jump(blocks[block:succs()[1]])
      elseif op == "rnd.fork" then
        local targets = {}
        for i, to in ipairs(block:succs()) do targets[i] = blocks[to] end
        at:emit(op, args[1], targets)
      else
        new = at:emit(op, table.unpack(args))
      end
      local var = web.var[inst]
      if var then at:write(vars[var], new) else now[inst] = new end
    end
  end
  return fn:finish(), blocks
end

-- The operands of a phi by predecessor.
local function by_pred(phi)
  local out = {}
  for i, pred in ipairs(phi:block():preds()) do out[pred] = phi:args()[i] end
  return out
end

-- Checks that two functions are the same, phi by phi; `blocks` maps those of the first to
-- those of the second.
local function check_same(fn, again, blocks)
  local twin, phis = {}, {}
  local function same(v, w)
    if twin[v] then return assert.equal(twin[v], w) end
    assert.equal(v:op(), w:op())
    if v:op() ~= "phi" then return assert.equal(tostring(v), tostring(w)) end
    assert.equal(blocks[v:block()], w:block())
    twin[v], phis[#phis + 1] = w, v
  end
  for block in fn:blocks() do
    local insts = blocks[block]:insts()
    for i, inst in ipairs(block:insts()) do twin[inst] = insts[i] end
  end
  for block in fn:blocks() do
    local insts = blocks[block]:insts()
    assert.equal(#insts, #block:insts())
    for i, inst in ipairs(block:insts()) do
      assert.equal(inst:op(), insts[i]:op())
      for k, arg in ipairs(inst:args()) do same(arg, insts[i]:args()[k]) end
    end
  end
  for _, phi in ipairs(phis) do -- which grows
    local args = by_pred(twin[phi])
    for pred, arg in pairs(by_pred(phi)) do same(arg, args[blocks[pred]]) end
  end
  assert.equal(again:stats().phis, fn:stats().phis)
  assert.equal(#phis, fn:stats().phis)
end

local function repair_all(web)
  local values = {}
  for v, name in pairs(web.var) do
    if v and pcall(v.op, v) then
      values[name] = values[name] or {}
      table.insert(values[name], v)
    end
  end
  for _, list_of in pairs(values) do
    table.sort(list_of, function(v, w) return v:id() < w:id() end)
    web.fn:repair(table.unpack(list_of)):rewrite()
  end
end

describe("fn:repair of each variable after edits", function()
  local names = {}
  for name in pairs(variables) do names[#names + 1] = name end
  table.sort(names)

  it("makes the phis that construction makes", function()
    prop.forall(draws.cases(60, 20), function(case)
      local program = with_all_written(case.program)
      local fn, draw = programs.build(program, { copies = true }):finish(), draws.of(case)
      local web = web_of(fn)
      for _ = 1, draw(12) do variables[names[draw(#names)]](web, draw) end
      local again, blocks = constructed(web)
      repair_all(web)
      fn:clean { unreached = true, phis = true }
      assert(fn:verify())
      check_same(fn, again, blocks)
    end, LONG and 10000)
  end)
end)

describe("fn:repair after edits that keep the meaning", function()
  it("keeps it", function()
    prop.forall(draws.cases(60, 20), function(case)
      local fn, draw = programs.build(case.program):finish(), draws.of(case)
      local expected = interpret.ssa(fn, STEPS)
      for _ = 1, draw(10) do
        local name = keeping.names[draw(#keeping.names)]
        keeping[name](fn, draw)
        fn:clean { phis = true }
        assert(fn:verify())
        assert.same(expected, interpret.ssa(fn, STEPS), name)
      end
    end, LONG and 1000)
  end)
end)
