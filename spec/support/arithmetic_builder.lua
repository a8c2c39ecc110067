-- Builds the programs of spec/support/arithmetic.lua, as frontends would: in any order of sealing,
-- with any options.
local flow = require "spec.support.control_flow"
local phial = require "phial"
local rooms = require "spec.support.rooms"

local M = {}

--
-- {== Instructions ====================================================
--

--- Ops that what runs functions must be told.
M.dialect = phial.dialect("x", {
  twist = { args = { "i64", "i64" }, result = "i64", pure = true,
    eval = function(a, b) return a * 31 ~ b end,
    c = function(_, operands, emit)
      return ("%s = (int64_t)((uint64_t)%s * 31 ^ (uint64_t)%s);"):format(emit:result(),
        table.unpack(operands))
    end,
    llvm = function(_, operands, emit)
      local product = emit:temp()
      return { ("%s = mul i64 %s, 31"):format(product, operands[1]),
        ("%s = xor i64 %s, %s"):format(emit:result(), product, operands[2]) }
    end },
  stop = { args = { "i64" }, effect = "none", traps = true,
    eval = function(a)
      if a == 7 then phial.trap "seven" end
    end,
    c = function(_, operands, emit)
      return ("if (%s == 7) %s"):format(operands[1], emit:trap "seven")
    end,
    lua = function(_, operands, emit)
      return ("if %s == 7 then %s end"):format(operands[1], emit:trap "seven")
    end,
    llvm = function(_, operands, emit)
      local is_seven, bad, good = emit:temp(), emit:label "bad", emit:label()
      return { ("%s = icmp eq i64 %s, 7"):format(is_seven, operands[1]),
        ("br i1 %s, label %%%s, label %%%s"):format(is_seven, bad, good),
        bad .. ":", emit:trap "seven", good .. ":" }
    end },
  both = { args = { "i64", "i64" }, results = { "i1", "i64" },
    eval = function(a, b) return a < b, a end,
    c = function(_, operands, emit)
      return { ("%s = (int64_t)%s < (int64_t)%s;"):format(emit:result(1), operands[1], operands[2]),
        ("%s = %s;"):format(emit:result(2), operands[1]) }
    end,
    llvm = function(_, operands, emit)
      return { ("%s = icmp slt i64 %s, %s"):format(emit:result(1), operands[1], operands[2]),
        ("%s = add i64 %s, 0"):format(emit:result(2), operands[1]) }
    end },
})

-- The value of the v-th variable, or of its memory.
local function get(b, vars, v)
  if vars.slots then return b:load(vars[v], vars.types[v]) end
  return b:read(vars[v])
end

local function set(b, vars, v, value)
  if vars.slots then b:store(vars[v], value) else b:write(vars[v], value) end
end

local function read(fn, b, vars, operand)
  if operand.var then return get(b, vars, operand.var) end
  return fn:const(operand.const, operand.type)
end

local function emit(fn, b, vars, op)
  local args = {}
  for i, operand in ipairs(op) do
    args[i] = operand.op and emit(fn, b, vars, operand) or read(fn, b, vars, operand)
  end
  args[#args + 1] = op.said
  return op.op and b:emit(op.op, table.unpack(args)) or args[1]
end

-- The condition of a branch: value ~= 0, or for an i1 a form that rules match.
local function condition(fn, b, vars, source)
  local value, type = read(fn, b, vars, source.cond), source.cond.type
  if type ~= "i1" then return b:ne(value, fn:const(0, type)) end
  if source.form == 1 then return b:bnot(value) end
  if source.form == 2 then return b:ne(value, false) end
  return b:ne(value, true)
end

-- An i64 as a value of a type.
local function from_integer(b, value, type)
  if type == "i64" then return value end
  if type == "i1" then return b:ne(value, 0) end
  if type == "ptr" then return b:bitcast(value, type) end
  return b:emit(type:find "^i" and "trunc" or "itof", value, type)
end

local bits

local function emit_call(b, op, args, state)
  local callee, more, form = state.callee(op.call, op.form), {}, op.form
  if op.second and type(callee) ~= "string" then form = 2 end -- an address needs the name
  if state.memory then table.insert(args, 1, state.memory[op.room]) end
  if op.says then more.reads, more.writes = rooms.classes, rooms.classes end
  if form == 3 and (op.as or op.second) and type(callee) == "string" then
    more.as = callee
  elseif form == 3 and op.named then
    more.variadic = 1 + (state.memory and 1 or 0) + op.named
  end
  if form == 3 then callee = b:address(callee) end
  args[#args + 1] = more
  local first, second = b:call(callee, op.second and { "i64", op.second } or "i64",
    b:sub(state.depth, 1), table.unpack(args))
  return second and b:add(first, bits(b, second)) or first
end

-- Ends a callee, whose own memory is freed: it passes on what it was given.
local function emit_tail_call(fn, b, vars, op, state)
  local callee, args = state.callee(op.call, op.form), { state.memory and state.memory[2] or nil }
  if op.form == 3 and not op.named then callee = b:address(callee) end
  for _, operand in ipairs(op.args) do args[#args + 1] = read(fn, b, vars, operand) end
  b:tail_call(callee, b:sub(state.depth, 1), table.unpack(args))
end

-- Returns the number of the node of what follows, if nodes are set.
local function next_node(fn, state)
  if not state.nodes then return end
  fn:set_node(#state.nodes + 1)
  return #state.nodes + 1
end

local function emit_check(fn, b, vars, op)
  local test = op[1].op and emit(fn, b, vars, op[1]) or read(fn, b, vars, op[1])
  b:trap_if(test, op.trap_if)
end

local function assign(fn, b, vars, op, state)
  local node = next_node(fn, state)
  local function value_of(operand) return read(fn, b, vars, operand) end
  local args, value = {}
  if op.trap_if then return emit_check(fn, b, vars, op) end
  for i, operand in ipairs(op.args or op.foreign and op or {}) do args[i] = value_of(operand) end
  if op.access then
    value = rooms.emit(b, state.memory, op, value_of)
  elseif op.call then
    value = from_integer(b, emit_call(b, op, args, state), vars.types[op.to])
  elseif op.foreign then
    local first, second = b:emit(op.foreign, table.unpack(args))
    value = first and from_integer(b, second or first, vars.types[op.to])
  else
    value = emit(fn, b, vars, op)
  end
  if value then set(b, vars, op.to, value) end
  if node then state.nodes[node] = (op.op or op.call or op.foreign) and value or false end
end

-- Shows all variables, and returns the first one.
local function show_all(show)
  return function(b, all)
    b:call(show, false, table.unpack(all))
    b:ret(all[1])
  end
end

--- As opts.leave: shows all variables, and ends by a tail call of what returns the first one.
---@param show any
---@param callee any
---@return fun(b: phial.Block, all: phial.Value[])
function M.leaving_to(show, callee)
  return function(b, all)
    b:call(show, false, table.unpack(all))
    b:tail_call(callee, all[1])
  end
end

-- A variable as an i64; any nan is the same, and so is any address.
function bits(b, v)
  local type = v:type()
  if type == "i64" then return v end
  if type == "i1" then return b:zext(v, "i64") end
  if type == "ptr" then return b:bitcast(v, "i64") end
  if type:find "^i" then return b:sext(v, "i64") end
  local integer = type == "f32" and "i32" or "i64"
  local plain = b:select(b:fne(v, v), 7, b:bitcast(v, integer))
  return integer == "i32" and b:sext(plain, "i64") or plain
end

--- As opts.leave: returns an i64 that tells the values of all variables apart, and if the
--- function has a second result, a part of it.
function M.digest(b, all, second)
  local sum = b:add(bits(b, all[1]), 1)
  for i = 2, #all do
    sum = b:add(b:mul(sum, 31), bits(b, all[i]))
    sum = b:bxor(sum, b:shr(sum, 29))
  end
  if second then b:ret(sum, from_integer(b, sum, second)) else b:ret(sum) end
end

-- }== Blocks ==========================================================

-- Of which variables the edges that leave the i-th block say something.
local function refined(vars, source, i)
  local list = { vars[i % #vars + 1] }
  list[2] = source.cond.var and vars[source.cond.var]
  return { refine = list }
end

local function leave(b, vars, state)
  local all = {}
  for v in ipairs(vars) do all[v] = get(b, vars, v) end
  if state.memory then table.move(rooms.integers(b, state.memory), 1, 4, #all + 1, all) end
  state.leave(b, all, state.program.second)
end

-- Ends a function that has gone back too often; returns the block that goes on.
local function tick(fn, b, state, enter)
  local ticks = state.ticks
  set(b, ticks, 1, b:sub(get(b, ticks, 1), 1))
  local rest = fn:block(nil, 1)
  b:branch(b:sgt(get(b, ticks, 1), 0), rest, state.exit)
  return enter(rest)
end

-- Says of all variables of a type that they may be written.
local function may_write(b, vars, i)
  local list, type = {}, vars.types[i % #vars + 1]
  for v, other in ipairs(vars.types) do
    if other == type then list[#list + 1] = vars[v] end
  end
  b:may_write(list, b:read(list[i % #list + 1]))
end

local function fill(fn, b, vars, i, state)
  local source, targets, goes_back = state.program.blocks[i], {}, false
  if state.may and i % 2 == 0 then may_write(b, vars, i) end
  for _, op in ipairs(source) do assign(fn, b, vars, op, state) end
  for k, target in ipairs(source.targets) do
    targets[k], goes_back = state.blocks[target], goes_back or target <= i
  end
  if state.ticks and goes_back then b = tick(fn, b, state, state.enter) end
  local refine = state.refine and #targets > 1 and refined(vars, source, i) or nil
  if #targets == 0 then
    local tail = source.tail
    if source.trap then
      b:trap(source.trap)
    elseif tail then
      emit_tail_call(fn, b, vars, tail, state)
    else
      leave(b, vars, state)
    end
  elseif #targets == 1 then
    b:jump(targets[1])
  elseif #targets == 2 then
    b:branch(condition(fn, b, vars, source), targets[1], targets[2], refine)
  else
    b:switch(read(fn, b, vars, source.cond), targets[1], { [0] = targets[2], [1] = targets[3],
      [-1] = targets[4] }, refine)
  end
end

-- Seals the blocks that have all predecessors now that block i is filled.
local function seal_behind(program, blocks, left, i)
  for _, target in ipairs(program.blocks[i].targets) do
    left[target] = left[target] - 1
    if left[target] == 0 then blocks[target]:seal() end
  end
end

-- }== Functions =======================================================

-- "name:type", or only the name if that is the default type.
local function declared(name, type, opts)
  return type == opts.type and name or name .. ":" .. type
end

local function is_parameter(program, v) return v <= (program.params or #program.vars) end

-- The parameters: those that callees have besides, and variables.
local function parameters(program, opts)
  local list = {}
  if program.is_callee then
    list[1], list[2] = declared("depth", "i64", opts), program.memory and "room:ptr"
      .. (program.copies and " byval " .. rooms.STRUCT or "") or nil
  end
  for v, type in ipairs(program.vars) do
    if is_parameter(program, v) then list[#list + 1] = declared("x" .. v, type, opts) end
  end
  return list
end

-- The variables, or memory for each; `undef` gives those that are not parameters their values.
local function open_variables(fn, program, opts, hidden)
  local vars, b = { slots = opts.slots, types = program.vars }, fn:entry()
  local last = (program.params or #program.vars) + (program.more or 0)
  local list = fn:is_variadic() and b:alloca(32, 8)
  if list then b:va_start(list) end
  for v, type in ipairs(program.vars) do
    local is_param = is_parameter(program, v)
    vars[v] = opts.slots and b:alloca(type) or is_param and fn:param(hidden + v)
      or fn:var("x" .. v, type ~= opts.type and type or nil)
    local is_further = not is_param and v <= last
    local value = is_param and fn:arg(hidden + v) or is_further and b:va_arg(list, type)
      or fn:const(program.values[v], type)
    if opts.slots or is_further or not is_param and opts.undef ~= "values" then
      set(b, vars, v, value)
    end
  end
  if list then b:va_end(list) end
  return vars
end

-- What an undefined variable is.
local function values_of(program)
  return function(var)
    local v = math.tointeger(var:name():sub(2))
    return var:name() == "ticks" and program.ticks or program.values[v]
  end
end

-- Opens the blocks of a function. A callee that is too deep returns.
local function open_blocks(fn, program, opts)
  local blocks = { fn:entry() }
  local left = flow.edges_into(program.blocks, function(source) return source.targets end)
  if program.is_callee then
    local leaf = fn:block(nil, 1)
    blocks[1] = fn:block(nil, 1)
    fn:entry():branch(fn:entry():slt(fn:arg(1), 1), leaf, blocks[1])
    local second = program.second
    leaf:ret(fn:const(5, opts.result), second and from_integer(leaf, fn:const(5, "i64"), second))
  end
  for i = 2, #program.blocks do
    local name = opts.named and i % 3 > 0 and "n" .. i % 4 or nil
    blocks[i] = fn:block(name, opts.seal == "counted" and left[i] or nil)
    if opts.seal == "early" and left[i] == 0 then blocks[i]:seal() end
  end
  return blocks, left
end

-- Options of M.build, which are not those of phial.fn.
local OWN = { seal = true, result = true, leave = true, refine = true, named = true,
  current = true, started = true, finish = true, name = true, may = true, slots = true,
  make = true, callee = true, nodes = true }

local function options_of(program, opts)
  local given = {}
  for key, value in pairs(opts) do
    if not OWN[key] then given[key] = value end
  end
  given.rules = given.rules == nil and false or given.rules
  if given.rules == "default" then given.rules = nil end
  if opts.undef == "values" then given.undef = values_of(program) end
  given.variadic = (program.more or 0) > 0
  if program.foreign then given.dialects = { M.dialect } end
  return given
end

--- Builds and finishes a program; show is called with all variables at the end.
--- opts.rules: a rule set (none by default), or "default"; opts.seal: "late" (finish seals; the
--- default), "early" (a block is sealed when all its predecessors are filled) or "counted"
--- (blocks know how many predecessors they have). opts.result and opts.leave: the type
--- of the result, and a function that ends a block, given the values of all variables.
--- opts.refine: terminators refine variables; opts.named: some blocks have names, not all of
--- them different; opts.current: the function's methods fill its current block; opts.started:
--- called with the new function; opts.finish: the options of finish. opts.undef: "values": what is
--- read of a variable that is not a parameter is undefined, and its value; opts.may: there are
--- may-writes; opts.slots: variables are memory; opts.make makes the function, in place of
--- phial.fn; opts.callee(name, form): what is called; opts.nodes: a list, in which the value, or
--- false, is stored of each statement, whose number is its node. Others are those of phial.fn.
function M.build(program, show, opts)
  opts = opts or {}
  local result, hidden = opts.result or program.vars[1], 0
  if program.is_callee then hidden = program.memory and 2 or 1 end
  if program.second then result = { result, program.second } end
  local fn = (opts.make or phial.fn)(opts.name or "random", parameters(program, opts), result,
    options_of(program, opts))
  if opts.started then opts.started(fn) end
  local function enter(block) return opts.current and fn:set_current(block) or block end
  local state = { program = program, enter = enter,
    refine = opts.refine and not opts.slots, may = opts.may and not opts.slots,
    leave = opts.leave or show_all(show), callee = opts.callee, nodes = opts.nodes,
    memory = program.memory and rooms.open(fn, program.is_callee and fn:arg(2)) }
  state.depth = program.is_callee and fn:arg(1) or fn:const(3)
  local vars = open_variables(fn, program, opts, hidden)
  if program.ticks then
    local ticks = opts.slots and fn:entry():alloca "i64" or fn:var("ticks", "i64")
    state.ticks, state.exit = { ticks, slots = opts.slots, types = { "i64" } }, fn:block "exit"
    if opts.slots or opts.undef ~= "values" then
      set(fn:entry(), state.ticks, 1, fn:const(program.ticks))
    end
  end
  local blocks, left = open_blocks(fn, program, opts)
  state.blocks = blocks
  for i in ipairs(program.blocks) do
    fill(fn, enter(blocks[i]), vars, i, state)
    if opts.seal == "early" then seal_behind(program, blocks, left, i) end
  end
  if state.exit then
    if opts.seal and opts.seal ~= "late" then state.exit:seal() end
    leave(enter(state.exit), vars, state)
  end
  return fn:finish(opts.finish)
end

-- }====================================================================

return M
