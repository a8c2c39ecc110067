-- The functions, methods, fields and aliases that types/phial.lua declares.
---@class attack.Method
---@field full string "Block.jump", of functions of the module "M.fn"
---@field class string? nil: a function of the module; "emit": of phial.emit
---@field name string
---@field params { name: string, type: string, optional: boolean? }[]
---@field returns string[] types
---@field writes boolean? a file
---@field slow integer? how much more seldom it is called
---@field edits boolean? what it changes may be ill-formed then
---@field finished boolean? whether it wants functions that are
local M = { methods = {}, often = {}, aliases = {}, classes = {} }

local parents, fields, children = {}, {}, {}

-- Splits at a character that is outside of brackets and quotes.
local function split(text, at)
  local parts, from, depth, quoted = {}, 1, 0, false
  for i = 1, #text do
    local c = text:sub(i, i)
    if c == '"' then quoted = not quoted
    elseif quoted then depth = depth + 0
    elseif c:find "[%(<{%[]" then depth = depth + 1
    elseif c:find "[%)>}%]]" then depth = depth - 1
    elseif c == at and depth == 0 then
      parts[#parts + 1] = text:sub(from, i - 1)
      from = i + 1
    end
  end
  parts[#parts + 1] = text:sub(from)
  return parts
end

-- The type at the start of a line, without the comment after it.
local function type_of(text)
  local depth = 0
  for i = 1, #text do
    local c = text:sub(i, i)
    if c:find "[%(<{]" then depth = depth + 1
    elseif c:find "[%)>}]" then depth = depth - 1
    elseif c == " " and depth == 0 and not text:sub(1, i - 1):find ":$" then
      return text:sub(1, i - 1)
    end
  end
  return text
end

local cache = {}

-- The alternatives of a type; nil is one if it ends with "?".
function M.alternatives(type)
  local list = cache[type]
  if list then return list end
  list = {}
  for _, one in ipairs(type:find "^fun%(" and { type } or split(type, "|")) do
    local bare = one:match "^(.-)%?$"
    list[#list + 1] = bare or one
    if bare then list[#list + 1] = "nil" end
  end
  cache[type] = list
  return list
end

-- The classes of a callback's parameters, and its result.
function M.callback(text)
  local inside, result = text:match "^fun(%b()):? ?(.*)$"
  local params = {}
  for i, param in ipairs(split((inside or "()"):sub(2, -2), ",")) do
    params[i] = param:match "phial%.(%w+)" or "any"
  end
  return params, result and result ~= "" and result or nil
end

local kinds = {}

-- The classes whose handles are of a class.
function M.kinds(class)
  if kinds[class] then return kinds[class] end
  local list = { class }
  for _, child in ipairs(children[class] or {}) do
    for _, kind in ipairs(M.kinds(child)) do list[#list + 1] = kind end
  end
  kinds[class] = list
  return list
end

-- The names of the methods of a class that need no arguments and give handles.
function M.routes(class)
  local names = {}
  for _, method in ipairs(M.methods) do
    local type = method.class == class and not method.params[1] and method.returns[1]
    if type and type:find "^phial%.%u" then names[#names + 1] = method.name end
  end
  return names
end

--- The fields of a class that it has not inherited.
function M.own_fields(class) return fields[class] or {} end

function M.fields(class)
  local list = table.move(M.own_fields(class), 1, #M.own_fields(class), 1, {})
  if parents[class] then
    local inherited = M.fields(parents[class])
    table.move(inherited, 1, #inherited, #list + 1, list)
  end
  return list
end

-- How much more seldom than others these are called.
local SLOW <const> = { ["Function.compile"] = 9, ["Module.compile"] = 9, ["Rules.check"] = 12,
  ["Library.close"] = 9, ["emit.html"] = 4, ["emit.svg"] = 60 }

-- Not called: a solver may run for minutes.
local SKIPPED <const> = { ["Rules.prove"] = true, ["Rules.find"] = true }

local function add_method(class, name, names, types, returns)
  local method = { class = class ~= "M" and class or nil, name = name, params = {},
    returns = returns, full = class .. "." .. name }
  for _, param in ipairs(split(names:gsub(" ", ""), ",")) do
    if param ~= "" then
      local type = types[param] or { type = "any" }
      method.params[#method.params + 1] =
        { name = param, type = type.type, optional = type.optional }
      if param == "path" then method.writes = true end
    end
  end
  method.slow = SLOW[method.full]
  if not SKIPPED[method.full] then M.methods[#M.methods + 1] = method end
end

local function read()
  local types, returns, class = {}, {}, nil
  for line in io.lines "types/phial.lua" do
    local field, mark, of = line:match "^%-%-%-@field ([%w_]+)(%??) (.+)$"
    local name, optional, type = line:match "^%-%-%-@param ([%w_.]+)(%??) (.+)$"
    local back = line:match "^%-%-%-@return (.+)$"
    local alias, means = line:match "^%-%-%-@alias phial%.(%w+) (.+)$"
    local owner, method, names = line:match "^function (%w+)[:.]([%w_]+)%((.*)%)"
    local event, operand = line:match "^%-%-%-@operator (%w+)(%(?)"
    local new, parent = line:match "^%-%-%-@class phial%.(%w+):? ?p?h?i?a?l?%.?(%w*)"
    if field and class then
      fields[class][#fields[class] + 1] =
        { name = field, type = type_of(of), optional = mark == "?" }
    elseif name then types[name] = { type = type_of(type), optional = optional == "?" }
    elseif back then returns[#returns + 1] = type_of(back)
    elseif alias then M.aliases[alias] = means
    elseif event then
      add_method(class, "__" .. event, operand == "" and "" or "b",
        { b = { type = "phial.Operand" } }, { "phial.Value" })
    elseif owner then
      add_method(owner, method, names, types, returns)
      types, returns = {}, {}
    elseif new then
      class = new
      M.classes[#M.classes + 1], fields[new] = new, {}
      if parent ~= "" then
        parents[new] = parent
        children[parent] = children[parent] or {}
        table.insert(children[parent], new)
      end
    end
    if line == "" then types, returns = {}, {} end
  end
end

read()
for _, it in ipairs(fields.Emitters) do
  local inside = it.type:match "^fun(%b())"
  local names, types = {}, {}
  for i, param in ipairs(split(inside:sub(2, -2), ",")) do
    local name, mark, type = param:match "^ ?(%w+)(%??): (.+)$"
    names[i], types[name] = name, { type = type, optional = mark == "?" }
  end
  add_method("emit", it.name, table.concat(names, ", "), types, {})
end
add_method("Function", "__call", "a, b, c", {
  a = { type = "phial.Literal", optional = true }, b = { type = "phial.Literal", optional = true },
  c = { type = "phial.Literal", optional = true },
}, {})

children.Term = { "Value", "Variable" }

local function set(...)
  local names = {}
  for _, name in ipairs { ... } do names[name] = true end
  return names
end

local OFTEN <const> = set("add", "mul", "slt", "read", "write", "let", "jump", "branch", "ret",
  "seal", "set_current", "block", "var", "call", "emit", "switch", "phi", "kill", "finish",
  "reopen", "clean", "store", "load", "alloca", "may_write", "set_loc", "set_node")
local EDITS <const> = set("replace", "set_arg", "erase", "move_before", "move_after", "retarget",
  "add_edge", "split_edge", "remove_edge", "rewrite", "emit", "define", "clean", "copy_into",
  "merge")
local EDITED <const> = set("Ops", "Point", "Cursor", "Term")
local OPEN <const> = set("End", "Ops", "Term", "Point", "Builder", "Group", "Actor")
local FINISHED <const> = set("Cursor", "Repair", "Leaving", "Solution", "emit")
local WANT_FINISHED <const> = set("front", "back", "before", "after", "leave", "solve", "repair",
  "compile", "__call", "split_edge", "add_edge", "retarget", "erase", "remove_edge", "replace",
  "set_arg", "move_before", "move_after", "clean", "reopen", "copy_into", "merge")

for _, method in ipairs(M.methods) do
  if OFTEN[method.name] then M.often[#M.often + 1] = method end
  method.edits = EDITS[method.name] or EDITED[method.class]
  if FINISHED[method.class] or WANT_FINISHED[method.name] then method.finished = true
  elseif OPEN[method.class] then method.finished = false end
end

return M
