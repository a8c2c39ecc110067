-- The committed dump of the React Compiler, and what the example makes of HIR.
package.path = "examples/?.lua;" .. package.path
local json = require "react.json"
local names = require "react.names"
local reader = require "react.reader"
local translate = require "react.translate"
local writer = require "react.writer"

local M = {
  lines = {}, -- in order
  by_name = {}, -- by the names of the functions
}

for line in io.lines "examples/react/spec/functions.jsonl" do
  M.lines[#M.lines + 1] = line
  M.by_name[json.read(line).pre:match "^[^(]*"] = line
end

--- Our text for printed HIR, the same whatever nested functions become.
---@param text string
---@return string? ours nil if it is refused
---@return string? message
---@return integer? at
function M.ours(text)
  local tree, message, at = reader.read(text)
  if not tree then return nil, message, at end
  local texts = {}
  for i, way in ipairs { "within", "each" } do
    local translation
    translation, message, at = translate.translate(tree, way)
    if not translation then return nil, message, at end
    assert(translation.fn:verify())
    texts[i] = writer.text(tree, names.of(translation))
    translation:close()
  end
  assert(texts[1] == texts[2], "both ways differ")
  return texts[1]
end

return M
