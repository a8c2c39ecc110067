-- The lines on which a Lua program declares its local variables, from its source.
--
-- Bytecode does not have them.  Debug information has a local's name and the range
-- where it is visible, and each instruction has a line; but successive declarations
-- without a value become one LOADNIL, with the line of the first one, and a call of
-- several lines has the line of its last argument.  The locals of a prototype, however,
-- and the prototypes of a chunk are in the order of the source, so counting suffices:
-- this reads nothing else than where functions, blocks and declarations begin and end.
local M = {}

-- {== Words ============================================================

-- The end of what is not a word: a comment, a string, a number, or another sign.
local function skip(text, at)
  local comment = text:match("^%-%-()", at)
  local level = text:match("^%[(=*)%[", comment or at)
  if level then return select(2, text:find("]" .. level .. "]", at, true)) + 1 end
  if comment then return text:match("^[^\n]*()", comment) end
  local quote = text:match("^[\"']", at)
  if not quote then return text:match("^%.?%d[%w.]*()", at) or at + 1 end
  repeat
    at = text:match("^[^\\\"']*()", at + 1)
    local found = text:sub(at, at)
    if found == "\\" then at = at + 1 end
  until found == quote
  return at + 1
end

-- A function that returns the next word or sign of a text, and its line; nil at the
-- end.  Comments, strings and numbers are signs of no name.
local function words(text)
  local at, line, start = 1, 1, 1
  return function()
    at = text:match("^%s*()", at)
    if at > #text then return nil end
    local newline = text:find("\n", start, true)
    while newline and newline < at do
      line, start = line + 1, newline + 1
      newline = text:find("\n", start, true)
    end
    local word = text:match("^[%a_][%w_]*", at)
    local after = word and at + #word or skip(text, at)
    word, at = word or after == at + 1 and text:sub(at, at) or "", after
    return word, line
  end
end

-- }== Declarations =====================================================

---@class unused.Source
---@field next fun(): string?, integer?
---@field word string? the current word
---@field line integer its line
---@field open table[] by open block: false, or the names around the function it is
---@field names table[] the names that the innermost function declares
---@field functions table[][] those of each function
local Source = {}
Source.__index = Source

-- Goes on to the next word, and returns it.
function Source:advance()
  repeat self.word, self.line = self.next() until self.word ~= ""
  return self.word
end

function Source:declare(name)
  table.insert(self.names, { name = name, line = self.line })
end

-- Declares what is listed: names, with attributes, and commas between them.
function Source:list()
  while self.word:find "^[%a_]" do
    self:declare(self.word)
    if self:advance() == "<" then
      repeat until self:advance() == ">"
      self:advance()
    end
    if self.word ~= "," then return end
    self:advance()
  end
end

-- What begins and ends with a word, by this word; it is the previous one by then.
local words_of = {}

words_of["function"] = function(source)
  table.insert(source.open, source.names)
  source.names = {}
  table.insert(source.functions, source.names)
  while source.word ~= "(" do
    if source.word == ":" then source:declare "self" end
    source:advance()
  end
  source:advance()
  source:list()
end

words_of["local"] = function(source)
  if source.word ~= "function" then return source:list() end
  source:declare(source:advance())
  words_of["function"](source)
end

words_of["for"] = Source.list

words_of["if"] = function(source) table.insert(source.open, false) end
words_of["do"], words_of["repeat"] = words_of["if"], words_of["if"]

words_of["end"] = function(source)
  source.names = table.remove(source.open) or source.names
end
words_of["until"] = words_of["end"]

-- What each function of a text declares, in the order of the text.
local function declared(text)
  local main = {}
  local source = setmetatable({
    next = words(text), open = {}, names = main, functions = { main },
  }, Source)
  source:advance()
  while source.word do
    local handle = words_of[source.word]
    source:advance()
    if handle then handle(source) end
  end
  return source.functions
end

-- }=====================================================================

--- Gives each local of a chunk's prototypes the field `line`, where it is declared.
--- Names of constants that the compiler replaces by their values are not among them, and
--- the compiler's own locals are not declared.
---@param protos table[] in the order of the source
---@param text string the source
function M.place(protos, text)
  for n, names in ipairs(declared(text)) do
    local next = 1
    for _, here in ipairs(protos[n].locals) do
      local found = next
      while names[found] and names[found].name ~= here.name do found = found + 1 end
      if names[found] then here.line, next = names[found].line, found + 1 end
    end
  end
end

return M
