-- One function in C: blocks are labels, values are locals. The core writes its blocks; here are
-- its head, its declarations, and what rows that are functions are called with.
local core = require "phial.core"
local errors = require "phial.errors"
local language = require "phial.emit.c.language"
local programs = require "phial.code.program"
local structs = require "phial.code.structs"
local types = require "phial.emit.c.types"
local where = require "phial.where"

local M = {}

--
-- {== Checking ========================================================
--

-- what: a format for the name of the value v.
local function check_type(program, type, what, v)
  if types.name(type) then return end
  local name = v and (v.op == "param" and v.var or tostring(programs.handle(program, v)))
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
  if program.result then check_type(program, program.result, "the result") end
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
---@field ids integer[] of what refers to symbols, in order, and of allocas
---@field op table<integer, string>
---@field last table<integer, boolean> calls behind which the function returns
---@field symbol table<integer, any> what is called, or has an address
---@field data table<integer, any> by what the instruction knows it
---@field at table<integer, any> by address: what is there
---@field callee table<integer, string> the C name of a callee that is a name
---@field is_host table<integer, boolean> it is a function of Lua: its text has a first argument
---@field texts table<integer, string> addresses
---@field through table<integer, string> what calls a function at an address
---@field symbols any[]
---@field head string?
---@field frame integer bytes of allocas, in native code
---@field again string?
---@field has_dialects boolean some op is of a dialect

--- Reads a function.
---@param fn phial.Function
---@return phial.emit.c.Program
function M.read(fn)
  local ids, ops, last, data, lacks_type, has_dialects = core.symbolic(fn, language)
  if lacks_type or fn:result() and not types.name(fn:result()) then check_types(fn) end
  if fn:is_variadic() then check_last(fn) end
  return { fn = fn, name = fn:name(), result = fn:result(), ids = ids, op = ops, last = last,
    data = data, symbol = {}, at = {}, callee = {}, is_host = {}, texts = {}, through = {},
    symbols = {}, frame = 0, has_dialects = has_dialects }
end

-- }== Rows ============================================================

---@class phial.emit.c.Code what rows that are functions are called with, and the id of the
--- instruction
---@field unit phial.emit.c.Unit
---@field program phial.emit.c.Program
---@field fn phial.Function
---@field w phial.core.Writing
---@field outer table<string, true> names that are taken outside of the function
---@field needed table<string, true> helpers
---@field flags table<string, boolean>
---@field texts table<integer, string> addresses
---@field patterns table<string, string>? those of calls
---@field checks boolean calls are checked first
---@field params {name: string, given: string, id: integer, stays: integer?}[]
---@field given string[] the names that parameters have in the head
---@field arrays string[]
---@field returns boolean? something returns
---@field signature phial.emit.c.Signature
local Code = {}
Code.__index = Code
Code.types = types

--- How a name is spelled in C, and what precedes the number of those that are like it; for the
--- core.
---@param wanted string
---@return string
---@return string
function Code:spell(wanted) return self.unit.scope:spell(wanted) end

--- Notes the name of the next parameter.
---@param name string
---@param w phial.core.Writing
function Code:param(name, w)
  local i = #self.params + 1
  self.given[i] = self.signature.passings[i] == "signext" and w:take(name .. "_") or name
  self.params[i] = { name = name, given = self.given[i], id = self.fn:arg(i):id() }
end

--- Notes that a helper is needed; returns its name.
---@param name string
---@return string
function Code:need(name)
  self.needed[name] = true
  return name
end

--- Adds a line outside functions, once.
---@param line string
function Code:declare(line) self.unit:declare(line) end

function Code:args(v) return self.w:args(v) end
function Code:type(v) return self.w:type(v) end
function Code:text(v) return self.w:text(v) end
function Code:bare(v) return self.w:text(v, "=") end
function Code:signed(v) return self.w:text(v, "+") end
function Code:is_inline(v) return (select(6, self.w:about(v))) end
function Code:is_constant(v) return (select(8, self.w:about(v))) end
function Code:ends_block(v) return core.value(self.fn, v):block():terminator():id() == v end
function Code:handle(v) return core.value(self.fn, v) end
function Code:where(v) return where.instruction(self.program.name, self:handle(v)) end
function Code:refuse(v, format, ...)
  errors.raise("%s: %s", self:where(v), format:format(...))
end
function Code:line(format, ...) self.w:line(format:format(...)) end
function Code:directive(text) self.w:directive(text) end
function Code:enter() self.w:indent(1) end
function Code:leave() self.w:indent(-1) end
function Code:trap(v, test, why) self.w:trap(v, test, why) end

--- An operand as an argument or a result. Compilers warn of constants, and of what depends on some,
--- that change when they get a sign.
---@param arg integer
---@param passing string? phial.Passing
---@return string
function Code:passed(arg, passing)
  local text = self.w:text(arg, "=")
  if passing ~= "signext" then return text end
  local is_name = not self:is_constant(arg) and not text:find "[^%w_]"
  return not is_name and self:signed(arg) or text
end

--- Keeps compilers from warning that an operand is not used.
---@param arg integer
function Code:ignore(arg)
  if not self:is_constant(arg) then self:line("(void)%s;", self:text(arg)) end
end

--- Declares a new local; returns its name.
---@param type string
---@param text string? its value
---@return string
function Code:temp(type, text)
  local name = self.w:take "t"
  self:line("%s%s;", types.declared(type, name), text and " = " .. text or "")
  return name
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
  self:trap(v, ("%s(%s, %d)"):format(self:need "phial_is_deep", limit, bytes), "stack overflow")
end

-- Notes what uses parameters, while the core knows that.
local function note_uses(w, params)
  for _, param in ipairs(params) do
    local _, _, _, uses, _, _, is_kept = w:about(param.id)
    param.uses, param.is_kept = uses, is_kept
  end
end

-- True unless compilers would warn of a parameter, also of one that calls of the function itself
-- only pass on.
local function is_used(param) return param.uses > (param.stays or 0) or param.is_kept end

--- Copies the structs that the function gets, also when it calls itself in its place.
function Code:start()
  for i, param in ipairs(self.params) do
    local struct = structs.copied(self.signature.passings[i])
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

-- Parameters that have a sign, and those that nothing uses, of which compilers warn.
local function take_params(out, code)
  for i, param in ipairs(code.params) do
    local type = code.signature.types[i]
    if param.given ~= param.name then
      out[#out + 1] = ("  %s = (%s)%s;\n"):format(types.declared(type, param.name),
        types.name(type), param.given)
    end
    if not is_used(param) then out[#out + 1] = ("  (void)%s;\n"):format(param.name) end
  end
end

--- The head of a function: "uint64_t sum(uint64_t n)".
---@param unit phial.emit.c.Unit
---@param program phial.emit.c.Program
---@param again string? the name of the one that is passed the limit of the stack
---@return string
function M.head(unit, program, again)
  local of, params = unit:signature(program.fn), {}
  for i, type in ipairs(of.types) do
    params[i] = types.declaration(types.passed(type, of.passings[i]), program.given[i])
  end
  if of.variadic then params[#params + 1] = "..." end
  if again then params[#params] = params[#params] .. " phial_floor_param" end
  local format = types.declared_function(types.passed(of.result, of.passing), params)
  return format:format(again or unit.symbols:of(program.fn))
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

--- Writes a function.
---@param unit phial.emit.c.Unit
---@param program phial.emit.c.Program
---@param out string[] gets its texts, which are joined by line breaks
function M.write(unit, program, out)
  local code = setmetatable({ unit = unit, program = program, fn = program.fn,
    outer = unit.scope.taken, needed = unit.needed,
    flags = { traps = unit.opts.traps ~= "undefined" }, texts = program.texts,
    params = {}, given = {}, arrays = {}, signature = unit:signature(program.fn),
    checks = unit.opts.native == true,
    patterns = not unit.opts.native and unit:alike(program.fn).patterns or nil,
    lines = unit.opts.lines, numbered = unit.scope.numbered }, Code)
  local w = core.writing(language, program.fn, code)
  code.w, program.given = w, code.given
  note_uses(w, code.params)
  local lines, declared = { "" }, w:declared()
  local body = w:body()
  for _, array in ipairs(code.arrays) do lines[#lines + 1] = ("  %s;\n"):format(array) end
  take_params(lines, code)
  if declared ~= "" or #lines > 1 then lines[#lines + 1] = "\n" end
  program.head = M.head(unit, program)
  lines[1] = ("%s%s {\n%s"):format(program.again and "static " or unit.symbols:storage(program.fn),
    program.again and M.head(unit, program, program.again) or program.head, declared)
  out[#out + 1] = table.concat(lines):sub(1, -2)
  if body ~= "" then out[#out + 1] = body end
  -- compilers want a return also where nothing returns
  out[#out + 1] = program.result and not code.returns and "  return 0;\n}\n" or "}\n"
end

-- }====================================================================

return M
