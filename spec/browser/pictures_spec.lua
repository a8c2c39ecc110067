-- The pictures in docs/pictures are as `make pictures` would draw them.
local file = require "spec.support.file"
local node = require "spec.support.node"
local pictures = require "tools.pictured"

describe("the picture", function()
  for _, picture in ipairs(pictures.ALL) do
    it(picture.path .. " is up to date", function()
      if not node.exists() then return pending "node is not installed" end
      assert(file.read(picture.path) == pictures.draw(picture), "run 'make pictures'")
    end)
  end
end)
