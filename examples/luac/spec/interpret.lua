-- Interprets the SSA form that luac makes of Lua programs, read through phial's
-- public interface.  The functions of a program are Lua functions: any other can
-- call them, and they can raise and yield.
local bytecode = require "luac.bytecode"
local names_of = require("luac.names").of
local translate = require("luac.translate").translate

local M = {}

local Pack = {}
local unpack, mathtype = table.unpack, math.type

local function pack(...) return setmetatable(table.pack(...), Pack) end

-- {== The numeric for ==================================================

local function number(v, what)
  return tonumber(v) and type(v) == "number" and v
    or error("'for' " .. what .. " must be a number", 0)
end

-- The limit of an integer loop, and true if there is no iteration.
local function integer_limit(start, limit, step)
  if mathtype(limit) == "float" then
    local floor = step < 0 and math.ceil(limit) or math.floor(limit)
    if mathtype(floor) == "integer" then limit = floor
    elseif limit > 0 then
      if step < 0 then return 0, true end
      limit = math.maxinteger
    else
      if step > 0 or limit ~= limit then return 0, true end
      limit = math.mininteger
    end
  end
  return limit, step > 0 and start > limit or step < 0 and start < limit
end

local function prepare(start, limit, step)
  number(limit, "limit")
  number(step, "step")
  number(start, "initial value")
  if step == 0 then error("'for' step is zero", 0) end
  if mathtype(start) == "integer" and mathtype(step) == "integer" then
    local last, none = integer_limit(start, limit, step)
    if none then return start, 0, step, false end
    local way = step > 0 and last - start or start - last
    -- -mininteger is itself, which is right as an unsigned number
    local size = step > 0 and step or -step
    local count = size == 1 and way
      or math.ult(way, size) and 0 or M.unsigned_div(way, size)
    return start, count, step, true
  end
  start, limit, step = start + 0.0, limit + 0.0, step + 0.0
  local runs
  if step > 0 then runs = start <= limit else runs = start >= limit end
  return start, limit, step, runs
end

function M.unsigned_div(a, b)
  if b < 0 then return math.ult(a, b) and 0 or 1 end
  if a >= 0 then return a // b end
  local q = (a >> 1) // b << 1
  return math.ult(a - q * b, b) and q or q + 1
end

local function turn(index, count, step)
  if mathtype(step) == "integer" then
    if count == 0 then return index, count, false end
    return index + step, count - 1, true
  end
  index = index + step
  local runs
  if step > 0 then runs = index <= count else runs = index >= count end
  return index, count, runs
end

-- }== Instructions =====================================================

local ops = {}

function ops.add(_, a, b) return a + b end
function ops.sub(_, a, b) return a - b end
function ops.mul(_, a, b) return a * b end
function ops.mod(_, a, b) return a % b end
function ops.pow(_, a, b) return a ^ b end
function ops.div(_, a, b) return a / b end
function ops.idiv(_, a, b) return a // b end
function ops.band(_, a, b) return a & b end
function ops.bor(_, a, b) return a | b end
function ops.bxor(_, a, b) return a ~ b end
function ops.shl(_, a, b) return a << b end
function ops.shr(_, a, b) return a >> b end
function ops.unm(_, a) return -a end
function ops.bnot(_, a) return ~a end
function ops.len(_, a) return #a end
ops["not"] = function(_, a) return not a end
function ops.truthy(_, a) return a and true or false end
function ops.rawequal(_, a, b) return rawequal(a, b) or a == b and type(b) == "number" end
function ops.eq(_, a, b) return a == b end
function ops.lt(_, a, b) return a < b end
function ops.le(_, a, b) return a <= b end

function ops.concat(_, ...)
  local list = table.pack(...)
  local text = list[list.n]
  for i = list.n - 1, 1, -1 do text = list[i] .. text end
  return text
end

function ops.newtable() return {} end
function ops.index(_, t, k) return t[k] end
function ops.setindex(_, t, k, v) t[k] = v end

function ops.setlist(f, t, ...)
  for i = 1, select("#", ...) do t[f.data + i - 1] = (select(i, ...)) end
end

function ops.call(_, f, ...) return (f(...)) end
function ops.callall(_, f, ...) return pack(f(...)) end
function ops.callnone(_, f, ...) f(...) end
function ops.varargs(f) return f.varargs end
function ops.item(f, values) return values[f.data] end
function ops.forprep(_, a, b, c) return prepare(a, b, c) end
function ops.forloop(_, a, b, c) return turn(a, b, c) end

local function cell(f, register)
  local c = f.cells[register] or {}
  f.cells[register] = c
  return c
end

function ops.load(f) return cell(f, f.data).value end
function ops.store(f, v) cell(f, f.data).value = v end
function ops.getupval(f) return f.upvalues[f.data].value end
function ops.setupval(f, v) f.upvalues[f.data].value = v end

function ops.tbc(f, v)
  if not v then return end
  local close = getmetatable(v) and getmetatable(v).__close
  if not close then error("cannot be closed", 0) end
  f.tbc[#f.tbc + 1] = { register = f.data, value = v }
end

-- Closes variables from a register on, and gives those registers new cells.
local function close(f, register, problem)
  while f.tbc[1] and f.tbc[#f.tbc].register >= register do
    local value = table.remove(f.tbc).value
    getmetatable(value).__close(value, problem)
  end
  for r, c in pairs(f.cells) do
    if r >= register then f.cells[r] = { value = c.value } end
  end
end

function ops.close(f) close(f, f.data) end

function ops.closure(f)
  local child = f.program.by_name[f.data]
  local upvalues = {}
  for u = 0, child.proto.upvalues.n - 1 do
    local upvalue = child.proto.upvalues[u]
    local outer = f.proto.upvalues[upvalue.index]
    upvalues[upvalue.name or u] = upvalue.instack and cell(f, upvalue.index)
      or f.upvalues[outer.name or upvalue.index]
  end
  return M.closure(f.program, child, upvalues)
end

-- }== Functions ========================================================

-- The operands of an instruction, with a pack at their end unpacked.
local function operands(f, inst)
  local list, n = {}, 0
  for _, v in ipairs(inst.args) do
    local value
    if v.constant then value = v.value else value = f.values[v.id] end
    if getmetatable(value) == Pack and inst.opens then
      table.move(value, 1, value.n, n + 1, list)
      n = n + value.n
    else
      n = n + 1
      list[n] = value
    end
  end
  return list, n
end

local function enter(f, block, from)
  local new = {}
  for _, phi in ipairs(block.phis) do
    local v = phi[from]
    if v.constant then new[phi.id] = v else new[phi.id] = { value = f.values[v.id] } end
  end
  for id, v in pairs(new) do f.values[id] = v.value end
  return block
end

local function perform(f, inst)
  f.data = inst.data
  if inst.op == "proj" then -- results 2, 3, ... follow their instruction
    f.taken = f.taken + 1
    f.values[inst.id] = f.results[f.taken]
    return
  end
  local list, n = operands(f, inst)
  f.results = table.pack(ops[inst.op](f, unpack(list, 1, n)))
  f.values[inst.id], f.taken = f.results[1], 1
end

local function execute(f, code)
  local block = code.blocks[1]
  while true do
    for i = 1, #block.insts - 1 do perform(f, block.insts[i]) end
    local last = block.insts[#block.insts]
    local list, n = operands(f, last)
    if last.op == "return" then
      return unpack(list, 1, n)
    elseif last.op == "tailcall" then
      return list[1](unpack(list, 2, n))
    end
    local way = last.op == "branch" and not list[1] and 2 or 1
    block = enter(f, last.targets[way], block)
  end
end

function M.closure(program, code, upvalues)
  return function(...)
    local f = {
      program = program, proto = code.proto, upvalues = upvalues,
      values = {}, cells = {}, tbc = {},
      varargs = pack(select(code.proto.params + 1, ...)),
    }
    for p = 1, code.proto.params do
      f.values[code.params[p]] = (select(p, ...))
    end
    local _ <close> = setmetatable({}, { __close = function(_, problem)
      close(f, 0, problem)
    end })
    return execute(f, code)
  end
end

-- Reads blocks, phis and instructions into tables.
local function operand(v)
  if v:op() == "const" then return { constant = true, value = v:const() } end
  return { id = v:id() }
end

local function digest_block(b, blocks)
  local preds, block = b:preds(), blocks[b:id()]
  for _, phi in ipairs(b:phis()) do
    local entry = { id = phi:id() }
    for i, v in ipairs(phi:args()) do entry[blocks[preds[i]:id()]] = operand(v) end
    block.phis[#block.phis + 1] = entry
  end
  for _, v in ipairs(b:insts()) do
    local inst = { op = v:op():gsub("^lua%.", ""), id = v:id(), args = {}, data = v:data() }
    for i, a in ipairs(v:args()) do inst.args[i] = operand(a) end
    inst.opens = inst.op ~= "item"
    block.insts[#block.insts + 1] = inst
  end
  local last = block.insts[#block.insts]
  last.targets = {}
  for i, target in ipairs(b:succs()) do last.targets[i] = blocks[target:id()] end
end

local function digest(proto, fn)
  local code = { proto = proto, blocks = {}, params = {} }
  local blocks = {}
  for b in fn:blocks() do
    local block = { phis = {}, insts = {} }
    blocks[b:id()] = block
    code.blocks[#code.blocks + 1] = block
  end
  for b in fn:blocks() do digest_block(b, blocks) end
  for p = 1, proto.params do code.params[p] = fn:arg(p):id() end
  return code
end

--- The main function of a chunk, interpreted by its SSA form.
---@param chunk string bytecode
---@param env table its globals
---@param edit? fun(fn: phial.Function) changes each function before
---@return function
function M.load(chunk, env, edit)
  local main = assert(bytecode.read(chunk))
  local protos, names = names_of(main)
  local program = { by_name = {} }
  for _, proto in ipairs(protos) do
    local fn = translate(proto, names)
    if edit then edit(fn) end
    program.by_name[names[proto]] = digest(proto, fn)
  end
  local name = main.upvalues[0] and main.upvalues[0].name or 0
  return M.closure(program, program.by_name.main, { [name] = { value = env } })
end

--- What a program prints, and how it ends.
---@param load_in fun(env: table): function loads the program
---@param prelude fun(print: function): table its globals
---@return string
function M.output(load_in, prelude)
  local lines = {}
  local function show(...)
    local list = table.pack(...)
    for i = 1, list.n do
      local v = list[i]
      list[i] = (type(v) == "function" or type(v) == "table") and type(v) or tostring(v)
    end
    lines[#lines + 1] = table.concat(list, "\t")
  end
  local ok, why = pcall(load_in(prelude(show)))
  if not ok then lines[#lines + 1] = "error: " .. tostring(why) end
  return table.concat(lines, "\n")
end

return M
