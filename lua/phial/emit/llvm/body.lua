-- One function: its names, blocks, edges, phis and traps.
--
-- A trap ends a block of LLVM, and what follows the check begins another one, so phis
-- name as predecessor the block in which the terminator was written: blocks are
-- written first, phis afterwards.
local Names = require "phial.emit.llvm.names"
local callees = require "phial.code.callees"
local calls = require "phial.emit.llvm.calls"
local core = require "phial.core"
local errors = require "phial.errors"
local ops = require "phial.emit.llvm.ops"
local programs = require "phial.code.program"
local types = require "phial.emit.llvm.types"
local where = require "phial.where"

local Body = {}
Body.__index = Body

---@class phial.emit.llvm.Body
---@field unit phial.emit.llvm.Unit
---@field program phial.code.Program with what nothing needs, which LLVM drops itself; a block
--- is forgotten when it has been written
---@field v phial.code.Value? the instruction that is being written
---@field undefined boolean traps are not checked
---@field told boolean traps call a function with a message
---@field names phial.emit.llvm.Names of blocks and values: one space in LLVM
---@field texts table<integer, string> values as operands, by id
---@field labels string[] names of blocks, without prefix
---@field incoming string[][] by block and edge to it, the block of LLVM that it comes from
---@field lines string[] of the block that is being written
---@field label string of the block of LLVM that is being written
---@field between string[] blocks of LLVM on edges
---@field at string what is appended to instructions: their position
---@field hoisted string[] allocas
---@field traps string[] blocks of LLVM in which traps are
---@field trap_labels table<string, string> shared ones by their position
---@field scope phial.emit.llvm.Scope|false

--
-- {== Errors ==========================================================
--

-- The instruction as errors and traps name it.
local function place(self)
  if not self.v then return ("function '%s'"):format(self.program.name) end
  return where.instruction(self.program.name, self:handle(self.v))
end

--- The handle of a value.
---@param v phial.code.Value
---@return phial.Value
function Body:handle(v) return programs.handle(self.program, v) end

--- Raises that the instruction, or the function, cannot be written.
---@param format string
function Body:refuse(format, ...)
  errors.raise("%s: %s", place(self), format:format(...))
end

--- The name of a type in LLVM.
---@param type string
---@return string
function Body:type(type)
  return self.unit.symbols:type(type) or self:refuse("type '%s' has no counterpart in LLVM", type)
end

-- }== Names ===========================================================

-- Bytes of a name. LLVM cuts those of values and blocks at 1024, and with it the number.
local LONGEST <const> = 1000

-- Names of the user come first, so that they are kept.
local function name_all(self)
  local program, unnamed = self.program, {}
  local columns, params = program.columns, #program.params
  local function take(name) return Names.quoted(self.names:take(name)) end
  local function name_value(at)
    local id, name = columns.id[at], columns.name[at]
    if name then self.texts[id] = "%" .. take(name) else unnamed[#unnamed + 1] = at end
  end
  for at = 1, params do name_value(at) end
  for number = 1, program.count do
    local name = columns.block_name[number]
    self.labels[number] = name and take(name)
    if not name then unnamed[#unnamed + 1] = -number end
    for at = columns.phis[number], columns.phis[number + 1] - 1 do
      if columns.type[at] then name_value(at) end
    end
  end
  for _, at in ipairs(unnamed) do
    if at < 0 then
      self.labels[-at] = take("b" .. columns.block[-at])
    else
      local id, var = columns.id[at], at <= params and program.params[at].var
        or columns.variable[at]
      self.texts[id] = "%" .. take(var and var ~= "" and var or "v" .. id)
    end
  end
end

--- A new name of a value.
---@return string
function Body:temp() return "%" .. Names.quoted(self.names:take "t") end

--- A value as an operand, without its type.
---@param v phial.code.Value
---@return string
function Body:text(v)
  local text = self.texts[v.id]
  if text then return text end
  if v.op ~= "const" and v.op ~= "undef" then
    self:refuse("operand '%s' is not in a reachable block", self:handle(v))
  end
  local name = self:type(v.type)
  text = types.constant(v.type, v.value, name)
  self.texts[v.id] = text
  return text
end

--- A value as an operand, with its type.
---@param v phial.code.Value
---@return string
function Body:typed(v) return self:type(v.type) .. " " .. self:text(v) end

-- }== Instructions ====================================================

--- Writes an instruction without a result.
---@param format string
function Body:line(format, ...)
  self.lines[#self.lines + 1] = "  " .. format:format(...) .. self.at
end

--- Writes the instruction that computes a value.
---@param v phial.code.Value
---@param format string
function Body:set(v, format, ...)
  self:line("%s = %s", self.texts[v.id], format:format(...))
end

--- Writes an instruction that computes something else; returns its name.
---@param format string
---@return string
function Body:let(format, ...)
  local name = self:temp()
  self:line("%s = %s", name, format:format(...))
  return name
end

--- As `let`, for the operands of traps: nothing if these are not checked.
---@param format string
---@return string?
function Body:let_check(format, ...)
  return not self.undefined and self:let(format, ...) or nil
end

--- Writes the instruction that computes what has a name at the top of the function.
---@param name string
---@param format string
function Body:hoist(name, format, ...)
  local text = format:format(...)
  self.hoisted[#self.hoisted + 1] = ("  %s = %s%s"):format(name, text, self.at)
end

--- The address of a symbol, as an operand.
---@param it phial.Function|phial.Global|string
---@return string
function Body:address(it)
  return self.unit.symbols:address(callees.found(self.program.fn, it))
end

--- Adds a declaration to the unit.
---@param format string
function Body:declare(format, ...) self.unit:declare(format:format(...)) end

--- Begins a block of LLVM.
---@param label string
function Body:start(label)
  self.lines[#self.lines + 1] = label .. ":"
  self.label = label
end

-- }== Traps ===========================================================

local function new_trap(self, call)
  local label = Names.quoted(self.names:take "trap")
  table.insert(self.traps, ("%s:\n  call %s%s\n  unreachable%s"):format(label, call, self.at,
    self.at))
  return label
end

-- The block of a trap: one for each position, or for each message if that is told.
local function trap_label(self, why)
  if self.told then
    local message = self.unit:message(("%s: %s"):format(place(self), why))
    return new_trap(self, ("void @phial_trap(%s)"):format(message))
  end
  if not self.trap_labels[self.at] then
    self:declare "declare void @llvm.trap()"
    self.trap_labels[self.at] = new_trap(self, "void @llvm.trap()")
  end
  return self.trap_labels[self.at]
end

--- Writes a trap for the case that a condition holds.
---@param condition string? an i1
---@param why string
function Body:trap(condition, why)
  if self.undefined then return end
  local next_label = Names.quoted(self.names:take "ok")
  self:line("br i1 %s, label %%%s, label %%%s", condition, trap_label(self, why), next_label)
  self:start(next_label)
end

-- }== Edges ===========================================================

-- True if two edges from one block bring the same values.
local function brings_same(a, b)
  for i, source in ipairs(a.sources) do
    if b.sources[i] ~= source then return false end
  end
  return true
end

-- The labels to which the terminator of a block goes. Of two edges to the same block
-- that bring different values, one gets a block of its own: LLVM distinguishes edges
-- by the block from which they come only.
local function edge_labels(self, block)
  local labels, first = {}, {}
  for i, edge in ipairs(block.edges) do
    local to = edge.to
    labels[i], first[to] = self.labels[to.number], first[to] or edge
    if not brings_same(first[to], edge) then
      labels[i] = Names.quoted(self.names:take "edge")
      table.insert(self.between, ("%s:\n  br label %%%s"):format(labels[i], self.labels[to.number]))
    end
  end
  return labels
end

-- Notes where edges come from, when their block has been written.
local function note_edges(self, block, labels)
  for i, edge in ipairs(block.edges) do
    local to = edge.to.number
    local is_direct = labels[i] == self.labels[to]
    self.incoming[to][edge.incoming] = is_direct and self.label or labels[i]
  end
end

local function phi_lines(self, number)
  local columns, lines = self.program.columns, {}
  for i, phi in ipairs(self.program.blocks[number].phis) do
    local entries, before = {}, columns.operands[phi.position] - 1
    self.v = phi
    for k, label in ipairs(self.incoming[number]) do
      local id = columns.operand[before + k]
      local text = self.texts[id] or self:text(self.program.values[id])
      entries[k] = ("[ %s, %%%s ]"):format(text, label)
    end
    lines[i] = ("  %s = phi %s %s"):format(self.texts[phi.id], self:type(phi.type),
      table.concat(entries, ", "))
  end
  return lines
end

-- }== Terminators =====================================================

local terminators = {}

function terminators.jump(self, _, labels) self:line("br label %%%s", labels[1]) end

function terminators.branch(self, v, labels)
  self:line("br i1 %s, label %%%s, label %%%s", self:text(v.args[1]), labels[1], labels[2])
end

function terminators.switch(self, v, labels)
  local args, cases = v.args, {}
  for i = 2, #args do
    cases[i - 1] = (" %s, label %%%s"):format(self:typed(args[i]), labels[i])
  end
  self:line("switch %s, label %%%s [%s ]", self:typed(args[1]), labels[1], table.concat(cases))
end

function terminators.ret(self, v)
  local result = v.args[1]
  self:line("ret %s", result and self:typed(result) or "void")
end

function terminators.unreachable(self)
  if self.undefined then return self:line "unreachable" end
  self:line("br label %%%s", trap_label(self, "reached"))
end

-- }== Blocks ==========================================================

-- Begins to write the instructions of v. A call needs a position where the function has
-- any.
local function begin(self, v)
  self.v, self.at = v, ""
  if not self.scope then return end
  local line, column, file = self:handle(v):loc()
  if line then
    self.at = self.unit.debug:at(self.scope, line, column, file)
  elseif self.told or calls.row(v.op) then
    self.at = self.unit.debug:at(self.scope, 0)
  end
end

local function instruction(self, v)
  local row, texts = ops[v.op], {}
  begin(self, v)
  if not row then return calls.row(v.op)(self, v) end
  if v.type then self:type(v.type) end
  for i, arg in ipairs(v.args) do texts[i] = self:text(arg) end
  row(self, v, texts[1], texts[2], texts[3])
end

-- The lines of a block after its label and phis.
local function write_block(self, block)
  local insts, labels = block.insts, edge_labels(self, block)
  self.lines, self.label = {}, self.labels[block.number]
  for i = 1, #insts - 1 do instruction(self, insts[i]) end
  local last = insts[#insts]
  local terminator = terminators[last.op] or calls.row(last.op)
  begin(self, last)
  terminator(self, last, labels)
  note_edges(self, block, labels)
  return self.lines
end

-- }== The function ====================================================

-- The first position in a function: line, column, file.
local function first_position(program)
  local columns = program.columns
  for number = 1, program.count do
    for at = columns.insts[number], columns.phis[number + 1] - 1 do
      local handle = core.value(program.fn, columns.id[at])
      if handle:loc() then return handle:loc() end
    end
  end
end

local function open_scope(self)
  local line, _, file = first_position(self.program)
  local symbol = self.unit.symbols:of(self.program.fn)
  self.scope = line ~= nil and self.unit.debug:scope(self.program.name, symbol, line, file)
end

local function head(self)
  local program, symbols, params = self.program, self.unit.symbols, {}
  for i, param in ipairs(program.params) do
    params[i] = types.passed(self:type(param.type), program.fn:passing(i)) .. " "
      .. self.texts[param.id]
  end
  if program.fn:is_variadic() then params[#params + 1] = "..." end
  return ("define %s%s @%s(%s)%s%s {"):format(symbols:linkage(program.fn),
    types.returned(program.result and self:type(program.result), program.fn:passing()),
    Names.quoted(symbols:of(program.fn)), table.concat(params, ", "),
    symbols:attributes(program.fn), self.scope and (" !dbg !%d"):format(self.scope.node) or "")
end

local function append(out, lines) table.move(lines, 1, #lines, #out + 1, out) end

--- The definition of a function, as lines.
---@param unit phial.emit.llvm.Unit
---@param fn phial.Function
---@return string[]
function Body.define(unit, fn)
  local program, written = programs.open(fn, true), {}
  local self = setmetatable({ unit = unit, program = program, names = Names.new(LONGEST),
    texts = {}, labels = {}, incoming = {}, between = {}, traps = {}, trap_labels = {},
    hoisted = {}, at = "", undefined = unit.opts.traps == "undefined",
    told = unit.opts.traps == "call" }, Body)
  for number = 1, program.count do self.incoming[number] = {} end
  name_all(self)
  open_scope(self)
  local out = { head(self) }
  for number = 1, program.count do
    local block = programs.read(program, number)
    written[number] = write_block(self, block)
    programs.forget(program, block)
  end
  for number = 1, program.count do
    out[#out + 1] = self.labels[number] .. ":"
    append(out, number == 1 and self.hoisted or phi_lines(self, number))
    append(out, written[number])
  end
  append(out, self.between)
  append(out, self.traps)
  out[#out + 1] = "}"
  return out
end

-- }====================================================================

return Body
