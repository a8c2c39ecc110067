-- Calls through addresses: what is at an address must be a function of the signature that
-- the call has.
local errors = require "phial.errors"
local located = require "phial.run.located"
local runtime = require "phial.run.runtime"
local signature = require "phial.signature"

local M = {}

local trap = located.raise

-- Checks the signature of a function; a call that needs no result may drop it, unless it is a tail
-- call.
local function check_signature(fn, p, where, types, result, is_tail)
  local has, returns = table.concat(signature.types(fn), " "), signature.results(fn)
  local fits = has == types or fn:is_variadic() and (types .. " "):sub(1, #has + 1) == has .. " "
  local most = result and result:match "^(.*), %.%.%.$" -- the first ones of them
  if most and ((returns or "") .. ","):sub(1, #most + 1) == most .. "," then result = returns end
  if fits and (result == returns or result == nil and not is_tail) then return end
  local called = {}
  for type in types:gmatch "%S+" do called[#called + 1] = type end
  trap(where, "call through 0x%x: '%s' is %s, called as %s", p, fn:name(),
    signature.text(signature.types(fn), returns), signature.text(called, result))
end

-- Calls what the environment has under a name at the time of the call; of_phial links a function of
-- phial.
local function by_name(run, name, where, result, is_tail, of_phial)
  result = result and result:gsub(", %.%.%.$", "")
  local take = result and runtime.take(result)
  local take_all = result and result:find ", " and runtime.take_all(result)
  local drops = is_tail and not result
  local found, linked
  return function(...)
    local f = run.env[name]
    if errors.class(f) == "phial.Function" then
      if f ~= found then found, linked = f, of_phial(f) end
      return linked(...)
    end
    if not errors.is_callable(f) then
      trap(where, f == nil and "there is no '%s' in the option env"
        or "its callee '%s' cannot be called", name)
    end
    if drops then f(...) return end
    if take_all then return take_all(where .. ": result", f(...)) end
    if not take then return f(...) end
    return take((f(...)), where .. ": result")
  end
end

--- What a call through an address calls.
---@param run phial.run.Run
---@param link fun(run: phial.run.Run, fn: phial.Function, where: string): function
---@return fun(p: integer, where: string, types: string, result: string?,
--- is_tail: boolean?): function
function M.linker(run, link)
  return function(p, where, types, result, is_tail)
    local it = run.space.functions[p]
    if it == nil then trap(where, "call through 0x%x: there is no function", p) end
    local function of_phial(fn)
      check_signature(fn, p, where, types, result, is_tail)
      return link(run, fn, where)
    end
    if type(it) ~= "string" then return of_phial(it) end
    local declared = run.module and run.module:get(it)
    if errors.class(declared) == "phial.Function" then
      check_signature(declared, p, where, types, result, is_tail)
    end
    return by_name(run, it, where, result, is_tail, of_phial)
  end
end

return M
