--- A finished function as emitters read it: plain tables, made of the columns that
-- phial.core.program gives, so that phial is queried once per function.
--
-- Unreachable blocks are left out, and so is what no instruction with an effect needs. Blocks are
-- in reverse postorder, each after the blocks that compute what it uses.
local core = require "phial.core"
local errors = require "phial.errors"

local M = {}

---@class phial.code.Value an instruction, a phi, a parameter, a further result or a constant
---@field id integer
---@field op string
---@field type string?
---@field called string? its own name
---@field var string? the name of the variable for which it was made
---@field args phial.code.Value[] operands; edges have those of phis, as their sources
---@field block phial.code.Block? the block that computes it; nil: a constant
---@field value any of a constant other than undef
---@field results phial.code.Value[]? the results from the second on, by index
---@field projected table<string, phial.code.Value>? them, by number and type
---@field main phial.code.Value? the instruction of a further result
---@field index integer? the number of a further result
---@field position integer? among the columns; nil: a constant

---@class phial.code.Edge
---@field to phial.code.Block
---@field sources phial.code.Value[] what is assigned to the phis of its target

---@class phial.code.Block
---@field id integer
---@field number integer its position in reverse postorder
---@field called string? its name
---@field phis phial.code.Value[]
---@field insts phial.code.Value[] the last one is the terminator
---@field edges phial.code.Edge[] to its successors, in order

---@class phial.code.Program
---@field fn phial.Function
---@field name string
---@field result string?
---@field params phial.code.Value[]
---@field blocks phial.code.Block[]
---@field count integer of blocks
---@field columns phial.code.Columns
---@field values table<integer, phial.code.Value> by id; constants are made when they are read

--- What phial.core.program returns. Values are parameters, then those of each block in order,
--- phis first, and an instruction with its projections. A list of a value or block begins at
--- the position that a column has for it, and ends before that of the next one.
---@class phial.code.Columns
---@field id integer[] by value
---@field op string[]
---@field type (string?)[] nil: it has no result
---@field name (string?)[]
---@field variable (string?)[] the name of the variable for which a phi or a copy was made
---@field operands integer[] where its operands begin
---@field operand integer[] ids; those of a phi are by the number of the edge
---@field block integer[] ids of blocks, by number
---@field block_name (string?)[]
---@field phis integer[] where the phis of a block begin among the values; they end at `insts`
---@field insts integer[]
---@field edges integer[] where its edges begin
---@field to integer[] by edge: the number of its target
---@field incoming integer[] its number among the edges to its target

--
-- {== Values ==========================================================
--

-- The operands of what has none, and of phis, which edges have as their sources.
local NONE <const> = {}

-- A table of values by id. Those that are not there are constants: all others were read
-- before they are used.
local function new_values(fn)
  return setmetatable({}, { __index = function(values, id)
    local op, type, value = core.constant(fn, id)
    local v = { id = id, op = op, type = type, value = value, name = nil }
    values[id] = v
    return v
  end })
end

-- The operands at positions.
local function read_args(operand, values, first, last)
  local args = table.move(operand, first, last, 1, {})
  for i = 1, #args do args[i] = values[args[i]] end
  return args
end

-- Makes a projection a further result of its instruction: one record for all
-- projections of the same result.
local function project(program, v, main)
  local index = core.value(program.fn, v.id):index() or 0 -- 0: invalid
  main.results, main.projected = main.results or {}, main.projected or {}
  local key = index .. v.type
  local same = main.projected[key]
  if same then
    program.values[v.id] = same
    return
  end
  main.projected[key] = v
  v.main, v.index, v.args = main, index, NONE
  table.insert(main.results, v)
end

local function precedes(a, b) return a.index < b.index end

-- Reads the values at positions, instructions with their operands; projections are results of the
-- instruction before them.
local function read_values(program, first, last, block, are_insts)
  local columns, values, list = program.columns, program.values, {}
  local operands = columns.operands
  for at = first, last do
    local v = { id = columns.id[at], op = columns.op[at], type = columns.type[at],
      called = columns.name[at], var = columns.variable[at], block = block, position = at,
      args = are_insts and read_args(columns.operand, values, operands[at], operands[at + 1] - 1)
        or NONE }
    values[v.id] = v
    if v.op == "proj" then project(program, v, list[#list]) else list[#list + 1] = v end
  end
  for _, v in ipairs(list) do
    if v.results then table.sort(v.results, precedes) end
  end
  return list
end

-- }== Blocks ==========================================================

-- A block, with its phis.
local function read_block(program, number)
  local columns = program.columns
  local block = { id = columns.block[number], number = number,
    called = columns.block_name[number], edges = {} }
  block.phis = read_values(program, columns.phis[number], columns.insts[number] - 1, block)
  return block
end

-- Reads the instructions and edges of a block; those before it have been read.
local function fill_block(program, block)
  local columns, values, number = program.columns, program.values, block.number
  block.insts = read_values(program, columns.insts[number], columns.phis[number + 1] - 1, block,
    true)
  for at = columns.edges[number], columns.edges[number + 1] - 1 do
    local to, sources = program.blocks[columns.to[at]], {}
    for i, phi in ipairs(to.phis) do
      local operands = columns.operands[phi.position]
      sources[i] = values[columns.operand[operands + columns.incoming[at] - 1]]
    end
    table.insert(block.edges, { to = to, sources = sources })
  end
end

-- }== The function ====================================================

--- Reads a function.
---@param fn phial.Function
---@return phial.code.Program
function M.whole(fn)
  local columns, vars = core.program(fn), fn:params()
  local program = { fn = fn, name = fn:name(), result = fn:result(), blocks = {},
    columns = columns, count = #columns.block, values = new_values(fn) }
  program.params = read_values(program, 1, #vars, false)
  for i, var in ipairs(vars) do program.params[i].var = var:name() end
  for number = 1, program.count do program.blocks[number] = read_block(program, number) end
  for _, param in ipairs(program.params) do param.block = program.blocks[1] end
  for _, block in ipairs(program.blocks) do fill_block(program, block) end
  return program
end

local BLAME <const> = {} -- a key that no error of a callback has

--- Raises a message out of `reading`: that a callback has changed what is read.
---@param message string
function M.blame(message) error({ [BLAME] = message }, 0) end

--- Calls f(...), which reads functions, and returns its result; raises if one of them has
--- changed, since a finalizer may have run, or a callback.
---@param versions table<phial.Function, integer> of these functions
---@param f function
---@return any
function M.reading(versions, f, ...)
  local ok, made = pcall(f, ...)
  local blame = not ok and type(made) == "table" and rawget(made, BLAME)
  if blame then errors.raise("%s", blame) end
  for fn, version in pairs(versions) do
    if fn:version() ~= version then
      errors.raise("function '%s' was changed while it was read", fn:name())
    end
  end
  if not ok then error(made, 0) end
  return made
end

-- }====================================================================

return M
