-- Lua files, as source or bytecode, and the SSA form of their functions.
local bytecode = require "luac.bytecode"
local names_of = require("luac.names").of
local translate = require("luac.translate").translate

local M = {}

-- The bytecode in a file, and the source that was compiled, if it is source; or nil and
-- a message.
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
  return string.dump(chunk), text
end

-- A prototype after those in it, which the compiler nests 200 deep at most.
local function inner_first(proto, list)
  for c = 0, proto.children.n - 1 do inner_first(proto.children[c], list) end
  list[#list + 1] = proto
  return list
end

---@class luac.Options
---@field wanted? fun(name: string): boolean the functions to be visited (default: all)
---@field copies? boolean each write of a register makes a copy
---@field state? luac.State what the instructions act on instead
---@field inner_first? boolean visit functions after those in them (default: before)
---@field start? fun(protos: table[], source?: string) called before the visits, with all
--- prototypes, in the order of the source, and the source unless the file is bytecode

--- Calls visit(fn, name, proto) with the SSA form of each function in a file. A function
--- is closed after its visit. With `copies`, visit also gets their list, luac.Copy[].
---@param path string
---@param visit fun(fn: phial.Function, name: string, ...)
---@param opts? luac.Options
---@return true? done
---@return string? problem
function M.each(path, visit, opts)
  opts = opts or {}
  local chunk, source = load_chunk(path)
  if not chunk then return nil, source end
  local main, problem = bytecode.read(chunk)
  if not main then return nil, path .. ": " .. problem end
  local protos, names = names_of(main)
  if opts.start then opts.start(protos, source) end
  if opts.inner_first then protos = inner_first(main, {}) end
  for _, proto in ipairs(protos) do
    local name = names[proto]
    if not opts.wanted or opts.wanted(name) then
      local fn <close>, written = translate(proto, names, opts.copies, opts.state)
      visit(fn, name, proto, written)
    end
  end
  return true
end

return M
