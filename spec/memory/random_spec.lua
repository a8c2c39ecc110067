-- Random functions with memory give the same, whatever simplifies them: their results, what
-- memory holds at the end, and what calls see.
local phial = require "phial"
local prop = require "spec.support.prop"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"

local TYPES = { "i64", "i32", "i8" }
local BYTES = { i64 = 8, i32 = 4, i8 = 1 }

-- Blocks that a run may enter before it ends.
local STEPS = 12

--
-- {== Programs ========================================================
--

---@class Step an access to memory, or a call between
---@field kind string
---@field base integer which address, of BASES
---@field offset integer bytes after it
---@field type string
---@field how string "", "_volatile" or "_unaligned", of a load or store

local BASES = 3 -- two allocas, and a variable that is one of them

local KINDS = { "load", "load", "load", "store", "store", "move", "copy", "fill", "call",
  "indirect", "trap", "peek" }

local HOW = { "", "", "_volatile", "_unaligned" }

local function step(pick)
  local type, how = TYPES[pick(#TYPES)], HOW[pick(#HOW)]
  local unit = how == "_unaligned" and 1 or BYTES[type]
  return { kind = KINDS[pick(#KINDS)], base = pick(BASES), type = type, how = how,
    offset = (pick((16 - BYTES[type]) // unit + 1) - 1) * unit, from = pick(BASES),
    number = pick(5) - 3 }
end

local program_mt = {}

local function generate(pick)
  local program = setmetatable({ blocks = {}, x = pick(1 << 12) - 1 }, program_mt)
  local count = pick(8)
  for i = 1, count do
    local block = { pick(count), pick(count), steps = {} }
    if i < count and pick(2) == 1 then -- without a way out of its own
      block = { i + pick(count - i), i + pick(count - i), ahead = true, steps = {} }
    end
    for k = 1, pick(4) - 1 do block.steps[k] = step(pick) end
    program.blocks[i] = block
  end
  return program
end

-- }== Building ========================================================

-- An op of a dialect that reads what `call` writes.
local world = phial.dialect("world", {
  peek = { args = { "i64" }, result = "i64", effect = "read", eval = function(x) return x end },
})

local poke = phial.fn("poke", { "p:ptr", "n:i64" }, "i64")
do
  local b, p, n = poke:entry(), poke:arg(1), poke:arg(2)
  b:store(p, n)
  b:ret(b:add(b:load(p, "i64"), 1))
  poke:finish()
end

local emit = {}

function emit.load(b, at, v, s)
  local x = b:emit("load" .. s.how, at, s.type)
  if s.type ~= "i64" then x = b:sext(x, "i64") end
  b:write(v.acc, b:add(b:mul(b:read(v.acc), 31), x))
end

function emit.store(b, at, v, s)
  local x = b:add(b:read(v.acc), s.number)
  b:emit("store" .. s.how, at, s.type == "i64" and x or b:trunc(x, s.type))
end

function emit.move(b, at, v) b:write(v.where, b:bitcast(b:bitcast(at, "i64"), "ptr")) end

function emit.copy(b, at, v, s)
  if s.base == s.from and s.base < 3 then
    b:memmove(b:ptradd(v.bases[s.base], s.number + 2), at, 4)
  elseif s.base < 3 and s.from < 3 then
    b:memcpy(v.bases[s.base], v.bases[s.from], 8)
  else
    emit.load(b, at, v, s)
  end
end

function emit.fill(b, _, v, s) b:memset(v.bases[s.base] or v.bases[1], s.number, 8) end

function emit.call(b, _, v, s)
  b:write(v.acc, b:add(b:call(poke, "i64", v.bases[s.base] or v.bases[1], s.number), b:read(v.acc)))
end

function emit.indirect(b, _, v, s)
  b:call(b:address(poke), "i64", v.bases[s.base] or v.bases[2], b:read(v.acc))
end

function emit.trap(b, _, v, s) b:write(v.acc, b:sdiv(b:read(v.acc), s.number * 2 + 1)) end

function emit.peek(b, _, v, s)
  local x = b:emit(world.peek, b:band(b:read(v.acc), 3))
  b:write(v.acc, b:add(x, s.number))
end

local function fill_block(b, v, source)
  b:write(v.steps, b:add(b:read(v.steps), 1))
  for _, s in ipairs(source.steps) do
    local base = v.bases[s.base] or b:read(v.where)
    -- the variable is the start of an alloca, or moved by what fits once
    local at = b:ptradd(base, s.base == 3 and 0 or s.offset)
    if s.kind == "move" then at = v.bases[s.from] or v.bases[1] end
    if s.base == 3 and s.kind == "load" or s.kind ~= "load" or s.base < 3 then
      emit[s.kind](b, at, v, s)
    end
  end
  local bit = b:band(b:shr(b:read(v.x), b:read(v.steps)), 1)
  if source.ahead then
    b:branch(b:ne(bit, 0), v.blocks[source[1]], v.blocks[source[2]])
    return
  end
  b:switch(b:select(b:slt(b:read(v.steps), STEPS), bit, 2), v.exit,
    { [0] = v.blocks[source[1]], [1] = v.blocks[source[2]] })
end

local function build(program, rules)
  local fn = phial.fn("f", { "x:i64" }, "i64", { rules = rules, dialects = { world } })
  local b = fn:entry()
  local v = { x = fn:param(1), acc = fn:var "acc", steps = fn:var "steps", exit = fn:block "exit",
    where = fn:var("where", "ptr"), blocks = {} }
  v.bases = { b:alloca(16), b:alloca(16, 16) }
  b:write(v.acc, b:read(v.x))
  b:write(v.steps, 0)
  b:write(v.where, v.bases[1])
  for i in ipairs(program.blocks) do v.blocks[i] = fn:block() end
  b:jump(v.blocks[1])
  for i, source in ipairs(program.blocks) do fill_block(v.blocks[i], v, source) end
  for _, base in ipairs(v.bases) do
    for i = 0, 8, 8 do
      v.exit:write(v.acc, v.exit:add(v.exit:mul(v.exit:read(v.acc), 31),
        v.exit:load(v.exit:ptradd(base, i), "i64")))
    end
  end
  v.exit:ret(v.exit:read(v.acc))
  return fn:finish()
end

function program_mt:__tostring() return build(self, false):text() end

-- }== Checking ========================================================

describe("a random function with memory", function()
  local int, none = phial.rules "int", phial.rules()

  local function check(program)
    local plain = build(program, false)
    local expected = results.outcome(semantics.run, plain, {}, program.x)
    local function same(what, fn)
      assert(fn:verify())
      local got = results.outcome(fn, program.x)
      if got == expected then return end
      error(("%s: expected %s, got %s\n%s"):format(what, expected, got, fn), 0)
    end
    same("as it is", plain)
    for name, rules in pairs { int = int, none = none } do
      local fn = build(program, rules)
      same(name, fn)
      fn:clean { rules = true }
      same(name .. ", simplified again", fn)
      fn:clean { dead = true }
      same(name .. ", swept", fn)
      fn:close()
    end
    plain:close()
  end

  it("gives the same, whatever simplifies it", function() prop.forall(generate, check) end)
end)

-- }====================================================================
