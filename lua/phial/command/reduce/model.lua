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
---@field words (string|phial.reduce.Use)[] behind the letter
---@field within? phial.reduce.Block that is being filled
---@field makes? phial.reduce.Block|phial.reduce.Variable of a line B, V

---@class phial.reduce.Function
---@field name string as the line F has it
---@field result? string|false nil: a plain trace
---@field copies? boolean
---@field blocks phial.reduce.Block[]
---@field vars phial.reduce.Variable[]
---@field lines phial.reduce.Line[]

-- {== Names =============================================================

---@class phial.reduce.Reader
---@field func phial.reduce.Function
---@field values table<integer, phial.reduce.Value>
---@field within? phial.reduce.Block
local Reader = {}
Reader.__index = Reader

local function find_named(list, word)
  if word:find "^%d+$" then return list[tonumber(word) + 1], true end
  local name, rest = values.unnamed(word)
  local nth = tonumber(rest:match "^/(%d+)$" or "1")
  for _, it in ipairs(list) do
    if it.name == name then
      nth = nth - 1
      if nth == 0 then return it end
    end
  end
end

-- Raises nil where a name means nothing: such a trace has no model.
function Reader:block(word)
  local it, number = find_named(self.func.blocks, word)
  return { block = it or error(nil, 0), number = number }
end

function Reader:var(word)
  local it, number = find_named(self.func.vars, word)
  return { var = it or error(nil, 0), number = number }
end

-- A value, which is made if it is unknown, or another word as it is.
function Reader:value(word, type)
  local digits = word:match "^%%(%d+)$"
  local id = digits and math.tointeger(tonumber(digits))
  if not id then return word end
  self.values[id] = self.values[id] or { id = id, type = type or error(nil, 0) }
  return { value = self.values[id] }
end

-- The same for one that the line names.
function Reader:new(word, type)
  local use = self:value(word, type)
  if use ~= word then use.new = true end
  return use
end

function Reader.word(_, word) return word end

-- }== Lines =============================================================

-- What the words of a line are, by letter.
local WORDS <const> = {
  S = { "block" }, r = { "var", "new" }, m = { "var" }, K = { "var" }, U = { "var", "value" },
  w = { "var", "value", "new" }, k = { "new", "block", "var" }, j = { "block" },
  c = { "block", "block", "value" }, x = { "value" }, N = { "value", "word" },
  D = { "value", "word" },
}

-- Values are of the type of the variable, if the line has one.
local function read_words(reader, words, kinds)
  local out, type = {}, nil
  for k, kind in ipairs(kinds) do
    if kind == "var" then
      out[k] = reader:var(words[k])
      type = out[k].var.type
    end
  end
  for k, kind in ipairs(kinds) do
    out[k] = out[k] or words[k] and reader[kind](reader, words[k], type)
  end
  return out
end

-- Lines whose words depend on others.
local read = {}

function read:b(words)
  local use = self:block(words[1])
  self.within = use.block
  return { use }
end

function read:i(words)
  local out, results = {}, 0
  while words[results + 1]:find "^%%" do results = results + 1 end
  local type = results > 0 and words[results + 1]
  local op = results + (type and 2 or 1)
  for k, word in ipairs(words) do
    out[k] = k <= results and self:new(word, type) or k > op and self:value(word) or word
  end
  return out
end

function read:t(words)
  local out, targets = {}, false
  for k, word in ipairs(words) do
    out[k] = k > 1 and (targets and self:block(word) or self:value(word)) or word
    targets = targets or word == ">"
  end
  return out
end

function read:p(words)
  local out, type = {}, nil
  for k = 2, #words, 2 do
    out[k], out[k + 1] = self:block(words[k]), self:value(words[k + 1])
    local constant = values.constant(words[k + 1])
    type = type or constant and constant.type or out[k + 1].value.type
  end
  out[1] = self:new(words[1], type or "any")
  return out
end

function read:s(words)
  local out, n = { words[1] }, tonumber(words[1])
  for k = 2, #words do out[k] = k <= n + 1 and self:block(words[k]) or self:value(words[k]) end
  return out
end

function read:B(_, step)
  local block = { name = step.name, initial = false, entry = false }
  table.insert(self.func.blocks, block)
  return {}, block
end

function read:V(_, step)
  local var = { name = step.name, type = step.type, initial = false }
  table.insert(self.func.vars, var)
  return {}, var
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

local function line_of(reader, step)
  local words, made = values.split(step.text), nil
  table.remove(words, 1)
  if WORDS[step.letter] then
    words = read_words(reader, words, WORDS[step.letter])
  elseif read[step.letter] then
    words, made = read[step.letter](reader, words, step)
  end
  return { letter = step.letter, words = words, makes = made, within = reader.within }
end

local function function_of(step)
  local words = values.split(step.text)
  local func = { name = words[2], result = step.result, copies = step.copies, blocks = {},
    vars = {}, lines = {} }
  local reader = setmetatable({ func = func, values = {} }, Reader)
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

--- The functions of a trace; nil if it cannot be read, or names what does not exist.
---@param text string
---@return phial.reduce.Function[]?
function M.read(text)
  local steps = format.read(text)
  if not steps then return nil end
  local functions = {}
  for i, step in ipairs(steps) do
    local ok, func = pcall(function_of, step)
    if not ok and func ~= nil then error(func, 0) end
    if not ok then return nil end
    functions[i] = func
  end
  return functions
end

-- }======================================================================

return M
