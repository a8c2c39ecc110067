-- Programs of golden files, with logs of their functions.
local file = require "spec.support.file"
local phial = require "phial"

--- Runs a program of spec/golden/construct/figures; its places name its file as `name`.
---@param name string
---@param opts? {detail: boolean}
---@return phial.Function
---@return phial.Log
---@return string code
return function(name, opts)
  local log
  local logging = setmetatable({ fn = function(...)
    local fn = phial.fn(...)
    log = fn:log(opts or true)
    return fn
  end }, { __index = phial })
  local code = file.read("spec/golden/construct/figures/" .. name .. ".lua")
  local fn = assert(load(code, "=" .. name))(logging)
  return fn, log, code
end
