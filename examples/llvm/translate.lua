-- The SSA form of a function: allocas that can be promoted are variables, so are the phis
-- that the function has already.
local phial = require "phial"
local constants = require "llvm.constants"
local flow = require "llvm.flow"
local ops = require "llvm.dialect"
local problems = require "llvm.problems"
local promote = require "llvm.promote"
local rounds = require "llvm.rounds"
local types = require "llvm.types"
local undefined = require "llvm.undefined"

local dialect = ops.dialect
local find = string.find
local unpack = table.unpack

local M = {}

---@class llvm.Ssa a translated function
---@field fn phial.Function
---@field source llvm.Function
---@field order llvm.Block[] those that are reached
---@field promotion llvm.Promotion
---@field names table<phial.Value, string> given names, of values
---@field types table<phial.Value, string> LLVM's types, of values that have one
---@field variables table<phial.Variable, llvm.Instruction> the alloca, or phi
---@field labels table<phial.Block, string>
---@field promoted integer
---@field joined? integer with rules: jumps that are gone
---@field result string? the type of the result

-- {== Operands ==========================================================

-- The value of a name or literal of a type.
local function operand(s, text, type)
  local value = s.values[text]
  if value then return value end
  if find(text, "^%%") then
    local name = s.scanner:written(text)
    problems.raise(s.line, name, "value '%s' is not defined", name)
  end
  return s.constants[type][text]
end

-- The values that an opaque instruction uses.
local function used(s, it)
  local uses, values, list = it.uses, s.values, {}
  for i = 1, #uses do
    list[i] = values[uses[i]] or operand(s, uses[i])
  end
  return list
end

local function define(s, it, value)
  local name = it.name
  if not name then return end
  s.values[name] = value
  if not find(name, "^%%%d") then s.names[value] = s.names[value] or name end
end

-- }== Instructions ======================================================

local emit = {}

-- An address at a constant distance from another one.
local function emit_address(s, it)
  local base = operand(s, it.address, "ptr")
  if it.distance == 0 then
    s.values[it.name] = base
  else
    define(s, it, s.block:ptradd(base, it.distance))
  end
end

-- A load or store that phial knows.
local function emit_access(s, it)
  local address = operand(s, it.plain, "ptr")
  if it.stored then return s.block:store(address, operand(s, it.value, it.stored)) end
  define(s, it, s.block:load(address, types.of(it.type)))
end

function emit.opaque(s, it)
  if s.rules and it.distance then return emit_address(s, it) end
  if s.rules and it.plain then return emit_access(s, it) end
  local list = used(s, it)
  local n = #list
  if not it.type then
    list[n + 1] = { data = s.probing and it or it.template }
    s.block:emit(dialect.effect, unpack(list))
    return
  end
  list[n + 1], list[n + 2] = types.of(it.type), { data = s.probing and it or it.template }
  define(s, it, s.block:emit(dialect[it.effect], unpack(list)))
end

-- True if an address is that of a promoted alloca.
local function is_promoted(s, name) return s.promotion.promoted[s.promotion.root[name]] ~= nil end

function emit.cast(s, it)
  if not it.gone and not is_promoted(s, it.name) then emit.opaque(s, it) end
end

-- A variable is undefined where its memory is new.
function emit.alloca(s, it)
  local var = s.variables[it.name]
  if not var then return emit.opaque(s, it) end
  if s.block ~= s.entry then s.block:write(var, s.constants[it.allocated].undef) end
  if s.promotion.stored[it.name] then
    emit.opaque(s, it) -- nothing will use its address
    table.insert(s.unused, s.values[it.name])
  end
end

function emit.load(s, it)
  local var = s.variables[it.variable or it.address]
  if not var then return emit.opaque(s, it) end
  s.values[it.name] = s.block:read(var)
end

function emit.store(s, it)
  local var = s.variables[it.variable or it.address]
  if not var then return emit.opaque(s, it) end
  s.block:write(var, operand(s, it.value, it.stored))
end

function emit.note(s, it)
  if it.gone then return end
  for _, name in ipairs(it.uses) do
    if is_promoted(s, name) then return end
  end
  emit.opaque(s, it)
end

-- With rules the text is not kept: it would not be that of the instruction any more.
function emit.compute(s, it)
  local operands, kinds, list = it.operands, it.types, {}
  for i = 1, #operands do list[i] = operand(s, operands[i], kinds[i]) end
  list[#list + 1] = it.result
  if not s.rules then list[#list + 1] = { data = it.template } end
  define(s, it, s.block:emit(it.op, unpack(list)))
end

-- }== Control ===========================================================

-- Keeps the metadata of a terminator. Rules may exchange its targets, and so its weights.
local function finish(s, it)
  local tail = it.tail
  if s.rules then tail = tail:gsub(", !prof !%d+", "") end
  if tail ~= "" then s.block:terminator():set_data(tail) end
end

function emit.jump(s, it)
  s.block:jump(s.blocks[it.targets[1]])
  finish(s, it)
end

function emit.branch(s, it)
  s.block:branch(operand(s, it.value, "i1"), s.blocks[it.targets[1]], s.blocks[it.targets[2]])
  finish(s, it)
end

function emit.switch(s, it)
  local cases = {}
  for i, key in ipairs(it.keys) do
    key = key == "true" and 1 or key == "false" and 0 or constants.integer(it.type, key)
    cases[key] = s.blocks[it.targets[i + 1]]
  end
  s.block:switch(operand(s, it.value, it.type), s.blocks[it.targets[1]], cases)
  finish(s, it)
end

function emit.ret(s, it)
  if it.type then s.block:ret(operand(s, it.value, it.type)) else s.block:ret() end
  finish(s, it)
end

function emit.unreachable(s, it)
  s.block:unreachable()
  finish(s, it)
end

-- The result of a terminator is a value of its own, which precedes it.
function emit.control(s, it)
  local list, targets = used(s, it), { data = it.template }
  for i, label in ipairs(it.targets) do targets[i] = s.blocks[label] end
  list[#list + 1] = targets
  if it.type then table.insert(list, 1, s.values[it.name]) end
  s.block:emit(dialect.control, unpack(list))
end

-- }== Phis ==============================================================

-- Makes a variable of each phi.
local function declare_phis(s, order)
  for _, block in ipairs(order) do
    for _, phi in ipairs(block.phis) do
      local var = s.fn:var(phi.name:sub(2), types.of(phi.type))
      s.phi_variables[phi], s.sources[var] = var, phi
      for i, label in ipairs(phi.labels) do
        local pred = s.source.labels[label]
        if not pred then problems.raise(phi.line, label, "block '%s' is not defined", label) end
        local list = s.outgoing[pred] or {}
        s.outgoing[pred] = list
        list[#list + 1] = { phi = phi, var = var, value = phi.values[i] }
      end
    end
  end
end

-- A phi that turns out to be a value that has another name leaves it that name.
local function read_phis(s, block)
  for _, phi in ipairs(block.phis) do
    local var = s.phi_variables[phi]
    local value = s.block:read(var)
    if value:op() == "phi" and value:var() == var then
      define(s, phi, value)
    else
      s.values[phi.name] = value
    end
  end
end

-- Gives the phis of the targets their operands.
local function write_phis(s, block)
  for _, out in ipairs(s.outgoing[block] or {}) do
    s.line = out.phi.line
    s.block:write(out.var, operand(s, out.value, out.phi.type))
  end
end

-- }== The function ======================================================

-- The type that the function returns, or nil.
local function result_of(order)
  for _, block in ipairs(order) do
    local last = block.instructions[#block.instructions]
    if last.kind == "ret" then return last.type end
  end
end

-- Constants that only an instruction can make are made in the entry, where they are equal to
-- each other.
local function make_constants(s, order)
  local function need(text, type)
    if type and types.of(type) ~= "any" and not find(text, "^%%") then
      local _ = s.constants[type][text]
    end
  end
  for _, block in ipairs(order) do
    for _, phi in ipairs(block.phis) do
      for _, value in ipairs(phi.values) do need(value, phi.type) end
    end
    for _, it in ipairs(block.instructions) do
      local is_plain = s.rules and it.plain
      if is_plain then need(it.plain, "ptr") end
      if is_plain or it.kind == "store" and s.variables[it.variable or it.address] then
        need(it.value, it.stored)
      end
      if it.kind == "ret" and it.type then need(it.value, it.type) end
    end
  end
end

local function fill(s, block)
  s.block = s.blocks[block.label]
  read_phis(s, block)
  local list = block.instructions
  for i = 1, #list - 1 do
    local it = list[i]
    s.line = it.line
    emit[it.kind](s, it)
  end
  local last = list[#list]
  if last.kind == "control" and last.type then
    define(s, last, s.block:emit(dialect.result, types.of(last.type)))
  end
  write_phis(s, block)
  s.line = last.line
  emit[last.kind](s, last)
end

local function make_variables(s)
  for name, alloca in pairs(s.promotion.promoted) do
    local var = s.fn:var(name:sub(2), types.of(alloca.allocated))
    s.variables[name], s.sources[var] = var, alloca
  end
end

local function make_blocks(s, source)
  for i, block in ipairs(source.blocks) do
    local made
    if i == 1 then
      made = s.entry
    elseif block.preds > 0 then
      made = s.fn:block(block.label:sub(2), block.preds)
    end
    if made then s.blocks[block.label], s.labels[made] = made, block.label end
  end
end

local function parameters(source)
  local list = {}
  for i, param in ipairs(source.params) do
    list[i] = param.name:gsub("[^%w_]", "_") .. ":" .. types.of(param.type)
  end
  return list
end

-- Removes allocas whose address was only kept in variables.
local function drop_unused(s)
  for _, alloca in ipairs(s.unused) do
    if alloca:use_count() == 0 then alloca:erase() end
  end
end

local function fill_all(s, order)
  declare_phis(s, order)
  make_constants(s, order)
  for _, block in ipairs(order) do fill(s, block) end
  s.line = s.source.line
  s.fn:finish()
end

-- phial finds out when types do not fit, or a use is not reached by its definition.
local function refuse(s, why)
  s.fn:close()
  local message = type(why) == "string" and why:match "^[^\n]-:%d+: (.*)"
  if not message then error(why, 0) end
  problems.raise(s.line, nil, "this is not valid: %s", (message:gsub("\n%s*", "; ")))
end

-- One translation. If it is `probing`, instructions have as data what they were made from.
local function build(source, scanner, rules, order, promotion, probing)
  local result = result_of(order)
  local fn = phial.fn(source.name, parameters(source), result and types.of(result), {
    rules = rules, dialects = { dialect }, where = false })
  local s = {
    fn = fn, source = source, order = order, scanner = scanner, rules = rules,
    entry = fn:entry(), line = 0,
    values = {}, names = {}, blocks = {}, labels = {}, outgoing = {}, phi_variables = {},
    variables = {}, sources = {}, promotion = promotion, constants = constants.of(fn),
    result = result, probing = probing, unused = {},
  }
  for i, param in ipairs(source.params) do s.values[param.name] = fn:arg(i) end
  make_blocks(s, source)
  make_variables(s)
  local done, why = pcall(fill_all, s, order)
  if not done then refuse(s, why) end
  if not rules then
    undefined.replace(fn, function(var) return s.sources[var].kind == "alloca" end)
    drop_unused(s)
  end
  return s
end

-- Makes one block of those that follow each other in a straight line; returns how many jumps go.
local function join_lines(fn)
  local count = 0
  for _, block in ipairs(fn:rpo()) do
    while block:can_merge() do
      block:merge()
      count = count + 1
    end
  end
  return count
end

--- Translates a function.
---@param source llvm.Function
---@param scanner llvm.Scanner
---@param rules phial.Rules|false
---@return llvm.Ssa
function M.translate(source, scanner, rules)
  local order = flow.of(source)
  local promotion = promote.of(source)
  local again = #promotion.further > 0
  while again do
    local s = build(source, scanner, false, order, promotion, true)
    again = rounds.promote(promotion, s) and #promotion.further > 0
    s.fn:close()
  end
  local s = build(source, scanner, rules, order, promotion, false)
  if rules then
    s.fn:forward()
    s.fn:clean { phis = true, dead = true }
    s.joined = join_lines(s.fn)
  end
  return s
end

return M
