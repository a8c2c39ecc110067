-- How each instruction is written: from its text, if it has one, else from its op, as
-- phial.emit.llvm writes it.
local core = require "phial.core"
local languages = require "phial.emit.llvm.language"

local gsub = string.gsub

local M = {}

-- {== From the text =====================================================

-- The state of the substitution that is running: a closure for each line would cost more.
local texts, args, at

local function next_operand()
  at = at + 1
  return texts[args[at]]
end

-- The text with operands in its holes, from operand `first` on.
local function filled(writer, template, operands, first)
  texts, args, at = writer.texts, operands, first - 1
  return (gsub(template, "\1", next_operand))
end

local function write_text(writer, v, template)
  local text = filled(writer, template, v:args(), 1)
  writer:add(v:type() and writer.texts[v] .. " = " .. text or text)
end

-- }== Terminators =======================================================

local row = {}

local function label(writer, v, i) return writer.labels[v:block():succs()[i]] end

-- Metadata that the input has here.
local function tail(v) return v:data() or "" end

function row.jump(writer, v) writer:line("br label %s%s", label(writer, v, 1), tail(v)) end

function row.branch(writer, v)
  writer:line("br i1 %s, label %s, label %s%s", writer.texts[v:args()[1]],
    label(writer, v, 1), label(writer, v, 2), tail(v))
end

row["switch"] = function(writer, v)
  local list, succs = v:args(), v:block():succs()
  local type = writer:type(list[1]:type())
  writer:line("switch %s %s, label %s [", type, writer.texts[list[1]], writer.labels[succs[1]])
  for i = 2, #succs do
    writer:line("  %s %s, label %s", type, writer.texts[list[i]], writer.labels[succs[i]])
  end
  writer:line("]%s", tail(v))
end

function row.ret(writer, v)
  local result = v:args()[1]
  if not result then return writer:line("ret void%s", tail(v)) end
  local type = writer.ssa.scanner:restored(writer.ssa.result)
  writer:line("ret %s %s%s", type, writer.texts[result], tail(v))
end

function row.unreachable(writer, v) writer:line("unreachable%s", tail(v)) end

row["llvm.control"] = function(writer, v)
  local list, succs = v:args(), v:block():succs()
  local result, k = list[1] and list[1]:op() == "llvm.result" and list[1] or nil, 0
  local template = gsub(v:data(), "\2", function()
    k = k + 1
    return writer.labels[succs[k]]
  end)
  local text = filled(writer, template, list, result and 2 or 1)
  writer:add(result and writer.texts[result] .. " = " .. text or text)
end

local SIZES <const> = { i8 = 1, i16 = 2, i32 = 4, i64 = 8, f32 = 4, f64 = 8, ptr = 8 }

function row.store(writer, v)
  local list = v:args()
  local type = list[2]:type()
  writer:line("store %s %s, ptr %s, align %d", writer:type(type), writer.texts[list[2]],
    writer.texts[list[1]], SIZES[type])
end

row["llvm.result"] = function() end -- the terminator defines it
row["llvm.constant"] = function() end -- it is an operand

-- }======================================================================

local TERMINATORS = { jump = true, branch = true, switch = true, ret = true, unreachable = true }

-- The text from which an instruction is written; nil if its op says how.
local function template_of(v)
  local op = v:op()
  if TERMINATORS[op] or op == "llvm.control" or op == "llvm.constant" then return nil end
  return v:data()
end

-- What phial defines for all operands and LLVM does not. Those that the input has are defined
-- there, and rules.lua leaves out rules that make others, so no operand is masked.
local PARTIAL = { shl = "shl", shr = "lshr", sar = "ashr", srem = "srem" }

local function write_partial(writer, v)
  local list = v:args()
  writer:line("%s = %s %s %s, %s", writer.texts[v], PARTIAL[v:op()], writer:type(v:type()),
    writer.texts[list[1]], writer.texts[list[2]])
end

-- Adds a declaration of an intrinsic.
local function declare(host, line)
  local lines = host.declarations
  if not lines[line] then lines[line], lines[#lines + 1] = true, line end
end

-- What writes instructions of phial, with the names that the text has. Nothing traps: what traps in
-- phial is undefined in LLVM, and in the input.
local function by_rows(writer)
  local typed = writer.unit.pointer ~= "ptr"
  local w = core.writing(typed and languages.typed or languages.opaque, writer.ssa.fn,
    { needed = {}, texts = {}, flags = { typed = typed }, declare = declare,
      declarations = writer.unit.declarations })
  for name in pairs(writer.taken) do w:take(name:sub(2)) end
  return w
end

local function write_row(writer, v)
  local w = writer.rows or by_rows(writer)
  writer.rows = w
  for _, arg in ipairs(v:args()) do w:name(arg:id(), writer.texts[arg]) end
  w:name(v:id(), writer.texts[v])
  for line in w:write(v:id()):gmatch "[^\n]+" do writer.out[#writer.out + 1] = line end
end

--- Writes an instruction.
---@param writer table
---@param v phial.Value
function M.write(writer, v)
  local template, op = template_of(v), v:op()
  if template then return write_text(writer, v, template) end
  if row[op] then return row[op](writer, v) end
  if PARTIAL[op] and v:args()[2]:op() ~= "const" then return write_partial(writer, v) end
  write_row(writer, v)
end

return M
