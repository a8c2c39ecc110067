-- Collects a finished function into plain tables, so that the emitter queries phial
-- once per value. Unreachable blocks are left out.
local core = require "phial.core"
local ops = require "phial.emit.lua.ops"
local numbers = require "phial.emit.lua.numbers"

local M = {}

local move = table.move

---@class phial.emit.lua.Value
---@field id integer
---@field called string|false the name that it should have
---@field op string
---@field type string?
---@field args phial.emit.lua.Value[]
---@field block phial.emit.lua.Block the block that computes it; nil: a constant
---@field row phial.emit.lua.Row how it is written in Lua
---@field text string? of a constant
---@field results phial.emit.lua.Value[]? the results from the second on
---@field projected table<string, phial.emit.lua.Value>? them, by number and type
---@field main phial.emit.lua.Value? the instruction of a further result
---@field index integer? the number of a further result
---@field uses integer the number of uses
---@field user phial.emit.lua.Value|false one of the users
---@field far boolean used in another block
---@field inline integer|false written where it is used: the depth of its expression
---@field at integer the number of the instruction that evaluates it
---@field last integer the number of the last instruction of its block that needs it; 0: none
---@field name string|false its local
---@field slot integer|false its index in the frame

---@class phial.emit.lua.Edge
---@field to phial.emit.lua.Block
---@field index integer of its operands in phis

---@class phial.emit.lua.Block
---@field id integer
---@field number integer
---@field phis phial.emit.lua.Value[]
---@field insts phial.emit.lua.Value[]
---@field edges phial.emit.lua.Edge[]

---@class phial.emit.lua.Program
---@field fn phial.Function
---@field name string
---@field result string?
---@field params phial.emit.lua.Value[]
---@field blocks phial.emit.lua.Block[]

--
-- {== Values ==========================================================
--

-- A table that asks phial.core for what numbers of a kind mean.
local function naming(fn, kind)
  return setmetatable({}, { __index = function(names, n)
    local name = n ~= 0 and core.named(fn, kind, n) or false
    names[n] = name
    return name
  end })
end

local function constant(fn, id)
  local v = core.value(fn, id)
  local op, type = v:op(), v:type()
  if op == "undef" then return { id = id, op = op, type = type, text = numbers.undef(type) } end
  local value = v:const()
  local text = numbers.literal(value)
  return { id = id, op = op, type = type, value = value, text = text }
end

-- Makes a record, with all fields at once: growing the table would rehash it.
local function define(values, id, op, type, block)
  local record = { id = id, op = op, type = type, block = block, uses = 0, args = false,
    row = false, user = false, far = false, inline = false, at = 0, last = 0, name = false,
    slot = false, called = false }
  values[id] = record
  return record
end

-- Replaces the ids of operands by records. All others have been made, so a new one is a
-- constant.
local function operands(program, record)
  local values, args = program.values, record.args
  for i = 1, #args do
    local id = args[i]
    local arg = values[id]
    if not arg then
      arg = constant(program.fn, id)
      values[id] = arg
    end
    args[i] = arg
  end
end

-- Makes a projection a further result of its instruction: one record for all
-- projections of the same result.
local function project(program, record)
  local main, index = record.args[1], core.value(program.fn, record.id):data()
  main.results, main.projected = main.results or {}, main.projected or {}
  local key = index .. record.type
  if main.projected[key] then
    program.values[record.id] = main.projected[key]
    return
  end
  main.projected[key] = record
  record.op, record.main, record.index = "result", main, index
  record.block, record.args = main.block, {}
  record.row = ops.row(record)
  table.insert(main.results, record)
end

-- }== Blocks ==========================================================

-- Reads the values of a block from the outline: each is its id, op, type, name and
-- operands. Returns the position that follows.
local function read_values(program, outline, at, n, block, list)
  local values, op_names, type_names = program.values, program.op_names, program.type_names
  for i = 1, n do
    local id, op, type = outline[at], op_names[outline[at + 1]], type_names[outline[at + 2]]
    local record = define(values, id, op, type or nil, block)
    record.called = program.names[outline[at + 3]]
    local nargs = outline[at + 4]
    record.args = move(outline, at + 5, at + 4 + nargs, 1, {})
    at = at + 5 + nargs
    list[i] = record
  end
  return at
end

-- A number of things, then these; returns the position that follows, too.
local function read_list(outline, at)
  local n = outline[at]
  return move(outline, at + 1, at + n, 1, {}), at + n + 1
end

-- Reads a block: its id, edges, numbers of phis and instructions, these.
local function read_block(program, outline, at, number)
  local block = { id = outline[at], number = number, phis = {}, insts = {}, edges = {} }
  program.blocks[number] = block
  block.succs, at = read_list(outline, at + 1)
  block.preds, at = read_list(outline, at)
  local nphis, ninsts = outline[at], outline[at + 1]
  at = read_values(program, outline, at + 2, nphis, block, block.phis)
  return read_values(program, outline, at, ninsts, block, block.insts)
end

-- Numbers the operands of phis from 1 over the edges from reachable blocks, which have
-- numbers.
local function read_preds(block)
  local kept = {}
  block.from, block.kept = {}, kept
  for i, from in ipairs(block.preds) do
    if from > 0 then
      kept[#kept + 1] = i
      block.from[from] = block.from[from] or {}
      table.insert(block.from[from], #kept)
    end
  end
end

-- Edges leave a block in the order of its targets; parallel edges arrive in that
-- order, too.
local function read_edges(program, block)
  local taken = {}
  for i, number in ipairs(block.succs) do
    local to = program.blocks[number]
    local nth = (taken[to] or 0) + 1
    taken[to] = nth
    block.edges[i] = { to = to, index = to.from[block.number][nth] }
  end
end

-- Moves further results to their instructions before anything uses them.
local function read_results(program, block)
  local insts
  for i, inst in ipairs(block.insts) do
    if inst.op == "proj" then
      insts = insts or move(block.insts, 1, i - 1, 1, {})
      operands(program, inst)
      project(program, inst)
    elseif insts then
      insts[#insts + 1] = inst
    end
  end
  block.insts = insts or block.insts
end

local function read_operands(program, block)
  for _, phi in ipairs(block.phis) do
    operands(program, phi)
    phi.row = ops.row(phi)
    if #block.kept < #phi.args then
      for i, k in ipairs(block.kept) do phi.args[i] = phi.args[k] end
      for i = #phi.args, #block.kept + 1, -1 do phi.args[i] = nil end
    end
  end
  for _, inst in ipairs(block.insts) do
    operands(program, inst)
    inst.row = ops.row(inst)
  end
end

-- }== Uses ============================================================

local function count_uses(block)
  for _, inst in ipairs(block.insts) do
    local args = inst.args
    for i = 1, #args do
      local arg = args[i]
      if arg.block then arg.uses = arg.uses + 1 end
    end
  end
  for _, edge in ipairs(block.edges) do
    for _, phi in ipairs(edge.to.phis) do
      local arg = phi.args[edge.index]
      if arg.block then arg.uses = arg.uses + 1 end
    end
  end
end

local function find_users(block)
  for _, inst in ipairs(block.insts) do
    local args = inst.args
    for i = 1, #args do
      local arg = args[i]
      if arg.block then
        arg.user = inst
        if arg.block ~= block then arg.far = true end
      end
    end
  end
  for _, edge in ipairs(block.edges) do
    for _, phi in ipairs(edge.to.phis) do
      local arg = phi.args[edge.index]
      if arg.block then
        arg.user = phi
        if arg.block ~= block then arg.far = true end
      end
    end
  end
end

local function living(values)
  local out = {}
  for _, v in ipairs(values) do
    if not v.dead then out[#out + 1] = v end
  end
  return out
end

-- Dead code elimination: removes unused values without effects.
local function sweep(program)
  local work, thinned = {}, {}
  local function look(v)
    if v.uses == 0 and v.block and v.row.pure then work[#work + 1] = v end
  end
  for _, block in ipairs(program.blocks) do
    for _, phi in ipairs(block.phis) do look(phi) end
    for _, inst in ipairs(block.insts) do look(inst) end
  end
  while #work > 0 do
    local v = table.remove(work)
    v.dead, thinned[v.block] = true, true
    for _, arg in ipairs(v.args) do
      if arg.block then
        arg.uses = arg.uses - 1
        look(arg)
      end
    end
  end
  for block in pairs(thinned) do
    block.phis, block.insts = living(block.phis), living(block.insts)
  end
end

-- }== The function ====================================================

local function read_params(program)
  local entry = program.blocks[1]
  for i, var in ipairs { program.fn:params() } do
    local record = define(program.values, program.fn:arg(i):id(), "param", var:type(), entry)
    record.args = {}
    record.row = ops.row(record)
    record.called = var:name()
    program.params[i] = record
  end
end

local function read_blocks(program)
  local outline = core.outline(program.fn)
  local at, number = 1, 0
  while at <= #outline do
    number = number + 1
    at = read_block(program, outline, at, number)
  end
end

--- The handle of a value, for what the record does not have.
---@param program phial.emit.lua.Program
---@param v phial.emit.lua.Value
---@return phial.Value
function M.handle(program, v) return core.value(program.fn, v.id) end

--- The handle of a block.
---@param program phial.emit.lua.Program
---@param block phial.emit.lua.Block
---@return phial.Block
function M.block(program, block) return core.block(program.fn, block.id) end

--- Collects a function.
---@param fn phial.Function
---@return phial.emit.lua.Program
function M.program(fn)
  local program = { fn = fn, name = fn:name(), result = fn:result(), params = {}, blocks = {},
    values = {}, op_names = naming(fn, "op"), type_names = naming(fn, "type"),
    names = naming(fn, "name") }
  local blocks = program.blocks
  read_blocks(program)
  read_params(program)
  for _, block in ipairs(blocks) do read_preds(block) end
  for _, block in ipairs(blocks) do read_edges(program, block) end
  for _, block in ipairs(blocks) do read_results(program, block) end
  for _, block in ipairs(blocks) do read_operands(program, block) end
  for _, block in ipairs(blocks) do count_uses(block) end
  sweep(program)
  for _, block in ipairs(blocks) do find_users(block) end
  return program
end

-- }====================================================================

return M
