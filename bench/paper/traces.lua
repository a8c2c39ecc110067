--- Traces of LLVM IR as clang writes it without optimisation. The allocas that mem2reg promotes at
--- once are variables; loads and stores of them are reads and writes, a store of the value that was
--- read or written last is a move; calls and stores to other memory are uses. Other instructions,
--- and the phis that clang makes for `&&`, `||` and `?:`, are not in these traces, which are those
--- of construction alone; typed_traces.lua writes those with all instructions.
package.path = "./examples/?.lua;" .. package.path

local flow = require "llvm.flow"
local func = require "llvm.func"
local module = require "llvm.module"
local promote = require "llvm.promote"

local M = {}

---@class paper.Writer
---@field lines string[]
---@field variable table<string, integer> by the name of the alloca
---@field count integer of variables
---@field latest string|false|nil the value that was read or written last in this block

local function put(w, ...) w.lines[#w.lines + 1] = table.concat({ ... }, " ") end

-- Variables are numbered in the order of their first access.
local function variable_of(w, promoted, name)
  if promoted[name] and not w.variable[name] then
    w.variable[name], w.count = w.count, w.count + 1
  end
  return w.variable[name]
end

local USES = { call = true, cmpxchg = true, atomicrmw = true, fence = true, store = true }

local function instruction(w, it, promoted)
  local var = it.address and variable_of(w, promoted, it.address)
  if it.kind == "load" and var then
    put(w, "r", var)
    w.latest = it.name
  elseif it.kind == "store" and var then
    put(w, w.latest and it.value == w.latest and "m" or "w", var)
    w.latest = it.value:find "^%%" and it.value
  elseif USES[it.word] and it.kind ~= "note" then
    put(w, "u")
  end
end

local LETTERS = { jump = "j", branch = "c" }

local function terminator(w, it, succs, number)
  local targets = {}
  for i, block in ipairs(succs) do targets[i] = number[block] end
  if it.kind == "control" and it.type then put(w, "u") end
  if LETTERS[it.kind] then
    put(w, LETTERS[it.kind], table.unpack(targets))
  elseif #targets > 0 then
    put(w, "s", #targets, table.unpack(targets))
  else
    put(w, "x")
  end
end

-- Seals the blocks that get no further predecessors.
local function seal(w, succs, number, missing)
  for _, block in ipairs(succs) do
    missing[block] = missing[block] - 1
    if missing[block] == 0 then put(w, "S", number[block]) end
  end
end

--- The trace of a function; nil if it has no variables.
---@param source llvm.Function
---@return string?
local function trace_of(source)
  flow.of(source)
  local promoted = promote.of(source).promoted
  local w = { lines = { "", "S 0" }, variable = {}, count = 0, latest = nil }
  local order, number, missing = {}, {}, {}
  for _, block in ipairs(source.blocks) do
    if source.succs[block] then
      number[block], missing[block] = #order, block.preds
      order[#order + 1] = block
    end
  end
  for _, block in ipairs(order) do
    local list, succs = block.instructions, source.succs[block]
    put(w, "b", number[block])
    w.latest = nil
    for i = 1, #list - 1 do instruction(w, list[i], promoted) end
    terminator(w, list[#list], succs, number)
    seal(w, succs, number, missing)
  end
  put(w, "E")
  if w.count == 0 then return nil end
  w.lines[1] = ("F %s %d %d"):format(source.name:gsub("%s", "_"), #order, w.count)
  return table.concat(w.lines, "\n") .. "\n"
end

--- Writes the trace of a program. Functions that several files have, being those of a header,
--- are written once.
---@param files string[] LLVM IR
---@param path string
function M.write(files, path)
  local out <close> = assert(io.open(path, "w"))
  local seen = {}
  for _, name in ipairs(files) do
    local file <close> = assert(io.open(name))
    module.read(name, file:read "a", function(scanner, ...)
      local number, header, body, last = ...
      local text = trace_of(func.read(scanner, header, body, number, last))
      if text and not seen[text] then
        seen[text] = true
        assert(out:write(text))
      end
    end, function() end)
  end
end

return M
