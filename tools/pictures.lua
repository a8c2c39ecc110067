-- pictures: draws the pictures of the documents anew, in docs/pictures: steps of the README's
-- example and of the paper's figures, as the explorer shows them. Needs the module phial, and node.
--
-- usage: lua5.4 tools/pictures.lua
package.path = "./?.lua;" .. package.path
local file = require "tools.file"
local pictures = require "tools.pictured"

for _, it in ipairs(pictures.ALL) do
  local text = pictures.draw(it)
  file.write(it.path, text)
end
