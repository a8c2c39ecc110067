-- C as the core writes it: the words of types, constants, the rows of ops.
local calls = require "phial.emit.c.calls"
local core = require "phial.core"
local names = require "phial.emit.c.names"
local rows = require "phial.rows"
local types = require "phial.emit.c.types"

-- The words of a type: its name, that of the same width with a sign, what precedes a declarator.
local words = {}
for _, type in ipairs { "i1", "i8", "i16", "i32", "i64", "f32", "f64", "ptr" } do
  words[type] = { T = types.name(type), S = types.signed(type), D = types.declared(type, "") }
end

-- A constant, by its form: "+": an integer with its sign; "!": what has its type in C; "-": after
-- a minus sign.
local function constant(type, value, form, code)
  if value == nil then value = types.undef(type) end
  if form == "+" then return types.signed_constant(value) end
  local text
  if type == "i1" then text = tostring(value)
  elseif type == "ptr" then text = types.pointer(value)
  elseif types.width(type) then text = types.unsigned(type, value)
  else text = types.float(type, value, function(name) return code:need(name) end) end
  if form == "!" and types.width(type) and text:find "^%d" then
    return ("(%s)%s"):format(types.name(type), text)
  end
  return form == "-" and text:find "^-" and ("(%s)"):format(text) or text
end

local function language(own_rows)
  return core.language {
    types = words,
    words = {
      language = "C", set = " = ", finish = ";", drop = "(void)(", dropped = ");", jump = "goto ",
      test = "if (", ["then"] = ")", begin = " {", done = "}", negate = "!", trap = "PHIAL_TRAP(",
      trapped = ");", number = "_",
    },
    forms = { ["+"] = "($S.x)$x", ["!"] = "$x", ["-"] = "$x" },
    rows = rows.of("c", own_rows), constant = constant, column = "c",
    dialect = function(code, v) code:dialect(v) end,
    argument = "$=a", helpers = true, quote = names.quoted,
  }
end

local M = { plain = language(calls.rows) }

local several

--- The language in which a function is written.
---@param is_several boolean it has several results
---@return phial.core.Language
function M.of(is_several)
  if not is_several then return M.plain end
  several = several or language(calls.rows_of_several)
  return several
end

return M
