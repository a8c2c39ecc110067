-- Emitted code of one function: its lines, the names of its values, its operands.
local Writer = require "phial.code.writer"
local names = require "phial.emit.c.names"
local ops = require "phial.emit.c.ops"
local types = require "phial.emit.c.types"

local SIGN <const> = {} -- by type: a cast to the type of the same width with a sign
for _, type in ipairs { "i8", "i16", "i32", "i64" } do
  SIGN[type] = "(" .. types.signed(type) .. ")"
end

local Code = setmetatable({}, { __index = Writer })
Code.__index = Code

--
-- {== Making ==========================================================
--

---@class phial.emit.c.Code: phial.code.Writer
---@field unit phial.emit.c.Unit the whole
---@field scope phial.emit.c.Scope of its names
---@field lines (string|false)[] false: where lines are those of the C file again
---@field line_of (integer?)[]|false the frontend's lines by the positions of values, if one has a
--- line, and lines are wanted
---@field loc integer|false the frontend's line of what follows
---@field loc_file string? its file
---@field at integer|false the line that the next one has for compilers, if it is the frontend's
---@field at_file string? its file
---@field returns boolean? something returns

--- Makes empty code.
---@param unit phial.emit.c.Unit
---@param program phial.code.Program
---@param scope phial.emit.c.Scope
---@return phial.emit.c.Code
function Code.new(unit, program, scope)
  local line_of = unit.opts.lines and program.columns.line
  return setmetatable({ unit = unit, program = program, scope = scope, lines = {}, indent = "  ",
    line_of = line_of and next(line_of) and line_of or false, loc = false, at = false }, Code)
end

-- }== Lines ===========================================================

-- Makes the next line one of the frontend's position.
local function locate(self)
  local line, file, at = self.loc, self.loc_file, self.at
  if not line then
    if at then self.lines[#self.lines + 1] = false end
    self.at, self.at_file = false, nil
    return
  end
  local changes = file and file ~= self.at_file
  if at ~= line or changes then
    self.lines[#self.lines + 1] = ("#line %d%s"):format(line,
      changes and " " .. names.quoted(file) or "")
  end
  self.at, self.at_file = line + 1, file or self.at_file
end

--- Appends a line.
---@param text string
function Code:put(text)
  if self.loc or self.at then locate(self) end
  local lines = self.lines
  lines[#lines + 1] = self.indent .. text
end

--- Appends a formatted line.
---@param format string
function Code:line(format, ...) self:put(string.format(format, ...)) end

--- Appends a line for the preprocessor.
---@param text string
function Code:directive(text) self.lines[#self.lines + 1] = text end

--- Starts a block.
---@param block phial.code.Block
function Code:start(block)
  self.block, self.loc, block.start = block, false, #self.lines + 1
  self.at = self.at and 0 -- the line is not known
  if not self.line_of then return end
  for _, v in ipairs(block.insts) do
    if self:position(v) then return self:locate(v) end
  end
end

--- The line of the frontend's position of a value; nil: it has no position, or positions are not
--- wanted.
---@param v phial.code.Value
---@return integer?
function Code:position(v) return self.line_of and self.line_of[v.position] end

--- The file of that position.
---@param v phial.code.Value
---@return string?
function Code:file(v) return self.program.columns.file[v.position] end

--- Sets the frontend's position of what follows to that of an instruction, if it has one.
---@param v phial.code.Value
function Code:locate(v)
  local line = self:position(v)
  if line then self.loc, self.loc_file = line, self:file(v) end
end

-- }== Traps ===========================================================

--- Writes a trap for the case that a test holds; no test: it always does.
---@param v phial.code.Value
---@param test string?
---@param why string
function Code:trap(v, test, why)
  if self.unit.opts.traps == "undefined" then return end
  self:need(self.unit.opts.native and "native_trap" or "PHIAL_TRAP")
  if test then
    self:put("if (" .. test .. ")")
    self:enter()
  end
  v.where = v.where or names.quoted(self:where(v)):sub(1, -2)
  self:put("PHIAL_TRAP(" .. v.where .. ": " .. why .. '");')
  if test then self:leave() end
end

--- Notes that a helper is needed; returns its name.
---@param name string
---@return string
function Code:need(name)
  self.unit.needed[name] = true
  return name
end

--- True if the depth of the stack is checked before a call because it can lead back here.
---@param callee any nil: the function at an address
---@return boolean
function Code:checks_depth(callee)
  return self.unit.opts.traps ~= "undefined" and self.unit:is_recursive(self.program, callee)
end

--- What a function calls instead of itself, if that is passed the limit of the stack.
---@param callee any
---@return string?
function Code:again(callee) return callee == self.program.fn and self.program.again or nil end

--- Writes a check of the depth of the stack before a call that can lead back here, or
--- whose callee has large allocas, if native code needs one.
---@param v phial.code.Value
---@param callee phial.Function?
function Code:check_depth(v, callee)
  local bytes = self.unit:frame_of(callee)
  if not self:checks_depth(callee) and not self.unit:is_large(bytes) then return end
  local limit = self:again(callee) and "phial_floor_now" or "phial_now.limit"
  self:trap(v, ("%s(%s, %d)"):format(self:need "phial_is_deep", limit, bytes), "stack overflow")
end

-- }== Operands ========================================================

-- A constant of a type that C has: others are refused when the function is read.
local function constant(self, arg)
  local type, value = arg.type, types.value(arg)
  if type == "i1" then return tostring(value) end
  if type == "ptr" then return types.pointer(value) end
  if types.width(type) then return types.unsigned(type, value) end
  return types.float(type, value, function(name) return self:need(name) end)
end

--- A value as an operand: a name, a constant, a call, or what binds more tightly than operators.
---@param arg phial.code.Value
---@return string
function Code:text(arg)
  local name, row = arg.name, arg.row
  if name then return name end
  if not row then
    arg.name = constant(self, arg)
    return arg.name
  end
  local text, is_closed = row.expr(self, arg, self:operands(arg))
  return is_closed and text or "(" .. text .. ")"
end

local text_of <const>, bare <const> = Code.text, Writer.bare

--- An integer operand with its sign.
---@param arg phial.code.Value
---@return string
function Code:signed(arg)
  if arg.known then return types.signed_constant(arg.known) end
  return SIGN[arg.type] .. (arg.name or text_of(self, arg))
end

--- An operand as an argument or a result. Compilers warn of constants, and of what depends on some,
--- that change when they get a sign.
---@param arg phial.code.Value
---@param passing string? phial.Passing
---@return string
function Code:passed(arg, passing)
  local text = self:bare(arg)
  local is_name = arg.block and not text:find "[^%w_]"
  return passing == "signext" and not is_name and self:signed(arg) or text
end

--- An operand of which the compiler cannot see what it is.
---@param arg phial.code.Value
---@return string
function Code:hidden(arg)
  return ("%s(%s)"):format(self:need("phial_any_" .. arg.type), self:bare(arg))
end

--- The operands of v. A first one that is a constant, and an int in C, is converted if
--- no other operand does that.
---@param v phial.code.Value
---@return string?, string?, string?
function Code:operands(v)
  local args, text = v.args, v.row.bare and bare or text_of
  local first, second, third = args[1], args[2], args[3]
  local a = first and (first.name or text(self, first))
  if not second then return a end
  if first.known and (ops.shifts[v.op] or second.known) and a:find "^%d" then
    a = ("(%s)%s"):format(types.name(first.type), a)
  end
  return a, second.name or text(self, second), third and text(self, third)
end

--- The expression that computes a value.
---@param v phial.code.Value
---@return string
function Code:expression(v)
  return v.row.expr(self, v, self:operands(v))
end

--- Keeps compilers from warning that an operand is not used.
---@param arg phial.code.Value
function Code:ignore(arg)
  if arg.block then self:line("(void)%s;", self:text(arg)) end
end

-- }== Results =========================================================

--- Writes an assignment to a value, whose declaration it is if it is used in its block only.
---@param v phial.code.Value
---@param text string
function Code:set(v, text)
  local name = v.name
  if v.uses == 0 then
    return self:line(v.op:find "^call" and "%s;" or "(void)(%s);", text)
  end
  if text == name then return end -- a copy that shares the variable
  if v.is_local then name = types.declared(v.type, name) end
  self:put(name .. " = " .. text .. ";")
end

--- Declares a new local; returns its name.
---@param type string
---@param text string? its value
---@return string
function Code:temp(type, text)
  local name = self.scope:take "t"
  self:line("%s%s;", types.declared(type, name), text and " = " .. text or "")
  return name
end

--- Writes an instruction other than a terminator: of one that is a part of another, its check.
---@param v phial.code.Value
function Code:instruction(v)
  local row = v.row
  if self.line_of then self:locate(v) end
  if row.check then row.check(self, v, self:operands(v)) end
  if v.inline then return end
  if row.stmt then return row.stmt(self, v) end
  self:set(v, row.expr(self, v, self:operands(v)))
end

-- }====================================================================

return Code
