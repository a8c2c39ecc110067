--- The reference: pages about the classes that types/phial.lua declares.
local declarations = require "tools.site.declarations"
local markdown = require "tools.site.markdown"

local M = {}

-- The pages in their order, with their classes; "M" is the module itself. A class with methods
-- that is missing here gets a page of its own; others are on the page that speaks of them first.
local PAGES <const> = {
  { file = "phial", title = "The module phial", nav = "phial", "M" },
  { file = "emit", title = "Emitters", "Emitters", "Emitter" },
  { file = "function", title = "Functions", "Function" },
  { file = "block", title = "Blocks and cursors", "Block", "End", "Cursor", "Point" },
  { file = "instructions", title = "Instructions", "Ops" },
  { file = "value", title = "Values and variables", "Value", "Variable", "Group" },
  { file = "operators", title = "Operators", "Term" },
  { file = "builder", title = "The builder", "Builder", "Variables", "Loop" },
  { file = "rules", title = "Rules", "Rules", "Actor" },
  { file = "dialect", title = "Dialects", "Dialect", "Op", "Site" },
  { file = "module", title = "Modules", "Module", "Instance", "Memory", "Global", "CallGraph" },
  { file = "access", title = "Accesses", "Access" },
  { file = "solution", title = "Data flow", "Solution" },
  { file = "repair", title = "SSA reconstruction", "Repair" },
  { file = "leaving", title = "Leaving SSA form", "Leaving" },
  { file = "library", title = "Native code", "Library" },
  { file = "trace", title = "Records and logs", "Record", "Log", "Step" },
}

-- What a handle is called in signatures.
local CALLED <const> = {
  M = "phial", Function = "fn", End = "block", Point = "block", Ops = "block", Term = "v",
  Value = "v", Variable = "x", Module = "m", Instance = "p", Memory = "p", Rules = "rules",
  Cursor = "cursor", Builder = "b", Actor = "e", Repair = "r", Solution = "r", Leaving = "d",
  Site = "emit",
}

local OPERATORS <const> = {
  add = "a + b", sub = "a - b", mul = "a * b", div = "a / b", band = "a & b", bor = "a | b",
  bxor = "a ~ b", shl = "a << b", shr = "a >> b", unm = "-a", bnot = "~a",
}

-- {== Text =============================================================

local ESCAPES <const> = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }

local function entity(c) return ESCAPES[c] or ("&#%d;"):format(c:byte()) end

-- A comment as Markdown: nothing outside code spans is markup, except lists; names of documents
-- are links.
local function prose(lines)
  local text = type(lines) == "table" and table.concat(lines, "\n") or lines
  return (markdown.prose(text, function(stretch)
    local safe = stretch:gsub("[&<>*_\\%[%]|#]", entity)
    return (safe:gsub("docs/([%w/-]+)%.md", "[docs/%1.md](../%1.md)"))
  end):gsub("\n$", ""))
end

local function called(class) return CALLED[class] or class:lower() end

local function full(class) return class == "M" and "phial" or "phial." .. class end

---@class site.Reference
---@field all site.Declarations
---@field page table<string, string> file by the name of a class or alias
local Reference = {}
Reference.__index = Reference

-- A type as HTML, with links to the classes that it names.
function Reference:type(text, from)
  local safe = text:gsub("[&<>*_%[%]|`]", entity)
  return (safe:gsub("phial%.(%w+)", function(name)
    local page = self.page[name]
    if not page then return nil end
    local target = (page == from and "" or page .. ".html") .. "#" .. full(name)
    return ('<a href="%s">%s</a>'):format(target, name)
  end):gsub("\n%s*", " "))
end

-- A link to a class, or to one of its methods, ".name".
function Reference:link(text, class, method, from)
  local page = self.page[class]
  local file = page == from and "" or page .. ".md"
  return ("[%s](%s#%s%s)"):format(text, file, full(class), method)
end

function Reference:entry(it, from)
  local text = prose(it.text):gsub("\n", "\n    ")
  local name = it.name and ("**%s**%s "):format(prose(it.name), it.optional and "?" or "") or ""
  return ("- %s<code class=\"type\">%s</code>%s"):format(name, self:type(it.type, from),
    text == "" and "" or ": " .. text)
end

-- }== Methods ==========================================================

function Reference:signature(it, from)
  local params = {}
  for i, param in ipairs(it.params) do
    local optional = param.optional and "?" or ""
    params[i] = ("%s%s: %s"):format(prose(param.name), optional, self:type(param.type, from))
  end
  local returns = {}
  for i, result in ipairs(it.returns) do
    local rest = result.name == "..." and ", ..." or ""
    returns[i] = self:type(result.type, from) .. rest
  end
  local tier = it.tier == "stable" and "" or (" <i>%s</i>"):format(it.tier)
  return ('<div class="signature"><code>%s%s<b>%s</b>(%s)%s</code>%s</div>'):format(
    called(it.owner), it.owner == "M" and "." or ":", prose(it.name), table.concat(params, ", "),
    #returns > 0 and " &rarr; " .. table.concat(returns, ", ") or "", tier)
end

local function has_text(list)
  for _, it in ipairs(list) do
    if it.text ~= "" or it.name and it.name ~= "..." and it.name ~= "self" then return true end
  end
  return false
end

-- The declaration to which an `@see` leads.
function Reference:seen(it, from)
  local class, name = it.see:match "^phial%.(%w+)%.([%w_]+)$"
  local link = self:link(called(class) .. ":" .. name, class, "." .. name, from)
  return ("As %s, at the cursor."):format(link)
end

function Reference:method(it, from)
  local anchor = full(it.owner) .. "." .. it.name
  local out = {
    ("### %s { #%s }"):format(prose(it.name), anchor), self:signature(it, from),
    it.see and self:seen(it, from) or prose(it.text),
  }
  local params = {}
  for _, param in ipairs(it.params) do
    if param.text ~= "" then params[#params + 1] = self:entry(param, from) end
  end
  out[#out + 1] = #params > 0 and table.concat(params, "\n") or nil
  if has_text(it.returns) then
    local lines = {}
    for i, result in ipairs(it.returns) do lines[i] = self:entry(result, from) end
    out[#out + 1] = "Returns\n\n" .. table.concat(lines, "\n")
  end
  for _, overload in ipairs(it.overloads) do
    out[#out + 1] = ('Also <code class="type">%s</code>'):format(self:type(overload, from))
  end
  return table.concat(out, "\n\n")
end

-- }== Classes ==========================================================

function Reference:methods(class)
  local list = {}
  for _, it in ipairs(self.all.methods) do
    if it.owner == class then list[#list + 1] = it end
  end
  return list
end

local function entries(self, list, from)
  local lines = {}
  for i, it in ipairs(list) do lines[i] = self:entry(it, from) end
  return table.concat(lines, "\n")
end

local function operators(self, class, from)
  local lines = { "| operator | b | result | |", "|---|---|---|---|" }
  for _, it in ipairs(class.operators) do
    lines[#lines + 1] = ("| `%s` | %s | %s | %s |"):format(OPERATORS[it.name],
      it.operand and self:type(it.operand:sub(2, -2), from) or "", self:type(it.type, from),
      it.text)
  end
  return table.concat(lines, "\n")
end

-- Where its further methods and fields are declared.
function Reference:inherited(class, from)
  local names = {}
  while class.parent do
    class = self.classes[class.parent]
    names[#names + 1] = self:link(full(class.name), class.name, "", from)
  end
  local last = table.remove(names)
  if not last then return nil end
  local others = #names > 0 and table.concat(names, ", ") .. " and " or ""
  return ("Further members are those of %s%s."):format(others, last)
end

function Reference:class(class, from)
  local out = {
    ("## %s { #%s }"):format(full(class.name), full(class.name)), prose(class.text),
  }
  out[#out + 1] = self:inherited(class, from)
  for _, overload in ipairs(class.overloads) do
    local how = called(class.name) .. overload:match "^fun(.*)$"
    out[#out + 1] = ('<div class="signature"><code>%s</code></div>'):format(self:type(how, from))
  end
  if #class.operators > 0 then out[#out + 1] = operators(self, class, from) end
  if #class.fields > 0 then out[#out + 1] = entries(self, class.fields, from) end
  for _, it in ipairs(self:methods(class.name)) do out[#out + 1] = self:method(it, from) end
  return table.concat(out, "\n\n")
end

function Reference:alias(it, from)
  local parts = { ("## %s { #%s }"):format(full(it.name), full(it.name)), prose(it.text) }
  parts[3] = ('<div class="signature"><code>%s</code></div>'):format(self:type(it.type, from))
  return table.concat(parts, "\n\n")
end

-- }== Pages ============================================================

-- All texts in which a class or its methods can name another one.
local function texts_of(self, class)
  local list = { class.parent and full(class.parent) or "" }
  for _, it in ipairs(class.fields) do list[#list + 1] = it.type end
  for _, it in ipairs(self:methods(class.name)) do
    list[#list + 1] = table.concat(it.text, " ")
    for _, part in ipairs(it.params) do list[#list + 1] = part.type .. " " .. part.text end
    for _, part in ipairs(it.returns) do list[#list + 1] = part.type end
  end
  return list
end

-- Puts what has no page yet, and what that names, onto the page of a class that names it.
local function follow(self, name, page)
  local class = self.classes[name]
  local texts = class and texts_of(self, class) or { self.aliases[name].type }
  for _, text in ipairs(texts) do
    for other in text:gmatch "phial%.(%w+)" do
      if not self.page[other] and (self.classes[other] or self.aliases[other]) then
        self.page[other] = page.file
        page[#page + 1] = other
        follow(self, other, page)
      end
    end
  end
end

-- Which class is on which page.
local function arrange(self)
  local pages = {}
  for _, it in ipairs(PAGES) do
    local page = { file = it.file, title = it.title, nav = it.nav }
    for _, class in ipairs(it) do
      self.page[class] = self.classes[class] and it.file
      page[#page + 1] = self.classes[class] and class
    end
    if #page > 0 then pages[#pages + 1] = page end
  end
  for _, it in ipairs(self.all.methods) do
    if not self.page[it.owner] then
      self.page[it.owner] = it.owner:lower()
      pages[#pages + 1] = { file = it.owner:lower(), title = full(it.owner), it.owner }
    end
  end
  for _, page in ipairs(pages) do
    for i = 1, #page do follow(self, page[i], page) end
  end
  for _, class in ipairs(self.all.classes) do
    assert(self.page[class.name], "nothing speaks of phial." .. class.name)
  end
  return pages
end

local function text_of(self, page)
  local out = { "# " .. page.title }
  for _, name in ipairs(page) do
    out[#out + 1] = self.classes[name] and self:class(self.classes[name], page.file)
      or self:alias(self.aliases[name], page.file)
  end
  return table.concat(out, "\n\n") .. "\n"
end

-- The names of all methods of a page, or those of a tier, as links.
local function index_of(self, page, tier)
  local out = { tier == nil and ("## [%s](%s.md)"):format(page.title, page.file) or nil }
  for _, name in ipairs(page) do
    local list = {}
    for _, it in ipairs(self:methods(name)) do
      if not tier or it.tier == tier then
        list[#list + 1] = self:link(prose(it.name), name, "." .. it.name)
      end
    end
    local link = self:link(full(name), name, "")
    if #list > 0 then out[#out + 1] = ("**%s**: %s"):format(link, table.concat(list, ", ")) end
  end
  return table.concat(out, "\n\n")
end

local INTRODUCTION <const> = [[
# Reference

Every function and method of the module, made from its declarations,
[types/phial.lua](../source/types/phial.lua.html), which editors with a Lua language server read
as well.
A question mark follows what can be left out, or can be nil.
The C interface is documented in its headers, [src/phial](../source/src/phial/index.html).
]]

-- What a frontend needs daily.
local function core_of(self, pages)
  local counts = declarations.count(self.all)
  local out = { ("## The core\n\n%d of the %d functions and methods; %d are experimental, the "
    .. "others stable."):format(counts.core, counts.all, counts.experimental) }
  for _, page in ipairs(pages) do
    local text = index_of(self, page, "core")
    if text ~= "" then out[#out + 1] = text end
  end
  return table.concat(out, "\n\n")
end

-- What precedes the declarations: paragraphs that begin with their topic, "Errors. ...".
local function introduction(self)
  local lines = {}
  for _, line in ipairs(self.all.head) do
    lines[#lines + 1] = line:gsub("^(%u%l+)%. ", "## %1\n\n", 1)
  end
  return table.concat(lines, "\n"):match "##.*" or ""
end

--- The pages of the reference.
---@param source string declarations
---@return {file: string, title: string, nav: string?, text: string}[] pages the index first
function M.pages(source)
  local self = setmetatable({ all = declarations.read(source), page = {}, classes = {},
    aliases = {} }, Reference)
  for _, it in ipairs(self.all.classes) do self.classes[it.name] = it end
  for _, it in ipairs(self.all.aliases) do self.aliases[it.name] = it end
  local list = arrange(self)
  local index = { INTRODUCTION, core_of(self, list), introduction(self) }
  for _, page in ipairs(list) do
    page.text = text_of(self, page)
    index[#index + 1] = index_of(self, page)
  end
  table.insert(list, 1, { file = "index", title = "Overview",
    text = table.concat(index, "\n\n") .. "\n" })
  return list
end

-- }=====================================================================

return M
