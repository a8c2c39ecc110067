--- Reads declarations for editors (LuaCATS), as types/phial.lua has them.
local M = {}

---@class site.Entry a parameter, result or field
---@field name? string
---@field optional boolean
---@field type string
---@field text string

---@class site.Method
---@field owner string the class, without `phial.`; "M" is the module
---@field name string
---@field tier "core"|"stable"|"experimental" the first line of the comment, *core*, or stable
---@field text string[] lines
---@field params site.Entry[]
---@field returns site.Entry[]
---@field overloads string[]
---@field see? string
---@field arguments string as the declaration has them

---@class site.Class
---@field name string
---@field text string[]
---@field parent? string
---@field fields site.Entry[]
---@field operators site.Entry[]
---@field overloads string[]

---@class site.Alias
---@field name string
---@field text string[]
---@field type string

---@class site.Declarations
---@field head string[] the comment before all
---@field classes site.Class[]
---@field aliases site.Alias[]
---@field methods site.Method[]

-- {== Lines ============================================================

local CLOSING <const> = { ["("] = ")", ["{"] = "}", ["["] = "]", ["<"] = ">" }

-- Where the type ends with which a text begins: before the first blank that is neither in brackets
-- or quotes nor after a colon, comma or bar.
local function type_end(text)
  local open, at = {}, 1
  while at <= #text do
    local c = text:sub(at, at)
    if c == '"' then
      at = assert(text:find('"', at + 1, true), text)
    elseif CLOSING[c] then
      open[#open + 1] = CLOSING[c]
    elseif c == open[#open] then
      open[#open] = nil
    elseif c == " " and #open == 0 and not text:sub(1, at - 1):find "[:,|]$" then
      return at - 1
    end
    at = at + 1
  end
  return #text
end

-- "type text"
local function typed(text)
  local last = type_end(text)
  return { type = text:sub(1, last), text = text:sub(last + 2), optional = false }
end

-- "name? type text"
local function named(text)
  local name, optional, rest = text:match "^(%S-)(%??) (.*)$"
  if name:find "^%[" then name, rest = text:match "^(%b[]) (.*)$" end
  local it = typed(rest)
  it.name, it.optional = name, optional == "?"
  return it
end

-- "type name text" or "type # text"
local function returned(text)
  local it = typed(text)
  local name, rest = it.text:match "^(%S+) ?(.*)$"
  if name == "#" then name = nil end
  it.name, it.text = name, rest or ""
  return it
end

-- }== Comments =========================================================

local function new_comment() return { text = {}, tags = {} } end

-- What a comment before a function says.
local function method(comment, owner, name, arguments)
  local tier = (comment.text[1] or ""):match "^%*(%l+)%*$"
  if tier then table.remove(comment.text, 1) end
  local it = {
    owner = owner, name = name, arguments = arguments, tier = tier or "stable",
    text = comment.text, params = {}, returns = {}, overloads = {},
  }
  for _, tag in ipairs(comment.tags) do
    if tag.name == "param" then it.params[#it.params + 1] = named(tag.text) end
    if tag.name == "return" then it.returns[#it.returns + 1] = returned(tag.text) end
    if tag.name == "overload" then it.overloads[#it.overloads + 1] = tag.text end
    if tag.name == "see" then it.see = tag.text end
  end
  return it
end

-- By tag: adds what it declares; `class` is the latest of the comment.
local add = {}

-- Fields and operators that follow belong to the class.
function add.class(into, tag)
  local name, parent, text = tag.text:match "^phial%.?(%w*)", tag.text:match ": phial%.(%w+) ?(.*)$"
  local class = { name = name == "" and "M" or name, parent = parent, text = tag.before,
    fields = {}, operators = {}, overloads = {} }
  if parent and text ~= "" then class.text[#class.text + 1] = text end
  into.classes[#into.classes + 1] = class
  return class
end

function add.alias(into, tag, class)
  local name, rest = tag.text:match "^phial%.(%w*) ?(.*)$"
  local it = typed((rest:gsub("^%s*| ?", "")))
  if it.text ~= "" then tag.before[#tag.before + 1] = it.text end
  into.aliases[#into.aliases + 1] = { name = name, text = tag.before, type = it.type }
  return class
end

function add.field(_, tag, class)
  local it, lines = named(tag.text), tag.before
  if it.text ~= "" then lines[#lines + 1] = it.text end
  it.text = table.concat(lines, "\n")
  class.fields[#class.fields + 1] = it
  return class
end

function add.operator(_, tag, class)
  local event, operand, result, text = tag.text:match "^(%w+)(%b()): (%S+) ?(.*)$"
  if not event then event, result, text = tag.text:match "^(%w+): (%S+) ?(.*)$" end
  class.operators[#class.operators + 1] = { name = event, operand = operand, type = result,
    text = text, optional = false }
  return class
end

function add.overload(_, tag, class)
  if class then class.overloads[#class.overloads + 1] = tag.text end
  return class
end

-- Adds the classes and aliases that a comment declares.
local function add_types(comment, into)
  local class
  for _, tag in ipairs(comment.tags) do
    if add[tag.name] then class = add[tag.name](into, tag, class) end
  end
end

-- }=====================================================================

-- What the text before it is about, alone; else that is about the whole.
local BEGINS <const> = { class = true, alias = true, field = true, operator = true }

-- Adds a line of a comment.
local function take(comment, line)
  local name, rest = line:match "^%-%-%-@(%w+) ?(.*)$"
  local tags, text = comment.tags, comment.text
  local last = tags[#tags]
  if name then
    tags[#tags + 1] = { name = name, text = rest, before = text }
    if BEGINS[name] then comment.text = {} end
  elseif line:find "^%-%-%-|" then
    last.text = last.text .. line:match "^%-%-%-(.*)$"
  elseif last and line:find "^%-%-%-%S" then
    last.text = last.text .. "\n" .. line:match "^%-%-%-(.*)$"
  elseif last and (last.name == "param" or last.name == "return") then
    last.text = last.text .. "\n" .. line:match "^%-%-%- ?(.*)$"
  else
    text[#text + 1] = line:match "^%-%-%- ?(.*)$"
  end
end

--- How many functions and methods have each tier, and how many exist.
---@param all site.Declarations
---@return table<string, integer> counts by tier; `all`
function M.count(all)
  local counts = { core = 0, stable = 0, experimental = 0, all = #all.methods }
  for _, it in ipairs(all.methods) do counts[it.tier] = counts[it.tier] + 1 end
  return counts
end

--- Reads declarations.
---@param source string
---@return site.Declarations
function M.read(source)
  local all = { head = {}, classes = {}, aliases = {}, methods = {} }
  local comment = new_comment()
  for line in source:gmatch "([^\n]*)\n" do
    local owner, name, arguments = line:match "^function (%w+)[:.]([%w_]+)(%b())"
    if line:find "^%-%-%-" then
      take(comment, line)
    else
      if #all.classes == 0 and line:find "^%-%-" and not line:find "luacheck" then
        all.head[#all.head + 1] = line:sub(4)
      end
      if owner then
        all.methods[#all.methods + 1] = method(comment, owner, name, arguments)
      else
        add_types(comment, all)
      end
      comment = new_comment()
    end
  end
  return all
end

return M
