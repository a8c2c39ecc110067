-- Calls: what they call, as far as that is known of a program without its values.
local library = require "phial_lint.stdlib"

local M = {}

--- The ops of calls.
local OPS <const> = { ["lua.call"] = true, ["lua.callall"] = true, ["lua.callnone"] = true }
M.OPS = OPS

--- The node that a value was made for.
function M.node(value) return value:nodes()[1] end

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
    return f, library[name]
  elseif node.tag == "Invoke" and METHODS[node[2][1]] and node[3] and node[3].tag == "String" then
    return nil, library["string." .. node[2][1]]
  end
end

local calls = setmetatable({}, { __mode = "k" }) -- by function
local assigned = setmetatable({}, { __mode = "k" }) -- by function: values by keys

--- The calls in a function that is finished, and what it assigns to fields of constant keys.
---@param f phial.source.Function
---@return phial.Value[]
---@return table<any, phial.Value[]> values by keys
function M.of(f)
  local list, keys = calls[f], {}
  if not list then
    list = {}
    for _, block in ipairs(f.fn:rpo()) do
      for _, inst in ipairs(block:insts()) do
        local op = inst:op()
        if OPS[op] then
          list[#list + 1] = inst
        elseif op == "lua.setindex" then
          local key = inst:arg(2):const() or 0
          keys[key] = keys[key] or {}
          table.insert(keys[key], inst:arg(3))
        end
      end
    end
    calls[f], assigned[f] = list, keys
  end
  return list, assigned[f]
end

local endless = setmetatable({}, { __mode = "k" }) -- by function

-- True if nothing in a function that is finished returns.
local function never_returns(f)
  if endless[f] ~= nil then return endless[f] end
  endless[f] = true
  for _, block in ipairs(f.fn:rpo()) do
    local op = block:terminator():op()
    if op == "ret" or op == "lua.return" then endless[f] = false end
  end
  return endless[f]
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
  for _, call in ipairs(M.of(f)) do
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
  return never_returns(f) and NEVER or { writes = written_by(program, f) or nil }
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
