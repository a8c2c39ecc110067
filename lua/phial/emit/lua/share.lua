-- Which values share a local in a function with gotos: those that fn:leave() gives one
-- location, so that the edges between them need no assignment. Values that are written as
-- expressions are evaluated later than fn:leave() assumes, at their use; a value that would
-- overwrite what one of them reads gets a local of its own.
local core = require "phial.core"

local M = {}

--
-- {== Classes =========================================================
--

-- The phis of a function, and what edges assign to them, if it is kept; parameters first.
local function connected(program)
  local params, list, seen = {}, {}, {}
  local function add(v)
    if seen[v] or not v.block or v.inline then return end
    seen[v] = true
    table.insert(v.op == "param" and params or list, v)
  end
  for _, block in ipairs(program.blocks) do
    for _, phi in ipairs(block.phis) do add(phi) end
    for _, edge in ipairs(block.edges) do
      for _, source in ipairs(edge.sources) do add(source) end
    end
  end
  return table.move(list, 1, #list, #params + 1, params)
end

-- The location of each value. Two parameters cannot be one local.
local function read_classes(program, values)
  local leaving, has_param, of = program.fn:leave(), {}, {}
  for _, v in ipairs(values) do
    local location = leaving:location(core.value(program.fn, v.id))
    if location and not (v.op == "param" and has_param[location]) then
      of[v], has_param[location] = location, has_param[location] or v.op == "param"
    end
  end
  return of
end

-- The first value of each location stands for all of them.
local function elect(values, of)
  local first, shared = {}, {}
  for _, v in ipairs(values) do
    local class = of[v]
    if class then
      first[class] = first[class] or v
      shared[v] = first[class]
    end
  end
  return shared
end

-- }== Conflicts =======================================================

-- True if the text of an operand reads a local of the class.
local function reads(arg, class, of)
  if not arg.inline then return arg.block ~= nil and of[arg] == class end
  for _, it in ipairs(arg.args) do
    if reads(it, class, of) then return true end
  end
  return false
end

-- True if an instruction may set its result before it has read all operands.
local function overwrites_operand(v, class, of)
  if v.row.expr then return false end
  for _, arg in ipairs(v.args) do
    if reads(arg, class, of) then return true end
  end
  return false
end

-- Notes for each class until which instruction the expressions so far read it.
local function delay(v, of, until_)
  if not v.inline then return end
  for _, arg in ipairs(v.args) do
    local class = not arg.inline and of[arg]
    if class then until_[class] = math.max(until_[class] or 0, v.at) end
  end
end

-- Takes the values of a block out of their classes that would overwrite what is needed.
local function part(block, of)
  local until_ = {}
  local function check(v, main, i)
    local class = of[v]
    if not class then return end
    if (until_[class] or 0) > i or overwrites_operand(main, class, of) then of[v] = nil end
  end
  for i, v in ipairs(block.insts) do
    if not v.inline then check(v, v, i) end
    for _, result in ipairs(v.results or {}) do check(result, v, i) end
    delay(v, of, until_)
  end
end

-- }====================================================================

--- Finds the values that share locals.
---@param program phial.code.Program with `at` of each instruction
---@return table<phial.code.Value, phial.code.Value> # the value whose name is used
function M.find(program)
  local values = connected(program)
  -- of twins, which are one record, each could share a local with something else
  if #values == 0 or program.has_twins then return {} end
  local of = read_classes(program, values)
  for _, block in ipairs(program.blocks) do part(block, of) end
  return elect(values, of)
end

return M
