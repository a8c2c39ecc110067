-- Reads printed HIR into a tree that keeps each line in pieces, so that it can be
-- printed with other identifiers.
--
-- A nested function is printed after the instruction that makes it, indented by six
-- more columns.  Templates can contain line breaks: where a line ends is for the
-- grammar to say.
local grammar = require "react.grammar"

---@class react.Line
---@field at integer where in the text
---@field op string the kind of instruction or terminal
---@field [integer] string|react.Place|integer pieces; an integer is the number of a target
---@field inner react.Function? the function that the instruction makes

---@class react.Phi
---@field at integer
---@field place react.Place
---@field operands { block: integer, place: react.Place }[]

---@class react.Block
---@field at integer
---@field number integer
---@field head string its first line
---@field preds integer[] as printed
---@field phis react.Phi[]
---@field insts react.Line[]
---@field terminal react.Line

---@class react.Function
---@field at integer
---@field depth integer 0 for the outermost one
---@field header react.Line
---@field directives string[]
---@field blocks react.Block[]

---@class react.Reader
---@field text string
---@field at integer
local Reader = {}
Reader.__index = Reader

local INDENT <const> = "      " -- of a function in a function
local NUMBER <const> = "(%d%d?%d?%d?%d?%d?%d?%d?%d?)%f[^%d]" -- of a block
local HEAD <const> = "(bb" .. NUMBER .. " %(%l+%):)" -- the first line of a block

local function fail(at, message, ...)
  error({ at = at, message = message:format(...) }, 0)
end

-- {== Lines =============================================================

function Reader:is_over() return self.at > #self.text end

-- Advances past a pattern at the present position; returns its captures.
function Reader:take(pattern)
  local from, to, capture, second = self.text:find("^" .. pattern, self.at)
  if not from then return nil end
  self.at = to + 1
  return capture or true, second
end

-- The line from a place on, shortened for a message.
function Reader:shown(at)
  local line = self.text:match("^[^\n]*", at)
  if line == "" then return "the end of the line" end
  if #line > 40 then return ("'%s...'"):format(line:sub(1, 37)) end
  return ("'%s'%s"):format(line, self.text:find("\n", at, true) and "" or ", where the text ends")
end

-- Fails: something else is expected at a place.
function Reader:expected(what, at)
  at = at or self.at
  if at > #self.text then fail(at, "the text ends where %s is expected", what) end
  fail(at, "%s is expected, not %s", what, self:shown(at))
end

function Reader:end_line()
  if not self:is_over() and not self:take "\n" then self:expected "the end of the line" end
end

-- Appends what a pattern matches to a line.
function Reader:pieces(line, pattern, what)
  local pieces, after = grammar.match(pattern, self.text, self.at)
  if not pieces then self:expected(what, after) end
  self.at = after
  for _, piece in ipairs(pieces) do line[#line + 1] = piece end
  return line
end

-- }== Instructions and terminals ========================================

-- The kind of the value at the present position, and the pattern for what follows.
function Reader:value_kind()
  local word = self.text:match("^%a+", self.at)
  local pattern = grammar.VALUES[word]
  if pattern and not self.text:find("^[%w_$]", self.at + #word) then return word, pattern, word end
  for _, other in ipairs(grammar.OTHERS) do
    if grammar.match(other[2], self.text, self.at) then return other[1], other[2], "" end
  end
  if word or self:is_over() then
    self:expected(("an instruction of the React Compiler %s"):format(grammar.VERSION))
  end
  self:expected "a constant, a template or an instruction"
end

function Reader:instruction(line, depth)
  self:pieces(line, grammar.RESULT, "a place")
  local op, pattern, word = self:value_kind()
  line.op = op
  line[#line + 1] = word
  self.at = self.at + #word
  self:pieces(line, pattern, ("what follows '%s'"):format(op))
  self:end_line()
  if op == "Function" or op == "ObjectMethod" then line.inner = self:fn(depth + 1) end
  return line
end

function Reader:terminal(line, word)
  line.op = word
  line[#line + 1] = word
  self.at = self.at + #word
  self:pieces(line, grammar.TERMINALS[word], ("what follows '%s'"):format(word))
  self:end_line()
  return line
end

-- An instruction, or a terminal and true.
function Reader:line(depth)
  local at = self.at
  local number = self:take "(%[%d+%] )"
  if not number then self:expected("an instruction, a phi or a terminal", at) end
  local line = { at = at, number }
  local word = self.text:match("^%a+%f[^%w]", self.at)
  if word and grammar.TERMINALS[word] then return self:terminal(line, word), true end
  if word and self.text:find("^%u", self.at) then
    self:expected(("a terminal of the React Compiler %s, or a place"):format(grammar.VERSION))
  end
  return self:instruction(line, depth)
end

-- }== Blocks ============================================================

local function phi(line)
  local it = { at = line.at, place = line[2], operands = {} }
  it.place.role = "def"
  local block
  for i = 3, #line do
    if type(line[i]) == "number" then block = line[i] end
    if type(line[i]) == "table" then
      it.operands[#it.operands + 1] = { block = block, place = line[i] }
    end
  end
  return it
end

function Reader:phis(inner)
  local list = {}
  while self:take(inner .. "%f[<%l]") do
    list[#list + 1] = phi(self:pieces({ at = self.at }, grammar.PHI, "a phi"))
    self:end_line()
  end
  return list
end

function Reader:preds(inner)
  local list = {}
  if not self:take(inner .. "predecessor blocks:") then return list end
  while self:take " bb" do
    list[#list + 1] = math.tointeger(self:take(NUMBER)) or self:expected "the number of a block"
  end
  self:end_line()
  return list
end

function Reader:block(depth, outer, inner)
  local at = self.at + #outer
  local head, number = self:take(outer .. HEAD)
  if not head then self:expected("a block", at) end
  self:end_line()
  local block = {
    at = at, number = math.tointeger(number), head = head,
    preds = self:preds(inner), phis = self:phis(inner), insts = {},
  }
  repeat
    if not self:take(inner .. "%f[^ ]") then
      self:expected(("an instruction or the terminal of bb%d"):format(block.number))
    end
    local line, last = self:line(depth)
    if last then block.terminal = line else table.insert(block.insts, line) end
  until last
  return block
end

-- }== Functions =========================================================

-- A function: everything that is indented by its depth.
function Reader:fn(depth)
  local outer = INDENT:rep(depth)
  local inner = outer .. "  "
  if not self:take(outer) then self:expected "a function" end
  local it = { at = self.at, depth = depth, directives = {}, blocks = {} }
  it.header = self:pieces({ at = self.at, op = "params" }, grammar.HEADER,
    ("a function of the React Compiler %s"):format(grammar.VERSION))
  self:end_line()
  local start = outer .. HEAD
  while not self.text:find("^" .. start, self.at) do
    if self:is_over() then self:expected "a block" end
    it.directives[#it.directives + 1] = self:take(outer .. "([^\n]*)\n")
      or self:expected "a directive or a block"
  end
  repeat
    it.blocks[#it.blocks + 1] = self:block(depth, outer, inner)
  until not self.text:find("^" .. start, self.at)
  return it
end

local M = {}

--- Reads the printed HIR of a function.
---@param text string
---@return react.Function? tree nil if it is wrong
---@return string? message
---@return integer? at where in the text
function M.read(text)
  local reader = setmetatable({ text = text, at = 1 }, Reader)
  local ok, result = pcall(function()
    local tree = reader:fn(0)
    if not reader:is_over() then reader:expected "a block or the end of the text" end
    return tree
  end)
  if ok then return result end
  if type(result) ~= "table" then error(result, 0) end
  return nil, result.message, result.at
end

return M
