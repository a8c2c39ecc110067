--- A finished function as emitters read it: plain tables, made of the columns that
-- phial.core.program gives, so that phial is queried once per function.
--
-- Unreachable blocks are left out, and so is what no instruction with an effect needs, unless
-- the emitter wants everything. Blocks are in reverse postorder, each after the blocks that
-- compute what it uses, and are read one at a time: an emitter that goes through a large
-- function once can forget each of them.
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
---@field uses integer the number of uses
---@field user phial.code.Value? one of the users, if the emitter notes it
---@field far boolean used in another block
---@field position integer? among the columns; nil: a constant

---@class phial.code.Edge
---@field to phial.code.Block
---@field incoming integer its number among the edges to its target
---@field sources phial.code.Value[] what is assigned to the phis of its target

---@class phial.code.Block
---@field id integer
---@field number integer its position in reverse postorder
---@field called string? its name
---@field size integer the number of its instructions and their further results
---@field phis phial.code.Value[]
---@field insts phial.code.Value[] the last one is the terminator
---@field edges phial.code.Edge[] to its successors, in order

---@class phial.code.Program
---@field fn phial.Function
---@field name string
---@field result string?
---@field params phial.code.Value[]
---@field blocks phial.code.Block[] those that were met
---@field count integer of all blocks
---@field columns phial.code.Columns
---@field values table<integer, phial.code.Value> by id; constants are made when they are read
---@field constants phial.code.Value[] those that were read
---@field has_twins boolean? several projections are one record

--- What phial.core.program returns. Values are parameters, then those of each block in order,
--- phis first, and an instruction with its projections. A list of a value or block begins at
--- the position that a column has for it, and ends before that of the next one.
---@class phial.code.Columns
---@field id integer[] by value
---@field op string[]
---@field type (string?)[] nil: it has no result
---@field name (string?)[]
---@field variable (string?)[] the name of the variable for which a phi or a copy was made
---@field near integer[] the number of uses in its block; those by phis are at the end of the
--- block that the edge leaves
---@field far integer[] the number of uses in other blocks
---@field line (integer?)[] the frontend's position
---@field file (string?)[]
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
local function new_values(fn, constants)
  return setmetatable({}, { __index = function(values, id)
    local op, type, value = core.constant(fn, id)
    local v = { id = id, op = op, type = type, value = value, name = nil }
    values[id], constants[#constants + 1] = v, v
    return v
  end })
end

-- The operands at positions.
local function read_args(operand, values, first, last)
  local n = last - first
  if n < 0 then return NONE end
  if n == 0 then return { values[operand[first]] } end
  if n == 1 then return { values[operand[first]], values[operand[last]] } end
  local args = table.move(operand, first, last, 1, {})
  for i = 1, n + 1 do args[i] = values[args[i]] end
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
    program.values[v.id], program.has_twins = same, true
    same.uses, same.far = same.uses + v.uses, same.far or v.far
    return
  end
  main.projected[key] = v
  v.main, v.index, v.args = main, index, NONE
  table.insert(main.results, v)
end

local function precedes(a, b) return a.index < b.index end

-- Reads the values at positions, instructions with their operands; projections are results of the
-- instruction before them. A table of so many fields has room for those that come later.
local function read_values(program, first, last, block, are_insts)
  local columns, values, n, with_results = program.columns, program.values, 0, NONE
  local list = { nil, nil, nil, nil } -- room, as most blocks need it
  local ids, ops, types, near, far = columns.id, columns.op, columns.type, columns.near, columns.far
  local names, variables = columns.name, columns.variable
  local operand, operands = columns.operand, columns.operands
  for at = first, last do
    local id, op, elsewhere = ids[at], ops[at], far[at]
    local args = are_insts and read_args(operand, values, operands[at], operands[at + 1] - 1)
      or NONE
    local v = { id = id, op = op, type = types[at], called = names[at], var = variables[at],
      block = block, args = args, uses = near[at] + elsewhere, far = elsewhere > 0, position = at }
    values[id] = v
    if op == "proj" then
      if with_results == NONE then with_results = {} end
      with_results[list[n]] = true
      project(program, v, list[n])
    else
      n = n + 1
      list[n] = v
    end
  end
  if with_results == NONE then return list end
  for main in pairs(with_results) do table.sort(main.results, precedes) end
  return list
end

-- }== Blocks ==========================================================

-- The block of a number, with its phis.
local function meet(program, number)
  local block = program.blocks[number]
  if block then return block end
  local columns = program.columns
  block = { id = columns.block[number], number = number, called = columns.block_name[number],
    phis = NONE, insts = false, edges = false, size = 0, label = nil, start = nil }
  local first, last = columns.phis[number], columns.insts[number] - 1
  if first <= last then block.phis = read_values(program, first, last, block) end
  program.blocks[number] = block
  return block
end

local function read_insts(program, block)
  local columns = program.columns
  local first, last = columns.insts[block.number], columns.phis[block.number + 1] - 1
  block.insts, block.size = read_values(program, first, last, block, true), last - first + 1
end

-- What an edge assigns to the phis of its target.
local function read_sources(program, phis, incoming)
  if #phis == 0 then return NONE end
  local columns, values, sources = program.columns, program.values, {}
  for i = 1, #phis do
    local phi = phis[i]
    sources[i] = values[columns.operand[columns.operands[phi.position] + incoming - 1]]
  end
  return sources
end

local function read_edges(program, block)
  local columns, edges = program.columns, { nil, nil }
  local first = columns.edges[block.number]
  for at = first, columns.edges[block.number + 1] - 1 do
    local to, incoming = meet(program, columns.to[at]), columns.incoming[at]
    edges[at - first + 1] = { to = to, incoming = incoming,
      sources = read_sources(program, to.phis, incoming) }
  end
  block.edges = edges
end

--- Reads the instructions and edges of a block, unless that was done; the blocks before it
--- must have been read.
---@param program phial.code.Program
---@param number integer
---@return phial.code.Block
function M.read(program, number)
  local block = meet(program, number)
  if not block.insts then
    read_insts(program, block)
    read_edges(program, block)
  end
  return block
end

--- Forgets what a block contains; what it computes for others remains.
---@param program phial.code.Program
---@param block phial.code.Block
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

--- Opens a function, whose blocks `read` reads.
---@param fn phial.Function
---@param everything boolean? what nothing needs as well
---@return phial.code.Program
function M.open(fn, everything)
  local columns, constants = core.program(fn, everything), {}
  local program = { fn = fn, name = fn:name(), result = fn:result(), blocks = {},
    columns = columns, count = #columns.block, values = new_values(fn, constants),
    constants = constants }
  local vars = fn:params()
  program.params = read_values(program, 1, #vars, meet(program, 1))
  for i, var in ipairs(vars) do program.params[i].var = var:name() end
  return program
end

--- Reads a whole function.
---@param fn phial.Function
---@param everything boolean? what nothing needs as well
---@return phial.code.Program
function M.whole(fn, everything)
  local program = M.open(fn, everything)
  for number = 1, program.count do M.read(program, number) end
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

--- The name that a value should have in code, if any: a parameter and a phi have that of their
--- variable.
---@param v phial.code.Value
---@return string?
function M.name_of(v)
  local name = (v.op == "phi" or v.op == "param") and v.var or v.called
  return name ~= "" and name or nil
end

--- The line of the frontend's position of a value, and its file; nothing: it has no position.
---@param program phial.code.Program
---@param v phial.code.Value
---@return integer? line
---@return string? file
function M.location(program, v)
  return program.columns.line[v.position], program.columns.file[v.position]
end

--- The handle of a value, for what the record does not have.
---@param program phial.code.Program
---@param v phial.code.Value
---@return phial.Value
function M.handle(program, v) return core.value(program.fn, v.id) end

--- The handle of a block.
---@param program phial.code.Program
---@param block phial.code.Block
---@return phial.Block
function M.block(program, block) return core.block(program.fn, block.id) end

-- }====================================================================

return M
