-- Reads the text of one instruction into a table. What is not understood in detail stays a
-- text with holes for the values that it uses: opaque.
--
-- The kinds, and what their tables have besides `kind`, `name`, `line` and `effect`:
--
--   opaque        template, uses, type of the result (of LLVM; nil if there is none); of what is
--                 an address at a constant distance from another one: address, distance
--   control       the same; targets: the labels; opaque terminators
--   alloca, load  an opaque one that can be promoted: address, of a load
--   store         the same: value, address
--   note          the same, which goes when what it refers to is promoted
--   cast          the same: an address derived from another one: address
--   compute       op of phial, operands, types of these, result (type of phial or nil),
--                 template
--   phi           type, values, labels
--   jump, branch, switch, ret, unreachable
--                 value, type, targets, keys, tail
local operations = require "llvm.operations"
local problems = require "llvm.problems"
local types = require "llvm.types"

local find, gsub, match, sub = string.find, string.gsub, string.match, string.sub
local NAME = "%%[-%w$._\5]+"

---@class llvm.Instruction
---@field kind string
---@field word string the name of the instruction
---@field name string? of the result
---@field line integer
---@field effect string
---@field type string? of LLVM
---@field template string
---@field uses string[]

local M = {}

-- {== Pieces of text ==================================================

-- The end of the operand that begins here: before the next comma.
local function operand_end(text, at)
  while true do
    at = match(text, "^[^,()%[%]{}<>]*()", at)
    local stop = match(text, "^%b()()", at) or match(text, "^%b[]()", at)
      or match(text, "^%b{}()", at) or match(text, "^%b<>()", at)
    if not stop then return at end
    at = stop
  end
end

-- A type, and an operand after it; nil if the text is another.
local function typed_operand(text, at)
  local type, stop = types.read(text, at)
  at = type and match(text, "^ ?()", stop)
  if not at then return nil end
  stop = operand_end(text, at)
  return type, sub(text, at, stop - 1), stop
end

-- The position after a comma.
local function after_comma(text, at) return match(text, "^ *, *()", at) end

-- True if phial can have the operand: a local value or a number.
local function is_simple(operand, type)
  if find(operand, "^" .. NAME .. "$") then return true end
  if operand == "undef" or operand == "poison" then return true end
  if type == "i1" then
    return operand == "true" or operand == "false" or find(operand, "^-?[01]$") ~= nil
  end
  if sub(type, 1, 1) == "i" then return find(operand, "^-?%d+$") ~= nil end
  return tonumber(operand) ~= nil and (find(operand, "^0x%x+$") or not find(operand, "^0x"))
    and operand ~= "" and not M.is_nan(operand)
end

--- True if a literal is a nan, which phial would not keep bit by bit.
---@param literal string
---@return boolean
function M.is_nan(literal)
  local bits = match(literal, "^0x(%x+)$")
  bits = bits and tonumber("0x" .. bits)
  return bits ~= nil and bits & 0x7fffffffffffffff > 0x7ff0000000000000
end

M.is_simple = is_simple

-- Words before the type: flags.
local function skip_flags(text, at)
  while not types.begins(text, at) do
    local stop = match(text, "^[%a_][%w_]*%b() +()", at) or match(text, "^align %d+ +()", at)
      or match(text, "^[%a_][%w_]* +()", at)
    if not stop then return at end
    at = stop
  end
  return at
end

-- }== Opaque instructions =============================================

local Reader = {}
Reader.__index = Reader

--- Reads instructions.
---@param scanner llvm.Scanner
---@return llvm.Reader
function M.new(scanner)
  ---@class llvm.Reader
  ---@field scanner llvm.Scanner
  return setmetatable({ scanner = scanner }, Reader)
end

local function opaque(self, it, text, kind, type)
  local template, uses = self.scanner:holes(text)
  it.kind, it.type = kind, type
  it.template, it.uses = self.scanner:restored(template), uses
  return it
end

local function control(self, it, text, type)
  local targets = {}
  text = gsub(text, "label (" .. NAME .. ")", function(name)
    targets[#targets + 1] = name
    return "label \2"
  end)
  opaque(self, it, text, "control", type)
  it.targets = targets
  return it
end

-- }== What computes ===================================================

-- An instruction that phial has: text up to the operands, and after them.
local function compute(self, it, op, operands, operand_types, result, template)
  it.kind, it.op, it.operands, it.types = "compute", op, operands, operand_types
  it.result, it.template = result, self.scanner:restored(template)
  return it
end

local read = {}

-- `text` from `at` on: type a, b; with a tail of metadata.
local function two_operands(text, at)
  local type, a, stop = typed_operand(text, at)
  local second = type and after_comma(text, stop)
  if not second then return nil end
  local finish = operand_end(text, second)
  return type, a, sub(text, second, finish - 1), finish
end

local function binary(self, it, text)
  local at = skip_flags(text, #it.word + 2)
  local type, a, b, stop = two_operands(text, at)
  if not type then return nil end
  local op = operations.binary[it.word]
  if types.is_scalar(type) and is_simple(a, type) and is_simple(b, type) then
    local head = sub(text, 1, at - 1) .. type
    return compute(self, it, op, { a, b }, { type, type }, nil,
      head .. " \1, \1" .. sub(text, stop))
  end
  return opaque(self, it, text, "opaque", type)
end
for word in pairs(operations.binary) do read[word] = binary end

local function compare(self, it, text)
  local at = #it.word + 2
  local predicate
  repeat
    predicate, at = match(text, "^(%a+) +()", at)
  until not predicate or types.begins(text, at)
  local type, a, b, stop = two_operands(text, at or #text)
  if not type then return nil end
  local op = operations[it.word][predicate]
  if op and types.is_scalar(type) and is_simple(a, type) and is_simple(b, type) then
    return compute(self, it, op, { a, b }, { type, type }, nil,
      sub(text, 1, at - 1) .. type .. " \1, \1" .. sub(text, stop))
  end
  local vector = sub(type, 1, 1) == "<"
  return opaque(self, it, text, "opaque", vector and "<>" or "i1")
end
read.icmp, read.fcmp = compare, compare

function read.fneg(self, it, text)
  local at = skip_flags(text, 6)
  local type, a, stop = typed_operand(text, at)
  if not type then return nil end
  if types.is_scalar(type) and is_simple(a, type) then
    return compute(self, it, "fneg", { a }, { type }, nil,
      sub(text, 1, at - 1) .. type .. " \1" .. sub(text, stop))
  end
  return opaque(self, it, text, "opaque", type)
end

-- The operand of a cast, which ends at " to ".
local function cast_operands(text, at)
  local from, stop = types.read(text, at)
  if not from then return nil end
  local a, to_at
  a, to_at = match(text, "^ ?(" .. NAME .. ") to ()", stop)
  if not a then
    a, to_at = match(text, "^ ?(.*) to ()", stop)
    if not a then return nil end
  end
  local to, finish = types.read(text, to_at)
  return from, a, to, finish
end

local function cast(self, it, text)
  local at = skip_flags(text, #it.word + 2)
  local from, a, to, stop = cast_operands(text, at)
  if not to then return nil end
  local op = operations.casts[it.word]
  if op and types.is_scalar(from) and types.is_scalar(to) and is_simple(a, from) then
    return compute(self, it, op, { a }, { from }, types.of(to),
      sub(text, 1, at - 1) .. from .. " \1 to " .. to .. sub(text, stop))
  end
  opaque(self, it, text, "opaque", to)
  if (it.word == "bitcast" or it.word == "addrspacecast") and find(a, "^" .. NAME .. "$") then
    it.kind, it.address = "cast", a
    if from == "ptr" and to == "ptr" then it.distance = 0 end
  end
  return it
end
for word in pairs(operations.casts) do read[word] = cast end
for word in ("fpext fptrunc ptrtoint inttoptr addrspacecast"):gmatch "%a+" do read[word] = cast end

function read.select(self, it, text)
  local at = skip_flags(text, 8)
  local bit, c, stop = typed_operand(text, at)
  local second = bit and after_comma(text, stop)
  if not second then return nil end
  local type, a, third = typed_operand(text, second)
  local fourth = type and after_comma(text, third)
  if not fourth then return nil end
  local _, b, finish = typed_operand(text, fourth)
  if bit == "i1" and types.is_scalar(type) and is_simple(c, "i1") and is_simple(a, type)
    and is_simple(b, type) then
    return compute(self, it, "select", { c, a, b }, { "i1", type, type }, nil,
      sub(text, 1, at - 1) .. ("i1 \1, %s \1, %s \1"):format(type, type) .. sub(text, finish))
  end
  return opaque(self, it, text, "opaque", type)
end

-- }== Memory ==========================================================

function read.alloca(self, it, text)
  local at = match(text, "^inalloca ()", 8) or 8
  local type = types.read(text, match(text, "^swifterror ()", at) or at)
  if not type then return nil end
  local is_ptr = self.scanner.is_opaque and not find(text, "addrspace", 1, true)
  opaque(self, it, text, at == 8 and "alloca" or "opaque", is_ptr and "ptr" or "any")
  it.allocated = type
  return it
end

-- Types that memory holds as phial's, and the alignment that they have at least there.
local PLAIN <const> = { i8 = 1, i16 = 2, i32 = 4, i64 = 8, float = 4, double = 8, ptr = 8 }

-- The address, if phial's load or store does what this one does: only an alignment follows.
local function plain_address(self, text, at, type)
  local address, align = match(text, "^ptr ([%%@][-%w$._\5]+), align (%d+)$", at)
  return address and PLAIN[type] and tonumber(align) >= PLAIN[type]
    and self.scanner.layout.aligned.size_of_p == 64 and address
end

-- The address of a load or store: a local name that nothing but metadata, alignment and
-- ordering follow.
local function address_of(text, at)
  local type, stop = types.read(text, at)
  return type and match(text, "^ +(" .. NAME .. ")", stop)
end

function read.load(self, it, text)
  local at, volatile = skip_flags(text, 6), find(text, "^load a?t?o?m?i?c? ?volatile ")
  local type, stop = types.read(text, at)
  at = type and after_comma(text, stop)
  if not at then return nil end
  opaque(self, it, text, "opaque", type)
  if volatile or find(text, "^load atomic ") then it.effect = "value" end
  it.address = not volatile and address_of(text, at)
  if it.address then it.kind = "load" end
  it.plain = it.effect == "read" and plain_address(self, text, at, type)
  return it
end

function read.store(self, it, text)
  local at, volatile = skip_flags(text, 7), find(text, "^store a?t?o?m?i?c? ?volatile ")
  local type, value, stop = typed_operand(text, at)
  at = type and after_comma(text, stop)
  if not at then return nil end
  opaque(self, it, text, "opaque")
  it.stored, it.value, it.address = type, value, not volatile and address_of(text, at)
  if it.address then it.kind = "store" end
  it.plain = sub(text, 7, 7 + #type - 1) == type and plain_address(self, text, at, type)
  return it
end

-- Indices that are numbers, from a comma on; nil if others are among them.
local function numbers(text, at)
  local list = {}
  while at do
    local type, index, stop = typed_operand(text, at)
    local number = type and math.tointeger(tonumber(index))
    if not number then return nil end
    list[#list + 1], at = number, after_comma(text, stop)
  end
  return list
end

-- A getelementptr whose indices are all 0 is a cast as well; one whose indices are numbers is an
-- address at some distance.
function read.getelementptr(self, it, text)
  local type, stop = types.read(text, skip_flags(text, 15))
  local pointer, base, at = typed_operand(text, type and after_comma(text, stop) or #text)
  local is_ptr = pointer == "ptr" and not find(text, ", <[%dv]", at)
  opaque(self, it, text, "opaque", is_ptr and "ptr" or "any")
  if #it.uses ~= 1 then return it end
  local indices = base == it.uses[1] and numbers(text, after_comma(text, at))
  if not indices or sub(pointer, 1, 1) == "<" then return it end
  it.address = base
  if pointer == "ptr" then it.distance = self.scanner.layout:offset(type, indices) end
  if not find(table.concat(indices), "[^0]") then it.kind = "cast" end
  return it
end

function read.atomicrmw(self, it, text)
  local at = match(text, "^volatile ()", 11) or 11
  at = match(text, "^%a+ ()", at)
  local pointer, _, stop = typed_operand(text, at or #text)
  at = pointer and after_comma(text, stop)
  local type = at and types.read(text, at)
  return type and opaque(self, it, text, "opaque", type)
end

function read.cmpxchg(self, it, text) return opaque(self, it, text, "opaque", "{}") end

function read.va_arg(self, it, text)
  local list, _, stop = typed_operand(text, 8)
  local at = list and after_comma(text, stop)
  local type = at and types.read(text, at)
  return type and opaque(self, it, text, "opaque", type)
end

-- }== Aggregates and vectors ==========================================

function read.extractvalue(self, it, text)
  local type, _, stop = typed_operand(text, 14)
  if not type then return nil end
  local indices = {}
  for index in sub(text, stop):gmatch ", (%d+)" do indices[#indices + 1] = tonumber(index) end
  local found = types.member(self.scanner.types, type, indices)
  return found and opaque(self, it, text, "opaque", found)
end

function read.extractelement(self, it, text)
  local type = types.read(text, 16)
  local found = type and types.member(self.scanner.types, type, { 0 })
  return found and opaque(self, it, text, "opaque", found)
end

function read.freeze(self, it, text)
  local type = types.read(text, 8)
  return type and opaque(self, it, text, "opaque", type)
end

function read.frem(self, it, text)
  local type = types.read(text, skip_flags(text, 6))
  return type and opaque(self, it, text, "opaque", type)
end

for word in ("insertvalue insertelement shufflevector landingpad catchpad cleanuppad")
  :gmatch "%a+" do
  read[word] = function(self, it, text) return opaque(self, it, text, "opaque", "{}") end
end

function read.fence(self, it, text) return opaque(self, it, text, "opaque") end

-- }== Calls ===========================================================

-- The result of the call whose attributes begin here; nil for none, false if the text is
-- another.
local function result_of(text, at)
  local type = types.read(text, skip_flags(text, at))
  if not type then return false end
  return type ~= "void" and type or nil
end

-- Intrinsics that only say something about an address, and go when it is promoted.
local function is_note(text)
  return find(text, "@llvm.dbg.", 1, true) or find(text, "@llvm.lifetime.", 1, true)
    or find(text, "@llvm.assume(i1 true)", 1, true)
end

-- A call of an intrinsic that phial has; nil: another one. Whether the zeros of 0 are counted or
-- undefined is not an operand.
local function intrinsic(self, it, text)
  local head, name, at = match(text, "^(%a* ?call i%d+ @llvm%.(%a+)%.i%d+%()()")
  local op = operations.intrinsics[name]
  local type, a, stop = nil, nil, nil
  if op then type, a, stop = typed_operand(text, at) end
  if not (type and types.is_scalar(type) and is_simple(a, type)) then return nil end
  local b, rest = match(text, "^, " .. type .. " ([^,()]+)()", stop)
  if b then
    if not is_simple(b, type) then return nil end
    return compute(self, it, op, { a, b }, { type, type }, nil,
      head .. ("%s \1, %s \1"):format(type, type) .. sub(text, rest))
  end
  return compute(self, it, op, { a }, { type }, nil, head .. type .. " \1" .. sub(text, stop))
end

function read.call(self, it, text)
  if intrinsic(self, it, text) then return it end
  local at = match(text, "^%a* ?call +()")
  local type = at and result_of(text, at)
  if type == false then return nil end
  opaque(self, it, text, "opaque", type)
  if not type then
    it.effect = "effect"
    if is_note(text) then it.kind = "note" end
  end
  return it
end
read.tail, read.musttail, read.notail = read.call, read.call, read.call

-- }== Control =========================================================

function read.br(self, it, text)
  local target, tail = match(text, "^br label (" .. NAME .. ")(.*)$")
  if target then
    it.kind, it.targets, it.tail = "jump", { target }, self.scanner:restored(tail)
    return it
  end
  local value, yes, no
  value, yes, no, tail = match(text,
    "^br i1 ([^,]+), label (" .. NAME .. "), label (" .. NAME .. ")(.*)$")
  if value and is_simple(value, "i1") then
    it.kind, it.value, it.type, it.targets = "branch", value, "i1", { yes, no }
    it.tail = self.scanner:restored(tail)
    return it
  end
  return control(self, it, text)
end

function read.switch(self, it, text)
  local type, value, stop = typed_operand(text, 8)
  if not type then return nil end
  local default, cases, tail = match(text, "^, label (" .. NAME .. ") (%b[])(.*)$", stop)
  if not default then return nil end
  local lowers = sub(type, 1, 1) == "i" and types.is_scalar(type) and is_simple(value, type)
  -- phial orders cases by key: weights would no longer be those of their cases
  if not lowers or find(tail, "!prof", 1, true) then return control(self, it, text) end
  local keys, targets = {}, { default }
  for key, target in cases:gmatch("%a%d+ ([^,]+), label (" .. NAME .. ")") do
    keys[#keys + 1], targets[#targets + 1] = key, target
  end
  it.kind, it.value, it.type, it.keys, it.targets = "switch", value, type, keys, targets
  it.tail = self.scanner:restored(tail)
  return it
end

function read.ret(self, it, text)
  it.kind, it.targets = "ret", {}
  local tail = match(text, "^ret void(.*)$")
  if tail and (tail == "" or sub(tail, 1, 1) == ",") then
    it.tail = self.scanner:restored(tail)
    return it
  end
  local type, value, stop = typed_operand(text, 5)
  if not type then return nil end
  it.type, it.value, it.tail = type, value, self.scanner:restored(sub(text, stop))
  return it
end

function read.unreachable(self, it, text)
  it.kind, it.targets, it.tail = "unreachable", {}, self.scanner:restored(sub(text, 12))
  return it
end

function read.invoke(self, it, text)
  local type = result_of(text, #it.word + 2)
  if type == false then return nil end
  return control(self, it, text, type)
end
read.callbr = read.invoke

for word in ("indirectbr resume catchret cleanupret"):gmatch "%a+" do
  read[word] = function(self, it, text) return control(self, it, text) end
end

function read.catchswitch(self, it, text) return control(self, it, text, "token") end

-- }== Phis ============================================================

function read.phi(_, it, text)
  local at = skip_flags(text, 5)
  local type, stop = types.read(text, at)
  if not type then return nil end
  local values, labels = {}, {}
  for pair in sub(text, stop):gmatch "%b[]" do
    local value, label = match(pair, "^%[ *(.-) *, *(" .. NAME .. ") *%]$")
    if not value then return nil end
    values[#values + 1], labels[#labels + 1] = value, label
  end
  it.kind, it.type, it.values, it.labels = "phi", type, values, labels
  return it
end

-- }====================================================================

--- Reads an instruction.
---@param text string without quotes
---@param line integer
---@return llvm.Instruction
function Reader:read(text, line)
  local name, at = match(text, "^(" .. NAME .. ") ?= ?()")
  if name then text = sub(text, at) end
  local word = match(text, "^[%a_]+")
  if word == "tail" or word == "musttail" or word == "notail" then word = "call" end
  local effect = operations.effects[word]
  local it = { kind = nil, word = word, name = name, line = line, effect = effect }
  local row = read[word]
  if row and row(self, it, text) then return it end
  problems.raise(line, word or text, row and "'%s' is not as LLVM 14 to 16 write it"
    or "unknown instruction '%s'", word or text)
end

return M
