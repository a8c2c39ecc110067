-- One function in C: blocks are labels, values are locals. The core writes its blocks; here are
-- its head, its declarations, and what rows that are functions are called with.
local Body = require "phial.code.body"
local core = require "phial.core"
local errors = require "phial.errors"
local language = require "phial.emit.c.language"
local names = require "phial.emit.c.names"
local programs = require "phial.code.program"
local structs = require "phial.code.structs"
local types = require "phial.emit.c.types"

local M = {}

--
-- {== Checking ========================================================
--

-- what: a format for the name of the value v.
local function check_type(program, type, what, v)
  if types.name(type) then return end
  local name = v and (v.op == "param" and v.var or tostring(core.value(program.fn, v.id)))
  errors.raise("function '%s': %s is of type %s, which C does not have", program.name,
    what:format(name), type)
end

local function check_values(program, list)
  for _, v in ipairs(list) do
    if v.type then check_type(program, v.type, "'%s'", v) end
    for _, arg in ipairs(v.args) do
      if not arg.block then check_type(program, arg.type, "an operand of '%s'", v) end
    end
    for _, result in ipairs(v.results or {}) do
      check_type(program, result.type, "a result of '%s'", v)
    end
  end
end

-- C finds further arguments by the last parameter.
local function check_last(fn)
  local params = fn:params()
  local type = #params > 0 and params[#params]:type()
  local is_promoted = type and (type == "f32" or (types.width(type) or 32) < 32)
  local why = not type and "a parameter" or is_promoted and "none of type " .. type
  if why then
    errors.raise("function '%s' is variadic: before '...', C wants %s", fn:name(), why)
  end
end

-- Raises for the first value, in order, of a type that C does not have.
local function check_types(fn)
  local program = programs.whole(fn)
  for _, param in ipairs(program.params) do
    check_type(program, param.type, "parameter '%s'", param)
  end
  local results = fn:results()
  for _, type in ipairs(results) do
    check_type(program, type, results[2] and "a result" or "the result")
  end
  for _, block in ipairs(program.blocks) do
    check_values(program, block.phis)
    check_values(program, block.insts)
  end
end

-- }== Reading =========================================================

---@class phial.emit.c.Program what a function refers to, by the ids of instructions
---@field fn phial.Function
---@field name string
---@field result string?
---@field ids integer[] of what refers to symbols, in order, and of allocas; also in order:
---@field ops string[]
---@field last boolean[] it is a call after which the function returns
---@field data any[] by what the instruction knows a symbol
---@field alike phial.code.Alike
---@field symbol table<integer, any> what is called, unless that was known, or has an address
---@field callee table<integer, string> the C name of a callee that is a name
---@field is_host table<integer, boolean> it is a function of Lua: its text has a first argument
---@field through table<integer, string> what calls a function at an address
---@field head string?
---@field params string in the head
---@field given string[]|false|nil their names, for `again`
---@field frame integer bytes of allocas, in native code
---@field again string?
---@field has_dialects boolean some op is of a dialect

local NONE <const> = {} -- what is found of instructions, unless there are some

--- Reads a function.
---@param symbols phial.emit.c.Symbols
---@param fn phial.Function
---@param is_whole boolean? also what refers to symbols that are known; for native code
---@return phial.emit.c.Program
---@return boolean # it calls itself
function M.read(symbols, fn, is_whole)
  local of, alike = symbols:interface(fn), symbols:alike(fn)
  local ids, ops, last, data, lacks_type, has_dialects, recurs = core.symbolic(fn, language.plain,
    not is_whole and alike.callees or nil, alike.texts)
  for _, type in ipairs(of.results or { of.result }) do
    lacks_type = lacks_type or not types.name(type)
  end
  if lacks_type then check_types(fn) end
  if of.variadic then check_last(fn) end
  return { fn = fn, name = fn:name(), result = of.result, ids = ids or NONE, ops = ops, last = last,
    data = data, alike = alike, symbol = ids and {} or NONE, callee = ids and {} or NONE,
    is_host = ids and {} or NONE, through = ids and {} or NONE, frame = 0,
    has_dialects = has_dialects }, recurs
end

-- }== Rows ============================================================

---@class phial.emit.c.Code: phial.code.Body
---@field unit phial.emit.c.Unit
---@field program phial.emit.c.Program
---@field outer table<string, true> names that are taken outside of the function
---@field flags table<string, boolean>
---@field texts table<any, string> addresses, by what instructions know them by
---@field patterns table<string, string>? those of calls
---@field checks boolean calls are checked first
---@field stems table<string, string> of names that are spelled as they are
---@field params phial.emit.c.Param[]? if something is done with them
---@field arrays string[]
---@field kept table<integer, string> by call: the variable of its results, if several are used
---@field returns boolean? a function of Lua has written a `return`
---@field several string? the struct of several results
---@field interface phial.code.Interface
local Code = Body.class()
Code.types, Code.is_typed, Code.key, Code.language = types, true, "c", "in C"

--- How a name is spelled in C, and what precedes the number of those that are like it; for the
--- core.
---@param wanted string
---@return string
---@return string
function Code:spell(wanted) return self.unit.scope:spell(wanted) end

--- Adds a line outside functions, once.
---@param line string
function Code:declare(line) self.unit:declare(line) end

function Code:type(v, type)
  return types.name(type) or self:refuse(v, "type %s cannot be written in C", type)
end
function Code:signed(v) return self.w:text(v, "+") end

--- Declares a new local; returns its name.
---@param type string
---@param text string? its value
---@return string
function Code:temp(type, text)
  local name = self.w:take "t"
  self:line("%s%s;", types.declared(type, name), text and " = " .. text or "")
  return name
end

--- For results of ops: whose place is declared unless it is that of an earlier one; nil: nothing
--- uses it.
---@param v integer
---@param is_elsewhere boolean?
---@return string?
function Code:place_declared(v, is_elsewhere)
  local _, type, name, uses, is_local = self.w:about(v)
  if uses == 0 then return nil end
  if is_local and not is_elsewhere then self:line("%s;", types.declared(type, name)) end
  return name
end

function Code:nowhere(type, is_written)
  local name = self:temp(type)
  if is_written then self:line("(void)%s;", name) end
  return name
end

function Code.reads(_, text, place) return text == place end

function Code:trapping(v, why)
  self:need "trap"
  return ("PHIAL_TRAP(%s);"):format(names.quoted(self:where(v) .. ": " .. why))
end

--- What a call calls.
---@param v integer
---@return any
function Code:symbol(v)
  local it = self.program.symbol[v]
  if it ~= nil then return it end
  return self.program.alike.callees[self:handle(v):data()]
end

--- True if the depth of the stack is checked before a call because it can lead back here.
---@param callee any nil: the function at an address
---@return boolean
function Code:checks_depth(callee)
  return self.flags.traps and self.unit:is_recursive(self.program, callee)
end

--- What a function calls instead of itself, if that is passed the limit of the stack.
---@param callee any
---@return string?
function Code:again(callee) return callee == self.fn and self.program.again or nil end

--- Writes a check of the depth of the stack before a call that can lead back here, or
--- whose callee has large allocas, if native code needs one.
---@param v integer
---@param callee phial.Function?
function Code:check_depth(v, callee)
  if not self.unit.opts.native then return end
  local bytes = self.unit:frame_of(callee)
  if not self:checks_depth(callee) and not self.unit:is_large(bytes) then return end
  local limit = self:again(callee) and "phial_floor_now" or "phial_now.limit"
  self.w:trap(v, ("%s(%s, %d)"):format(self:need "phial_is_deep", limit, bytes), "stack overflow")
end

---@class phial.emit.c.Param
---@field name string
---@field given string in the head
---@field uses integer
---@field is_kept boolean
---@field stays integer? calls of the function itself that only pass it on

--- The parameters, while the core knows what uses them.
---@return phial.emit.c.Param[]
function Code:parameters()
  if self.params then return self.params end
  local list = {}
  for i, given in ipairs(self.w:given()) do
    local _, _, name, uses, _, _, is_kept = self.w:about(self.fn:arg(i):id())
    list[i] = { name = name, given = given, uses = uses, is_kept = is_kept }
  end
  self.params = list
  return list
end

-- True unless compilers would warn of a parameter, also of one that calls of the function itself
-- only pass on.
local function is_used(param) return param.uses > (param.stays or 0) or param.is_kept end

--- Copies the structs that the function gets, also when it calls itself in its place.
function Code:start()
  if not self.interface.by_value then return end
  for i, param in ipairs(self:parameters()) do
    local struct = structs.copied(self.interface.passings[i])
    if struct and is_used(param) then
      local copy = self.w:take(param.name .. "_copy")
      table.insert(self.arrays, ("_Alignas(%d) char %s[%d]"):format(struct.align, copy,
        struct.size))
      self:need "string"
      self:line("%s = memmove(%s, %s, %d);", param.name, copy, param.name, struct.size)
    end
  end
end

-- }== Writing =========================================================

--- The head of a function: "uint64_t sum(uint64_t n)".
---@param unit phial.emit.c.Unit
---@param program phial.emit.c.Program
---@param again string? the name of the one that is passed the limit of the stack
---@return string
function M.head(unit, program, again)
  local of, params = unit.symbols:interface(program.fn), program.params
  if of.variadic then params = params .. ", ..." end
  if again then params = params .. " phial_floor_param" end
  return types.declaration(unit.symbols:returned(program.fn) or "void",
    (again or unit.symbols:of(program.fn)) .. "(" .. (params ~= "" and params or "void") .. ")")
end

--- Writes the function that calls the one that is passed the limit of the stack.
---@param unit phial.emit.c.Unit
---@param program phial.emit.c.Program
---@return string
function M.first(unit, program)
  return ("%s%s {\n  %s%s(%s phial_floor_first);\n}\n"):format(unit.symbols:storage(program.fn),
    program.head, program.result and "return " or "", program.again,
    table.concat(program.given, ", "))
end

--- What rows that are functions are called with in all functions of a unit.
---@param unit phial.emit.c.Unit
---@return phial.emit.c.Code
function M.code(unit)
  return setmetatable({ unit = unit, outer = unit.scope.taken, needed = unit.needed,
    checks = unit.opts.native == true, lines = unit.opts.lines, stems = unit.scope.stems,
    arrays = {}, kept = {} }, Code)
end

-- Begins a function.
local function start(code, program)
  local unit, fn = code.unit, program.fn
  local of = unit.symbols:interface(fn)
  code.program, code.fn, code.texts, code.interface = program, fn, program.alike.texts, of
  code.name, code.result = program.name, program.result
  code.flags = of.passing == "signext" and unit.extends or unit.flags
  code.several, code.numbered = unit.symbols:several(fn), unit.scope.numbered
  code.patterns = not code.checks and program.alike.patterns or nil
  code.params, code.returns = nil, nil
  if next(code.kept) then code.kept = {} end
  code.w = core.writing(language.of(code.several ~= nil), fn, code)
  return code.w
end

-- What precedes the blocks of a function: also parameters that have a sign, and those that nothing
-- uses, of which compilers warn.
local function declarations(code, declared)
  local lines, arrays = { declared }, code.arrays
  for i, array in ipairs(arrays) do
    lines[#lines + 1], arrays[i] = ("  %s;\n"):format(array), nil
  end
  for i, param in ipairs(code.params or {}) do
    local type = code.interface.types[i]
    if param.given ~= param.name then
      lines[#lines + 1] = ("  %s = (%s)%s;\n"):format(types.declared(type, param.name),
        types.name(type), param.given)
    end
    if not is_used(param) then lines[#lines + 1] = ("  (void)%s;\n"):format(param.name) end
  end
  return table.concat(lines)
end

--- Writes a function.
---@param code phial.emit.c.Code
---@param program phial.emit.c.Program
---@param out string[] gets its texts, which are joined by line breaks
function M.write(code, program, out)
  local unit, w = code.unit, start(code, program)
  local params, is_odd = w:params()
  program.params, program.given = params, program.again and w:given()
  if is_odd then code:parameters() end
  local declared = w:declared()
  local body, returns, is_elsewhere = w:body()
  if code.params or code.arrays[1] then declared = declarations(code, declared) end
  program.head = M.head(unit, program)
  local head = program.again and "static " .. M.head(unit, program, program.again)
    or unit.symbols:storage(program.fn) .. program.head
  out[#out + 1] = declared == "" and head .. " {" or head .. " {\n" .. declared
  if body ~= "" then out[#out + 1] = body end
  if is_elsewhere then out[#out + 1] = "#line" end
  -- compilers want a return also where nothing returns
  out[#out + 1] = (returns or code.returns) and "}\n"
    or code.several and ("  return (%s){ 0 };\n}\n"):format(code.several)
    or program.result and "  return 0;\n}\n" or "}\n"
end

-- }====================================================================

return M
