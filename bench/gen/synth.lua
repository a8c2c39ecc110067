-- synth.lua: writes a synthetic trace, one function whose shape is hard on
-- SSA construction.
--
-- usage: lua5.4 bench/gen/synth.lua SHAPE N [V] > out.sst
--
-- A shape describes its blocks by any labels it likes, in layout order; the
-- writer numbers them in that order and seals each one right after the
-- terminator that adds its last edge.

local shapes = {}

-- ---------------------------------------------------------------- writer

local Graph = {}
Graph.__index = Graph

local function graph(name, nvars)
  return setmetatable({
    name = name, nvars = nvars,
    events = {},             -- strings, blocks {label} and terminators
    number = {}, nblocks = 0 -- by label
  }, Graph)
end

function Graph:block(label)
  self.number[label] = self.nblocks
  self.nblocks = self.nblocks + 1
  self.events[#self.events + 1] = { block = label }
end

function Graph:event(kind, var)
  self.events[#self.events + 1] = var and kind .. " " .. var or kind
end

function Graph:terminator(kind, ...)
  self.events[#self.events + 1] = { kind = kind, targets = { ... } }
end

function Graph:switch(targets)
  self.events[#self.events + 1] = { kind = "s", targets = targets }
end

--- How many edges each block gets.
function Graph:indegrees()
  local degree = {}
  for _, event in ipairs(self.events) do
    for _, target in ipairs(event.targets or {}) do
      degree[target] = (degree[target] or 0) + 1
    end
  end
  return degree
end

--- The line of a terminator, then a seal for each block it completes.
function Graph:ending(lines, event, degree)
  local line, sealed = { event.kind }, {}
  if event.kind == "s" then line[2] = #event.targets end
  for _, target in ipairs(event.targets) do
    line[#line + 1] = self.number[target]
    degree[target] = degree[target] - 1
    if degree[target] == 0 then sealed[#sealed + 1] = target end
  end
  lines[#lines + 1] = table.concat(line, " ")
  for _, target in ipairs(sealed) do
    lines[#lines + 1] = "S " .. self.number[target]
  end
end

function Graph:text()
  local degree = self:indegrees()
  local lines = {
    ("F %s %d %d"):format(self.name, self.nblocks, self.nvars), "S 0"
  }
  for _, event in ipairs(self.events) do
    if type(event) == "string" then
      lines[#lines + 1] = event
    elseif event.block then
      lines[#lines + 1] = "b " .. self.number[event.block]
    else
      self:ending(lines, event, degree)
    end
  end
  lines[#lines + 1] = "E\n"
  return table.concat(lines, "\n")
end

--- A read whose value is used.
function Graph:use(var)
  self:event("r", var)
  self:event("u")
end

--- Ends it: the current block returns.
---@return string text of the whole graph
function Graph:finish()
  self:terminator "x"
  return self:text()
end

-- ---------------------------------------------------------------- shapes

--- n empty diamonds between a write and a use of each of v variables.
function shapes.ladder(n, v)
  v = v or 1
  local g = graph(("ladder%d_%d"):format(n, v), v)
  g:block("join0")
  for var = 0, v - 1 do g:event("w", var) end
  for i = 1, n do
    local yes, no, join = "yes" .. i, "no" .. i, "join" .. i
    g:terminator("c", yes, no)
    g:block(yes)
    g:terminator("j", join)
    g:block(no)
    g:terminator("j", join)
    g:block(join)
  end
  for var = 0, v - 1 do
    g:use(var)
  end
  return g:finish()
end

--- n empty ifs in a row between a write and a use, which exponentially many paths
--- connect (Ullrich, Verified Construction of SSA Form, chapter 7).
function shapes.ifs(n)
  local g = graph("ifs" .. n, 1)
  g:block("join0")
  g:event("w", 0)
  for i = 1, n do
    local yes, join = "yes" .. i, "join" .. i
    g:terminator("c", yes, join)
    g:block(yes)
    g:terminator("j", join)
    g:block(join)
  end
  g:use(0)
  return g:finish()
end

--- One block of n writes.
function shapes.straight(n)
  local g = graph("straight" .. n, 1)
  g:block(0)
  for _ = 1, n do g:event("w", 0) end
  g:event("u")
  return g:finish()
end

--- n blocks in a row, then a read of what the entry wrote.
function shapes.chain(n)
  local g = graph("chain" .. n, 1)
  g:block(0)
  g:event("w", 0)
  for i = 1, n do
    g:terminator("j", i)
    g:block(i)
  end
  g:use(0)
  return g:finish()
end

--- n blocks in a row; each writes one variable and reads another one, which
--- the entry wrote and which has the same bit in sets of 64.
function shapes.alias(n)
  local g = graph("alias" .. n, 65)
  g:block(0)
  for var = 0, 64 do g:event("w", var) end
  for i = 1, n do
    g:terminator("j", i)
    g:block(i)
    g:event("w", 64)
    g:use(0)
  end
  return g:finish()
end

--- n blocks in a row, each filled before the one that leads to it, so that all
--- of them are sealed late; after them n blocks read what the entry wrote.
function shapes.backward(n)
  local g = graph("backward" .. n, 1)
  g:block "entry"
  g:event("w", 0)
  g:terminator("j", 1)
  for i = n, 1, -1 do
    g:block(i)
    g:terminator("j", i < n and i + 1 or "reader1")
  end
  for i = 1, n do
    g:block("reader" .. i)
    g:use(0)
    if i < n then g:terminator("j", "reader" .. i + 1) end
  end
  return g:finish()
end

--- Loops nested n deep.  Each header reads a variable written before all
--- loops; each latch writes a shared counter and seals its header.
function shapes.nest(n)
  local g = graph("nest" .. n, 2)
  g:block("entry")
  g:event("w", 0)
  g:event("w", 1)
  g:terminator("j", "header1")
  for i = 1, n do
    g:block("header" .. i)
    g:event("r", 1)
    g:event("r", 0)
    g:terminator("c", "inner" .. i, "exit" .. i)
    g:block("inner" .. i)
    g:terminator("j", i < n and "header" .. i + 1 or "body")
  end
  g:block("body")
  g:use(0)
  g:terminator("j", "latch" .. n)
  for i = n, 1, -1 do
    g:block("latch" .. i)
    g:event("r", 1)
    g:event("w", 1)
    g:terminator("j", "header" .. i)
    g:block("exit" .. i)
    if i > 1 then g:terminator("j", "latch" .. i - 1) end
  end
  g:use(0)
  return g:finish()
end

--- Loops in loops that are read only when all of them are complete: one cycle of
--- n blocks, which two values enter.
function shapes.lateread(n)
  local g = graph("lateread" .. n, 1)
  g:block("entry")
  g:event("w", 0)
  g:terminator("j", "header1")
  for i = 1, n do
    g:block("header" .. i)
    g:terminator("c", i < n and "header" .. i + 1 or "body", "exit" .. i)
  end
  g:block("body")
  g:event("w", 0)
  g:terminator("j", "header" .. n)
  for i = n, 2, -1 do
    g:block("exit" .. i)
    g:terminator("j", "header" .. i - 1)
  end
  g:block("exit1")
  g:use(0)
  return g:finish()
end

--- The words of the Mersenne Twister (Matsumoto and Nishimura, 1998), seeded
--- with one number: the draws of Python's `random`, so that the shape is the
--- same as others measured it.
local function twister(seed)
  local x = { [0] = 19650218 }
  for i = 1, 623 do
    x[i] = (1812433253 * (x[i - 1] ~ x[i - 1] >> 30) + i) & 0xFFFFFFFF
  end
  local function mix(i, factor, add)
    x[i] = (x[i] ~ (x[i - 1] ~ x[i - 1] >> 30) * factor) + add & 0xFFFFFFFF
  end
  for i = 1, 623 do mix(i, 1664525, seed) end
  x[0] = x[623]
  mix(1, 1664525, seed)
  for i = 2, 623 do mix(i, 1566083941, -i) end
  x[0] = x[623]
  mix(1, 1566083941, -1)
  x[0] = 0x80000000
  local at = 0
  return function()
    local y = x[at] & 0x80000000 | x[(at + 1) % 624] & 0x7FFFFFFF
    y = x[(at + 397) % 624] ~ y >> 1 ~ (y & 1) * 0x9908B0DF
    x[at] = y
    at = (at + 1) % 624
    y = y ~ y >> 11
    y = y ~ y << 7 & 0x9D2C5680
    y = y ~ y << 15 & 0xEFC60000
    return y ~ y >> 18
  end
end

--- Draws below n: as many upper bits as n has, again until they are below.
local function draws(seed)
  local word = twister(seed)
  return function(n)
    local bits = 0
    while n >> bits > 0 do bits = bits + 1 end
    local drawn
    repeat drawn = word() >> 32 - bits until drawn < n
    return drawn
  end
end

--- A loop around a switch with n cases, each of which reads and writes some
--- of v variables.
function shapes.bigswitch(n, v)
  v = v or 64
  local draw = draws(12345)
  local g = graph("bigswitch" .. n, v)
  g:block("entry")
  for var = 0, v - 1 do g:event("w", var) end
  g:terminator("j", "header")
  g:block("header")
  g:event("r", 0)
  g:event("r", 1)
  g:event("w", 0)
  local targets = { "exit" }
  for i = 1, n do targets[i + 1] = i end
  g:switch(targets)
  for i = 1, n do
    g:block(i)
    g:event("r", draw(v))
    g:event("r", draw(v))
    g:event("w", draw(v))
    g:use(draw(v))
    local var = draw(v)
    g:event("r", var)
    g:event("w", var)
    g:terminator("j", "header")
  end
  g:block("exit")
  for var = 0, v - 1 do g:event("r", var) end
  g:event("u")
  return g:finish()
end

--- A loop around a switch that is laid out after all of its n cases but one,
--- as interpreters have it: the cases are filled before anything leads to them.
--- Each adds to a counter, on one of two ways, and reads one of v variables,
--- which are written before the loop.
function shapes.dispatch(n, v)
  v = v or 64
  local draw = draws(12345)
  local g = graph("dispatch" .. n, v + 1)
  local function case(i)
    local yes, join = "yes" .. i, "join" .. i
    g:block(i)
    g:event("r", draw(v))
    g:terminator("c", yes, join)
    g:block(yes)
    g:event("r", v)
    g:event("w", v)
    g:terminator("j", join)
    g:block(join)
    g:use(draw(v))
    g:terminator("j", "switch")
  end
  g:block("entry")
  for var = 0, v do g:event("w", var) end
  g:terminator("j", "switch")
  for i = 1, n - 1 do case(i) end
  g:block("switch")
  g:event("r", v)
  local targets = { "exit" }
  for i = 1, n do targets[i + 1] = i end
  g:switch(targets)
  case(n)
  g:block("exit")
  g:use(v)
  return g:finish()
end

--- n loops with two entries in a row; one variable is only read in them, one
--- is written.
function shapes.irreducible(n)
  local g = graph("irreducible" .. n, 2)
  g:block("entry")
  g:event("w", 0)
  g:event("w", 1)
  g:terminator("j", "fork1")
  for i = 1, n do
    local a, b = "a" .. i, "b" .. i
    g:block("fork" .. i)
    g:terminator("c", a, b)
    g:block(a)
    g:use(0)
    g:terminator("j", b)
    g:block(b)
    g:event("r", 0)
    g:event("r", 1)
    g:event("w", 1)
    g:terminator("c", a, "fork" .. i + 1)
  end
  g:block("fork" .. n + 1)
  g:event("r", 0)
  g:use(1)
  return g:finish()
end

--- n loop headers in a row before the body that reads the variable; all back
--- edges come at the very end, so that all headers stay unsealed until then.
function shapes.phicascade(n)
  local g = graph("phicascade" .. n, 1)
  g:block("entry")
  g:event("w", 0)
  g:terminator("j", "header1")
  for i = 1, n do
    g:block("header" .. i)
    g:terminator("j", i < n and "header" .. i + 1 or "body")
  end
  g:block("body")
  g:use(0)
  g:terminator("c", "latch1", "exit")
  for i = 1, n do
    g:block("latch" .. i)
    g:terminator("c", "header" .. i, i < n and "latch" .. i + 1 or "exit")
  end
  g:block("exit")
  g:use(0)
  return g:finish()
end

--- n blocks in a row and n variables: block i writes variable i and reads it
--- and variable i - d.
function shapes.sparse(n, d)
  d = d or 64
  local g = graph("sparse" .. n, n)
  for i = 0, n - 1 do
    g:block(i)
    g:event("w", i)
    g:event("r", i)
    if i >= d then g:event("r", i - d) end
    g:event("u")
    if i < n - 1 then g:terminator("j", i + 1) else g:terminator("x") end
  end
  return g:text()
end

--- A join with n predecessors, each of which writes two of v variables.
function shapes.wide(n, v)
  v = v or 16
  local g = graph("wide" .. n, v)
  g:block("entry")
  for var = 0, v - 1 do g:event("w", var) end
  local targets = {}
  for i = 1, n do targets[i] = i end
  g:switch(targets)
  for i = 1, n do
    g:block(i)
    g:event("w", (i - 1) % v)
    g:event("w", ((i - 1) * 7 + 3) % v)
    g:terminator("j", "join")
  end
  g:block("join")
  for var = 0, v - 1 do
    g:use(var)
  end
  return g:finish()
end

-- ---------------------------------------------------------------- main

local shape, n, v = shapes[arg[1]], tonumber(arg[2]), tonumber(arg[3])
if not shape or math.type(n) ~= "integer" or n < 1 then
  local names = {}
  for name in pairs(shapes) do names[#names + 1] = name end
  table.sort(names)
  io.stderr:write("usage: synth.lua SHAPE N [V]\nshapes: ",
    table.concat(names, " "), "\n")
  os.exit(2)
end
io.write(shape(n, v))
