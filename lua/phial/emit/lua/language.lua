-- Lua as the core writes it: words, constants, the rows of ops.
local core = require "phial.core"
local flow = require "phial.emit.lua.flow"
local numbers = require "phial.emit.lua.numbers"
local rows = require "phial.rows"
local types = require "phial.code.types"

-- $B is the bytes of a type in memory.
local words = {}
for _, type in ipairs { "i1", "i8", "i16", "i32", "i64", "f32", "f64", "ptr" } do
  words[type] = { B = tostring(types.size(type)) }
end

-- One without a literal is in `host`.
local function constant(type, value, _, code)
  if value == nil then value = numbers.undef(type) end
  return numbers.literal(value) or code:host(value)
end

return core.language {
  few = true, helpers = true, types = words, forms = {},
  words = {
    language = "Lua", set = " = ", jump = "goto ", test = "if ", ["then"] = " then", done = "end",
    negate = "not ", trap = "trap(", between = ", ", trapped = ")", ["local"] = "local ",
    leave = "return ", slot = "F[", slotted = "]", block = "B[", blocked = "]", frame = "F",
  },
  rows = rows.of("lua", flow.rows), constant = constant, dialect = flow.dialect,
  column = "lua", argument = "$=a", quote = numbers.quote,
}
