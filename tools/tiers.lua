-- tiers: counts the functions and methods of types/phial.lua that are core, stable, experimental.
--
-- usage: lua5.4 tools/tiers.lua
package.path = "./?.lua;" .. package.path
local declarations = require "tools.site.declarations"
local file = require "tools.file"

local counts = declarations.count(declarations.read(file.read "types/phial.lua"))
print(("%d functions and methods: %d core, %d stable, %d experimental"):format(counts.all,
  counts.core, counts.stable, counts.experimental))
