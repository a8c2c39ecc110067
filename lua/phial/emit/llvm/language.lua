-- LLVM IR as the core writes it: the words of types, constants, the rows of ops.
local Names = require "phial.emit.llvm.names"
local calls = require "phial.emit.llvm.calls"
local core = require "phial.core"
local rows = require "phial.rows"
local types = require "phial.emit.llvm.types"

-- Bytes of a name. LLVM cuts those of values and blocks at 1024, and with it the number.
local LONGEST <const> = 1000

-- The words of types: the name, the alignment in memory, that of an address, and what the names of
-- intrinsics have for it.
local function words(pointer)
  local all = {}
  for type, name in pairs(types.NAMES) do all[type] = { T = name } end
  all.ptr = { T = pointer, Q = pointer == "ptr" and "p0" or "p0i8" }
  for type, it in pairs(all) do it.A, it.P = tostring(types.size(type)), pointer end
  return all
end

local function language(pointer, own_rows)
  return core.language {
    ssa = true, longest = LONGEST, incoming = "$[ $a, %$>1 ]", argument = "$T $a", forms = {},
    types = words(pointer),
    words = {
      language = "LLVM", sigil = "%", labelled = ":", set = " = ", jump = "br label %",
      test = "br i1 ", ["then"] = ", label %", otherwise = ", label %",
      trap = "call ", trapped = "unreachable", number = ".", at = ", !dbg !",
      place = "!%1 = !DILocation(line: %2, column: %3, scope: !%4)",
    },
    rows = rows.of("llvm", own_rows), column = "llvm",
    dialect = function(code, v) code:dialect(v) end,
    quote = Names.quoted,
    constant = function(type, value) return types.constant(type, value, pointer) end,
  }
end

local M = { opaque = language("ptr", calls.rows), typed = language("i8*", calls.rows) }

-- By pointer, languages for functions with several results.
local several = {}

--- The language in which a function is written.
---@param is_several boolean it has several results
---@param is_typed boolean
---@return phial.core.Language
function M.of(is_several, is_typed)
  local pointer = is_typed and "i8*" or "ptr"
  if not is_several then return is_typed and M.typed or M.opaque end
  several[pointer] = several[pointer] or language(pointer, calls.rows_of_several)
  return several[pointer]
end

return M
