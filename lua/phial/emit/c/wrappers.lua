-- Wrappers over words of 64 bits, through which native code is called: word i holds
-- argument i in its low bits, floats by their bits, and word 0 then the result.
local names = require "phial.emit.c.names"
local types = require "phial.emit.c.types"

local M = {}

local FROM = { f32 = "phial_f32((uint32_t)w[%d])", f64 = "phial_f64(w[%d])" }
local TO = { f32 = "phial_bits32", f64 = "phial_bits64" }

local function argument(unit, type, i)
  local format = FROM[type]
  if type == "ptr" then return ("(char *)(uintptr_t)w[%d]"):format(i) end
  if not format then return ("(%s)w[%d]"):format(types.name(type), i) end
  unit.needed["phial_" .. type] = true
  return format:format(i)
end

local function wrapper(unit, program)
  local texts = {}
  for i, param in ipairs(program.params) do texts[i] = argument(unit, param.type, i - 1) end
  local c_name = unit.symbols:of(program.fn)
  local text = ("%s(%s)"):format(c_name, table.concat(texts, ", "))
  local result = program.result
  if TO[result] then
    unit.needed[TO[result]] = true
    text = ("%s(%s)"):format(TO[result], text)
  end
  if result == "ptr" then text = "(uintptr_t)" .. text end
  program.symbol = unit.scope:take(c_name .. "_words")
  local lines = { ("void %s(uint64_t *w) {"):format(program.symbol) }
  if not result and #texts == 0 then lines[2] = "  (void)w;" end
  local bytes = unit:frame_of(program.fn)
  if unit:is_large(bytes) then
    unit.needed.phial_is_deep, unit.needed.native_trap = true, true
    lines[#lines + 1] = ("  if (phial_is_deep(%d)) PHIAL_TRAP(%s);"):format(bytes,
      names.quoted(program.name .. ": stack overflow"))
  end
  lines[#lines + 1] = ("  %s%s;"):format(result and "w[0] = " or "", text)
  lines[#lines + 1] = "}"
  return lines
end

--- Adds the wrappers of the functions given.
---@param unit phial.emit.c.Unit
---@param bodies string[][]
function M.add(unit, bodies)
  unit.needed.native = true
  for _, fn in ipairs(unit.entries) do
    bodies[#bodies + 1] = wrapper(unit, unit.program[fn])
  end
end

return M
