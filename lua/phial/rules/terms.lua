--- Terms of SMT-LIB 2, bit vectors for integers and addresses, floats of IEEE 754, and what an op
-- computes with them, by the column `smt` of its row (rows/init.lua), or the `smt` of an op of a
-- dialect. Values and constants of rules are computed by the same rows.
local core = require "phial.core"
local errors = require "phial.errors"
local columns = require("phial.rows").of("smt", {})

local M = {}

local WIDTH <const> = { i1 = 1, i8 = 8, i16 = 16, i32 = 32, i64 = 64, ptr = 64, f32 = 32, f64 = 64 }
local FORMAT <const> = { f32 = "8 24", f64 = "11 53" }

--- The width of a type in bits; nil if solvers do not know it.
---@param type string
---@return integer?
function M.width(type) return WIDTH[type] end

local ops = {}
for _, row in ipairs(core.ops()) do ops[row.name] = row end

--- The class of an op as in op.def; "" of a function, or an op of a dialect.
---@param op string?
---@return string
function M.class(op) return ops[op] and ops[op].class or "" end

--- True if the op takes the type of its result.
---@param op string
---@return boolean
function M.is_cast(op) return ops[op] ~= nil and ops[op].signature:find "^%u" ~= nil end

--- The format of a float in SMT-LIB; nil of another type.
---@param type string
---@return string?
function M.format(type) return FORMAT[type] end

---@param type string
---@return boolean
function M.is_float(type) return FORMAT[type] ~= nil end

--- A bit vector of so many bits.
---@param value integer
---@param bits integer
---@return string
function M.number(value, bits)
  if bits < 64 then value = value & (1 << bits) - 1 end
  return bits % 4 == 0 and ("#x%0" .. bits // 4 .. "x"):format(value)
    or ("(_ bv%d %d)"):format(value, bits)
end

--- The float whose bits are a bit vector.
---@param bits string
---@param type string
---@return string
function M.float(bits, type) return ("((_ to_fp %s) %s)"):format(FORMAT[type], bits) end

--- A Lua number as a float.
---@param value number
---@param type string
---@return string
function M.float_number(value, type)
  local packed = string.pack(type == "f32" and "<f" or "<d", value)
  local bits = string.unpack(type == "f32" and "<I4" or "<i8", packed)
  return M.float(M.number(bits, WIDTH[type]), type)
end

--- A bit vector made as wide, or as narrow, as said.
---@param term string
---@param from integer bits
---@param to integer
---@param is_signed? boolean
---@return string
function M.resize(term, from, to, is_signed)
  if to < from then return ("((_ extract %d 0) %s)"):format(to - 1, term) end
  if to == from then return term end
  return ("((_ %s %d) %s)"):format(is_signed and "sign_extend" or "zero_extend", to - from, term)
end

-- {== Rows =============================================================

---@class phial.rules.Step what a row computes
---@field from string the type of the operands
---@field to string that of the result
---@field w integer the width of `to`
---@field sign fun(float: string): string the sign of a float, as a truth
---@field signs table<string, string> by float: what is known of them
---@field multiplies? boolean shifts to the left are products, complements differences
---@field own? phial.Op of an op of a dialect

-- The texts that count, by keyword.
local function texts_of(row, step)
  local texts = {}
  if type(row) == "function" then row = row(step, M.float_number) end
  for line in (row or ""):gmatch "[^\n]+" do
    local option, rest = line:match "^%s*%[(%l+)%] (.*)$"
    local keyword, text = (rest or line):match "^%s*(%l*) ?(.*)$"
    if not option or step[option] then texts[keyword] = texts[keyword] or text end
  end
  return texts
end

local function complain(step, format, ...)
  errors.raise("op '%s': smt: " .. format, step.own:name(), ...)
end

-- The value of a number of a row, such as "w-1".
local function computed(text, step)
  local known = { w = step.w, wa = WIDTH[step.from] }
  local f = load("return " .. text:gsub("w%.a", "wa"), "=row", "t", known)
  local done, number = pcall(f)
  if not done or math.type(number) ~= "integer" then
    complain(step, "'$%s' is not an integer made of w and w.a", text)
  end
  return number
end

-- A text of a row with its operands.
local function fill(text, step, operands)
  local function put(form, name)
    local operand = operands[name] or complain(step, "there is no operand '$%s'", name)
    if form == "-" then return step.sign(operand) end
    if form == "%" then return ("(bvand %s %s)"):format(operand, M.number(step.w - 1, step.w)) end
    return operand
  end
  text = text:gsub("%$(k?)(%b())", function(is_constant, number)
    number = computed(number, step)
    return is_constant == "k" and M.number(number, step.w) or tostring(number)
  end)
  return (text:gsub("%$([-%%]?)(%a)", put))
end

--- True if the op shifts by its second operand, modulo the width.
---@param op string
---@return boolean
function M.shifts(op)
  local row = columns[op]
  return type(row) == "string" and row:find("$%b", 1, true) ~= nil
end

--- What an op computes, and when it traps, if it can; or nil and why this is not known.
---@param op string
---@param step phial.rules.Step
---@param ... string its operands
---@return string? term
---@return string? trap
function M.compute(op, step, ...)
  local row = columns[op]
  if step.own then row = step.own:smt() end
  step.w = WIDTH[step.to]
  local texts = texts_of(row, step)
  if not row then return nil, ("op '%s' cannot be proved: it has no smt"):format(op) end
  if not texts[""] then return nil, ("'%s' of %s is not told to solvers"):format(op, step.from) end
  local operands = { T = FORMAT[step.to] }
  for i, operand in ipairs { ... } do operands[string.char(96 + i)] = operand end
  local term = fill(texts[""], step, operands)
  if texts.sign then step.signs[term] = step.signs[term] or fill(texts.sign, step, operands) end
  return term, texts.trap and fill(texts.trap, step, operands)
end

-- }====================================================================

return M
