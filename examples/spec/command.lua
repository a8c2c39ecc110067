-- What the commands of the examples have in common, checked.
local assert = require "luassert"
local file = require "spec.support.file"

local M = {}

---@alias spec.Command fun(arguments: string): string, string, integer

--- Checks what a command prints.
---@param command spec.Command
---@param outputs table<string, string> by its arguments
function M.prints(command, outputs)
  for arguments, expected in pairs(outputs) do
    local out, err, status = command(arguments)
    assert.equal("", err)
    assert.equal(expected, out)
    assert.equal(0, status)
  end
end

--- Checks that a command explains its use where it is used wrongly.
---@param command spec.Command
---@param reasons table<string, string> by its arguments
function M.explains(command, reasons)
  for arguments, why in pairs(reasons) do
    local _, err, status = command(arguments)
    assert.equal(why, err:match "^([^\n]*)\nusage: ")
    assert.equal(1, status)
  end
end

--- Checks that a document shows texts, indented.
---@param path string
---@param texts string[]
function M.shows(path, texts)
  local document = file.read(path)
  for _, text in ipairs(texts) do
    local indented = text:gsub("[^\n]+", "    %0")
    assert(document:find(indented, 1, true), indented)
  end
end

return M
