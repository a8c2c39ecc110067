-- generate: writes anew what is made from tables and texts of src.
--
-- usage: lua5.4 tools/generate.lua [FILE ...]
package.path = "./?.lua;./lua/?.lua;" .. package.path
local generated = require "tools.generated"

for _, path in ipairs(#arg > 0 and arg or generated.FILES) do
  local wanted, found = generated.renew(path)
  if wanted ~= found then
    local file <close> = assert(io.open(path, "wb"))
    file:write(wanted)
    print(path)
  end
end
