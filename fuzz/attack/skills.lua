-- Arguments that fit together, for methods that random ones would hardly ever satisfy: of types
-- that agree, blocks that are neighbours, names that exist.
local acts = require "fuzz.attack.acts"
local arguments = require "fuzz.attack.arguments"
local phial = require "phial"
local random = require "fuzz.attack.random"
local world = require "fuzz.attack.world"

local chance, pick = random.chance, random.pick
local R <const> = math.random

--- By method: makes its arguments, and may choose what it is called on.
---@type table<string, fun(it: any): any[], any>
local M = {}

-- {== values }

local INTEGERS <const> = { "i64", "i64", "i32", "i1", "i8" }
local FLOATS <const> = { "f64", "f64", "f32" }
local MEMORY <const> = { "i64", "i32", "f64", "ptr", "i8" }
local ANY <const> = { "i64", "i1", "f64", "ptr", "i32", "any" }

local function literal(type)
  if type == "i1" then return chance(2) end
  if type == "ptr" then return 0 end
  return type:find "^f" and 1.5 or R(0, 5)
end

-- A value of a type, of the function in focus.
local function handle(type)
  local it = chance(5) and world.of("Variable " .. type) or world.of("Value " .. type)
  return it or world.focus.fn:const(literal(type), type)
end

local function operand(type)
  if type == "ptr" or chance(3) == false then return handle(type) end
  return literal(type)
end

local function value(type) return world.of("Value " .. type) or handle(type) end

local function variable()
  local var = world.of "Variable"
  return var, var:type()
end

-- }== ops =============================================================

local OPERANDS <const> = { t = INTEGERS, i = INTEGERS, e = INTEGERS, f = FLOATS, g = FLOATS,
  x = ANY, v = ANY, b = { "i1" }, p = { "ptr" }, n = { "i64" }, m = MEMORY, y = { "i8" } }
local RESULTS <const> = { I = INTEGERS, G = FLOATS, X = ANY, M = MEMORY }

local function op_arguments(signature)
  local args, types = {}, {}
  local result, operands = signature:match "^(.):(%a*)$"
  for letter in operands:gmatch "%a" do
    types[letter] = types[letter] or pick(OPERANDS[letter])
    args[#args + 1] = #args == 0 and handle(types[letter]) or operand(types[letter])
  end
  if RESULTS[result] then args[#args + 1] = pick(RESULTS[result]) end
  return args
end

for _, op in ipairs(phial.ops()) do
  if op.signature:find "^.:%a+$" and not op.leaf and not op.terminator then
    M["Ops." .. op.name] = function() return op_arguments(op.signature) end
    M["Term." .. op.name] = function()
      local args = op_arguments(op.signature)
      return args, table.remove(args, 1)
    end
  end
end

local SIGNATURES <const> = { div = "f:ff", unm = "t:t", bnot = "t:t" }
for _, event in ipairs { "add", "sub", "mul", "div", "band", "bor", "bxor", "shl", "shr", "unm",
  "bnot" } do
  M["Term.__" .. event] = function()
    local args = op_arguments(SIGNATURES[event] or "t:tt")
    return args, table.remove(args, 1)
  end
end

-- }== blocks ==========================================================

local function new_block() return world.focus.fn:block() end

local function target() return chance(4) and world.of "Block" or new_block() end

-- A block, and one that it leads to.
local function edge()
  for _ = 1, 6 do
    local from = world.of "Block"
    local to = from:succs()
    if #to > 0 then return from, pick(to) end
  end
  return world.of "Block", world.of "Block"
end

-- Operands of the phis of a block for a new edge.
local function incoming(to)
  local list = {}
  for _, phi in ipairs(to:phis()) do list[phi] = value(phi:type()) end
  return list
end

local function with_preds()
  for _ = 1, 8 do
    local b = world.of "Block"
    if b:is_sealed() and #b:preds() > 0 and not b:is_filled() then return b end
  end
  local b, c = new_block(), new_block()
  b:jump(c)
  c:seal()
  return c
end

M["End.branch"] = function() return { handle "i1", target(), target() } end
M["End.switch"] = function()
  local type = pick { "i64", "i32" }
  return { handle(type), target(), { target(), [5] = target() } }
end
M["End.jump_if_open"] = function() return { target() } end
M["End.jump"] = M["End.jump_if_open"]
M["End.ret"] = function()
  local list = {}
  for i, type in ipairs(world.focus.fn:results()) do list[i] = operand(type) end
  return #list > 0 and list or { operand "i64" }
end
M["Point.phi"] = function()
  local b, list, type = with_preds(), {}, pick(ANY)
  for _, p in ipairs(b:preds()) do list[p] = value(type) end
  return { list }, b
end
M["Block.retarget"] = function()
  local from, old = edge()
  local to = world.of "Block"
  return { old, to, incoming(to) }, from
end
M["Block.add_edge"] = function()
  local from, to = edge()
  if chance(2) then to = world.of "Block" end
  return { to, chance(2) and value "i1" or R(10, 99), incoming(to) }, from
end
M["Block.split_edge"] = function()
  local from, to = edge()
  return { to }, from
end
M["Block.remove_edge"] = M["Block.split_edge"]
M["Block.merge"] = function() return {}, (edge()) end
local function at_end(many)
  for _ = 1, 20 do
    local b = world.of "Block"
    local to = b:succs()
    if #to == many then return b:back(), to end
  end
  local b, c = new_block(), new_block()
  return b:back(), { c, many == 2 and c or nil }
end
M["Cursor.branch"] = function()
  local cursor, to = at_end(2)
  return { value "i1", to[1], to[2], {} }, cursor
end
M["Cursor.switch"] = function()
  local cursor, to = at_end(2)
  return { value "i64", to[1], { to[2] }, {} }, cursor
end
M["Cursor.jump"] = function()
  local cursor, to = at_end(1)
  return { to[1] }, cursor
end
M["Leaving.moves"] = function() return { edge() } end
M["Solution.is_taken"] = function() return { edge() } end

-- }== reads, writes, edits ============================================

M["End.write"] = function()
  local var, type = variable()
  return { var, operand(type) }
end
M["End.may_write"] = function()
  local var, type = variable()
  return { { var }, value(type) }
end
M["End.let"] = function()
  local var, type = variable()
  if type:find "^f" then return { var, "fadd", var, 1.5 } end
  return { var, type:find "^i" and "add" or "copy", var, type:find "^i" and 1 or nil }
end
M["Point.proj"] = function(it)
  return { (it:emit("d.two", operand "i64")), 2, "i64" }
end
M["Value.erase"] = function()
  for _ = 1, 12 do
    local v = world.of "Value"
    if v:use_count() == 0 and v:block() and v ~= v:block():terminator() then return {}, v end
  end
  return {}, pick(world.of "Block":insts())
end
M["Value.replace"] = function()
  local v = world.of "Value"
  return { value(v:type()) }, v
end
M["Value.set_arg"] = function()
  local v = world.of "Value"
  return { 1, value(v:args()[1]:type()) }, v
end
M["Function.copy_into"] = function(it)
  local into, args = chance(3) and it or world.focus.fn, {}
  for i, param in ipairs(it:params()) do args[i] = literal(param:type()) end
  return { pick(world.of "Block":insts()):before(), args }, chance(2) and into or it
end

-- }== the builder =====================================================

local function condition(it)
  return function()
    acts.act "body"
    return it.fn:const(chance(2))
  end
end
local function body() return arguments.callback("fun(loop: phial.Loop)", "body") end

-- Goes on in a new block where the last one has ended.
local function open(it)
  if not it:current() then it:set_current(it.fn:block()) end
end
local function of_builder(name, make)
  M["Builder." .. name] = function(it)
    open(it)
    return make(it)
  end
end
of_builder("if_", function(it) return { condition(it)(), body(), chance(2) and body() or nil } end)
of_builder("and_", function(it) return { condition(it)(), condition(it) } end)
of_builder("or_", function(it) return { condition(it)(), condition(it) } end)
of_builder("not_", function(it) return { condition(it)() } end)
of_builder("while_", function(it) return { condition(it), body() } end)
of_builder("repeat_", function(it) return { body(), condition(it) } end)
of_builder("for_", function() return { "k", 0, 3, pick { 1, 2, -1 }, body() } end)
of_builder("ret", function() return { operand "i64" } end)
of_builder("tail_call", function() return { pick { "f", "g" }, operand "i64" } end)
of_builder("break_", function() return { chance(2) and 1 or nil } end)
of_builder("find", function() return { "n" } end)
-- Nothing can be made while an action runs, but by its actor.
M["Actor.emit"] = function() return { "add", world.of "Value i64", 2 } end
M["Actor.const"] = function() return { 1, "i64" } end

-- }== whole functions and modules =====================================

M["Function.finish"] = function(it)
  for b in it:blocks() do
    if chance(8) and not b:is_filled() then b:unreachable() end
  end
  if chance(6) then it = phial.fn("f", {}) it:entry():ret() end
  return { chance(3) and arguments.options "FinishOptions" or nil }, it
end
local function zero() return 0 end
local function largest(a, b) return math.type(a) and math.type(b) and math.max(a, b) or a end
M["Function.solve"] = function()
  return { { bottom = 0, join = chance(2) and largest or arguments.callback("fun(): any"),
    values = chance(3) and { world.of "Value", world.of "Value" } or nil,
    transfer = { default = chance(2) and zero or arguments.callback("fun(): any") } } }
end
M["Function.__call"] = function(it)
  local args = {}
  for i, p in ipairs(it:params()) do args[i] = literal(p:type()) end
  return args
end
M["M.dialect"] = function()
  return { pick { "e", "d" }, { [pick { "op", "go" }] = arguments.options "OpSpec" } }
end
M["M.build"] = function()
  return { "f", { "n" }, nil, arguments.options "Options", body() }
end
M["Rules.add"] = function() return { pick { "a: x + 0 => x", "int", "" } } end
M["Rules.explain"] = function()
  return { world.focus.fn, "add", operand "i64", handle "i64" }
end
M["Rules.remove"] = function(it) return { pick(it:names()) } end
M["Rules.enable"] = function(it) return { pick(it:names()), chance(2) } end
M["Module.build"] = function() return { "f" .. R(99), { "n" }, nil, nil, body() } end
M["M.record"] = function() return { phial.fn "r" } end
M["Library.get"] = function() return { pick { "f", "out" } } end
M["Library.call"] = function() return { pick { "f", "out" }, 1 } end
M["Instance.call"] = M["Library.call"]
M["Memory.load"] = function() return { "g", "i64" } end
M["Memory.store"] = function() return { "g", "i64", 5 } end
M["Memory.bytes"] = function() return { pick { "g", "s" } } end
M["Memory.grow"] = function() return { "r", pick { 0, 1, 4096, 1 << 20, 1 << 40 } } end
M["Memory.set_bytes"] = function() return { "s", "bytes" } end
M["Memory.address"] = M["Memory.bytes"]
M["CallGraph.callees"] = function() return { world.of "Module":get "f" } end
for _, name in ipairs { "callers", "calls_unknown", "is_address_taken" } do
  M["CallGraph." .. name] = M["CallGraph.callees"]
end
local function small_module()
  local m = phial.module "c"
  m:build("f", { "n" }, "i64", function(b, v) b:ret(v.n) end)
  return m
end
M["Module.compile"] = function() return {}, small_module() end
M["Function.compile"] = function() return {}, small_module():get "f" end
M["Site.type"] = function() return { pick(ANY) } end

-- }====================================================================

return M
