--- A trace as lines whose words refer to blocks, variables and values, so that any of these can
-- be left out.
local format = require "phial.trace.format"
local values = require "phial.trace.values"

local M = {}

---@class phial.reduce.Block
---@field name? string
---@field initial boolean the line F makes it, not a line B
---@field entry boolean

---@class phial.reduce.Variable
---@field name? string
---@field type string
---@field initial boolean
---@field param? string the word of the line F
---@field value? phial.reduce.Value of a parameter

---@class phial.reduce.Value
---@field id integer
---@field type string

---@class phial.reduce.Use a word that refers to something; number: it is identified by number;
--- new: the line names the value
---@field block? phial.reduce.Block
---@field var? phial.reduce.Variable
---@field value? phial.reduce.Value
---@field number? boolean
---@field new? boolean

---@class phial.reduce.Line
---@field letter string
---@field words (string|phial.reduce.Use)[] after the letter
---@field within? phial.reduce.Block that is being filled
---@field makes? phial.reduce.Block|phial.reduce.Variable of a line B, V

---@class phial.reduce.Function
---@field name string as the line F has it
---@field result? string|false nil: a plain trace
---@field copies? boolean
---@field blocks phial.reduce.Block[]
---@field vars phial.reduce.Variable[]
---@field lines phial.reduce.Line[]

-- {== Lines =============================================================

---@class phial.reduce.Reader
---@field func phial.reduce.Function
---@field values table<integer, phial.reduce.Value>
---@field within? phial.reduce.Block

-- A cursor that notes, by kind and place, what words refer to.
local Noting = setmetatable({}, { __index = format.Cursor })
Noting.__index = Noting

for _, kind in ipairs { "block", "var", "value", "id" } do
  Noting[kind] = function(self)
    local at = self.at
    self.noted[kind][at] = format.Cursor[kind](self)
    return self.noted[kind][at]
  end
end

-- Raised where a name means nothing: such a trace has no model.
local NOTHING <const> = {}

local function find(list, ref)
  if type(ref) == "number" then return list[ref + 1] or error(NOTHING, 0) end
  local nth = ref.nth
  for _, it in ipairs(list) do
    if it.name == ref.name then
      nth = nth - 1
      if nth == 0 then return it end
    end
  end
  error(NOTHING, 0)
end

-- A value, which is made if it is unknown.
local function use_of(reader, id, its_type, new)
  reader.values[id] = reader.values[id] or { id = id, type = its_type or error(NOTHING, 0) }
  return { value = reader.values[id], new = new }
end

-- The words after the letter. Values are of the type of the variable, if the line has one; a phi
-- by hand is of that of its first operand. N and D are about values that were named before.
local function words_of(reader, step)
  local noted = { block = {}, var = {}, value = {}, id = {} }
  local c = setmetatable({ words = values.split(step.text), at = 2, noted = noted }, Noting)
  format.readers[step.letter](c, { answers = {} })
  local words, func, its_type = c.words, reader.func, nil
  for k, ref in pairs(noted.block) do
    words[k] = { block = find(func.blocks, ref), number = type(ref) == "number" }
  end
  for k, ref in pairs(noted.var) do
    words[k] = { var = find(func.vars, ref), number = type(ref) == "number" }
    its_type = words[k].var.type
  end
  local first, names = step.preds and step.args[1], step.letter ~= "N" and step.letter ~= "D"
  local new_type = its_type or step.type
    or first and (first.type or use_of(reader, first.id).value.type) or names and "any"
  for k, id in pairs(noted.id) do words[k] = use_of(reader, id, new_type, names) end
  for k, it in pairs(noted.value) do
    if it.id then words[k] = use_of(reader, it.id, its_type, step.letter == "r") end
  end
  table.remove(words, 1)
  return words
end

local function line_of(reader, step)
  local func, words, made = reader.func, words_of(reader, step), nil
  if step.letter == "b" then
    reader.within = words[1].block
  elseif step.letter == "B" then
    made = { name = step.name, initial = false, entry = false }
    table.insert(func.blocks, made)
  elseif step.letter == "V" then
    made = { name = step.name, type = step.type, initial = false }
    table.insert(func.vars, made)
  end
  return { letter = step.letter, words = words, makes = made, within = reader.within }
end

-- }== Functions =========================================================

local function add_params(reader, step, words)
  local func = reader.func
  for i in ipairs(step.params or {}) do
    local id = step.copies and 2 * i - 1 or i
    local name, rest = values.unnamed(words[5 + i])
    local value = { id = id, type = rest:sub(2) }
    reader.values[id] = value
    func.vars[i] = { name = name, type = value.type, initial = true, param = words[5 + i],
      value = value }
  end
end

local function function_of(step)
  local words = values.split(step.text)
  local func = { name = words[2], result = step.result, copies = step.copies, blocks = {},
    vars = {}, lines = {} }
  local reader = { func = func, values = {} }
  add_params(reader, step, words)
  for i = 1, step.nblocks do
    func.blocks[i] = { name = i == 1 and "entry" or nil, initial = true, entry = i == 1 }
  end
  for i = 0, step.nvars - 1 do
    table.insert(func.vars, { name = "v" .. i, type = "any", initial = true })
  end
  for i, it in ipairs(step.steps) do
    func.lines[i] = line_of(reader, it)
  end
  return func
end

--- The uses of blocks among the words of a line: the targets of a terminator.
---@param words (string|phial.reduce.Use)[]
---@return phial.reduce.Use[]
function M.targets(words)
  local list = {}
  for _, word in ipairs(words) do
    if type(word) == "table" and word.block then list[#list + 1] = word end
  end
  return list
end

--- The functions of a trace; nil if it cannot be read, or names what does not exist.
---@param text string
---@return phial.reduce.Function[]?
function M.read(text)
  local steps = format.read(text)
  if not steps then return nil end
  local functions = {}
  for i, step in ipairs(steps) do
    local ok, func = pcall(function_of, step)
    if not ok and func ~= NOTHING then error(func, 0) end
    if not ok then return nil end
    functions[i] = func
  end
  return functions
end

-- }======================================================================

return M
