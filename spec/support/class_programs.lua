-- Random functions whose memory is divided in classes, with what an oracle has to know of their
-- accesses.
local phial = require "phial"

local M = {}

-- Blocks that a run may enter before it ends.
local STEPS <const> = 10

--
-- {== Programs ========================================================
--
-- Areas 1 and 2 are known to calls, and are the classes a and b. Areas 3 and 4 are allocas whose
-- addresses are used in one of several ways; some of these let others know them.
--

local USES = { "nothing", "null", "nothing", "both", "call", "store", "cast", "compare", "volatile",
  "other" }
local TELLS = { call = true, store = true, cast = true, compare = true, volatile = true,
  other = true }

local KINDS = { "load", "load", "load", "load", "store", "store", "poke", "sum", "touch", "get",
  "get", "set", "copy", "fill" }

local program_mt = {}

local function step(pick)
  return { kind = KINDS[pick(#KINDS)], place = pick(9), from = pick(9), say = pick(3),
    number = pick(3) }
end

--- A random program.
function M.generate(pick)
  local count = pick(7)
  local program = setmetatable({ blocks = {}, x = pick(1 << 12) - 1,
    uses = { [3] = USES[pick(#USES)], [4] = USES[pick(#USES)] } }, program_mt)
  for i = 1, count do
    local block = { pick(count), pick(count), steps = {} }
    if i < count and pick(2) == 1 then -- without a way out of its own
      block = { i + pick(count - i), i + pick(count - i), ahead = true, steps = {} }
    end
    for k = 1, pick(5) - 1 do block.steps[k] = step(pick) end
    program.blocks[i] = block
  end
  return program
end

-- }== Building ========================================================

local state = { len = 0, tag = 0 }

--- Forgets what ops of the dialect have written.
function M.reset() state.len, state.tag = 0, 0 end

--- Ops that read and write classes.
M.dialect = phial.dialect("world", {
  get_len = { args = 0, result = "i64", reads = { "len" }, eval = function() return state.len end },
  get_tag = { args = 0, result = "i64", reads = { "tag" }, eval = function() return state.tag end },
  get_all = { args = 0, result = "i64", effect = "read", eval = function()
    return state.len + state.tag
  end },
  set_len = { args = { "i64" }, reads = {}, writes = { "len" }, eval = function(x)
    state.len = x
  end },
  set_tag = { args = { "i64" }, writes = { "tag" }, eval = function(x) state.tag = x end },
  set_all = { args = { "i64" }, effect = "write", eval = function(x)
    state.len, state.tag = x, -x
  end },
})
local GETS = { { "get_len", { "len" } }, { "get_tag", { "tag" } }, { "get_all", "all" } }
local SETS = { { "set_len", { "len" } }, { "set_tag", { "tag" } }, { "set_all", "all" } }

-- A function of an address, which fill(b, p, n) fills.
local function callee(name, fill)
  local fn = phial.fn(name, { "p:ptr", "n:i64" }, "i64")
  fill(fn:entry(), fn:arg(1), fn:arg(2))
  return fn:finish()
end

local poke = callee("poke", function(b, p, n)
  b:store(p, n)
  b:ret(b:add(b:load(p, "i64"), 1))
end)
local sum = callee("sum", function(b, p, n) b:ret(b:add(b:load(p, "i64"), n)) end)

-- What an access to an area of a class says: nothing, the class, or one more.
local function said(class, how) return ({ nil, { class }, { class, "more" } })[how] end

---@class Access what the oracle knows of an instruction
---@field key string? reads with the same key are equal, as far as they read the same
---@field value any what it gives, or has stored
---@field reads string[]|"all" classes; that of allocas that are not known is "private"
---@field writes string[]|"all"
---@field is_new boolean nothing before has given its value

local Build = {}
Build.__index = Build

-- Notes an access, which was just emitted as the last instruction of b.
function Build:note(b, access)
  local list, value = self.accesses[b], access.value
  list[#list + 1] = access
  access.is_new = value and not self.met[value]
  if value then self.met[value] = true end
  return access.value
end

function Build:add(b, x) b:write(self.acc, b:add(b:mul(b:read(self.acc), 31), x)) end

-- The place, its class, and whether it is private.
function Build:place(i)
  local area = ({ 1, 1, 2, 2, 3, 3, 4, 4, self.joined and 3 or 1 })[i]
  return self.places[i], ({ "a", "b", "c", "c" })[area], self.private[area], area
end

-- What an access of a class is: as an option, and for the oracle.
function Build:access(i, how)
  local _, class, is_private = self:place(i)
  local names = said(class, how)
  return names, is_private and { "private" } or names or "all"
end

local emit = {}

function emit.load(self, b, s)
  local names, set = self:access(s.place, s.say)
  local v = b:load(self.places[s.place], "i64", names and { reads = names })
  self:add(b, self:note(b, { key = tostring(self.places[s.place]), value = v, reads = set,
    writes = {} }))
end

function emit.store(self, b, s)
  local names, set = self:access(s.place, s.say)
  local x = b:add(b:read(self.acc), s.number)
  b:store(self.places[s.place], x, names and { writes = names })
  self:note(b, { key = tostring(self.places[s.place]), value = x, reads = {}, writes = set,
    stores = true })
end

-- A place that calls may have: in an area that is known, and of which class.
function Build:known(i)
  local _, class, is_private, area = self:place(i)
  if area > 2 and is_private then return self.places[1], "a" end
  return self.places[i], class
end

function emit.poke(self, b, s)
  local p, class = self:known(s.place)
  local names = said(class, s.say)
  local v = b:call(poke, "i64", p, s.number, { reads = names, writes = names })
  self:note(b, { value = v, reads = names or "all", writes = names or "all" })
  self:add(b, v)
end

-- A call that writes nothing is a read.
function emit.sum(self, b, s)
  local p, class = self:known(s.place)
  local names = said(class, s.say)
  local v = b:call(sum, "i64", p, s.number, { reads = names, writes = {} })
  self:note(b, { key = ("sum of %s %d"):format(p, s.number), value = v, reads = names or "all",
    writes = {} })
  self:add(b, v)
end

function emit.touch(self, b, s)
  b:call(poke, false, self:known(s.place), s.number)
  self:note(b, { reads = "all", writes = "all" })
end

function emit.get(self, b, s)
  local name, set = table.unpack(GETS[s.say])
  local v = b:emit(M.dialect[name])
  self:add(b, self:note(b, { key = name, value = v, reads = set, writes = {} }))
end

function emit.set(self, b, s)
  local name, set = table.unpack(SETS[s.say])
  b:emit(M.dialect[name], s.number)
  self:note(b, { reads = "all", writes = set })
end

function emit.copy(self, b, s)
  local names, set = self:access(s.place, s.say)
  b:memmove(self.places[s.place], self.places[s.from], 8, names and { writes = names })
  self:note(b, { reads = "all", writes = set })
end

function emit.fill(self, b, s)
  local names, set = self:access(s.place, s.say)
  b:memset(self.places[s.place], s.number, 8, names and { writes = names })
  self:note(b, { reads = {}, writes = set })
end

local use = {}

function use.nothing() end

function use.null(self, b, p) b:write(self.acc, b:zext(b:eq(p, self.fn:const(0, "ptr")), "i64")) end

function use.both() end -- below

function use.call(_, b, p) b:call(poke, false, p, 1) end

function use.store(self, b, p) b:store(b:ptradd(self.areas[1], 16), p) end

function use.cast(self, b, p) b:write(self.acc, b:band(b:bitcast(p, "i64"), 7)) end

function use.compare(self, b, p) b:write(self.acc, b:zext(b:ne(p, self.areas[1]), "i64")) end

function use.volatile(_, b, p) b:store_volatile(p, 1) end

function use.other(self, b, p)
  local q = b:select(b:slt(b:read(self.x), 100), p, self.areas[2])
  b:write(self.acc, b:load(q, "i64"))
end

-- Makes places, and uses addresses; all of it is before what the oracle looks at.
local function prepare(self, b, uses)
  for i = 1, 4 do self.areas[i] = b:alloca(32) end
  b:call(poke, false, self.areas[1], 0)
  b:call(poke, false, self.areas[2], 0)
  for i = 3, 4 do use[uses[i]](self, b, self.areas[i]) end
  for i = 1, 8 do self.places[i] = b:ptradd(self.areas[(i + 1) // 2], (i + 1) % 2 * 8) end
  self.joined = uses[3] == "both" or uses[4] == "both"
  self.places[9] = self.joined
    and b:select(b:slt(b:read(self.x), 1000), self.areas[3], self.places[8]) or self.places[1]
  self.private = { false, false, not TELLS[uses[3]], not TELLS[uses[4]] }
  if self.joined then
    local both = self.private[3] and self.private[4]
    self.private[3], self.private[4] = both, both
  end
end

local function fill_block(self, b, source)
  self.accesses[b] = {}
  b:write(self.steps, b:add(b:read(self.steps), 1))
  for _, s in ipairs(source.steps) do emit[s.kind](self, b, s) end
  local bit = b:band(b:shr(b:read(self.x), b:read(self.steps)), 1)
  if source.ahead then
    b:branch(b:ne(bit, 0), self.blocks[source[1]], self.blocks[source[2]])
    return
  end
  b:switch(b:select(b:slt(b:read(self.steps), STEPS), bit, 2), self.exit,
    { [0] = self.blocks[source[1]], [1] = self.blocks[source[2]] })
end

--- Builds and finishes a program.
---@return { fn: phial.Function, accesses: table<phial.Block, Access[]> }
function M.build(program, rules)
  local fn = phial.fn("f", { "x:i64" }, "i64", { rules = rules, dialects = { M.dialect } })
  local self = setmetatable({ fn = fn, accesses = {}, met = {}, places = {}, areas = {},
    blocks = {}, x = fn:param(1), acc = fn:var "acc", steps = fn:var "steps",
    exit = fn:block "exit" }, Build)
  local b = fn:entry()
  self.accesses[b], self.accesses[self.exit] = {}, {}
  b:write(self.acc, b:read(self.x))
  b:write(self.steps, 0)
  prepare(self, b, program.uses)
  for i in ipairs(program.blocks) do self.blocks[i] = fn:block() end
  b:jump(self.blocks[1])
  for i, source in ipairs(program.blocks) do fill_block(self, self.blocks[i], source) end
  for i = 1, 8 do emit.load(self, self.exit, { place = i, say = 1 }) end
  self.exit:ret(self.exit:read(self.acc))
  fn:finish()
  return self
end

function program_mt:__tostring()
  return ("%s, %s\n%s"):format(self.uses[3], self.uses[4], M.build(self, false).fn)
end

-- }====================================================================

return M
