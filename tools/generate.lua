-- generate: writes what is made from tables anew: types/phial.lua, docs.
--
-- usage: lua5.4 tools/generate.lua
package.path = "./?.lua;" .. package.path
local generated = require "tools.generated"

for _, path in ipairs(generated.FILES) do
  local file <close> = assert(io.open(path, "r+"))
  local old = file:read "a"
  local new = generated.renew(old)
  if new ~= old then
    file:close()
    local out <close> = assert(io.open(path, "w"))
    out:write(new)
    print(path)
  end
end
