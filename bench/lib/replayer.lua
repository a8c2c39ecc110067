--- Replays functions of a trace through the public interface of phial.
local phial = require "phial"

local M = {}

local dialect = phial.dialect("trace", {
  op2 = { args = 2, result = "any", pure = true },
  use = { args = 1 },
  br = { args = 1, terminator = true, targets = 2 },
  sw = { args = 1, terminator = true, targets = "*" }
})

local OP2, USE, BR, SW = dialect.op2, dialect.use, dialect.br, dialect.sw

-- The kinds of events, as bench.lib.trace numbers them.
local BLOCK <const> = 1
local READ <const> = 2
local WRITE <const> = 3
local MOVE <const> = 4
local USE_IT <const> = 5
local JUMP <const> = 6
local COND <const> = 7
local SWITCH <const> = 8
local RET <const> = 9
local SEAL <const> = 10
local READS <const> = 12

-- The kinds of events of the short form, as bench.lib.fuse numbers them.
local SHORT_BLOCK <const> = 1
local SHORT_SEAL <const> = 2
local SHORT_USE <const> = 3
local SHORT_READ <const> = 4
local LET <const> = 5
local SHORT_JUMP <const> = 6
local SHORT_MOVE <const> = 7
local SHORT_COND <const> = 8
local EMIT <const> = 9
local SHORT_RET <const> = 10
local SHORT_SWITCH <const> = 11

---@class replay.Options
---@field construction? string
---@field form? "long"|"short" what the code of the trace is, default long
---@field current? boolean by the methods of the function, which has a current block
---@field rules? any
---@field where? boolean note lines of the frontend, default false
---@field verified? boolean finish verifies, default false
---@field log? fun(event: phial.Event)
---@field fn? table what phial.fn gets, made of these

-- A frontend has the names of its variables at hand.
local names = setmetatable({}, { __index = function(t, i)
  t[i] = "v" .. i
  return t[i]
end })

--- The options of the functions: one table for all of them.
local function settings(options)
  if not options.fn then
    options.fn = {
      rules = options.rules or false, construction = options.construction,
      type = "any", dialects = { dialect }, where = options.where or false,
      log = options.log
    }
  end
  return options.fn
end

-- The blocks and variables of the function under construction, by number; the
-- tables serve all functions.
local blocks, vars = {}, {}

--- The function before its first event.
local function opened(func, options)
  local fn = phial.fn(func.name, nil, "any", settings(options))
  blocks[0] = fn:entry()
  for i = 1, func.nblocks - 1 do blocks[i] = fn:block() end
  for i = 0, func.nvars - 1 do vars[i] = fn:var(names[i]) end
  return fn
end

local function construct_long(func, options)
  local fn = opened(func, options)
  local blocks, vars = blocks, vars -- luacheck: ignore 431
  local opaque = fn:const(nil, "any")
  local code, pc, current = func.code, 1, options.current
  local block, latest, before = fn, nil, nil
  while true do
    local kind, a = code[pc], code[pc + 1]
    pc = pc + 2
    if kind == READ then
      before, latest = latest, block:read(vars[a])
    elseif kind == READS then
      before, latest = block:read(vars[a], vars[code[pc]])
      pc = pc + 1
    elseif kind == WRITE or kind == MOVE and not latest then
      local value = block:emit(OP2, before or opaque, latest or opaque)
      before, latest = latest, value
      block:write(vars[a], value)
    elseif kind == BLOCK then
      if current then fn:set_current(blocks[a]) else block = blocks[a] end
      latest, before = nil, nil
    elseif kind == SEAL then
      if a ~= 0 then blocks[a]:seal() end -- the entry is sealed from the start
    elseif kind == USE_IT then
      block:emit(USE, latest or opaque)
      pc = pc - 1
    elseif kind == JUMP then
      block:jump(blocks[a])
    elseif kind == COND then
      block:emit(BR, latest or opaque, blocks[a], blocks[code[pc]])
      pc = pc + 1
    elseif kind == MOVE then
      block:write(vars[a], latest)
    elseif kind == RET then
      block:ret(latest or opaque)
      pc = pc - 1
    elseif kind == SWITCH then
      local targets = {}
      for i = 1, a do targets[i] = blocks[code[pc + i - 1]] end
      block:emit(SW, latest or opaque, targets)
      pc = pc + a
    else
      return fn
    end
  end
end

-- By number: variables and values, as bench.lib.fuse numbers them.
local slots = {}

local function construct_short(func, options)
  local fn = opened(func, options)
  local blocks, slots = blocks, slots -- luacheck: ignore 431
  for i = 0, func.nvars - 1 do slots[i + 1] = vars[i] end
  slots[func.nvars + 1] = fn:const(nil, "any")
  local code, pc, current = func.code, 1, options.current
  local block = fn
  while true do
    local kind, a = code[pc], code[pc + 1]
    if kind <= SHORT_READ then
      if kind == SHORT_BLOCK then
        if current then fn:set_current(blocks[a]) else block = blocks[a] end
        pc = pc + 2
      elseif kind == SHORT_SEAL then
        if a ~= 0 then blocks[a]:seal() end
        pc = pc + 2
      elseif kind == SHORT_USE then
        block:emit(USE, slots[a])
        pc = pc + 2
      else
        slots[a] = block:read(slots[code[pc + 2] + 1])
        pc = pc + 3
      end
    elseif kind <= SHORT_COND then
      if kind == LET then
        block:let(slots[a + 1], OP2, slots[code[pc + 2]], slots[code[pc + 3]])
        pc = pc + 4
      elseif kind == SHORT_JUMP then
        block:jump(blocks[a])
        pc = pc + 2
      elseif kind == SHORT_MOVE then
        block:write(slots[a + 1], slots[code[pc + 2]])
        pc = pc + 3
      else
        block:emit(BR, slots[a], blocks[code[pc + 2]], blocks[code[pc + 3]])
        pc = pc + 4
      end
    elseif kind == EMIT then
      slots[a] = block:emit(OP2, slots[code[pc + 2]], slots[code[pc + 3]])
      pc = pc + 4
    elseif kind == SHORT_RET then
      block:ret(slots[a])
      pc = pc + 2
    elseif kind == SHORT_SWITCH then
      local targets, n = {}, code[pc + 2]
      for i = 1, n do targets[i] = blocks[code[pc + 2 + i]] end
      block:emit(SW, slots[a], targets)
      pc = pc + 3 + n
    else
      return fn
    end
  end
end

--- Constructs one function of a trace; it is not finished yet.
---@param func trace.Function
---@param options replay.Options
---@return phial.Function
function M.construct(func, options)
  if options.form == "short" then return construct_short(func, options) end
  return construct_long(func, options)
end

local VERIFIED, UNVERIFIED = { verify = true }, { verify = false }

--- Constructs and finishes one function.
---@param func trace.Function
---@param options replay.Options
---@return phial.Function
function M.finished(func, options)
  local fn = M.construct(func, options)
  fn:finish(options.verified and VERIFIED or UNVERIFIED)
  return fn
end

--- Replays all functions and frees each.
---@param t trace.Trace
---@param options replay.Options
function M.pass(t, options)
  for _, func in ipairs(t.funcs) do
    local _ <close> = M.finished(func, options)
  end
end

--- Nanoseconds per event of one pass.
---@param t trace.Trace
---@param options replay.Options
---@return number
function M.timed(t, options)
  collectgarbage()
  collectgarbage()
  local start = os.clock()
  M.pass(t, options)
  return (os.clock() - start) * 1e9 / t.events
end

--- The number of phis left in each function, in order.
---@param t trace.Trace
---@param options replay.Options
---@param look? fun(fn: phial.Function, func: trace.Function) for each one
---@return integer[]
function M.phis(t, options, look)
  local phis = {}
  for i, func in ipairs(t.funcs) do
    local fn <close> = M.finished(func, options)
    phis[i] = 0
    for block in fn:blocks() do phis[i] = phis[i] + #block:phis() end
    if look then look(fn, func) end
  end
  return phis
end

--- What is wrong with a finished function: a list of texts.
---@param fn phial.Function
---@return string[]
function M.problems(fn)
  local _, problems = fn:verify()
  problems = problems or {}
  if not fn:is_minimal() then problems[#problems + 1] = "has redundant phis" end
  if not fn:is_pruned() then
    problems[#problems + 1] = "has phis that nothing needs"
  end
  return problems
end

return M
