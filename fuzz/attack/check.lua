-- What holds after each call: a refused call has changed nothing, and its message says where it
-- was called, and what: docs/interface.md.
local acts = require "fuzz.attack.acts"
local declared = require "fuzz.attack.declared"
local random = require "fuzz.attack.random"
local world = require "fuzz.attack.world"

local chance = random.chance

local M = {}

-- {== states }

-- The figures of all functions, apart from the table of rules.
local names

local function names_of(stats)
  local list = {}
  for name in pairs(stats) do
    if name ~= "rules" then list[#list + 1] = name end
  end
  return list
end

local function text_of_stats(fn)
  local stats, list = fn:stats(), {}
  names = names or names_of(stats)
  for i, name in ipairs(names) do list[i] = stats[name] end
  return table.concat(list, " ")
end

--- All that a refused call must not change, the version first.
---@param fn phial.Function
---@return string
function M.state_of(fn)
  local ok, version = pcall(fn.version, fn)
  if not ok then return "closed" end
  local finished = fn:is_finished()
  return table.concat({ version, tostring(finished), text_of_stats(fn),
    finished and "" or tostring(fn:current()), table.concat({ fn:loc() }, ":"), fn:text() }, "\n")
end

local function state_of_rules(rules) return rules:text() end
local function state_of_module(m) return m:text() end
local function state_of_record(record) return record:text() end
local SHARED <const> = {
  { "Rules", state_of_rules }, { "Module", state_of_module }, { "Record", state_of_record },
}

--- The states of some of what a call could change.
---@return { it: any, state: string, of: function }[]
function M.states()
  local list = {}
  local function add(it, of)
    local ok, state = pcall(of, it)
    if ok then list[#list + 1] = { it = it, of = of, state = state } end
  end
  if world.focus.fn then add(world.focus.fn, M.state_of) end
  if not chance(6) then return list end
  add(random.pick(world.families).fn, M.state_of)
  for _, kind in ipairs(SHARED) do
    for _, it in ipairs(world.shared[kind[1]] or {}) do add(it, kind[2]) end
  end
  return list
end

-- }== messages ========================================================

local SIGNS <const> = { add = "+", sub = "-", mul = "*", div = "/", band = "&", bor = "|",
  bxor = "~", shl = "<<", shr = ">>", unm = "-", bnot = "~" }
local OPS <const> = { unm = "neg" }

-- The name of what is called.
local function symbol(it)
  if world.class(it) ~= "Function" then return it end
  local ok, name = pcall(it.name, it)
  return ok and name
end

local OF_OPS <const> = { emit = true, let = true, explain = true }

-- True if a message calls a function or method so: an operator, and a method that gets the op as an
-- argument, by its op; a function that runs, by its own name.
local function is_named(call, name)
  local method = call.method
  if not method.class then return name == "phial." .. method.name end
  if method.class == "emit" then return name == "phial.emit." .. method.name end
  if method.name == "__call" then return name == call.args[0]:name() end
  if method.name:find "call$" and name == tostring(symbol(call.args[1])) then return true end
  if method.class == "Builder" and (name == "write" or name == "branch") then
    return true -- what a structure emits refuses values of other functions
  end
  local event = method.name:match "^__(.*)"
  if event then return name == SIGNS[event] or name:match "^f?(.*)" == (OPS[event] or event) end
  if name == method.name then return true end
  for i = 1, OF_OPS[method.name] and call.n or 0 do
    local op = call.args[i]
    if op == name or world.class(op) == "Op" and tostring(op) == name then return true end
  end
  return false
end

-- What a message that names no method is about.
local THINGS <const> = {
  "'[^']*'", "^the cursor ", "^this builder ", "^it is a [wr]", "^the Lua state ",
  ": outside memory", "^the undef function ", "^the function is ",
}

local function names_a_thing(message)
  for _, thing in ipairs(THINGS) do
    if message:find(thing) then return true end
  end
  return message:find "^%[?.-:%d+:%d+: " ~= nil -- a place in a text of rules, which has any name
end

local POSITION <const> = "^fuzz/attack[%w_/]*%.lua:%d+: "

-- A trap of what runs names its instruction, and a check of rules the rule, with their places.
local function is_placed_otherwise(message)
  return message:find "^[^\n]+: [^\n]*block '" or message:find "^rule '"
end

---@class attack.Call
---@field method attack.Method
---@field args any[] 0: what it is called on
---@field n integer
---@field bodies integer acts.bodies before it
---@field loc string? what messages end with

local function is_internal(message)
  return message:find "attempt to %l+ " or message:find "phial/[%w_/]*%.lua:%d+:" or
    message:find "stack overflow" or message:find "internal error"
end

-- True if a call can have an argument of that number; options may have been added to that of what
-- runs, and what is called on another class may have other parameters.
local function has_argument(call, index)
  local method = call.method
  local most = math.max(call.n, #method.params) + (method.name:find "^__" and 1 or 0) +
    (method.name:find "call$" and 1 or 0)
  local class = method.class and world.class(call.args[0])
  for _, kind in ipairs(class and declared.kinds(method.class) or {}) do
    if kind == class then class = nil end
  end
  return index >= 1 and (index <= most or class ~= nil)
end

-- What is wrong with a message without its position; nil if nothing is.
local function wrong_words(call, said)
  local index, name = said:match "^bad argument #(%-?%d+) to '([^']*)' %("
  name = name or said:match "^wrong number of arguments to '([^']*)'" or
    said:match "^calling '([^']*)'"
  if name and not is_named(call, name) then return "another method is named" end
  if index and not has_argument(call, tonumber(index)) then return "no such argument" end
  if not name and not names_a_thing(said) then return "it names neither method nor thing" end
  if call.loc and not said:find "\n" and said:sub(-#call.loc) ~= call.loc then
    return "it does not end with" .. call.loc
  end
end

-- What is wrong with a message; nil if nothing is.
local function wrong(call, message)
  if type(message) ~= "string" then return "an error that is not a string" end
  if call.method.full == "M.trap" then return end
  if is_internal(message) then
    -- nothing is promised about what fn:verify would not accept
    return not world.is_edited(call.args, call.n) and "not an error of phial" or nil
  end
  local from = message:match(POSITION)
  if from then return wrong_words(call, message:sub(#from + 1)) end
  return not is_placed_otherwise(message) and "no position" or nil
end

--- What messages about a function under construction end with; nil if it is not.
---@param fn phial.Function?
---@return string?
function M.location(fn)
  if world.is_finished(fn) ~= false or fn:is_declaration() then return nil end
  local line, col, file = fn:loc()
  if not line then return nil end
  return (" @ %s%d%s"):format(file and file .. ":" or "", line, col and ":" .. col or "")
end

-- }== checks ==========================================================

-- Roles of callbacks: `it` is that of fn:log.
local COMPLETED <const> = { undef = true, log = true, it = true, body = true }

-- True of what types/phial.lua excepts: what a callback or a body has done, and what only finish
-- finds.
local function may_change(call, message)
  local text = tostring(message)
  if call.method.class == "Builder" and acts.bodies ~= call.bodies then return true end
  for _, role in ipairs(acts.raised) do
    -- phial completes the call; bodies are parts of the program, not callbacks
    if COMPLETED[role] then return true end
  end
  -- a log of an ill-formed function fails after the call, as one of the user would
  if text:find " is gone" and world.is_edited(call.args, call.n) then return true end
  return text:find ": the undef function " or
    call.method.name == "finish" and text:find "is not well%-formed" or
    call.method.full == "Module.finish" and not text:find "need a terminator"
end

-- What must be as before: without the version if structures may have made constants of literals;
-- if emission was undone for a callback that has failed, without what its reads have made, which
-- the function's text shows, also in comments, as data of its own.
local READ <const> = { "phi", "may", "refine" }
local function essence(state, call, undone)
  if undone then
    state = state:gsub("^[^{]*{", ""):gsub(" %-%- fn [^\n]*", "")
    for _, op in ipairs(READ) do state = state:gsub("\n  %S+ %S+ = " .. op .. " [^\n]*", "") end
    return state
  end
  return call.method.class == "Builder" and state:gsub("^%d+", "") or state
end

--- What is wrong after a refused call; nil if nothing is.
---@param call attack.Call
---@param before table[] of M.states
---@param message any
---@return string? what
---@return string? why
function M.refused(call, before, message)
  local what = #acts.raised == 0 and wrong(call, message)
  if what then return what, tostring(message) end
  if may_change(call, message) then return end
  local undone = #acts.raised > 0 or tostring(message):find ": rule '" ~= nil
  for _, it in ipairs(before) do
    local now = it.of(it.it)
    if essence(now, call, undone) ~= essence(it.state, call, undone) then
      return "a refused call changed", ("%s\n%s\n--\n%s"):format(message, it.state, now)
    end
  end
end

--- The first function that is finished and ill-formed, though nobody has edited it.
---@return string? problems
function M.ill_formed()
  for _, family in ipairs(world.families) do
    local fn = family.fn
    if not family.edited and world.is_finished(fn) and not fn:is_declaration() then
      local clean, problems = fn:verify()
      if not clean then return table.concat(problems, "\n") .. "\n" .. fn:text() end
    end
  end
end

-- }====================================================================

return M
