--- CLIF to phial. CLIF has no i1: what a comparison says is an i8, and a condition is any
--- integer. The conversions between the two count for nothing (M.count).
local phial = require "phial"

local M = {}

local TYPES <const> = { i8 = 8, i16 = 16, i32 = 32, i64 = 64, f32 = 32, f64 = 64 }

-- Of the same operands in the same order.
local SAME <const> = {
  iadd = "add", isub = "sub", imul = "mul", ineg = "neg", udiv = "udiv", sdiv = "sdiv",
  urem = "urem", srem = "srem", band = "band", bor = "bor", bxor = "bxor", bnot = "bnot",
  ishl = "shl", ushr = "shr", sshr = "sar", rotl = "rotl", rotr = "rotr", bswap = "bswap",
  clz = "clz", ctz = "ctz", popcnt = "popcnt", smin = "smin", smax = "smax", umin = "umin",
  umax = "umax", umulhi = "umulh", smulhi = "smulh", fadd = "fadd", fsub = "fsub",
  fmul = "fmul", fdiv = "fdiv", fneg = "fneg", fabs = "fabs", sqrt = "fsqrt",
  fcopysign = "copysign",
}
local CAST <const> = {
  uextend = "zext", sextend = "sext", ireduce = "trunc", fpromote = "fpromote",
  fdemote = "fdemote", bitcast = "bitcast", fcvt_from_sint = "itof", fcvt_from_uint = "utof",
}
local SHIFT <const> = { ishl = true, ushr = true, sshr = true, rotl = true, rotr = true }
local FLOAT <const> = { eq = "feq", ne = "fne", lt = "flt", le = "fle", gt = "fgt", ge = "fge" }

-- Not translated, for a reason.
local function refuse(reason) error({ reason = reason }, 0) end

local function check_type(name)
  if not TYPES[name] then refuse("type " .. tostring(name)) end
  return name
end

local function words(text)
  local list = {}
  for word in text:gmatch "[^,%s]+" do list[#list + 1] = word end
  return list
end

-- {== Values ==============================================================

local function integer(text, type)
  local i = tonumber((text:gsub("_", ""))) or refuse("constant " .. text)
  local unused = 64 - TYPES[type]
  i = i << unused
  return unused == 0 and i or i // (1 << unused)
end

local function float(text)
  return tonumber((text:gsub("^%+", ""))) or refuse("constant " .. text)
end

local function value(state, name) return state.values[name] or refuse("operand " .. name) end

local function condition(state, name)
  local v = value(state, name)
  return state.at:ne(v, state.fn:const(0, v:type()))
end

-- An amount of another type than what is shifted: constants alone, else it takes a conversion.
local function amount(state, v, type)
  if v:type() == type then return v end
  return state.fn:const(v:const() or refuse "a shift by another type", type)
end

local define = {}

function define.iconst(state, type, args) return state.fn:const(integer(args[1], type), type) end

function define.f32const(state, _, args) return state.fn:const(float(args[1]), "f32") end

function define.f64const(state, _, args) return state.fn:const(float(args[1]), "f64") end

function define.icmp(state, _, args)
  local at = state.at
  return at:zext(at:emit(args[1], value(state, args[2]), value(state, args[3])), "i8")
end

function define.fcmp(state, _, args)
  local at, op = state.at, FLOAT[args[1]] or refuse("fcmp " .. args[1])
  return at:zext(at:emit(op, value(state, args[2]), value(state, args[3])), "i8")
end

function define.select(state, _, args)
  return state.at:select(condition(state, args[1]), value(state, args[2]), value(state, args[3]))
end

local function compute(state, op, type, args)
  if define[op] then return define[op](state, type, args) end
  if not (CAST[op] or SAME[op]) then refuse("op " .. op) end
  local operands = {}
  for i, name in ipairs(args) do
    operands[i] = value(state, name)
    check_type(operands[i]:type())
  end
  if CAST[op] then
    if operands[1]:type() == type then return operands[1] end
    operands[#operands + 1] = check_type(type)
  elseif SHIFT[op] then
    operands[2] = amount(state, operands[2], operands[1]:type())
  elseif operands[1]:type():find "f" and not SAME[op]:find "^f" and op ~= "fcopysign" then
    refuse("op " .. op .. " of floats")
  end
  return state.at:emit(CAST[op] or SAME[op], table.unpack(operands))
end

-- }== Blocks ==============================================================

local function block_of(state, name)
  local block = state.blocks[name]
  if not block then
    block = state.fn:block(name)
    state.blocks[name] = block
  end
  return block
end

-- Leads from a block to a target with what its parameters become: `block1(v0, v1)`.
local function go(state, from, text)
  local name, args = text:match "^(block%d+)%(?([^)]*)"
  for i, arg in ipairs(words(args)) do
    from:write(state:param(name, i, value(state, arg):type()), value(state, arg))
  end
  from:jump(block_of(state, name))
end

local finish = {}

finish["return"] = function(state, rest)
  local list = words(rest)
  for i, name in ipairs(list) do list[i] = value(state, name) end
  if #list > 0 then state.at:call("results", false, table.unpack(list)) end
  state.at:ret()
end

function finish.jump(state, rest) go(state, state.at, rest) end

function finish.brif(state, rest)
  local c, yes, no = rest:match "^(%w+), (block%d+%b()), (block%d+.*)$"
  if not c then c, yes, no = rest:match "^(%w+), (block%d+), (block%d+.*)$" end
  if not c then refuse "brif" end
  local to_yes, to_no = state.fn:block(), state.fn:block()
  state.at:branch(condition(state, c), to_yes, to_no)
  go(state, to_yes, yes)
  go(state, to_no, no)
end

function finish.trap(state) state.at:unreachable() end

local function start_block(state, name, params)
  local first = not state.at
  state.at = first and state.fn:entry() or block_of(state, name)
  if first then state.blocks[name] = state.at end
  for i, it in ipairs(words((params:gsub(": ", ":")))) do
    local id, type = it:match "^(%w+):(%w+)$"
    check_type(type)
    state.values[id] = first and state.fn:arg(i) or state.at:read(state:param(name, i, type))
  end
end

local function translate_line(state, line)
  local name, params = line:match "^(block%d+)%(?([^)]*)%)?:$"
  if name then return start_block(state, name, params) end
  local id, rest = line:match "^(v%d+) = (.*)$"
  local op, tail = (rest or line):match "^([%a_][%w_]*)(.*)$"
  if id then
    local type, args = tail:match "^%.?(%w*) ?(.*)$"
    state.values[id] = compute(state, op, type, words(args))
  elseif finish[op] then
    finish[op](state, tail:match "^ ?(.*)$")
  else
    refuse("op " .. tostring(op or line))
  end
end

-- }== Functions ===========================================================

local function new_state(source)
  local params = {}
  for i, type in ipairs(source.params) do params[i] = ("p%d:%s"):format(i, check_type(type)) end
  local fn = phial.fn("f", params, nil, { where = false })
  local vars = {}
  local state = { fn = fn, values = {}, blocks = {} }
  function state.param(_, block, i, type)
    local key = block .. "." .. i
    vars[key] = vars[key] or fn:var(key:gsub("%.", "_"), type)
    return vars[key]
  end
  return state
end

--- A function as phial leaves it with the built-in rules; nil and why it is not translated.
---@param source clif.Function
---@return phial.Function?
---@return string?
function M.translate(source)
  local ok, it = pcall(function()
    local state = new_state(source)
    for _, line in ipairs(source.lines) do translate_line(state, line) end
    state.fn:finish():clean { dead = true }
    return state.fn
  end)
  if ok then return it end
  if type(it) == "table" and it.reason then return nil, it.reason end
  error(("%s %s: %s"):format(source.file, source.name, it), 0)
end

-- True if v turns an i1 into an i8, or asks whether an i8 is not 0 where a condition is needed.
local function is_conversion(v)
  local args = v:args()
  if v:op() == "zext" then return args[1]:type() == "i1" and v:type() == "i8" end
  if v:op() ~= "ne" or args[2]:const() ~= 0 then return false end
  for _, user in ipairs(v:users()) do
    local op = user:op()
    if op ~= "branch" and not (op == "select" and user:args()[1] == v) then return false end
  end
  return true
end

--- An op of a list of instructions that phial does not have, or nil.
---@param list {op: string}[]
---@return string?
function M.lacking(list)
  for _, it in ipairs(list) do
    if not (SAME[it.op] or CAST[it.op] or define[it.op]) then return it.op end
  end
end

--- How many instructions a function has that CLIF has, too.
---@param fn phial.Function
---@return integer
function M.count(fn)
  local n = 0
  for v in fn:values() do
    local op = v:op()
    if v:type() and op ~= "phi" and not is_conversion(v) then n = n + 1 end
  end
  return n
end

-- }========================================================================

return M
