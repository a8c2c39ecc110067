-- One function: its names, blocks, edges, phis and traps.
--
-- A trap ends a block of LLVM, and what follows the check begins another one, so phis
-- name as predecessor the block in which the terminator was written: blocks are
-- written first, phis afterwards.
local Names = require "phial.emit.llvm.names"
local calls = require "phial.emit.llvm.calls"
local errors = require "phial.errors"
local ops = require "phial.emit.llvm.ops"
local types = require "phial.emit.llvm.types"
local where = require "phial.where"

local Body = {}
Body.__index = Body

---@class phial.emit.llvm.Body
---@field unit phial.emit.llvm.Unit
---@field fn phial.Function
---@field name string
---@field v phial.Value? the instruction that is being written
---@field undefined boolean traps are not checked
---@field told boolean traps call a function with a message
---@field names phial.emit.llvm.Names of blocks and values: one space in LLVM
---@field texts table<phial.Value, string> values as operands
---@field labels table<phial.Block, string> names of blocks, without prefix
---@field ends table<phial.Block, string> the block of LLVM that has the terminator
---@field lines string[] of the block that is being written
---@field label string of the block of LLVM that is being written
---@field targets table<phial.Block, phial.emit.llvm.Target>
---@field between string[] blocks of LLVM on edges
---@field at string what is appended to instructions: their position
---@field hoisted string[] allocas
---@field traps {label: string, lines: string[]}[]
---@field trap_labels table<string, string> shared ones by their position
---@field scope phial.emit.llvm.Scope|false

--
-- {== Errors ==========================================================
--

-- The instruction as errors and traps name it.
local function place(self)
  return self.v and where.instruction(self.name, self.v) or ("function '%s'"):format(self.name)
end

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
local function name_all(self, blocks)
  local unnamed = {}
  local function name(it, given, letter, set)
    if given and given ~= "" then return set(it, self.names:take(given)) end
    local var = letter == "v" and it:var()
    local text = var and var:name() ~= "" and var:name() or letter .. it:id()
    unnamed[#unnamed + 1] = function() set(it, self.names:take(text)) end
  end
  local function set_value(v, text) self.texts[v] = "%" .. Names.quoted(text) end
  local function set_block(b, text) self.labels[b] = Names.quoted(text) end
  for i in ipairs { self.fn:params() } do
    name(self.fn:arg(i), self.fn:arg(i):name(), "v", set_value)
  end
  for _, b in ipairs(blocks) do
    name(b, b:name(), "b", set_block)
    for _, phi in ipairs(b:phis()) do name(phi, phi:name(), "v", set_value) end
    for _, v in ipairs(b:insts()) do
      if v:type() then name(v, v:name(), "v", set_value) end
    end
  end
  for _, set in ipairs(unnamed) do set() end
end

--- A new name of a value.
---@param hint string?
---@return string
function Body:temp(hint) return "%" .. Names.quoted(self.names:take(hint or "t")) end

--- A value as an operand, without its type.
---@param v phial.Value
---@return string
function Body:text(v)
  local text = self.texts[v]
  if text then return text end
  local op, type = v:op(), v:type()
  if op ~= "const" and op ~= "undef" then
    self:refuse("operand '%s' is not in a reachable block", v)
  end
  local name = self:type(type)
  text = op == "undef" and types.zero(type) or types.constant(type, v:const(), name)
  self.texts[v] = text
  return text
end

--- A value as an operand, with its type.
---@param v phial.Value
---@return string
function Body:typed(v) return self:type(v:type()) .. " " .. self:text(v) end

-- }== Instructions ====================================================

--- Writes an instruction without a result.
---@param format string
function Body:line(format, ...)
  self.lines[#self.lines + 1] = "  " .. format:format(...) .. self.at
end

--- Writes the instruction that computes a value.
---@param v phial.Value
---@param format string
function Body:set(v, format, ...)
  self:line("%s = %s", self.texts[v], format:format(...))
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

--- Writes the instruction that computes a value at the top of the function.
---@param v phial.Value
---@param format string
function Body:hoist(v, format, ...)
  local text = format:format(...)
  self.hoisted[#self.hoisted + 1] = ("  %s = %s%s"):format(self.texts[v], text, self.at)
end

--- The address of a symbol, as an operand.
---@param it phial.Function|phial.Global|string
---@return string
function Body:address(it)
  local symbols = self.unit.symbols
  return symbols:address(type(it) == "string" and symbols:found(self.fn, it) or it)
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

local function new_trap(self, lines)
  local label = Names.quoted(self.names:take "trap")
  for i, line in ipairs(lines) do lines[i] = "  " .. line .. self.at end
  self.traps[#self.traps + 1] = { label = label, lines = lines }
  return label
end

-- The block of a trap: one for each position, or for each message if that is told.
local function trap_label(self, why)
  if self.told then
    local message = self.unit:message(("%s: %s"):format(place(self), why))
    return new_trap(self, { ("call void @phial_trap(%s)"):format(message), "unreachable" })
  end
  if not self.trap_labels[self.at] then
    self:declare "declare void @llvm.trap()"
    self.trap_labels[self.at] = new_trap(self, { "call void @llvm.trap()", "unreachable" })
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

-- The positions of each predecessor's edges among the predecessors of a block.
local function incoming(b)
  local from = {}
  for i, pred in ipairs(b:preds()) do
    from[pred] = from[pred] or {}
    table.insert(from[pred], i)
  end
  return from
end

-- True if two edges from one block bring the same values.
local function brings_same(operands, i, k)
  for _, args in ipairs(operands) do
    if args[i] ~= args[k] then return false end
  end
  return true
end

---@class phial.emit.llvm.Target a block that edges enter
---@field from table<phial.Block, integer[]>
---@field phis phial.Value[]
---@field operands phial.Value[][] of its phis
---@field entered table<integer, string> by edge, a block of LLVM between the two

local function target_of(self, b)
  local target = self.targets[b]
  if not target then
    target = { from = incoming(b), phis = b:phis(), operands = {}, entered = {} }
    for i, phi in ipairs(target.phis) do target.operands[i] = phi:args() end
    self.targets[b] = target
  end
  return target
end

-- The labels to which the terminator of a block goes. Of two edges to the same block
-- that bring different values, one gets a block of its own: LLVM distinguishes edges
-- by the block from which they come only.
local function edge_labels(self, b)
  local labels, taken = {}, {}
  for k, succ in ipairs(b:succs()) do
    local target, nth = target_of(self, succ), (taken[succ] or 0) + 1
    local edges = target.from[b]
    taken[succ], labels[k] = nth, self.labels[succ]
    if nth > 1 and not brings_same(target.operands, edges[1], edges[nth]) then
      labels[k] = Names.quoted(self.names:take "edge")
      target.entered[edges[nth]] = labels[k]
      table.insert(self.between, ("%s:\n  br label %%%s"):format(labels[k], self.labels[succ]))
    end
  end
  return labels
end

local function phi_lines(self, b)
  local target, lines, preds = target_of(self, b), {}, b:preds()
  for i, phi in ipairs(target.phis) do
    local entries = {}
    self.v = phi
    for k, pred in ipairs(preds) do
      local label = target.entered[k] or self.ends[pred]
      if label then
        entries[#entries + 1] = ("[ %s, %%%s ]"):format(self:text(target.operands[i][k]), label)
      end
    end
    lines[i] = ("  %s = phi %s %s"):format(self.texts[phi], self:type(phi:type()),
      table.concat(entries, ", "))
  end
  return lines
end

-- }== Terminators =====================================================

local terminators = {}

function terminators.jump(self, _, labels) self:line("br label %%%s", labels[1]) end

function terminators.branch(self, v, labels)
  self:line("br i1 %s, label %%%s, label %%%s", self:text(v:args()[1]), labels[1], labels[2])
end

function terminators.switch(self, v, labels)
  local args, cases = v:args(), {}
  for i = 2, #args do
    cases[i - 1] = (" %s, label %%%s"):format(self:typed(args[i]), labels[i])
  end
  self:line("switch %s, label %%%s [%s ]", self:typed(args[1]), labels[1], table.concat(cases))
end

function terminators.ret(self, v)
  local result = v:args()[1]
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
  local line, column, file = v:loc()
  if line then
    self.at = self.unit.debug:at(self.scope, line, column, file)
  elseif self.told or calls.row(v:op()) then
    self.at = self.unit.debug:at(self.scope, 0)
  end
end

local function instruction(self, v)
  local row, texts = ops.row(v:op()), v:args()
  begin(self, v)
  if not row then return calls.row(v:op())(self, v) end
  if v:type() then self:type(v:type()) end
  for i, arg in ipairs(texts) do texts[i] = self:text(arg) end
  row(self, v, texts[1], texts[2], texts[3])
end

-- The lines of a block after its label and phis.
local function write_block(self, b)
  local insts, labels = b:insts(), edge_labels(self, b)
  self.lines, self.label = {}, self.labels[b]
  for i = 1, #insts - 1 do instruction(self, insts[i]) end
  local last = insts[#insts]
  local terminator = terminators[last:op()]
  begin(self, last)
  if terminator then
    terminator(self, last, labels)
  else
    calls.dialect(self, last, labels)
  end
  self.ends[b] = self.label
  return self.lines
end

-- }== The function ====================================================

-- The first position in a function: line, column, file.
local function first_position(blocks)
  for _, b in ipairs(blocks) do
    for _, v in ipairs(b:insts()) do
      if v:loc() then return v:loc() end
    end
  end
end

local function open_scope(self, blocks)
  local line, _, file = first_position(blocks)
  local symbol = self.unit.symbols:of(self.fn)
  self.scope = line ~= nil and self.unit.debug:scope(self.name, symbol, line, file)
end

local function head(self)
  local params = {}
  for i in ipairs { self.fn:params() } do
    local v = self.fn:arg(i)
    params[i] = types.passed(self:type(v:type())) .. " " .. self.texts[v]
  end
  local result = self.fn:result()
  local symbols = self.unit.symbols
  return ("define %s%s @%s(%s)%s%s {"):format(symbols:linkage(self.fn),
    types.returned(result and self:type(result)), Names.quoted(symbols:of(self.fn)),
    table.concat(params, ", "), symbols:attributes(self.fn),
    self.scope and (" !dbg !%d"):format(self.scope.node) or "")
end

local function append(out, lines) table.move(lines, 1, #lines, #out + 1, out) end

-- A function can keep unreachable blocks, which follow in its order.
local function reachable_blocks(fn)
  local blocks = fn:rpo()
  while not blocks[#blocks]:is_reachable() do blocks[#blocks] = nil end
  return blocks
end

--- The definition of a function, as lines.
---@param unit phial.emit.llvm.Unit
---@param fn phial.Function
---@return string[]
function Body.define(unit, fn)
  local self = setmetatable({ unit = unit, fn = fn, name = fn:name(), names = Names.new(LONGEST),
    texts = {}, labels = {}, ends = {}, targets = {}, between = {}, traps = {}, trap_labels = {},
    hoisted = {}, at = "", undefined = unit.opts.traps == "undefined",
    told = unit.opts.traps == "call" }, Body)
  local blocks, written = reachable_blocks(fn), {}
  name_all(self, blocks)
  open_scope(self, blocks)
  local out = { head(self) }
  for i, b in ipairs(blocks) do written[i] = write_block(self, b) end
  for i, b in ipairs(blocks) do
    out[#out + 1] = self.labels[b] .. ":"
    append(out, i == 1 and self.hoisted or phi_lines(self, b))
    append(out, written[i])
  end
  append(out, self.between)
  for _, trap in ipairs(self.traps) do
    out[#out + 1] = trap.label .. ":"
    append(out, trap.lines)
  end
  out[#out + 1] = "}"
  return out
end

-- }====================================================================

return Body
