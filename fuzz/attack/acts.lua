-- What callbacks, metamethods and finalizers do in the middle of a call: raise, yield, collect,
-- call again, close, finish.  The collector is stopped otherwise: a collection whose time
-- depends on sizes would not come at the same call each time.
local random = require "fuzz.attack.random"
local world = require "fuzz.attack.world"

local chance, pick = random.chance, random.pick

local M = {
  quiet = true, -- while things are made and looked at, nothing is done
  interfered = 0, -- acts that may have changed something
  bodies = 0, -- callbacks that have run
  raised = {}, -- the roles of the callbacks that have raised errors during the call
}

--- Calls any method, or one of `it`; set by who can.
---@param it any
function M.call_again(it) end -- luacheck: ignore

local deep, stressed = 0, false

local function interfere(f)
  return function(it)
    M.interfered = M.interfered + 1
    f(it)
  end
end

local function a_function() return world.of "Function" end

local function fail() error(pick { "boom", {}, false, 3 }, random.chance(2) and 1 or 0) end
local function collect() collectgarbage() end
local function yield() coroutine.yield() end
local close = interfere(function() a_function():close() end)
local again = interfere(function(it) M.call_again(it) end)

local ACTS <const> = {
  fail, fail, fail, yield, collect,
  close,
  interfere(function() a_function():finish() end),
  interfere(function() a_function():reopen() end),
  interfere(function() a_function():clean() end),
  interfere(function() coroutine.wrap(function() M.act "coroutine" coroutine.yield() end)() end),
  again, again, again, again, again, again, again, again,
}

--- What a callback does.
---@param role string? what it is for: "undef", "log"
---@param it any? what works only now
function M.act(role, it)
  M.bodies = M.bodies + 1
  if M.quiet or deep > 2 or it == nil and chance(3) then return end
  deep = deep + 1
  local does = it ~= nil and not chance(4) and again or pick(ACTS)
  local ok, why = pcall(does, it)
  deep = deep - 1
  if ok or not chance(does == fail and 2 or 12) then return end
  M.raised[#M.raised + 1] = role or "other"
  error(why, 0)
end

--- An object whose finalizer acts.
function M.garbage()
  setmetatable({}, { __gc = function() M.act "finalizer" end })
end

-- An object whose finalizer acts now and then, and closes a function in the end; until then it
-- leaves another one behind.
local function armed()
  setmetatable({}, { __gc = function()
    if not stressed then return end
    stressed = stressed > 0 and stressed - 1
    if not stressed then close() return end
    armed()
    if chance(4) then M.act "finalizer" end
  end })
end

--- Runs f with a collection, and a finalizer, at each of its allocations, or at the first one.
---@param f function
---@param always boolean
---@param ... any
function M.stress(f, always, ...)
  stressed = always and math.random(30)
  if always then armed() else M.garbage() end
  collectgarbage("incremental", always and 1 or 1000, 1000, 30) -- whole cycles at once
  collectgarbage "restart"
  local r = table.pack(f(...))
  collectgarbage "stop"
  stressed = false
  return table.unpack(r, 1, r.n)
end

collectgarbage "stop"
return M
