-- Lua files, as source or bytecode, and the SSA form of their functions.
local bytecode = require "luac.bytecode"
local names_of = require("luac.names").of
local translate = require("luac.translate").translate

local M = {}

-- The bytecode in a file, or of the source in it; or nil and a message.
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

---@class luac.Options
---@field wanted? fun(name: string): boolean the functions to be visited (default: all)

--- Calls visit(fn, name, proto) with the SSA form of each function in a file. A function
--- is closed after its visit.
---@param path string
---@param visit fun(fn: phial.Function, name: string)
---@param opts? luac.Options
---@return true? done
---@return string? problem
function M.each(path, visit, opts)
  opts = opts or {}
  local chunk, why = load_chunk(path)
  if not chunk then return nil, why end
  local main, problem = bytecode.read(chunk)
  if not main then return nil, path .. ": " .. problem end
  local protos, names = names_of(main)
  for _, proto in ipairs(protos) do
    local name = names[proto]
    if not opts.wanted or opts.wanted(name) then
      local fn <close> = translate(proto, names)
      visit(fn, name)
    end
  end
  return true
end

return M
