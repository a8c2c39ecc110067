-- Functions from text, to work on.
local phial = require "phial"

--- Parses a function; returns it, its values by id, its blocks by name.
---@param text string
---@return phial.Function fn, table<integer, phial.Value>, table<string, phial.Block>
return function(text)
  local fn = assert(phial.parse(text))
  local values, blocks = {}, {}
  for v in fn:values() do values[v:id()] = v end
  for b in fn:blocks() do blocks[b:name()] = b end
  return fn, values, blocks
end
