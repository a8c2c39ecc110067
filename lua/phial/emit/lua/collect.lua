-- Collects a finished function into plain tables, so that the emitter queries phial
-- once per value. Unreachable blocks are left out.
local ops = require "phial.emit.lua.ops"
local numbers = require "phial.emit.lua.numbers"

local M = {}

---@class phial.emit.lua.Value
---@field v phial.Value
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
---@field b phial.Block
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

local function constant(v, op)
  local type = v:type()
  if op == "undef" then return { v = v, op = op, type = type, text = numbers.undef(type) } end
  local value = v:const()
  local text = numbers.literal(value)
  return { v = v, op = op, type = type, value = value, text = text }
end

-- The record of an operand. All others have been made, so a new one is a constant.
local function operand(values, v)
  local record = values[v]
  if not record then
    record = constant(v, v:op())
    values[v] = record
  end
  return record
end

-- Makes a record, with all fields at once: growing the table would rehash it.
local function define(values, v, op, block)
  local record = { v = v, op = op, type = v:type(), block = block, uses = 0, args = false,
    row = false, user = false, far = false, inline = false, at = 0, last = 0, name = false,
    slot = false }
  values[v] = record
  return record
end

local function operands(values, record)
  local args = record.v:args()
  for i, arg in ipairs(args) do args[i] = operand(values, arg) end
  record.args = args
end

-- Makes a projection a further result of its instruction: one record for all
-- projections of the same result.
local function project(values, record)
  local main, index = record.args[1], record.v:data()
  main.results, main.projected = main.results or {}, main.projected or {}
  local key = index .. record.type
  if main.projected[key] then
    values[record.v] = main.projected[key]
    return
  end
  main.projected[key] = record
  record.op, record.main, record.index = "result", main, index
  record.block, record.args = main.block, {}
  record.row = ops.row(record)
  table.insert(main.results, record)
end

-- }== Blocks ==========================================================

local function read_block(values, program, b, number)
  local block = { b = b, number = number, phis = b:phis(), insts = b:insts(), edges = {} }
  program.blocks[number], program.of[b] = block, block
  for i, v in ipairs(block.phis) do block.phis[i] = define(values, v, "phi", block) end
  for i, v in ipairs(block.insts) do block.insts[i] = define(values, v, v:op(), block) end
end

-- Edges leave a block in the order of its targets; parallel edges arrive in that
-- order, too.
local function read_edges(program, block)
  local taken = {}
  for i, succ in ipairs(block.b:succs()) do
    local to = program.of[succ]
    local nth = (taken[to] or 0) + 1
    taken[to] = nth
    block.edges[i] = { to = to, index = to.from[block][nth] }
  end
end

-- Numbers the operands of phis from 1 over the edges from reachable blocks.
local function read_preds(program, block)
  local kept = {}
  block.from, block.kept = {}, kept
  for i, pred in ipairs(block.b:preds()) do
    local from = program.of[pred]
    if from then
      kept[#kept + 1] = i
      block.from[from] = block.from[from] or {}
      table.insert(block.from[from], #kept)
    end
  end
end

-- Moves further results to their instructions before anything uses them.
local function read_results(values, block)
  local insts = {}
  for _, inst in ipairs(block.insts) do
    if inst.op == "proj" then
      operands(values, inst)
      project(values, inst)
    else
      insts[#insts + 1] = inst
    end
  end
  block.insts = insts
end

local function read_operands(values, block)
  for _, phi in ipairs(block.phis) do
    operands(values, phi)
    phi.row = ops.row(phi)
    for i, k in ipairs(block.kept) do phi.args[i] = phi.args[k] end
    for i = #phi.args, #block.kept + 1, -1 do phi.args[i] = nil end
  end
  for _, inst in ipairs(block.insts) do
    operands(values, inst)
    inst.row = ops.row(inst)
  end
end

-- }== Uses ============================================================

-- Calls f(value, user) for each use of a value in a block or at its end.
local function each_use(block, f)
  for _, inst in ipairs(block.insts) do
    for _, arg in ipairs(inst.args) do
      if arg.block then f(arg, inst) end
    end
  end
  for _, edge in ipairs(block.edges) do
    for _, phi in ipairs(edge.to.phis) do
      local arg = phi.args[edge.index]
      if arg.block then f(arg, phi) end
    end
  end
end

local function count_uses(block)
  each_use(block, function(v) v.uses = v.uses + 1 end)
end

local function find_users(block)
  each_use(block, function(v, user)
    v.user = user
    v.far = v.far or v.block ~= block
  end)
end

-- Dead code elimination: marks unused values without effects as dead.
local function sweep(program)
  local work = {}
  local function look(v)
    if v.block and v.uses == 0 and v.row.pure then work[#work + 1] = v end
  end
  for _, block in ipairs(program.blocks) do
    for _, phi in ipairs(block.phis) do look(phi) end
    for _, inst in ipairs(block.insts) do look(inst) end
  end
  while #work > 0 do
    local v = table.remove(work)
    v.dead = true
    for _, arg in ipairs(v.args) do
      if arg.block then
        arg.uses = arg.uses - 1
        look(arg)
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

-- }== The function ====================================================

local function read_params(values, program)
  local entry = program.blocks[1]
  for i, var in ipairs { program.fn:params() } do
    local record = define(values, program.fn:arg(i), "param", entry)
    record.args = {}
    record.row = ops.row(record)
    record.var = var:name()
    program.params[i] = record
  end
end

local function all(program, f)
  for _, block in ipairs(program.blocks) do f(block) end
end

--- Collects a function.
---@param fn phial.Function
---@return phial.emit.lua.Program
function M.program(fn)
  local program = { fn = fn, name = fn:name(), result = fn:result(),
    params = {}, blocks = {}, of = {} }
  local values = {}
  for i, b in ipairs(fn:rpo()) do read_block(values, program, b, i) end
  read_params(values, program)
  all(program, function(block) read_preds(program, block) end)
  all(program, function(block) read_edges(program, block) end)
  all(program, function(block) read_results(values, block) end)
  all(program, function(block) read_operands(values, block) end)
  all(program, count_uses)
  sweep(program)
  all(program, function(block)
    block.phis, block.insts = living(block.phis), living(block.insts)
  end)
  all(program, find_users)
  return program
end

-- }====================================================================

return M
