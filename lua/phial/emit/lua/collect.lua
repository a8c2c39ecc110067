-- Collects a finished function into plain tables, so that the emitter queries phial
-- once per function. Unreachable blocks are left out, and so is dead code. Blocks are read
-- in reverse postorder, each after the blocks that compute what it uses.
local core = require "phial.core"
local ops = require "phial.emit.lua.ops"
local numbers = require "phial.emit.lua.numbers"

local M = {}

local unpack = table.unpack

-- The most numbers that are copied at once, which needs no growing table.
local FEW <const> = 40

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
---@field user phial.emit.lua.Value? one of the users
---@field near boolean used in its block
---@field far boolean used in another block
---@field inline integer|false|nil written where it is used: the depth of its expression
---@field at integer? the number of the instruction that evaluates it
---@field last integer? the number of the last instruction of its block that needs it
---@field name string|false|nil its local
---@field slot string? its place in the frame

---@class phial.emit.lua.Edge
---@field to phial.emit.lua.Block
---@field index integer of its operands in phis
---@field sources phial.emit.lua.Value[] what is assigned to the phis of its target

---@class phial.emit.lua.Block
---@field id integer
---@field number integer
---@field called string|false its name
---@field size integer the number of its instructions, with projections
---@field phis phial.emit.lua.Value[]
---@field insts phial.emit.lua.Value[]
---@field edges phial.emit.lua.Edge[]

---@class phial.emit.lua.Program
---@field fn phial.Function
---@field name string
---@field result string?
---@field params phial.emit.lua.Value[]
---@field blocks phial.emit.lua.Block[] those that were met
---@field count integer of all blocks
---@field outline integer[] of phial.core.outline
---@field values table<integer, phial.emit.lua.Value> by id
---@field has_twins boolean? several projections are one record

--
-- {== Values ==========================================================
--

-- The operands of what has none, and of phis, which edges have as their sources.
local NONE <const> = {}

-- A table that asks phial.core for what numbers of a kind mean.
local function naming(fn, kind)
  return setmetatable({ [0] = false }, { __index = function(names, n)
    local name = core.named(fn, kind, n)
    names[n] = name
    return name
  end })
end

local function constant(program, id)
  local op, type, value = core.constant(program.fn, id)
  op, type = program.op_names[op], program.type_names[type]
  return { id = id, op = op, type = type, value = value,
    text = op == "undef" and numbers.undef(type) or numbers.literal(value) }
end

-- A table of values by id. Those that are not there are constants: all others were read
-- before they are used.
local function new_values(program)
  return setmetatable({}, { __index = function(values, id)
    local v = constant(program, id)
    values[id] = v
    return v
  end })
end

-- Reads a value at a position of the outline: its id, op, type, name, uses in its block and
-- others. Operands follow. A table of so many fields has room for those that come later.
local function read_value(program, at, block, args)
  local outline = program.outline
  local near, far = outline[at + 4], outline[at + 5]
  local id = outline[at]
  local v = { id = id, op = program.op_names[outline[at + 1]],
    type = program.type_names[outline[at + 2]] or nil, called = program.names[outline[at + 3]],
    block = block, uses = near + far, near = near > 0, far = far > 0, args = args or NONE }
  program.values[id] = v
  return v
end

-- Makes a projection a further result of its instruction: one record for all
-- projections of the same result.
local function project(program, v, main)
  local index = core.value(program.fn, v.id):index() or 0 -- 0: invalid
  main.results, main.projected = main.results or {}, main.projected or {}
  local key = index .. v.type
  local same = main.projected[key]
  if same then
    program.values[v.id], program.has_twins = same, true
    same.uses, same.near, same.far = same.uses + v.uses, same.near or v.near, same.far or v.far
    return
  end
  main.projected[key] = v
  v.op, v.main, v.index = "result", main, index
  v.row = ops.row(v)
  table.insert(main.results, v)
end

local function precedes(a, b) return a.index < b.index end

-- }== Blocks ==========================================================

-- Reads phis without their operands; returns the position that follows.
local function read_phis(program, block, at)
  local outline, phis = program.outline, block.phis
  local n = outline[at]
  at = at + 1
  for i = 1, n do
    local phi = read_value(program, at, block)
    phis[i], phi.from, phi.row = phi, at + 6, ops.row(phi)
    at = at + 7 + outline[at + 6]
  end
  return at
end

-- The block of a number, with its phis.
local function meet(program, number)
  local block = program.blocks[number]
  if block then return block end
  local outline, at = program.outline, program.outline[number + 1]
  block = { id = outline[at], number = number, called = program.names[outline[at + 1]],
    phis = {}, insts = false, edges = false, at = 0, size = 0 }
  program.blocks[number] = block
  block.at = read_phis(program, block, at + 2)
  return block
end

-- The list at a position: its length, then these numbers.
local function ids(outline, at)
  local n = outline[at]
  if n > FEW then return table.move(outline, at + 1, at + n, 1, {}) end
  return { unpack(outline, at + 1, at + n) }
end

-- The instruction at a position, which uses its operands.
local function read_inst(program, at, block)
  local values, args = program.values, ids(program.outline, at + 6)
  local v = read_value(program, at, block, args)
  for i = 1, #args do
    local arg = values[args[i]]
    args[i], arg.user = arg, v
  end
  v.row = ops.row(v)
  return v
end

-- Reads instructions; returns the position that follows.
local function read_insts(program, block, at)
  local outline, insts, n, with_results = program.outline, {}, 0, nil
  block.size = outline[at]
  at = at + 1
  for _ = 1, block.size do
    if program.op_names[outline[at + 1]] == "proj" then
      with_results = with_results or {}
      with_results[insts[n]] = true
      project(program, read_value(program, at, block), insts[n])
    else
      n = n + 1
      insts[n] = read_inst(program, at, block)
    end
    at = at + 7 + outline[at + 6]
  end
  for main in pairs(with_results or NONE) do table.sort(main.results, precedes) end
  block.insts = insts
  return at
end

-- What an edge assigns to the phis of its target.
local function read_sources(program, phis, index)
  if #phis == 0 then return NONE end
  local sources = {}
  for i = 1, #phis do
    local phi = phis[i]
    local source = program.values[program.outline[phi.from + index]]
    sources[i], source.user = source, phi
  end
  return sources
end

local function read_edges(program, block, at)
  local outline, edges = program.outline, {}
  for i = 1, outline[at] do
    local to, index = meet(program, outline[at + 2 * i - 1]), outline[at + 2 * i]
    edges[i] = { to = to, index = index, sources = read_sources(program, to.phis, index) }
  end
  block.edges = edges
end

--- Reads the instructions and edges of a block, unless that was done; the blocks before it
--- must have been read.
---@param program phial.emit.lua.Program
---@param number integer
---@return phial.emit.lua.Block
function M.read(program, number)
  local block = meet(program, number)
  if not block.insts then read_edges(program, block, read_insts(program, block, block.at)) end
  return block
end

--- Forgets what a block contains; what it computes for others remains.
---@param program phial.emit.lua.Program
---@param block phial.emit.lua.Block
function M.forget(program, block)
  local values, insts = program.values, block.insts
  for i = 1, #insts do
    local v = insts[i]
    if not v.far then values[v.id] = nil end
    v.args, v.user = NONE, nil
  end
  block.insts, block.edges = false, false
end

-- }== The function ====================================================

local function read_params(program)
  local entry, at = meet(program, 1), program.count + 3
  for i, var in ipairs { program.fn:params() } do
    local param = read_value(program, at, entry)
    param.row, param.called = ops.row(param), var:name()
    program.params[i] = param
    at = at + 7
  end
end

-- The operands of phis, which edges have as well.
local function read_operands(program, block)
  for _, phi in ipairs(block.phis) do
    phi.args = {}
    for i = 1, program.outline[phi.from] do
      phi.args[i] = program.values[program.outline[phi.from + i]]
    end
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

--- Opens a function, whose blocks `read` reads.
---@param fn phial.Function
---@return phial.emit.lua.Program
function M.open(fn)
  local outline = core.outline(fn)
  local program = { fn = fn, name = fn:name(), result = fn:result(), params = {}, blocks = {},
    outline = outline, count = outline[1], op_names = naming(fn, "op"),
    type_names = naming(fn, "type"), names = naming(fn, "name") }
  program.values = new_values(program)
  read_params(program)
  return program
end

--- Collects a function, with the operands of phis.
---@param fn phial.Function
---@return phial.emit.lua.Program
function M.program(fn)
  local program = M.open(fn)
  for number = 1, program.count do M.read(program, number) end
  for _, block in ipairs(program.blocks) do read_operands(program, block) end
  return program
end

-- }====================================================================

return M
