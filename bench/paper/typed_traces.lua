--- Typed traces of LLVM IR: all that examples/llvm tells phial, with the instructions. Its opaque
--- instructions and constants are those of the dialect `trace`, with numbers for their texts.
package.path = "./examples/?.lua;" .. package.path

local constants = require "llvm.constants"
local func = require "llvm.func"
local module = require "llvm.module"
local operations = require "llvm.operations"
local portable = require "phial.portable"
local translate = require "llvm.translate"
local types = require "llvm.types"

local M = {}

---@class paper.TypedWriter
---@field lines string[]
---@field ssa llvm.Ssa
---@field texts table<string, integer> numbers of texts, the same in all functions
---@field block llvm.Block being filled
---@field number table<llvm.Block, integer>
---@field variable table<string|llvm.Instruction, integer> by the name of an alloca, or by phi
---@field outgoing table<llvm.Block, table[]> what its phis get from a block
---@field values table<string, string> words by name
---@field ids integer of values
---@field constants table<string, table<string, string>> words by type and literal

local function put(w, ...) w.lines[#w.lines + 1] = table.concat({ ... }, " ") end

local function new_value(w)
  w.ids = w.ids + 1
  return "%" .. w.ids
end

local function number_of(w, text)
  if not w.texts[text] then
    w.texts.n = w.texts.n + 1
    w.texts[text] = w.texts.n
  end
  return w.texts[text]
end

local function data(w, text) return ("{%d}"):format(number_of(w, text)) end

-- {== Constants =========================================================

-- Stands for the function in which examples/llvm makes constants.
local Constants = {}
Constants.__index = Constants

function Constants.undef(_, type) return "undef:" .. type end

function Constants:const(value, type)
  if type == "i1" then return tostring(value) end
  if type == "any" then value = number_of(self.w, value) end
  return portable.tostring(value) .. ":" .. type
end

function Constants:entry() return self end

function Constants:emit(_, type, options)
  local value = new_value(self.w)
  put(self.w, "i", value, type, "trace.pure", data(self.w, options.data))
  return value
end

-- Instructions that are constants precede the others in the entry.
local function make_constants(w)
  local function need(text, type)
    if types.is_scalar(type) and not text:find "^%%" then local _ = w.constants[type][text] end
  end
  for _, block in ipairs(w.ssa.order) do
    for _, phi in ipairs(block.phis) do
      for _, value in ipairs(phi.values) do need(value, phi.type) end
    end
    for _, it in ipairs(block.instructions) do
      if it.kind == "store" and w.variable[it.variable or it.address] then
        need(it.value, it.stored)
      elseif it.kind == "ret" and it.type then
        need(it.value, it.type)
      end
    end
  end
end

-- }== Instructions ======================================================

local function operand(w, text, type) return w.values[text] or w.constants[type][text] end

local function used(w, it)
  local list = {}
  for i, name in ipairs(it.uses) do list[i] = w.values[name] end
  return list
end

-- Writes a line for an instruction; names its result, if it has a type.
local function emit(w, it, type, ...)
  if not type then return put(w, "i", ...) end
  w.values[it.name] = new_value(w)
  put(w, "i", w.values[it.name], type, ...)
end

local write = {}

function write.opaque(w, it)
  emit(w, it, it.type and types.of(it.type), "trace." .. (it.type and it.effect or "effect"),
    data(w, it.template), table.unpack(used(w, it)))
end

local function is_promoted(w, name)
  local promotion = w.ssa.promotion
  return promotion.promoted[promotion.root[name]] ~= nil
end

function write.cast(w, it)
  if not it.gone and not is_promoted(w, it.name) then write.opaque(w, it) end
end

function write.alloca(w, it)
  local var = w.variable[it.name]
  if not var then return write.opaque(w, it) end
  if w.number[w.block] > 0 then put(w, "w", var, operand(w, "undef", it.allocated)) end
  if w.ssa.promotion.stored[it.name] then write.opaque(w, it) end
end

function write.load(w, it)
  local var = w.variable[it.variable or it.address]
  if not var then return write.opaque(w, it) end
  w.values[it.name] = new_value(w)
  put(w, "r", var, w.values[it.name])
end

function write.store(w, it)
  local var = w.variable[it.variable or it.address]
  if not var then return write.opaque(w, it) end
  put(w, "w", var, operand(w, it.value, it.stored))
end

function write.note(w, it)
  if it.gone then return end
  for _, name in ipairs(it.uses) do
    if is_promoted(w, name) then return end
  end
  write.opaque(w, it)
end

local COMPARES = {}
for _, list in ipairs { operations.icmp, operations.fcmp } do
  for _, op in pairs(list) do COMPARES[op] = true end
end

local function result_of(it)
  if it.result or COMPARES[it.op] then return it.result or "i1" end
  return types.of(it.types[#it.types])
end

function write.compute(w, it)
  local list = {}
  for i, text in ipairs(it.operands) do list[i] = operand(w, text, it.types[i]) end
  emit(w, it, result_of(it), it.op, table.unpack(list))
end

-- }== Terminators =======================================================

local function targets(w)
  local list = {}
  for i, block in ipairs(w.ssa.source.succs[w.block]) do list[i] = w.number[block] end
  return list
end

function write.jump(w) put(w, "j", targets(w)[1]) end

function write.branch(w, it)
  local list = targets(w)
  put(w, "c", list[1], list[2], operand(w, it.value, "i1"))
end

local BITS <const> = { ["true"] = 1, ["false"] = 0 }

function write.switch(w, it)
  local list, words = targets(w), {}
  for i, key in ipairs(it.keys) do
    words[i] = ("%d:%s"):format(BITS[key] or math.tointeger(tonumber(key)), types.of(it.type))
  end
  put(w, "s", #list, table.concat(list, " "), operand(w, it.value, it.type), table.unpack(words))
end

function write.ret(w, it) put(w, "x", it.type and operand(w, it.value, it.type) or "-") end

function write.unreachable(w) put(w, "t unreachable") end

-- The result is a value of its own, which precedes the terminator.
function write.control(w, it)
  local list = used(w, it)
  if it.type then
    emit(w, it, types.of(it.type), "trace.value")
    table.insert(list, 1, w.values[it.name])
  end
  table.move({ ">", table.unpack(targets(w)) }, 1, #targets(w) + 1, #list + 1, list)
  put(w, "t trace.control", data(w, it.template), table.unpack(list))
end

-- }== Functions =========================================================

local function fill(w, block, missing)
  w.block = block
  if w.number[block] > 0 then put(w, "b", w.number[block]) end
  for _, phi in ipairs(block.phis) do
    w.values[phi.name] = new_value(w)
    put(w, "r", w.variable[phi], w.values[phi.name])
  end
  local list = block.instructions
  for i = 1, #list - 1 do write[list[i].kind](w, list[i]) end
  for _, out in ipairs(w.outgoing[block] or {}) do
    put(w, "w", w.variable[out.phi], operand(w, out.value, out.phi.type))
  end
  write[list[#list].kind](w, list[#list])
  for _, target in ipairs(w.ssa.source.succs[block]) do
    missing[target] = missing[target] - 1
    if missing[target] == 0 then put(w, "S", w.number[target]) end
  end
end

local function number_blocks(w)
  local missing, n = {}, 0
  for i, block in ipairs(w.ssa.source.blocks) do
    if i == 1 or block.preds > 0 then
      w.number[block], missing[block], n = n, block.preds, n + 1
    end
  end
  return missing, n
end

-- Declares a variable, whose number follows those of the parameters.
local function declare(w, key, type)
  w.variable[key], w.nvars = w.nvars, w.nvars + 1
  put(w, "V", "v" .. w.variable[key], types.of(type))
end

local function declare_all(w)
  local names = {}
  for name in pairs(w.ssa.promotion.promoted) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do declare(w, name, w.ssa.promotion.promoted[name].allocated) end
  for _, block in ipairs(w.ssa.order) do
    for _, phi in ipairs(block.phis) do
      declare(w, phi, phi.type)
      for i, label in ipairs(phi.labels) do
        local pred = w.ssa.source.labels[label]
        w.outgoing[pred] = w.outgoing[pred] or {}
        table.insert(w.outgoing[pred], { phi = phi, value = phi.values[i] })
      end
    end
  end
end

local function header(w, nblocks)
  local source, result = w.ssa.source, w.ssa.result
  local words = { "F", (source.name:gsub("[^%w_]", "_")), nblocks, 0,
    result and types.of(result) or "-" }
  for i, param in ipairs(source.params) do
    words[#words + 1] = ("p%d:%s"):format(i, types.of(param.type))
    w.values[param.name] = new_value(w)
  end
  w.nvars = #source.params
  put(w, table.unpack(words))
end

--- The trace of a function.
---@param ssa llvm.Ssa translated without rules
---@param texts table<string, integer> numbers of texts; n: how many there are
---@return string
function M.of(ssa, texts)
  local w = { lines = {}, ssa = ssa, texts = texts, number = {}, variable = {}, outgoing = {},
    values = {}, ids = 0 }
  w.constants = constants.of(setmetatable({ w = w }, Constants))
  local missing, nblocks = number_blocks(w)
  header(w, nblocks)
  declare_all(w)
  put(w, "b 0")
  make_constants(w)
  for _, block in ipairs(ssa.order) do fill(w, block, missing) end
  put(w, "E")
  return table.concat(w.lines, "\n") .. "\n"
end

--- Writes the trace of a program, all of its functions.
---@param files string[] LLVM IR
---@param path string
function M.write(files, path)
  local out <close> = assert(io.open(path, "w"))
  local texts = { n = 0 }
  for _, name in ipairs(files) do
    local file <close> = assert(io.open(name))
    module.read(name, file:read "a", function(scanner, ...)
      local number, header_line, body, last = ...
      local source = func.read(scanner, header_line, body, number, last)
      local ssa = translate.translate(source, scanner, false)
      assert(out:write(M.of(ssa, texts)))
      ssa.fn:close()
    end, function() end)
  end
end

-- }======================================================================

return M
