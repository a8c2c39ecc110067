--- Traces of SSA construction (.sst), read into arrays of numbers.
---
--- An event is a kind (below) followed by its operands, as in the file:
--- blocks and variables count from 0, a switch has its number of targets
--- before them.
local M = {}

M.BLOCK, M.READ, M.WRITE, M.MOVE, M.USE = 1, 2, 3, 4, 5
M.JUMP, M.COND, M.SWITCH, M.RET, M.SEAL, M.END = 6, 7, 8, 9, 10, 11
M.READS = 12 -- two reads, one after the other: made by M.pair

---@class trace.Function
---@field name string
---@field nblocks integer
---@field nvars integer
---@field code integer[]

---@class trace.Trace
---@field funcs trace.Function[]
---@field events integer reads, writes, moves, uses and terminators

-- By letter: the kind, what its operands are, does it count as an event.
local kinds = {
  b = { M.BLOCK, "b" }, S = { M.SEAL, "b" }, E = { M.END, "" },
  r = { M.READ, "v", true }, w = { M.WRITE, "v", true },
  m = { M.MOVE, "v", true }, u = { M.USE, "", true },
  j = { M.JUMP, "b", true }, c = { M.COND, "bb", true },
  s = { M.SWITCH, "*", true }, x = { M.RET, "", true }
}

local widths = { 2, 2, 2, 2, 1, 2, 3, nil, 1, 2, 1, 3 }

--- Number of words of the event at `pc`.
local function width(code, pc)
  return widths[code[pc]] or code[pc + 1] + 2
end

--- The events of a function: for each, its kind and its operands.
---@param code integer[]
---@return fun(): integer?, integer[]
function M.events(code)
  local pc = 1
  return function()
    local kind, first = code[pc], pc + 1
    if not kind or kind == M.END then return nil end
    pc = pc + width(code, pc)
    return kind, table.move(code, first, pc - 1, 1, {})
  end
end

-- ---------------------------------------------------------------- reading

local function start(line)
  local name, nblocks, nvars = line:match "^F (%S+) (%d+) (%d+)$"
  if not name then return nil, "'F name nblocks nvars' expected" end
  return {
    name = name, nblocks = tonumber(nblocks), nvars = tonumber(nvars),
    code = {}
  }
end

--- Appends the operands of one line; returns nil and what is wrong.
local function operands(func, line, types)
  local code, n = func.code, 0
  local first = #code + 1
  if not line:find "^%a[%d ]*$" then return nil, "numbers expected" end
  for word in line:gmatch " (%d+)" do
    n = n + 1
    code[#code + 1] = tonumber(word)
  end
  if types == "*" then types = "n" .. ("b"):rep(code[first] or 1) end
  if n ~= #types then
    return nil, ("%d fields expected, got %d"):format(#types, n)
  end
  for i = 1, n do
    local type, at = types:sub(i, i), code[first + i - 1]
    if type == "b" and at >= func.nblocks then
      return nil, ("block %d of %d"):format(at, func.nblocks)
    elseif type == "v" and at >= func.nvars then
      return nil, ("variable %d of %d"):format(at, func.nvars)
    end
  end
  return true
end

local function event(trace, func, line)
  local kind = kinds[line:sub(1, 1)]
  if not kind then return nil, "unknown event" end
  if not func then return nil, "a function starts with F" end
  func.code[#func.code + 1] = kind[1]
  if kind[3] then trace.events = trace.events + 1 end
  return operands(func, line, kind[2])
end

--- Reads a line that is in `func`, or in none; returns the function that the
--- next line is in and nothing, or what is wrong.
local function read_line(trace, func, line)
  local kind = line:sub(1, 1)
  if kind ~= "F" then
    local ok, why = event(trace, func, line)
    return kind ~= "E" and func or nil, not ok and why or nil
  end
  if func then return nil, ("function '%s' has no end"):format(func.name) end
  local new, why = start(line)
  trace.funcs[#trace.funcs + 1] = new
  return new, why
end

--- Reads a whole file; raises an error with file and line when it is not a
--- trace.  What phial itself refuses (two terminators, an edge to a sealed
--- block) is left to it.
---@param path string
---@return trace.Trace
function M.load(path)
  local trace = { funcs = {}, events = 0 }
  local func, number, why = nil, 0, nil
  for line in io.lines(path) do
    number = number + 1
    func, why = read_line(trace, func, line)
    if why then break end
    -- What is measured next is not to hide in the garbage of reading.
    if number % 20000 == 0 then collectgarbage() end
  end
  if func and not why then
    why = ("function '%s' has no end"):format(func.name)
  end
  if trace.events == 0 then why = why or "there is no event" end
  if why then error(("%s:%d: %s"):format(path, number, why), 0) end
  return trace
end

-- ---------------------------------------------------------------- changing

--- A trace with the same functions, their code made by `change`.
local function changed(trace, change)
  local new = { funcs = {}, events = trace.events }
  for i, func in ipairs(trace.funcs) do
    new.funcs[i] = {
      name = func.name, nblocks = func.nblocks, nvars = func.nvars,
      code = change(func.code)
    }
  end
  return new
end

local function copy(code, pc, out)
  table.move(code, pc, pc + width(code, pc) - 1, #out + 1, out)
end

--- Each move is a write of a new value.
---@param trace trace.Trace
---@return trace.Trace
function M.freshen(trace)
  return changed(trace, function(code)
    local out, pc = table.move(code, 1, #code, 1, {}), 1
    while out[pc] do
      if out[pc] == M.MOVE then out[pc] = M.WRITE end
      pc = pc + width(out, pc)
    end
    return out
  end)
end

--- Two reads in a row become one call, as a frontend reads two operands.
---@param trace trace.Trace
---@return trace.Trace
function M.pair(trace)
  return changed(trace, function(code)
    local out, pc = {}, 1
    while code[pc] do
      if code[pc] == M.READ and code[pc + 2] == M.READ then
        table.move({ M.READS, code[pc + 1], code[pc + 3] }, 1, 3, #out + 1, out)
        pc = pc + 4
      else
        copy(code, pc, out)
        pc = pc + width(code, pc)
      end
    end
    return out
  end)
end

--- All sealing is left to `finish`.
local function omit(code)
  local out, pc = {}, 1
  while code[pc] do
    if code[pc] ~= M.SEAL then copy(code, pc, out) end
    pc = pc + width(code, pc)
  end
  return out
end

--- Puts each seal off: not at all, by a few events, by any number, for ever.
local function postponer(seed)
  math.randomseed(seed)
  local random = math.random
  return function(code)
    local out, pc, now, last = {}, 1, 0, #code
    local waiting = {} -- by event: the blocks to be sealed before it
    while code[pc] do
      if code[pc] == M.SEAL then
        local delay = ({ 0, random(0, 8), random(0, last), last })[random(4)]
        local list = waiting[now + delay] or {}
        waiting[now + delay] = list
        table.insert(list, random(#list + 1), code[pc + 1])
      else
        for _, block in ipairs(waiting[now] or {}) do
          table.move({ M.SEAL, block }, 1, 2, #out + 1, out)
        end
        copy(code, pc, out)
        now = now + 1
      end
      pc = pc + width(code, pc)
    end
    return out
  end
end

--- Blocks are sealed as `order` says: "traced", "end" or "random".
---@param trace trace.Trace
---@param order string
---@param seed? integer
---@return trace.Trace
function M.seal(trace, order, seed)
  if order == "traced" then return trace end
  return changed(trace, order == "end" and omit or postponer(seed or 1))
end

return M
