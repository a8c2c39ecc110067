-- The text of a line: comments, quotes, and the names of local values in it.
--
-- Quoted text may contain anything, so it is put aside first: a string becomes a number
-- between two bytes 3. A quoted name of a local value becomes one that needs no quotes: it
-- has a byte 5. What a `blockaddress` names is put aside, too.
local layout = require "llvm.layout"

local find, gsub, match, sub = string.find, string.gsub, string.match, string.sub

local M = {}

--- The pattern of a local name.
M.NAME = "%%[-%w$._\5]+"

--- A text without the blanks around it.
---@param text string
---@return string
function M.trimmed(text)
  -- in two steps: a single pattern would try each blank as the first of the last ones
  return match(text, "^.*%S", match(text, "^%s*()")) or ""
end

local Scanner = {}
Scanner.__index = Scanner

---@class llvm.Scanner
---@field types table<string, string> the definitions of named types
---@field layout llvm.Layout of these types
---@field is_opaque boolean pointers have no types of what they lead to
---@field aside table<integer|string, string> strings put aside, and what is in their places
---@field plain table<string, string> for quoted names, with their prefix
---@field quoted table<string, string> the other way round
---@field count integer of quoted names

--- The name without quotes of a quoted one.
---@param quoted string without prefix
---@return string
function Scanner:plain_name(quoted)
  local name = self.plain[quoted]
  if not name then
    if find(quoted, '^"[-%a$._][-%w$._]*"$') then
      name = "%" .. sub(quoted, 2, -2)
    else
      self.count = self.count + 1
      name = "%\5" .. self.count
      self.quoted[name] = "%" .. quoted
    end
    self.plain[quoted] = name
  end
  return name
end

-- Defined types, by their names.
local function read_types(self, text)
  for name, definition in ("\n" .. text):gmatch "\n[ \t]*%%([^\n=]-) = type ([^\n]*)" do
    self.types[sub(name, 1, 1) == '"' and self:plain_name(name) or "%" .. name] = definition
  end
end

--- A scanner of the lines of a file.
---@param text string
---@return llvm.Scanner
function M.new(text)
  local self = setmetatable({ types = {}, aside = {}, plain = {}, quoted = {}, count = 0 }, Scanner)
  read_types(self, text)
  self.layout = layout.new(text, self.types)
  self.is_opaque = find(text, "\n%s[^\n\"]*[ (]ptr[ ,)]") ~= nil
  return self
end

-- Puts a text aside, equal ones as one: types may have quotes, and are compared.
local function put_aside(self, text)
  local aside = self.aside
  if not aside[text] then
    aside[#aside + 1] = text
    aside[text] = "\3" .. #aside .. "\3"
  end
  return aside[text]
end

-- A line without quotes and without its comment.
local function unquoted(self, line)
  line = gsub(line, '([%%]?)("[^"]*")(:?)', function(prefix, quoted, colon)
    if prefix == "%" then return self:plain_name(quoted) .. colon end
    return put_aside(self, quoted) .. colon
  end)
  if find(line, "blockaddress", 1, true) then
    line = gsub(line, "blockaddress ?%b()", function(text) return put_aside(self, text) end)
  end
  return line
end

--- A line of a function without quotes, comments and the spaces around it; inside, a space is one.
---@param line string
---@return string
function Scanner:line(line)
  if find(line, '"', 1, true) or find(line, "blockaddress", 1, true) then
    local label = match(line, '^%s*("[^"]*"):')
    if label then return sub(self:plain_name(label), 2) .. ":" end
    line = unquoted(self, line)
  end
  local comment = find(line, ";", 1, true)
  line = M.trimmed(comment and sub(line, 1, comment - 1) or line)
  if find(line, "  ", 1, true) or find(line, "	", 1, true) then line = gsub(line, "%s+", " ") end
  return line
end

--- Puts back what was put aside, and the quotes of names.
---@param text string
---@return string
function Scanner:restored(text)
  if not find(text, "[\3\5]") then return text end
  text = gsub(text, "%%\5%d+", self.quoted)
  local function take(n) return self.aside[tonumber(n)] end
  while find(text, "\3", 1, true) do text = gsub(text, "\3(%d+)\3", take) end
  return text
end

--- A local name as LLVM writes it.
---@param name string with its prefix
---@return string
function Scanner:written(name) return self.quoted[name] or name end

-- The state of the scan that is running: a closure for each line would cost more.
local known, uses, count

local function hole(name)
  if known[name] then return nil end
  count = count + 1
  uses[count] = name
  return "\1"
end

--- A text in which each local value is a hole, and the names of these values. Names of
--- types are not among them.
---@param text string
---@return string template
---@return string[] uses
function Scanner:holes(text)
  known, uses, count = self.types, {}, 0
  return gsub(text, "%%[-%w$._\5]+", hole), uses
end

--- How many brackets a line opens more than it closes.
---@param line string
---@return integer
function M.depth(line)
  line = gsub(gsub(line, '"[^"]*"', ""), ";.*", "")
  local _, opened = gsub(line, "[%(%[{<]", "")
  local _, closed = gsub(line, "[%)%]}>]", "")
  return opened - closed
end

--- Forgets the strings of a function.
function Scanner:forget() self.aside = {} end

return M
