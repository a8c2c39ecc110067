-- After a direct call of __gc or __close, what was closed and what used it raise
-- errors; nothing crashes. The list of calls is made from the metatables.
local child = require "spec.support.child"
local under = require "spec.support.under"

local WORLD = [==[
local phial = require "phial"

-- One of each kind, by the name of its kind; several of what owns memory.
local function world()
  local it, builder = {}, nil
  local D = phial.dialect("d", { op = { args = 1, result = "i64" }, t = {} })
  local R = phial.rules("a: x + C => $f(x) if $g(C)\nb: x * 0 => 0\nc: x - C => x @ late", {
    f = function(b) builder = b end,
    g = function() return true end,
  }, "r")
  local S = phial.rules(arg[1] == "Standard" and "int" or nil):attach(D) -- it takes long to load
  local fn = phial.fn("f", { "x", "c:i1" }, nil, { rules = R, dialects = { D } })
  fn:set_current(fn:entry())
  fn:entry():add(fn:arg(1), 1)
  fn:entry():mul(fn:arg(1), 0)
  it.Function, it.Block, it.Variable, it.Value = fn, fn:entry(), fn:param(1), fn:arg(1)
  it.Rules, it.Actor, it.Op, it.Dialect, it.Standard = R, builder, D.op, D, S
  local done = phial.fn("done", { "x" }, "i64", { rules = S })
  local loop = done:block "loop"
  done:entry():jump(loop)
  local v = loop:add(loop:read(done:param(1)), 1)
  loop:write(done:param(1), v)
  loop:branch(loop:slt(v, 9), loop, done:block "out")
  loop:seal()
  for b in done:blocks() do if not b:is_filled() then b:seal() b:ret(v) end end
  done:finish()
  it.Finished, it.Cursor, it.Instruction = done, loop:back(), v
  it.record = phial.record(phial.fn("g", { "x" }, nil, { rules = R }))
  local accessed = phial.fn("h", { "x" }, nil, { accesses = true })
  accessed:entry():read(accessed:param(1))
  it.Accessed, it.Access = accessed, accessed:read_accesses()[1]
  it.next_block, it.blocks = fn:blocks()
  return it
end

local function sorted(t)
  local keys = {}
  for k in pairs(t) do
    if type(k) == "string" then keys[#keys + 1] = k end
  end
  table.sort(keys)
  return keys
end

-- Not called: a solver may run for minutes; nor is what goes through all rules of the
-- default set, since a set of three is here, too.
local SKIPPED = { prove = true }
local OF_FEW = { check = true, smt = true }

-- The methods and metamethods of what the world has by this name.
local function calls_of(it, kind)
  local meta = getmetatable(it[kind])
  local calls = {}
  for _, name in ipairs(sorted(meta)) do
    if type(meta[name]) == "function" then calls[#calls + 1] = { name, meta[name] } end
  end
  if type(meta.__index) == "table" then
    for _, name in ipairs(sorted(meta.__index)) do
      local f = meta.__index[name]
      local skipped = SKIPPED[name] or kind == "Standard" and OF_FEW[name]
      if type(f) == "function" and not skipped then calls[#calls + 1] = { name, f } end
    end
  end
  return calls
end

-- Arguments of calls, after the handle.
local function arguments(it)
  return {
    {}, { it.Value }, { it.Value, it.Value }, { 3 }, { it.Value, 3 }, { 3, 4 }, { "/dev/null" },
    { it.Block }, { it.Block, it.Block }, { it.Value, it.Block, it.Block }, { it.Variable },
    { it.Variable, 3 }, { it.Function }, { it.Function, "add", it.Value, 3 }, { it.Op, it.Value },
    { it.Rules }, { it.Dialect }, { "add", it.Value, 3 }, { {} }, { it.Value, "i32" },
    { it.Cursor }, { it.Instruction }, { 1, it.Instruction }, { it.Instruction, it.Value },
    { it.Value, it.Block, { it.Block } }, { { it.Access } }, { {}, it.Variable },
    { { bottom = 0, join = math.max, limit = 9, direction = "forward", values = { it.Instruction },
      edge = function(_, _, fact) return fact(1) end, transfer = { default = function(v, fact)
        it.Finished:close()
        return fact(v)
      end } } },
  }
end
]==]

-- Ends one of the things, then calls each method of each of them, in a new world.
local ALL = WORLD .. [==[
local ended, how = arg[1], arg[2]
local out = io.stdout
out:setvbuf "no"
local names = sorted(world())
for _, name in ipairs(names) do
  local it = world()
  local calls = (type(it[name]) == "userdata" or name == "record") and calls_of(it, name) or {}
  for i, call in ipairs(calls) do
    it = world()
    getmetatable(it[ended])[how](it[ended])
    -- If the last line is one of these, that call crashed.
    out:write("\n", name, ".", call[1])
    local f = calls_of(it, name)[i][2]
    for _, args in ipairs(arguments(it)) do pcall(f, it[name], table.unpack(args)) end
    pcall(f)
  end
end
collectgarbage()
out:write "\nall is well\n"
]==]

local seconds <const> = 200

-- The debug library reaches the memory that all functions share. It ends when a
-- state is closed, before things that are older than phial, whose finalizers may
-- use functions.
local MODULE = WORLD .. [==[
local it = world()
local shared
for i = 1, math.huge do
  local name, value = debug.getupvalue(it.Function.name, i)
  if not name then break end
  local meta = type(value) == "userdata" and getmetatable(value)
  if meta and meta.__gc and not meta.__name then shared = value end
end
assert(shared, "the module's memory is not found")
getmetatable(shared).__gc(shared)
getmetatable(shared).__gc(shared)
local phial = require "phial"
for _, make in ipairs {
  function() phial.fn "f" end, function() phial.rules() end, function() phial.rules "int" end,
  function() phial.parse "fn f() {\nentry:\n  ret\n}\n" end, function() it.Function:text() end,
  function() it.Value:op() end, function() it.Rules:names() end,
} do
  print((select(2, pcall(make)):gsub("^[^:]*:%d+: ", "")))
end
print(it.Function, it.Value, it.Rules, it.Finished)
for _, name in ipairs(sorted(it)) do
  for _, call in ipairs(type(it[name]) == "userdata" and calls_of(it, name) or {}) do
    for _, args in ipairs(arguments(it)) do pcall(call[2], it[name], table.unpack(args)) end
  end
end
collectgarbage()
]==]

local ENDED = [[
calling 'phial.fn': the Lua state is being closed
calling 'phial.rules': the Lua state is being closed
calling 'phial.rules': the Lua state is being closed
the Lua state is being closed
calling 'text': the function is closed
calling 'op': the function is closed
calling 'names': the rules are closed
phial.Function (closed)\tphial.Value (closed)\tphial.Rules (closed)\tphial.Function (closed)
]]

describe("after a direct call", function()
  for _, ended in ipairs { "Function", "Finished", "Accessed", "Rules", "Standard" } do
    for _, how in ipairs { "__gc", "__close" } do
      local again = ended == "Standard" or how == "__close" -- what others show, too
      local few = again or ended == "Accessed" or ended == "Finished"
      if not (under.brief and few) and (how == "__gc" or ended:find "^[AF]") then
        it(("of %s of the %s, nothing crashes"):format(how, ended), function()
          local out, err, status = child(ALL, ("ulimit -t %d;"):format(seconds), ended, how)
          assert.same({ "all is well", "", 0 }, { out:match "([^\n]*)\n?$", err, status })
        end)
      end
    end
  end

  it("of __gc of the memory that functions share, all of them are closed", function()
    local out, err, status = child(MODULE, ("ulimit -t %d;"):format(seconds))
    assert.same({ (ENDED:gsub("\\t", "\t")), "", 0 }, { out, err, status })
  end)
end)

describe("a set that was closed that way", function()
  local CLOSED = [==[
local phial = require "phial"
local R = phial.rules("a: x + 0 => x", nil, "r")
local fn = phial.fn("f", { "x" }, nil, { rules = R })
local b, x = fn:entry(), fn:arg(1)
b:add(x, 0)
getmetatable(R).__gc(R)
local ok, why = pcall(arg[1] == "stats" and function() return fn:stats() end
  or arg[1] == "add" and function() return b:add(x, 0) end
  or function() return R:names() end)
print(ok, type(why) == "string" and (why:gsub("^[^:]*:%d+: ", "")) or why.rules)
]==]
  -- The counts of its rules are lost with it.
  for what, expected in pairs {
    stats = "true\tnil\n",
    add = "false\tcalling 'add': the rules of function 'f' are closed\n",
    names = "false\tcalling 'names': the rules are closed\n",
  } do
    it("is mentioned by " .. what, function()
      local out, err, status = child(CLOSED, "ulimit -t 1;", what)
      assert.same({ expected, "", 0 }, { out, err, status })
    end)
  end
end)
