-- Writes a finished function as LLVM IR.
--
-- Names of the input are kept; what had a number gets a new one, in the order of the text:
-- LLVM requires that no number is missing.
local instructions = require "llvm.write_ops"
local types = require "phial.emit.llvm.types"

local find, gsub, match = string.find, string.gsub, string.match

local M = {}

-- {== Names =============================================================

-- The text of a constant, by which it is an operand.
local function constant(writer, value)
  local op = value:op()
  if op == "undef" then return writer.undef end
  if op == "llvm.constant" then return writer.ssa.scanner:restored(value:data()) end
  local literal, type = value:const()
  if type == "any" then return writer.ssa.scanner:restored(literal) end
  return types.constant(type, literal, writer:type(type))
end

-- A name for a phi of a variable that has one: x.1, x.2, ...
local function numbered(writer, name)
  local base = gsub(name, '"$', "")
  local closing = base == name and "" or '"'
  local n = writer.numbers[name] or 0
  local new
  repeat
    new = ("%s.%d%s"):format(base, n, closing)
    n = n + 1
  until not writer.taken[new]
  writer.numbers[name], writer.taken[new] = n, true
  return new
end

local function next_number(writer)
  local number = writer.next
  writer.next = number + 1
  return "%" .. number
end

local function name_of_phi(writer, phi)
  local ssa = writer.ssa
  local given = ssa.names[phi] or phi:var() and ssa.sources[phi:var()].name or "%0"
  if find(given, "^%%%d") then return next_number(writer) end
  given = ssa.scanner:written(given)
  return ssa.names[phi] and given or numbered(writer, given)
end

local function name_of(writer, value)
  local given = writer.ssa.names[value]
  if given then return writer.ssa.scanner:written(given) end
  return next_number(writer)
end

local function name_params(writer)
  local ssa = writer.ssa
  for i, param in ipairs(ssa.source.params) do
    writer.texts[ssa.fn:arg(i)] = ssa.scanner:written(param.name)
  end
end

-- Names everything that has a name, in the order of the text. Returns the blocks.
local function name_all(writer)
  local ssa, blocks = writer.ssa, {}
  for block in ssa.fn:blocks() do
    local label, phis, insts = ssa.labels[block], block:phis(), block:insts()
    blocks[#blocks + 1] = { block = block, phis = phis, insts = insts }
    writer.labels[block] = find(label, "^%%%d") and next_number(writer)
      or ssa.scanner:written(label)
    if #blocks == 1 then name_params(writer) end
    for _, phi in ipairs(phis) do writer.texts[phi] = name_of_phi(writer, phi) end
    for _, v in ipairs(insts) do
      if v:type() and v:op() ~= "llvm.constant" then writer.texts[v] = name_of(writer, v) end
    end
  end
  return blocks
end

-- }== Lines =============================================================

local function write_phi(writer, phi)
  local args, entries = phi:args(), {}
  for i, pred in ipairs(phi:block():preds()) do
    entries[i] = ("[ %s, %s ]"):format(writer.texts[args[i]], writer.labels[pred])
  end
  local source = phi:var() and writer.ssa.sources[phi:var()]
  local type = source and writer.ssa.scanner:restored(source.allocated or source.type)
  writer:line("%s = phi %s %s", writer.texts[phi], type or writer:type(phi:type()),
    table.concat(entries, ", "))
end

-- The label of a block; the first one has none if it has no name.
local function write_label(writer, block, first)
  local label = writer.labels[block]
  if first and find(label, "^%%%d+$") then return end
  if not first then writer.out[#writer.out + 1] = "" end
  writer.out[#writer.out + 1] = match(label, "^%%(.*)$") .. ":"
end

local Writer = {}
Writer.__index = Writer

--- Adds a line of the body.
---@param format string
function Writer:line(format, ...)
  self.out[#self.out + 1] = "  " .. format:format(...)
end

--- Adds an instruction whose text is known.
---@param text string
function Writer:add(text) self.out[#self.out + 1] = "  " .. text end

--- The name of a type in LLVM.
---@param type string
---@return string
function Writer:type(type) return types.NAMES[type] or self.unit.pointer end

-- }======================================================================

--- The lines of a function.
---@param ssa table
---@param unit llvm.Unit to which they are appended
function M.write(ssa, unit)
  local out = unit.out
  local writer = setmetatable({
    ssa = ssa, unit = unit, out = out, labels = {}, numbers = {}, taken = {},
    next = ssa.source.unnamed,
    undef = ssa.rules and "zeroinitializer" or "undef",
  }, Writer)
  for name in pairs(ssa.source.names) do writer.taken[ssa.scanner:written(name)] = true end
  for label in pairs(ssa.source.labels) do writer.taken[ssa.scanner:written(label)] = true end
  writer.texts = setmetatable({}, { __index = function(texts, value)
    local text = constant(writer, value)
    texts[value] = text
    return text
  end })
  out[#out + 1] = ssa.source.header
  for i, it in ipairs(name_all(writer)) do
    write_label(writer, it.block, i == 1)
    for _, phi in ipairs(it.phis) do write_phi(writer, phi) end
    for _, v in ipairs(it.insts) do instructions.write(writer, v) end
  end
  out[#out + 1] = "}"
  return writer.labels
end

return M
