-- Random functions of all types, with all kinds of terminators, callees and addresses: their
-- records make the same functions, with what the host has and without.
local phial = require "phial"
local prop = require "spec.support.prop"
local variants = require "spec.support.variants"

local TYPES <const> = { "i1", "i8", "i16", "i32", "i64", "f32", "f64", "ptr", "any", "rnd.t" }

local D = phial.dialect("rnd", {
  op = { args = "*", result = "any" },
  two = { args = "*", results = { "i64", "any" } },
  pair = { args = "*", results = { "i64", "t" } },
  some = { args = "*", result = "*", results = "*" },
  go = { args = "*", terminator = true, targets = "*" },
  stop = { args = "*", terminator = true },
}, { "t" })

-- Literals that are easily written wrong.
local LITERALS <const> = {
  i1 = { true, false, 1, 0 },
  i8 = { -128, 127, 255, 0 },
  i16 = { -32768, 1 }, i32 = { math.mininteger >> 32, -1, 7 },
  i64 = { math.mininteger, math.maxinteger, 0, -1 },
  f32 = { 0.5, -0.0, 1 / 0, 0 / 0, 16777216.0 },
  f64 = { 0.1, -0.0, -1 / 0, 0 / 0, 5e-324, 1e300, 3.0 },
  any = { "", 'a "b"\n{c} -- d', "\xff\0", 1, 2.5, true },
}

-- Types of results.
local MANY <const> = { { "i1" }, { "f32", "rnd.t" }, { "ptr", "ptr", "ptr" } }

local NAMES <const> = { "x", "head", "a b", "%1", "{host 1}", "F", "" }

local Maker = {}
Maker.__index = Maker

local function choose(pick, list) return list[pick(#list)] end

-- Notes what only the host has, in the order in which records number it.
function Maker:host(it)
  if not self.number[it] then
    self.hosts[#self.hosts + 1] = it
    self.number[it] = #self.hosts
  end
  return it
end

function Maker:literal(type)
  local list = LITERALS[type]
  if not list or self.pick(5) == 1 then return self.fn:undef(type) end
  local value = choose(self.pick, list)
  return self.fn:const(value, type)
end

-- A value of the type: a literal, an argument, or what a variable holds.
function Maker:value(block, type)
  local how = self.pick(4)
  if how == 1 then return self:literal(type) end
  if how == 2 then return self.fn:arg(self.index[type]) end
  return block:read(self.vars[type])
end

function Maker:any_values(block)
  local list = {}
  for i = 1, self.pick(4) - 1 do list[i] = self:value(block, choose(self.pick, TYPES)) end
  return table.unpack(list)
end

-- What can be called: a name, a function of phial or Lua, a declaration.
function Maker:callee()
  local it = choose(self.pick, self.callees)
  return type(it) == "string" and it or self:host(it)
end

local insts = {}

function insts.write(self, block, type) block:write(self.vars[type], self:value(block, type)) end

function insts.add(self, block)
  local type = choose(self.pick, { "i8", "i32", "i64" })
  block:write(self.vars[type], block:add(self:value(block, type), self:value(block, type)))
end

function insts.compare(self, block)
  local type = choose(self.pick, { "i1", "i16", "i64" })
  block:write(self.vars.i1, block:eq(self:value(block, type), self:value(block, type)))
end

function insts.call(self, block, type)
  local classes = self.pick(4) == 1 and { reads = {}, writes = self.pick(2) == 1 and "all" or {} }
  local callee = self:callee()
  if callee == self.square or callee == self.declared then
    block:write(self.vars.i64, block:call(callee, nil, self:value(block, "i64")))
  else
    block:write(self.vars[type], classes and block:call(callee, type, classes)
      or block:call(callee, type, self:value(block, choose(self.pick, TYPES))))
  end
end

function insts.call_indirect(self, block)
  block:call(self:value(block, "ptr"), nil, self:value(block, "f32"))
end

function insts.address(self, block)
  local it = choose(self.pick, self.addresses)
  block:write(self.vars.ptr, block:address(type(it) == "string" and it or self:host(it)))
end

function insts.memory(self, block, type)
  if type == "any" or type == "rnd.t" then type = "i32" end
  block:store(self:value(block, "ptr"), self:value(block, type))
  block:write(self.vars[type], block:load(self:value(block, "ptr"), type))
end

function insts.trap_if(self, block) block:trap_if(self:value(block, "i1"), "no") end

function insts.alloca(self, block)
  block:write(self.vars.ptr, self.fn:entry():alloca(choose(self.pick, { "i32", 24 })))
end

function insts.dialect(self, block)
  local data = choose(self.pick, { 1, 0.5, "x y", true, "host" })
  if data == "host" then data = self:host(self.object) end
  block:write(self.vars.any, block:emit(D.op, self:value(block, "rnd.t"), { data = data }))
  local a, b = block:emit(D.two, self:value(block, "f64"))
  block:write(self.vars.i64, a, self.vars.any, b)
  block:emit(D.pair, self:any_values(block))
  block:emit(D.some, { results = choose(self.pick, MANY) })
end

local ends = {}

function ends.jump(_, block, to) block:jump(to()) end

function ends.branch(self, block, to) block:branch(self:value(block, "i1"), to(), to()) end

function ends.switch(self, block, to)
  local type = choose(self.pick, { "i1", "i8", "i16", "i32", "i64" })
  local cases = {}
  for _ = 1, self.pick(4) - 1 do
    local key = choose(self.pick, LITERALS[type])
    if type == "i8" and key == 255 then key = -1 end
    cases[key == true and 1 or key == false and 0 or key] = to()
  end
  block:switch(self:value(block, type), to(), cases)
end

function ends.ret(self, block) block:ret(self:value(block, "i64")) end

function ends.unreachable(_, block) block:unreachable() end

function ends.trap(_, block) block:trap "no" end

function ends.tail_call(self, block)
  local how = self.pick(3)
  if how == 1 then
    block:tail_call("other", self:value(block, "f64"))
  elseif how == 2 then
    block:tail_call(self:host(self.square), self:value(block, "i64"))
  else
    block:tail_call(self:value(block, "ptr"), self:value(block, "i8"))
  end
end

function ends.dialect(self, block, to)
  local v = self:value(block, choose(self.pick, TYPES))
  if self.pick(4) == 1 then return block:emit(D.stop, v) end
  local targets = { to(), to() }
  if self.pick(2) == 1 then targets.data = self:host(self.object) end
  block:emit(D.go, v, targets)
end

local function sorted(of)
  local list = {}
  for name in pairs(of) do list[#list + 1] = name end
  table.sort(list)
  return list
end

local INSTS, ENDS = sorted(insts), sorted(ends)

local function params()
  local list = {}
  for i, type in ipairs(TYPES) do list[i] = ("p%d:%s"):format(i, type) end
  return list
end

-- Makes and records a function; returns also what the host has.
local function made(pick)
  local m = phial.module "m"
  local square = m:fn("square", { "n:i64" }, "i64", { rules = false })
  square:entry():ret(square:entry():mul(square:arg(1), square:arg(1)))
  square:finish()
  local declared = m:declare("d", { "n:i64" }, "i64")
  local fn = m:fn(choose(pick, { "f", "c d", "F" }), params(), "i64", {
    rules = false, dialects = { D }, copies = pick(4) == 1,
    construction = choose(pick, variants),
    keep_unreachable = pick(4) == 1,
  })
  local record = phial.record(fn)
  local self = setmetatable({
    pick = pick, fn = fn, vars = {}, index = {}, hosts = {}, number = {}, object = {},
    square = square, declared = declared, callees = { "name", "a b", square, print, declared },
    addresses = { "name", square, m:global("g", "i32") },
  }, Maker)
  for i, type in ipairs(TYPES) do
    self.index[type] = i
    self.vars[type] = pick(2) == 1 and fn:param(i) or fn:var(choose(pick, NAMES), type)
  end
  local blocks = { fn:entry() }
  for i = 2, pick(6) do blocks[i] = fn:block(pick(2) == 1 and choose(pick, NAMES) or nil) end
  local function to()
    if #blocks == 1 then blocks[2] = fn:block() end
    return blocks[1 + pick(#blocks - 1)]
  end
  local i = 0
  while i < #blocks do
    i = i + 1
    if pick(4) == 1 then fn:set_loc(pick(9), pick(9), choose(pick, { "a.src", "b c" })) end
    for _ = 1, pick(5) - 1 do
      insts[choose(pick, INSTS)](self, blocks[i], choose(pick, TYPES))
    end
    ends[choose(pick, ENDS)](self, blocks[i], to)
  end
  return fn:finish(), record, self.hosts
end

describe("the record of a random function", function()
  it("makes a function of the same text", function()
    prop.forall(function(pick)
      local fn, record, hosts = made(pick)
      return setmetatable({ fn = fn, record = record, hosts = hosts },
        { __tostring = function() return record:text() end })
    end, function(case)
      local again = assert(phial.replay(case.record, { dialects = { D }, host = case.hosts }))
      assert.equal(case.fn:text { ids = "dense" }, again:text { ids = "dense" })
      assert.truthy(phial.replay(case.record:text(), { dialects = { D } }))
      assert.truthy(phial.replay(case.record:text()))
    end)
  end)
end)
