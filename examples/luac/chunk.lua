-- Lua files, as source or bytecode, and the SSA form of their functions.
local bytecode = require "luac.bytecode"
local names_of = require("luac.names").of
local translate = require("luac.translate").translate

local M = {}

-- The bytecode in a file, which is compiled if it is source; or nil and a message.
local function load_chunk(path)
  local file <close>, why = io.open(path, "rb")
  if not file then return nil, why end
  local text, problem = file:read "a"
  if not text then return nil, path .. ": " .. problem end
  text = text:gsub("^\xEF\xBB\xBF", ""):gsub("^#[^\n]*", "")
  local binary = text:match "^\n?(\27.*)"
  if binary then return binary end
  local chunk, wrong = load(text, "=luac", "t")
  if not chunk then return nil, path .. wrong:match "^luac(.*)" end
  return string.dump(chunk)
end

--- Calls visit(fn, name, proto) with the SSA form of each function in a file whose
--- name `wanted` accepts (without `wanted`: of each function). A function is closed
--- after its visit. With `copies`, each write of a register makes a copy, and visit
--- also gets the list of these copies, luac.Copy[].
---@param path string
---@param visit fun(fn: phial.Function, name: string, ...)
---@param wanted? fun(name: string): boolean
---@param copies? boolean
---@return true? done
---@return string? problem
function M.each(path, visit, wanted, copies)
  local chunk, why = load_chunk(path)
  if not chunk then return nil, why end
  local main, problem = bytecode.read(chunk)
  if not main then return nil, path .. ": " .. problem end
  local protos, names = names_of(main)
  for _, proto in ipairs(protos) do
    local name = names[proto]
    if not wanted or wanted(name) then
      local fn <close>, written = translate(proto, names, copies)
      visit(fn, name, proto, written)
    end
  end
  return true
end

return M
