-- Instances: a module at work, with memory of its own that lasts from call to call.
local errors = require "phial.errors"
local memory = require "phial.module.memory"
local new_class = require "phial.handle"
local options = require "phial.options"
local run = require "phial.run"

local M = {}

-- Behind an instance are its module, its run, and its memory as seen from outside.
local class = new_class "phial.Instance"
local of = class.of

---@class phial.Instance
local Instance = class.methods -- types/phial.lua says what they take and return

--- Calls a function of the module; its memory is as the last call has left it. A table after
--- the arguments has the option `fuel`, as for the functions of phial.
function Instance:call(name, ...)
  local state = of(self, "call")
  local fn = memory.symbol(state, "call", name)
  if errors.class(fn) ~= "phial.Function" then
    errors.raise("'%s' is a global: it cannot be called", name)
  end
  return run.call_in(state.run, fn, ...)
end

function Instance:module() return of(self, "module").module end

memory.add(Instance, of)

function class.meta:__tostring()
  return ("phial.Instance of '%s'"):format(class.behind(self).module:name())
end

local KNOWN = { env = "table" }

--- Makes an instance.
---@param state phial.module.State
---@param opts { env: table? }?
---@return phial.Instance
function M.new(state, opts)
  opts = options.argument("instance", 1, opts, KNOWN)
  local its_run = run.open(state.module, opts.env)
  local space = its_run.space
  return class.new { module = state.module, run = its_run, symbols = state.symbols,
    what = ("module '%s'"):format(state.module:name()), memory = space.memory,
    address = function(symbol) return space:address(symbol) end }
end

return M
