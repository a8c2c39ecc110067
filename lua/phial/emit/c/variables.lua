-- The variables of a function in C: values that fn:leave() gives one location share one,
-- and edges move values between variables where a phi needs that.
local core = require "phial.core"
local programs = require "phial.code.program"

local M = {}

---@class phial.emit.c.Variable
---@field type string
---@field name string? nothing uses it, if it has none
---@field called string? the name that it should have
---@field values integer the number of values that are kept, other than a parameter
---@field changes boolean? it gets several values
---@field is_local boolean? declared where it is assigned
---@field is_array boolean? the name of the bytes of an alloca

---@class phial.emit.c.Move
---@field to phial.emit.c.Variable
---@field from phial.emit.c.Variable|phial.code.Value the latter is a constant

--
-- {== Locations =======================================================
--

local function new_variable(type) return { type = type, values = 0 } end

-- Gives each value its variable; returns all by location. Twins, which are one record, are
-- in one variable.
local function read_variables(program, leaving)
  local variables = {}
  for id, v in pairs(program.values) do
    local location = v.block and leaving:location(core.value(program.fn, id))
    if location then
      v.variable = v.variable or variables[location] or new_variable(v.type)
      v.variable.changes = variables[location] ~= nil or v.op == "phi"
      variables[location] = v.variable
    end
  end
  return variables
end

-- The moves of an edge without those to phis that nothing uses; the last one is first.
-- A location without values is a temporary.
local function used_moves(program, variables, moves, block)
  local needed, used = {}, {}
  for _, phi in ipairs(block.phis) do needed[phi.variable] = true end
  for i = #moves, 1, -1 do
    local to, from = variables[moves[i].to], moves[i].from
    if needed[to] then
      if math.type(from) then
        variables[from] = variables[from] or new_variable(to.type)
        from = variables[from]
      else
        from = program.values[from:id()]
      end
      needed[to], needed[from] = nil, true
      used[#used + 1] = { to = to, from = from }
    end
  end
  return used
end

-- Edges to one block are read in a row: phial looks for all between two blocks at once.
local function read_moves(program, leaving, variables, block)
  local edges_to = {}
  for _, edge in ipairs(block.edges) do
    edge.moves = {}
    edges_to[edge.to] = edges_to[edge.to] or {}
    table.insert(edges_to[edge.to], edge)
  end
  local from = programs.block(program, block)
  for target, edges in pairs(edges_to) do
    local to = programs.block(program, target)
    for nth, edge in ipairs(edges) do
      edge.moves = used_moves(program, variables, leaving:moves(from, to, nth), target)
    end
  end
end

--- Reads which values share variables, and the moves of edges.
---@param program phial.code.Program
function M.read(program)
  -- of twins, each could share a variable with something else
  local leaving = program.fn:leave { coalesce = not program.has_twins }
  local variables = read_variables(program, leaving)
  for _, block in ipairs(program.blocks) do read_moves(program, leaving, variables, block) end
end

-- }== Names ===========================================================

-- Calls f for the values of blocks that are kept in variables.
local function each_kept(program, f)
  local function keep(v)
    if v.type and v.uses > 0 and not v.inline then f(v) end
  end
  for _, block in ipairs(program.blocks) do
    for _, phi in ipairs(block.phis) do keep(phi) end
    for _, v in ipairs(block.insts) do
      keep(v)
      for _, result in ipairs(v.results or {}) do keep(result) end
    end
  end
end

local function declare(program, scope, variable, name)
  variable.name = scope:take(name)
  if not variable.is_local and not variable.is_array then
    table.insert(program.declared, { type = variable.type, name = variable.name })
  end
end

local function name_temporaries(program, scope)
  for _, block in ipairs(program.blocks) do
    for _, edge in ipairs(block.edges) do
      for _, move in ipairs(edge.moves) do
        if not move.to.name then declare(program, scope, move.to, "swap") end
      end
    end
  end
end

--- Names the variables of a function. A value that is used in its block only, and shares
--- its variable with no other, is declared where it is assigned.
---@param program phial.code.Program
---@param scope phial.emit.c.Scope
function M.name(program, scope)
  for _, param in ipairs(program.params) do
    param.name = scope:take(programs.name_of(param) or "v" .. param.id)
    param.variable.name = param.name
  end
  each_kept(program, function(v)
    local variable = v.variable
    variable.values = variable.values + 1
    variable.called = variable.called or programs.name_of(v)
  end)
  each_kept(program, function(v)
    local variable = v.variable
    if not variable.name then
      variable.is_array = v.is_array
      variable.is_local = variable.values == 1 and not v.far and v.op ~= "phi"
      declare(program, scope, variable, variable.called or "v" .. v.id)
    end
    v.name, v.is_local = variable.name, variable.is_local
  end)
  name_temporaries(program, scope)
end

-- }====================================================================

return M
