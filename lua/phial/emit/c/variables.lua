-- The variables of a function in C: values that fn:leave() gives one location share one,
-- and edges move values between variables where a phi needs that.
local core = require "phial.core"
local programs = require "phial.code.program"

local M = {}

--- A value that shares its variable with no other one is its own variable.
---@class phial.emit.c.Variable
---@field type string
---@field name string? nothing uses it, if it has none
---@field wanted string? the name that it should have
---@field changes boolean? it gets several values
---@field is_kept boolean? it keeps one of several values, other than a parameter
---@field is_local boolean? declared where it is assigned
---@field is_array boolean? the name of the bytes of an alloca

---@class phial.emit.c.Move
---@field to phial.emit.c.Variable
---@field from phial.emit.c.Variable|phial.code.Value the latter is a constant

--
-- {== Locations =======================================================
--

local function new_variable(type)
  return { type = type, changes = true, is_kept = false, name = nil, wanted = nil }
end

-- Gives v the variable of a location, which a phi or other values have, too.
local function share(variables, location, v)
  local there = variables[location]
  if not there or there.op then
    local shared = new_variable(v.type)
    if there then there.variable, shared.wanted = shared, programs.name_of(there) end
    there = shared
  end
  there.wanted = there.wanted or programs.name_of(v)
  v.variable, variables[location] = there, there
end

-- Gives each value its variable; returns all by location.
local function read_variables(program, leaving)
  local variables, values, ids = {}, program.values, program.columns.id
  local locations = core.locations(leaving, ids)
  for i = 1, #ids do
    local location = locations[i]
    if location > 0 then
      local v = values[ids[i]]
      if variables[location] or v.op == "phi" then
        share(variables, location, v)
      else
        v.variable = v.variable or v -- of twins, which are one record, the second one
        variables[location] = v.variable
      end
    end
  end
  return variables
end

-- The moves of an edge that has none.
local NONE <const> = {}

-- The moves of an edge without those to phis that nothing uses; the last one is first.
-- A location without values is a temporary.
local function used_moves(program, variables, moves, phis)
  local needed, used = {}, {}
  for i = 1, #phis do needed[phis[i].variable] = true end
  for i = #moves - 1, 1, -2 do
    local to, location = variables[moves[i]], moves[i + 1]
    if needed[to] then
      local from = location < 0 and program.values[-location] or variables[location]
      if not from then
        from = new_variable(to.type)
        variables[location] = from
        table.insert(program.temporaries, from)
      end
      needed[to], needed[from] = nil, true
      used[#used + 1] = { to = to, from = from }
    end
  end
  return used
end

local function read_moves(program, leaving, variables, block)
  for i, edge in ipairs(block.edges) do
    local phis = edge.to.phis
    edge.moves = #phis == 0 and NONE
      or used_moves(program, variables, core.moves(leaving, block.id, i), phis)
  end
end

--- Reads which values share variables, and the moves of edges.
---@param program phial.code.Program
function M.read(program)
  -- of twins, each could share a variable with something else
  program.temporaries = {}
  local leaving = program.fn:leave { coalesce = not program.has_twins }
  local variables = read_variables(program, leaving)
  for _, block in ipairs(program.blocks) do read_moves(program, leaving, variables, block) end
end

-- }== Names ===========================================================

local function declare(program, variable)
  if not variable.is_local and not variable.is_array then
    table.insert(program.declared, { type = variable.type, name = variable.name })
  end
end

local function name_temporaries(program, scope)
  for _, variable in ipairs(program.temporaries) do
    variable.name = scope:take "swap"
    declare(program, variable)
  end
end

-- Names the variable of a value that is kept.
local function name_value(program, scope, v)
  local variable = v.variable
  if not variable.name then
    local wanted = variable.wanted or programs.name_of(v)
    variable.is_local = variable == v and not v.far
    variable.name = wanted and scope:take(wanted) or scope:number("v", v.id)
    declare(program, variable)
  end
  if variable ~= v then v.name, variable.is_kept = variable.name, true end
end

local function name_used(program, scope, list)
  for i = 1, #list do
    local v = list[i]
    if v.uses > 0 and not v.inline then name_value(program, scope, v) end
    if v.results then name_used(program, scope, v.results) end
  end
end

--- Names the variables of a function. A value that is used in its block only, and shares
--- its variable with no other, is declared where it is assigned.
---@param program phial.code.Program
---@param scope phial.emit.c.Scope
function M.name(program, scope)
  for i, param in ipairs(program.params) do
    local wanted = programs.name_of(param)
    param.name = wanted and scope:take(wanted) or scope:number("v", param.id)
    param.variable.name = param.name
    param.given = program.fn:passing(i) == "signext" and scope:take(param.name .. "_") or param.name
  end
  for _, block in ipairs(program.blocks) do
    name_used(program, scope, block.phis)
    name_used(program, scope, block.insts)
  end
  name_temporaries(program, scope)
end

-- }====================================================================

return M
