-- How each instruction is written: from its text, if it has one, else from its op.
local operations = require "llvm.operations"
local types = require "llvm.types"

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

--- Writes that the name of a value is the defined one of what has the name `raw`.
---@param writer table
---@param v phial.Value
function M.write_frozen(writer, v)
  writer:line("%s = freeze %s %s", writer.texts[v], types.name(v:type()), writer.raw[v])
end

local function write_text(writer, v, template)
  local text = filled(writer, template, v:args(), 1)
  if not v:type() then return writer:add(text) end
  local raw = writer.raw[v]
  writer:add((raw or writer.texts[v]) .. " = " .. text)
  if raw then M.write_frozen(writer, v) end
end

-- }== From the op =======================================================

local row = {}

-- The operands as texts.
local function operand_texts(writer, v)
  local list = v:args()
  for i, arg in ipairs(list) do list[i] = writer.texts[arg] end
  return list[1], list[2], list[3]
end

local function type_of(v) return types.name(v:args()[1]:type()) end

for word, op in pairs(operations.binary) do
  row[op] = function(writer, v)
    local a, b = operand_texts(writer, v)
    writer:line("%s = %s %s %s, %s", writer.texts[v], word, type_of(v), a, b)
  end
end

for kind, predicates in pairs { icmp = operations.icmp, fcmp = operations.fcmp } do
  for predicate, op in pairs(predicates) do
    row[op] = function(writer, v)
      local a, b = operand_texts(writer, v)
      writer:line("%s = %s %s %s %s, %s", writer.texts[v], kind, predicate, type_of(v), a, b)
    end
  end
end

for word, op in pairs(operations.casts) do
  row[op] = function(writer, v)
    local raw = writer.raw[v] -- of a float that does not fit: undefined in LLVM
    writer:line("%s = %s %s %s to %s", raw or writer.texts[v], word, type_of(v),
      (operand_texts(writer, v)), types.name(v:type()))
    if raw then M.write_frozen(writer, v) end
  end
end

-- phial takes the amount of a shift modulo the width; in LLVM it must be less.
local function shift(op, word)
  row[op] = function(writer, v)
    local a, b = operand_texts(writer, v)
    local type = type_of(v)
    local most = tonumber(type:match "%d+") - 1
    local amount = v:args()[2]
    if amount:op() == "const" then
      b = ("%d"):format(type == "i1" and 0 or amount:const() & most)
    elseif most == 0 then
      b = "false"
    else
      local masked = writer:temp "%amount"
      writer:line("%s = and %s %s, %d", masked, type, b, most)
      b = masked
    end
    if type == "i1" then b = "false" end
    writer:line("%s = %s %s %s, %s", writer.texts[v], word, type, a, b)
  end
end
shift("shl", "shl")
shift("shr", "lshr")
shift("sar", "ashr")

function row.neg(writer, v)
  writer:line("%s = sub %s 0, %s", writer.texts[v], type_of(v), (operand_texts(writer, v)))
end

function row.bnot(writer, v)
  local ones = type_of(v) == "i1" and "true" or "-1"
  writer:line("%s = xor %s %s, %s", writer.texts[v], type_of(v), (operand_texts(writer, v)), ones)
end

function row.fneg(writer, v)
  writer:line("%s = fneg %s %s", writer.texts[v], type_of(v), (operand_texts(writer, v)))
end

function row.select(writer, v)
  local c, a, b = operand_texts(writer, v)
  local type = types.name(v:type())
  writer:line("%s = select i1 %s, %s %s, %s %s", writer.texts[v], c, type, a, type, b)
end

-- }== Terminators =======================================================

local function label(writer, v, i) return writer.labels[v:block():succs()[i]] end

-- Metadata that the input has here.
local function tail(v) return v:data() or "" end

function row.jump(writer, v) writer:line("br label %s%s", label(writer, v, 1), tail(v)) end

function row.branch(writer, v)
  writer:line("br i1 %s, label %s, label %s%s", operand_texts(writer, v), label(writer, v, 1),
    label(writer, v, 2), tail(v))
end

row["switch"] = function(writer, v)
  local list, succs = v:args(), v:block():succs()
  local type = types.name(list[1]:type())
  writer:line("switch %s %s, label %s [", type, writer.texts[list[1]], writer.labels[succs[1]])
  for i = 2, #succs do
    writer:line("  %s %s, label %s", type, writer.texts[list[i]], writer.labels[succs[i]])
  end
  writer:line("]%s", tail(v))
end

function row.ret(writer, v)
  if not v:args()[1] then return writer:line("ret void%s", tail(v)) end
  local type = writer.ssa.scanner:restored(writer.ssa.result)
  writer:line("ret %s %s%s", type, (operand_texts(writer, v)), tail(v))
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

row["llvm.result"] = function() end -- the terminator defines it
row["llvm.constant"] = function() end -- it is an operand

-- }======================================================================

local TERMINATORS = { jump = true, branch = true, switch = true, ret = true, unreachable = true }

--- True if phial computes something of the operands of a phi or instruction.
---@param v phial.Value
---@return boolean
function M.computes(v)
  local op = v:op()
  return not TERMINATORS[op] and not op:find "^llvm%."
end

-- The text from which an instruction is written; nil if its op says how.
local function template_of(v)
  local op = v:op()
  if TERMINATORS[op] or op == "llvm.control" or op == "llvm.constant" then return nil end
  return v:data()
end

--- Writes an instruction.
---@param writer table
---@param v phial.Value
function M.write(writer, v)
  local template = template_of(v)
  if template then return write_text(writer, v, template) end
  row[v:op()](writer, v)
end

return M
