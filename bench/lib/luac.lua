--- Where the time of examples/luac goes: all Lua files of busted and Penlight,
--- up to one stage after the other.
local grid = require "bench.lib.grid"
package.path = "examples/?.lua;" .. package.path

local M = {}

local roots = { "busted.core", "pl.List" }

--- The bytecode of all files beside the modules that are installed.
local function chunks()
  local list = {}
  for _, root in ipairs(roots) do
    local path = package.searchpath(root, package.path)
    local find = path and ("find '%s' -name '*.lua' | LC_ALL=C sort"):format(
      path:match "^(.*)/")
    for file in io.popen(find or "true"):lines() do
      local loaded = loadfile(file)
      if loaded then list[#list + 1] = string.dump(loaded) end
    end
  end
  return list
end

local function best(repeats, f)
  local least = math.huge
  for _ = 1, repeats do
    collectgarbage()
    collectgarbage()
    local start = os.clock()
    f()
    least = math.min(least, os.clock() - start)
  end
  return least * 1e3
end

--- A table of stages, each with all before it, or nil when there are no files.
---@param repeats integer
---@return string? text
---@return integer functions
function M.table(repeats)
  local list, functions = chunks(), 0
  if #list == 0 then return nil, 0 end
  local bytecode, names = require "luac.bytecode", require "luac.names"
  local flow, capture = require "luac.flow", require "luac.capture"
  local translate = require("luac.translate").translate
  local function nothing() end
  local function order(proto) flow.of(proto.code) end
  local function find(proto) capture.of(proto, flow.of(proto.code)) end
  local function whole(proto, known)
    local _ <close> = translate(proto, known)
    functions = functions + 1
  end
  local function all(visit)
    return function()
      functions = 0
      for _, chunk in ipairs(list) do
        local protos, known = names.of(assert(bytecode.read(chunk)))
        for _, proto in ipairs(protos) do visit(proto, known) end
      end
    end
  end
  local stages = {
    { "bytecode reader", function()
      for _, chunk in ipairs(list) do assert(bytecode.read(chunk)) end
    end },
    { "and names of functions", all(nothing) },
    { "and blocks and their order", all(order) },
    { "and captured registers", all(find) },
    { "and SSA form, verified", all(whole) }
  }
  local rows, first = { { "up to", "ms", "times the reader" } }, nil
  for _, stage in ipairs(stages) do
    local ms = best(repeats, stage[2])
    first = first or ms
    rows[#rows + 1] = { stage[1], grid.number(ms, 1), grid.number(ms / first, 1) }
  end
  return grid.text(rows), functions
end

return M
