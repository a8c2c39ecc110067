-- Which values are parts of the expressions of their users: without an optimizer, a local costs
-- a store and loads. A value that is used once, in its block, is computed where its user is,
-- unless something between the two would change it:
--
-- * what it loads can be written there;
-- * a call must stay before all later effects, traps and loads, and must be made in any case;
-- * a variable that it reads can get another value there;
-- * a debugger must show where the frontend says that it is.
--
-- An expression has so many operators at most, since compilers recurse. Addresses of symbols are
-- expressions wherever they are used.
local M = {}

-- The most operators of an expression.
local MOST <const> = 16

---@class phial.emit.c.Walk what was met of a block so far
---@field code phial.emit.c.Code
---@field block phial.code.Block
---@field written integer the position of the last instruction that may write memory
---@field acted integer that of the last one with an effect, a trap or a load
---@field assigned table<phial.emit.c.Variable, integer> that of the last one that assigns a
--- variable, of those that get several values

---@class phial.emit.c.Part: phial.code.Value what is known of its expression
---@field weight integer the number of its operators
---@field loads integer? the position of the first load
---@field acts integer? that of the call
---@field reads any[]? variables that get several values, each followed by the position of what
--- reads it

--
-- {== Parts ===========================================================
--

-- True if no part of v would be another value, or too late, behind what was met.
local function is_same(walk, v)
  if v.loads and v.loads <= walk.written or v.acts and v.acts ~= walk.acted then return false end
  local reads, assigned = v.reads, walk.assigned
  for i = 1, reads and #reads or 0, 2 do
    if (assigned[reads[i]] or 0) > reads[i + 1] then return false end
  end
  return true
end

-- True if the expression of v has its type in C, not that of constants.
local function is_typed(v)
  if v.row.effect then return true end
  local args = v.args
  for i = 1, #args do
    if args[i].block then return true end
  end
  return false
end

-- True if v has no position, or that of its user.
local function is_there(walk, v, user)
  local code = walk.code
  local line = code:position(v)
  if not line then return true end
  return line == code:position(user) and code:file(v) == code:file(user)
end

-- True for a value that its only user, in this block, can compute.
local function is_part(walk, v, user)
  return v.uses == 1 and v.block == walk.block and not v.far and v.weight ~= nil
    and v.row.expr ~= nil and is_typed(v) and is_same(walk, v) and is_there(walk, v, user)
end

local function add_part(v, arg)
  v.weight = v.weight + arg.weight
  if arg.loads and not (v.loads and v.loads < arg.loads) then v.loads = arg.loads end
  v.acts = v.acts or arg.acts
  local reads = arg.reads
  if v.reads and reads then
    table.move(reads, 1, #reads, #v.reads + 1, v.reads)
  else
    v.reads = v.reads or reads
  end
end

local function add_variable(v, variable, at)
  local reads = v.reads
  if not reads then
    v.reads = { variable, at }
  else
    local n = #reads
    reads[n + 1], reads[n + 2] = variable, at
  end
end

-- }== Instructions ====================================================

-- Makes operands part of v, the instruction at a position.
local function read_operands(walk, v, at)
  local row, args = v.row, v.args
  local atoms = row.atoms
  if atoms and atoms ~= true then atoms = atoms(walk.code, v) end
  v.weight = 1
  for i = 1, #args do
    local arg = args[i]
    if arg.block and not arg.is_address then
      if arg.uses == 1 and not atoms and is_part(walk, arg, v) and v.weight + arg.weight <= MOST
        and not (row.lazy and arg.acts) then
        arg.inline = true
        add_part(v, arg)
      elseif arg.variable.changes then
        add_variable(v, arg.variable, at)
      end
    end
  end
end

local function read_instruction(walk, v, at)
  local row, variable = v.row, v.variable
  read_operands(walk, v, at)
  if row.effect == "read" then v.loads = v.loads or at end
  if row.effect == "write" then v.acts, walk.written = at, at end
  if row.effect or row.check then walk.acted = at end
  if variable and variable.changes then walk.assigned[variable] = at end
  if not v.results then return end
  for _, result in ipairs(v.results) do
    if result.variable then walk.assigned[result.variable] = at end
  end
end

-- }== Edges ===========================================================

-- True if no variable that v reads is among those assigned.
local function reads_none(v, assigned)
  for i = 1, v.reads and #v.reads or 0, 2 do
    if assigned[v.reads[i]] then return false end
  end
  return true
end

-- Makes values part of the moves of an edge, which are done one after the other, the last one
-- first.
local function read_edge(walk, edge)
  local moves = edge.moves
  if #moves == 0 then return end
  local insts, parts, moved = walk.block.insts, {}, {}
  for _, v in ipairs(edge.sources) do
    if v.is_address or v.block and not v.variable.changes and is_part(walk, v, insts[#insts])
      and not v.acts then
      parts[v.variable] = v
    end
  end
  for i = #moves, 1, -1 do
    local move = moves[i]
    local v = parts[move.from]
    if v and reads_none(v, moved) then move.from, v.inline = v, true end
    moved[move.to] = true
  end
end

-- }== The function ====================================================

--- Decides which values of a function are parts of expressions: their field `inline`.
---@param code phial.emit.c.Code
function M.choose(code)
  for _, block in ipairs(code.program.blocks) do
    local walk = { code = code, block = block, written = 0, acted = 0, assigned = {} }
    local insts = block.insts
    for at = 1, #insts do read_instruction(walk, insts[at], at) end
    for _, edge in ipairs(block.edges) do read_edge(walk, edge) end
  end
end

-- }====================================================================

return M
