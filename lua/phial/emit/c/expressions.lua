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

---@class phial.emit.c.Walk what was met of a block so far; positions are those of values
---@field code phial.emit.c.Code
---@field written integer the position of the last instruction that may write memory
---@field acted integer that of the last one with an effect, a trap or a load
---@field assigned table<phial.emit.c.Variable, integer> that of the last one that assigns a
--- variable, of those that get several values
---@field assigns boolean one was met

---@class phial.emit.c.Part: phial.code.Value what is known of an expression
---@field weight integer? the number of its operators; nil: it cannot be a part of another one
---@field loads integer? the position of the first load
---@field acts integer? that of the call

--
-- {== Parts ===========================================================
--

-- True if each variable that v or a part of it reads was assigned before that, if at all.
local function reads_same(v, assigned)
  local args, at = v.args, v.position
  for i = 1, #args do
    local arg = args[i]
    if arg.inline then
      if not reads_same(arg, assigned) then return false end
    elseif arg.block and (assigned[arg.variable] or 0) > at then
      return false
    end
  end
  return true
end

-- True if v has no position of the frontend, or that of its user.
local function is_there(code, v, user)
  local line = code:position(v)
  if not line then return true end
  return line == code:position(user) and code:file(v) == code:file(user)
end

-- True if the only user of v can compute it: no part of it would be another value, too late, or
-- elsewhere.
local function is_part(walk, v, user)
  local loads, acts, code = v.loads, v.acts, walk.code
  if loads and loads <= walk.written or acts and acts ~= walk.acted then return false end
  return (not walk.assigns or reads_same(v, walk.assigned))
    and (not code.line_of or is_there(code, v, user))
end

-- }== Instructions ====================================================

-- Makes operands parts of v, and v one that can be a part.
local function read_operands(walk, v, row)
  local args, atoms, weight, loads, acts = v.args, row.atoms, 1, nil, nil
  local is_typed = row.effect -- its type in C is not that of constants
  if atoms and atoms ~= true then atoms = atoms(walk.code, v) end
  for i = 1, #args do
    local arg = args[i]
    if arg.block then
      local more = arg.weight
      if more and not atoms and weight + more <= MOST and is_part(walk, arg, v)
        and not (row.lazy and arg.acts) then
        arg.inline, weight, acts = true, weight + more, acts or arg.acts
        if arg.loads and not (loads and loads < arg.loads) then loads = arg.loads end
      end
      is_typed = true
    end
  end
  if v.uses ~= 1 or v.far or not is_typed or not row.expr then return end
  v.weight = weight
  if loads then v.loads = loads end
  if acts then v.acts = acts end
end

local function assign(walk, variable, at)
  if variable.changes then walk.assigned[variable], walk.assigns = at, true end
end

local function read_instruction(walk, v)
  local row, at = v.row, v.position
  local effect, variable, results = row.effect, v.variable, v.results
  read_operands(walk, v, row)
  if effect == "read" then v.loads = v.loads or at end
  if effect == "write" then v.acts, walk.written = at, at end
  if effect or row.check then walk.acted = at end
  if variable then assign(walk, variable, at) end
  if not results then return end
  for i = 1, #results do
    if results[i].variable then assign(walk, results[i].variable, at) end
  end
end

-- }== Edges ===========================================================

-- Makes values part of the moves of an edge, which are done one after the other, the last one
-- first.
local function read_edge(walk, edge, terminator)
  local moves = edge.moves
  local parts, moved = {}, {}
  for _, v in ipairs(edge.sources) do
    if v.is_address or v.weight and not v.variable.changes and not v.acts
      and is_part(walk, v, terminator) then
      parts[v.variable] = v
    end
  end
  for i = #moves, 1, -1 do
    local move = moves[i]
    local v = parts[move.from]
    if v and reads_same(v, moved) then move.from, v.inline = v, true end
    moved[move.to] = math.huge
  end
end

-- }== The function ====================================================

--- Decides which values of a function are parts of expressions: their field `inline`.
---@param code phial.emit.c.Code
function M.choose(code)
  local blocks = code.program.blocks
  local walk = { code = code, written = 0, acted = 0, assigned = {}, assigns = false }
  for number = 1, #blocks do
    local insts, edges = blocks[number].insts, blocks[number].edges
    if walk.assigns then walk.assigned, walk.assigns = {}, false end
    for i = 1, #insts do read_instruction(walk, insts[i]) end
    for i = 1, #edges do
      if #edges[i].moves > 0 then read_edge(walk, edges[i], insts[#insts]) end
    end
  end
end

-- }====================================================================

return M
