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

---@class replay.Options
---@field construction? string
---@field rules? any
---@field where? boolean note lines of the frontend, default false
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
      type = "any", dialects = { dialect }, where = options.where or false
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

--- Constructs one function of a trace; it is not finished yet.
---@param func trace.Function
---@param options replay.Options
---@return phial.Function
function M.construct(func, options)
  local fn = opened(func, options)
  local blocks, vars = blocks, vars -- luacheck: ignore 431
  local opaque = fn:const(nil, "any")
  local code, pc = func.code, 1
  local block, latest, before
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
      block, latest, before = blocks[a], nil, nil
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

local UNVERIFIED = { verify = false }

--- Constructs and finishes one function.
---@param func trace.Function
---@param options replay.Options
---@return phial.Function
function M.finished(func, options)
  local fn = M.construct(func, options)
  fn:finish(UNVERIFIED)
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
  if not fn:minimal() then problems[#problems + 1] = "has redundant phis" end
  if not fn:pruned() then
    problems[#problems + 1] = "has phis that nothing needs"
  end
  return problems
end

return M
