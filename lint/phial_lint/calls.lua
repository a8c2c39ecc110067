-- Calls: what they call, as far as that is known of a program without its values.
local library = require "phial_lint.stdlib"
local parts = require "phial_lint.parts"

local M = {}

local nodes = setmetatable({}, { __mode = "k" }) -- by value; false for none

--- The node that a value was made for.
---@param value phial.Value
---@return table?
function M.node(value)
  local node = nodes[value]
  if node == nil then
    node = value:nodes()[1] or false
    nodes[value] = node
  end
  return node or nil
end

local own = setmetatable({}, { __mode = "k" }) -- by program: the names of its functions

-- What is known of a function of the library, unless the program has its own of that name.
local function effects_of(program, name)
  local names = own[program]
  if not names then
    names = {}
    for _, f in ipairs(program:functions()) do names[f.name] = true end
    own[program] = names
  end
  return not names[name] and library[name] or nil
end

-- Methods of strings, if they are called with a literal.
local METHODS <const> = { find = true, gmatch = true, gsub = true, match = true }

--- What a call calls: a function of the file, or the effects of one of the library.
---@param program phial.source.Program
---@param node table
---@return phial.source.Function?
---@return lint.Effects?
function M.callee(program, node)
  if node.tag == "Call" then
    local f, name = program:callee(node)
    return f, name and effects_of(program, name)
  elseif node.tag == "Invoke" and METHODS[node[2][1]] and node[3] and node[3].tag == "String" then
    return nil, library["string." .. node[2][1]]
  end
end

local NEVER <const>, CHECKS <const> = { returns = "never" }, { returns = "if true", writes = false }
local PURE <const> = { writes = false }

-- What a call calls, as M.callee; of the calls of a `for` loop, what has made the iterator.
local function called_by(program, node)
  if node.tag ~= "Forin" then return M.callee(program, node) end
  local made = node[2][1]
  local is_alone = made.tag == "Call" and not node[2][2]
  return nil, is_alone and select(2, M.callee(program, made)) or nil
end

local written = setmetatable({}, { __mode = "k" }) -- by function; false if it is not known

-- The captured variables that a function which is finished writes, also by what it calls; nil or
-- false if that is not known.
local function written_by(program, f)
  if written[f] ~= nil then return written[f] end
  written[f] = false -- of a function that calls itself, nothing is known
  local list, seen = {}, {}
  local function add(v)
    if not seen[v] then seen[v], list[#list + 1] = true, v end
  end
  for _, captured in ipairs(f.captured) do
    if #captured.writes > 0 then add(captured.variable) end
  end
  for _, call in ipairs(parts.of(f).calls) do
    local callee, effects = called_by(program, M.node(call))
    local others = callee and callee.fn and written_by(program, callee)
    if not others and (not effects or effects.calls) then return false end
    for _, v in ipairs(others or {}) do add(v) end
  end
  written[f] = list
  return list
end

-- True if a call is one of what has the name `assert`, also as a field: often, something wraps it;
-- or `try`, as LuaSocket calls it.
local function is_assert(node)
  local name = node[1]
  if name.tag == "Index" then name = name[2] end
  return node.tag == "Call" and (name[1] == "assert" or name[1] == "try")
end

--- The option `calls` of phial.source: calls that do not return, and what others write.
function M.option(program, node)
  local f, effects = M.callee(program, node)
  if not effects and is_assert(node) then return { returns = "if true" } end
  if effects then
    return effects.never and NEVER or effects.checks and CHECKS or not effects.calls and PURE or nil
  end
  if not f or not f.fn then return nil end
  local is_endless = not parts.of(f).returns[1]
  return is_endless and NEVER or { writes = written_by(program, f) or nil }
end

-- What usually does not return, and what ends in "error" otherwise, except of a log: of functions
-- of other files, only names say so.
local ENDS <const> = {
  abort = true, die = true, exit = true, fail = true, fatal = true, panic = true, quit = true,
  raise = true, terminate = true, throw = true,
}

--- True if a call does not return, as its name says.
---@param call phial.Value
---@return boolean
function M.ends(call)
  local node = M.node(call)
  local name = node.tag == "Call" and node[1] or node
  if name.tag ~= "Id" then
    local object = name[1][name[1].tag == "Index" and 2 or 1]
    if tostring(object and object[1] or name[1][1]):find "log" then return false end
    name = name[2]
  end
  local text = tostring(name and name[1])
  local fails = text:find "^assert_?[Tt]rue$" and node[2] and node[2].tag == "False"
  return fails or ENDS[text] or text:find "error$" ~= nil
end

return M
