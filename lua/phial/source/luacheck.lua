--- The adapter for luacheck's parser: of the rock, or of Debian's package lua-check, which
-- lies in a folder of Lua 5.1.
local failure = require "phial.source.failure"

local M = {}

local DEBIAN <const> = "/usr/share/lua/5.1/?.lua;/usr/share/lua/5.1/?/init.lua"

-- Requires a module of luacheck. The path is extended during the call only, after what it
-- has: other modules of that folder are for another Lua.
function M.require(name)
  local path = package.path
  package.path = path .. ";" .. DEBIAN
  local ok, it = pcall(require, name)
  package.path = path
  return ok and it or nil
end

local ATTRIBUTE <const> = "^%s*<%s*([%a_][%w_]*)%s*>"

-- The position of a node: first line, column, last line, column; columns count characters.
local function ranges(offsets)
  return function(node)
    local line, low, high = node.line, node.line, #offsets + 1
    local last = node.end_offset
    while high - low > 1 do
      local middle = (low + high) // 2
      if offsets[middle] <= last then low = middle else high = middle end
    end
    return line, node.offset - offsets[line] + 1, low, last - offsets[low] + 1
  end
end

--- Parses a source.
---@param text string
---@return phial.source.Tree? tree nil if it is not Lua; `found`: what luacheck's stages need, too
---@return string? message
---@return integer? line
---@return integer? col
function M.parse(text)
  local parser, decoder = M.require "luacheck.parser", M.require "luacheck.decoder"
  if not parser then
    return nil, "luacheck's parser was not found: install the rock luacheck, or lua-check of Debian"
  end
  local chars = decoder.decode((text:gsub("^\xef\xbb\xbf", ""))) -- a mark that Lua skips, too
  local offsets, lengths = {}, {}
  local ok, tree, comments, code_lines = pcall(parser.parse, chars, offsets, lengths)
  if not ok then
    if type(tree) ~= "table" then return nil, failure.too_deep(tree) end
    return nil, tree.msg, tree.line, tree.offset - offsets[tree.line] + 1
  end
  local function attribute(id) -- after a name: the parser skips it
    local _, _, name = chars:find(ATTRIBUTE, id.end_offset + 1)
    return name
  end
  return { statements = tree, range = ranges(offsets),
    attribute = text:find "<%s*[%a_][%w_]*%s*>" and attribute or nil,
    found = { comments = comments, code_lines = code_lines, line_offsets = offsets,
      line_lengths = lengths } }
end

return M
