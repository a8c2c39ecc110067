--- Reads the lines of a trace: a reader per letter makes a table of the line.
-- Checks each line by itself; the player checks that blocks, variables and values
-- exist.
local algorithms = require "phial.trace.algorithms"
local values = require "phial.trace.values"

local M = {}

---@class phial.trace.Ref a block or variable: its number, or its name and which of that name
---@field name string
---@field nth integer

---@class phial.trace.Step a line, with fields by letter
---@field letter string
---@field line integer its number
---@field text string

---@class phial.trace.Function
---@field line integer
---@field text string
---@field name string
---@field nblocks integer
---@field nvars integer
---@field result? string|false false: none
---@field params? string[]
---@field construction? string
---@field copies? boolean
---@field keep_unreachable? boolean
---@field linkage? string
---@field variadic? boolean
---@field passings table<integer, string> of parameters, and of the result, 0
---@field answers phial.trace.Step[] lines U
---@field steps phial.trace.Step[]

--- Raises an error in a line, which M.read and the player catch.
---@param format string
function M.mistake(format, ...)
  error({ mistake = format:format(...) }, 0)
end

--- True if an error was raised by M.mistake, or is a table like that of it.
---@param err any
---@return boolean
function M.is_mistake(err) return type(err) == "table" and rawget(err, "mistake") ~= nil end

local mistake = M.mistake

-- {== Words ============================================================

-- The words of a line, and the place of the next one.
local Cursor = {}
Cursor.__index = Cursor
M.Cursor = Cursor

function Cursor:peek() return self.words[self.at] end

function Cursor:more() return self.at <= #self.words end

function Cursor:word(what)
  local word = self.words[self.at]
  if not word then mistake("%s expected at the end of the line", what) end
  self.at = self.at + 1
  return word
end

local function whole(word) return word:find "^%d+$" and math.tointeger(tonumber(word)) end

function Cursor:count(what)
  local word = self:word(what)
  return whole(word) or mistake("%s expected, got '%s'", what, word)
end

function Cursor:ref(what)
  local word = self:word(what)
  if whole(word) then return whole(word) end
  local name, rest = values.unnamed(word)
  local nth = rest == "" and 1 or whole(rest:match "^/(.*)$" or "")
  if not name or not nth then mistake("%s expected, got '%s'", what, word) end
  return { name = name, nth = nth }
end

function Cursor:block() return self:ref "block" end
function Cursor:var() return self:ref "variable" end

local function id_of(word) return word:byte() == 37 and whole(word:sub(2)) or nil end

-- A value that is named here.
function Cursor:id()
  local word = self:word "value"
  return id_of(word) or mistake("'%%' and a number expected, got '%s'", word)
end

function Cursor:value()
  local word = self:word "value"
  local id = id_of(word)
  if id then return { id = id } end
  return values.constant(word) or mistake("value expected, got '%s'", word)
end

function Cursor:may_value() return self:more() and self:value() or nil end

function Cursor:dotted(what)
  local word = self:word(what)
  local rest = word:match "^[A-Za-z_][A-Za-z0-9_]*(.*)$"
  if rest == "" or rest and rest:find "^%.[A-Za-z_][A-Za-z0-9_]*$" then return word end
  mistake("%s expected, got '%s'", what, word)
end

function Cursor:type() return self:dotted "type" end

-- "i64,i32"
function Cursor:types()
  local list, word = {}, self:word "type"
  for type in (word .. ","):gmatch "([^,]*)," do
    list[#list + 1] = setmetatable({ words = { type }, at = 1 }, Cursor):type()
  end
  return list
end

function Cursor:name(what)
  local word = self:word(what)
  local name, rest = values.unnamed(word)
  if not name or rest ~= "" then mistake("%s expected, got '%s'", what, word) end
  return name
end

function Cursor:data()
  local word = self:word "data in braces"
  return values.data(word) or mistake("data in braces expected, got '%s'", word)
end

-- The rest of the line, up to '>': operands and, anywhere, data and classes of effects.
function Cursor:operands(step)
  step.args = {}
  while self:more() and self:peek() ~= ">" do
    local which, classes = values.effects(self:peek())
    if which then
      self:word "classes"
      step[which] = classes
    elseif self:peek():byte() ~= 123 then
      step.args[#step.args + 1] = self:value()
    elseif step.data then
      mistake "an instruction has one data at most"
    else
      step.data = self:data()
    end
  end
  return step
end

-- }== Lines ============================================================

-- By letter: makes a step of the words after the letter.
local read = {}
M.readers = read

function read.b(c) return { block = c:block() } end
read.S = read.b
function read.r(c) return { var = c:var(), value = c:may_value() } end
function read.w(c, func)
  local step = { var = c:var(), value = c:may_value(), copy = c:more() and c:id() or nil }
  func.copies = func.copies or step.copy ~= nil
  return step
end
function read.m(c) return { var = c:var() } end
read.K = read.m
function read.u() return {} end
read.R = read.u

function read.E(c)
  local word = c:more() and c:word "word"
  if word and word ~= "keep_unreachable" then
    mistake("'keep_unreachable' or nothing expected, got '%s'", word)
  end
  return { keep_unreachable = word and true or false }
end

function read.V(c) return { name = c:name "name", type = c:type() } end
function read.B(c) return { name = c:more() and c:name "name" or nil } end

function read.U(c, func)
  local step = { var = c:var(), value = c:value() }
  func.answers[#func.answers + 1] = step
  return step
end

-- What an option can be, as messages list it.
local OPTIONS <const> = {
  construction = ("'%s'"):format(table.concat(algorithms.variants, "', '"))
    :gsub(", ('%l+')$", " or %1"), copies = "'true'",
  keep_unreachable = "'true'", linkage = "'external' or 'internal'", variadic = "'true'",
}

local PASSINGS <const> = {
  zeroext = "word", signext = "word", va_list = "word", byval = "struct", sret = "struct",
}

function read.O(c, func)
  local option = c:word "option"
  if PASSINGS[option] then
    local i = c:count "number of a parameter"
    func.passings[i] = option .. (PASSINGS[option] == "struct" and " " .. c:word "members" or "")
    return {}
  end
  local choice = c:word "choice"
  local choices = OPTIONS[option] or mistake("there is no option '%s'", option)
  if not choices:find("'" .. choice .. "'", 1, true) then
    mistake("%s expected, got '%s'", choices, choice)
  end
  func[option] = choice == "true" or choice
  return {}
end

function read.i(c)
  local step = { results = {} }
  while c:more() and c:peek():byte() == 37 do step.results[#step.results + 1] = c:id() end
  if #step.results > 0 then
    step.type = c:type()
    step.types = { step.type }
    while c:more() and c:peek() == "," do
      c:word ","
      step.types[#step.types + 1] = c:type()
    end
  end
  step.op = c:dotted "op"
  return c:operands(step)
end

function read.t(c)
  local step = c:operands { op = c:dotted "terminator" }
  step.targets = {}
  if c:more() then c:word ">" end
  while c:more() do step.targets[#step.targets + 1] = c:block() end
  return step
end

function read.p(c)
  local step = { id = c:id(), preds = {}, args = {} }
  while c:more() do
    step.preds[#step.preds + 1] = c:block()
    step.args[#step.args + 1] = c:value()
  end
  return step
end

function read.k(c) return { id = c:id(), block = c:block(), var = c:var() } end

function read.j(c) return { op = "jump", targets = { c:block() } } end

function read.c(c)
  return { op = "branch", targets = { c:block(), c:block() }, value = c:may_value() }
end

function read.s(c)
  local step, n = { op = "switch", targets = {}, keys = {} }, c:count "number of targets"
  if n == 0 then mistake "a switch has at least one target" end
  for i = 1, n do step.targets[i] = c:block() end
  step.value = c:may_value()
  for i = 1, step.value and n - 1 or 0 do step.keys[i] = c:value() end
  return step
end

function read.x(c)
  if c:peek() == "-" then c:word "-" return { op = "ret", none = true } end
  local step = { op = "ret", args = {} }
  while c:more() do step.args[#step.args + 1] = c:value() end
  return step
end

read["@"] = function(c)
  return { at = c:more() and c:count "line" or nil, col = c:more() and c:count "column" or nil,
    file = c:more() and c:name "file" or nil, end_line = c:more() and c:count "line" or nil,
    end_col = c:more() and c:count "column" or nil }
end

function read.N(c) return { id = c:id(), name = c:name "name" } end
function read.D(c) return { id = c:id(), data = c:data() } end

-- }== Functions ========================================================

local function param(c)
  local word = c:word "parameter"
  local name, rest = values.unnamed(word)
  if not name or not rest:find "^:." then
    mistake("a parameter and its type expected, got '%s'", word)
  end
  return name .. rest
end

-- The header of a function with at most `limit` blocks and variables: a trace that
-- claims more of them than it has bytes is wrong, or an attack.
local function read_header(c, limit)
  local read_name = c:more() and c:peek():byte() == 34 and c.name or c.word
  local func = { name = read_name(c, "function's name"), passings = {}, steps = {},
    answers = {} }
  func.nblocks, func.nvars = c:count "number of blocks", c:count "number of variables"
  if func.nblocks == 0 then mistake "a function has at least one block" end
  if func.nblocks > limit then mistake("%d blocks are too many", func.nblocks) end
  if func.nvars > limit then mistake("%d variables are too many", func.nvars) end
  if not c:more() then return func end
  func.params, func.result = {}, c:peek() ~= "-" and c:peek() or false
  if func.result then func.results = c:types() else c:word "-" end
  while c:more() do func.params[#func.params + 1] = param(c) end
  return func
end

-- Reads a line and adds it to `funcs`.
local function add_line(funcs, line, number, limit)
  local list = values.split(line)
  if not list then mistake "quotes or braces are not closed" end
  if #list == 0 then return end
  local c, letter, func = setmetatable({ words = list, at = 2 }, Cursor), list[1], funcs[#funcs]
  local step, to
  if letter == "F" then
    step, to = read_header(c, limit), funcs
  else
    local reader = read[letter] or mistake("unknown letter '%s'", letter)
    if not func then mistake "a function starts with F" end
    step, to = reader(c, func), func.steps
  end
  if c:more() then mistake("end of the line expected, got '%s'", c:peek()) end
  step.line, step.text, step.letter = number, line, letter
  to[#to + 1] = step
end

--- Reads the functions of a trace.
---@param text string
---@return phial.trace.Function[]? functions nil: the text is wrong
---@return integer? line
---@return string? why
function M.read(text)
  local funcs, number = {}, 0
  local ok, err = pcall(function()
    for line in text:gmatch "([^\n]*)\n?" do
      number = number + 1
      add_line(funcs, line, number, #text + 1024)
    end
    if #funcs == 0 then mistake "there is no function" end
  end)
  if ok then return funcs end
  if not M.is_mistake(err) then error(err, 0) end
  return nil, number, err.mistake
end

-- }=====================================================================

return M
