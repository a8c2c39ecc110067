-- Functions by the names that calls have for them: of tables of a file, such as `M.find`, and of
-- other modules, as far as their sources are where `require` would look in the project.
local lfs = require "lfs"
local calls = require "phial_lint.calls"
local source = require "phial.source"

local PATH <const> = "./?.lua;./?/init.lua;lua/?.lua;lua/?/init.lua;src/?.lua;src/?/init.lua"

local M = {}

-- {== In a file =======================================================

local names = setmetatable({}, { __mode = "k" }) -- by program: functions by name; false for several

--- The function that alone has a name, such as "M.find"; nil if there is none.
---@param program phial.source.Program
---@param name string
---@return phial.source.Function?
function M.named(program, name)
  local set = names[program]
  if not set then
    set = {}
    for _, f in ipairs(program:functions()) do set[f.name] = set[f.name] == nil and f end
    names[program] = set
  end
  return set[name] or nil
end

-- The name of an expression: "find" of a global; "M.find" of the field of a local variable that is
-- not assigned again.
local function name_of(program, node)
  local object, key = node[1], node[2]
  if node.tag == "Id" then return not program:variable(node) and object or nil end
  local v = node.tag == "Index" and key.tag == "String" and object.tag == "Id"
    and program:variable(object)
  return v and v.writes == 0 and v.name .. "." .. key[1] or nil
end

-- The function that alone has the name of an expression.
local function named_by(program, node)
  local name = name_of(program, node)
  return name and M.named(program, name)
end

-- What an expression is, if it is a function.
local function function_of(program, node)
  return named_by(program, node) or program:callee { tag = "Call", node } or nil
end

--- The function that a call calls, also a field of a table; nil and its name if it is another's.
---@param program phial.source.Program
---@param node table
---@return phial.source.Function?
---@return string? name
function M.called(program, node)
  if node.tag ~= "Call" then return nil end
  local f, name = program:callee(node)
  return f or named_by(program, node[1]), name
end

-- }== In others =======================================================

---@class lint.Module
---@field looked integer when it was looked for, in seconds
---@field written? integer when its file was written
---@field facts? lint.Facts nil if there is none, or while it is made

local loaded = {} ---@type table<string, lint.Module> by name

-- What is known of a module; nil if there is none, or it is being asked for.
local function facts_of(name, Facts)
  local now, it = os.time(), loaded[name]
  if it and it.looked == now then return it.facts end
  local path = package.searchpath(name, PATH)
  local written = path and lfs.attributes(path, "modification")
  if it and it.written == written then
    it.looked = now
    return it.facts
  end
  it = { looked = now, written = written }
  loaded[name] = it
  local program = path and source.load(path, {
    values = true, refine = true, fields = true, calls = calls.option,
  })
  it.facts = program and Facts.new(program) or nil
  return it.facts
end

-- What a module returns, if it is said in one word.
local function returned(program)
  local list = program:functions()[1].node
  local last = list[#list]
  return last and last.tag == "Return" and #last == 1 and last[1] or nil
end

-- The function in a field of what a module returns; without a key, what it returns.
local function exported(program, key)
  local it = returned(program)
  if not it or not key then return it and function_of(program, it) end
  local v = it.tag == "Id" and program:variable(it)
  local f = v and v.writes == 0 and M.named(program, v.name .. "." .. key)
  local all = it.tag == "Table" and it or v and v.writes == 0 and v.value or {}
  for _, pair in ipairs(all.tag == "Table" and not f and all or {}) do
    local is_it = pair.tag == "Pair" and pair[1].tag == "String" and pair[1][1] == key
    f = is_it and function_of(program, pair[2]) or f
  end
  return f or nil
end

--- The function of another module that a name means, "strings.is_empty", and what is known of that.
---@param name string
---@param Facts table the class
---@return lint.Facts? facts
---@return phial.source.Function?
function M.find(name, Facts)
  local module, key = name:match "^(.+)%.([%a_][%w_]*)$"
  for _, it in ipairs { { module, key }, { name } } do
    local facts = it[1] and facts_of(it[1], Facts)
    local f = facts and exported(facts.program, it[2])
    if f then return facts, f end
  end
  return nil
end

-- }=====================================================================

return M
