-- Programs of golden files, with logs of their functions.
local golden = require "spec.support.golden"
local phial = require "phial"

--- Runs a program of spec/golden/construct/figures; its places name its file as `name`.
---@param name string
---@param opts? phial.LogOptions
---@return phial.Function
---@return phial.Log
---@return string code
return function(name, opts)
  local log
  local logging = setmetatable({ fn = function(...)
    local fn = phial.fn(...)
    log = phial.log(fn, opts)
    return fn
  end }, { __index = phial })
  local code = golden.input("spec/golden/construct/figures/" .. name .. ".phial")
  local fn = assert(load(code, "=" .. name))(logging)
  return fn, log, code
end
