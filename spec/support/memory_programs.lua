-- Random functions that do little else than access memory: by few addresses, at offsets that
-- overlap, on paths that join, in loops whose addresses change, around calls, copies and traps.
local phial = require "phial"

local M = {}

local TYPES <const> = { "i64", "i64", "i32", "i8" }
local OFFSETS <const> = { 0, 0, 0, 4, 8, 7 }
--- Arguments that make addresses meet, and decide conditions.
M.INPUTS = { { 0, 5 }, { 4, 2 }, { 8, -1 }, { 16, 0 } }

-- `g` is a global, `x` lies at a distance from it that the function is given, `walk` in a loop at
-- another one in each iteration; `out` is an alloca, whose address memory has, `loaded` is that
-- address; nobody else knows the alloca `own`.
local BASES <const> = { "g", "g", "x", "own", "own", "out", "loaded", "walk" }

local function access(pick)
  local it = { base = BASES[pick(#BASES)], type = TYPES[pick(#TYPES)],
    offset = OFFSETS[pick(#OFFSETS)] }
  it.kind = ({ "load", "load", "store", "store", "copy" })[pick(5)]
  it.from, it.value = BASES[pick(#BASES)], pick(100)
  return it
end

local function list(pick, depth)
  local items = {}
  for i = 1, 3 + pick(5) do
    local kind = pick(10)
    if kind <= 2 and depth < 3 then
      items[i] = { kind = "if", bit = pick(4) - 1, list(pick, depth + 1), list(pick, depth + 1) }
    elseif kind == 3 and depth < 2 then
      items[i] = { kind = "loop", list(pick, depth + 1) }
    elseif kind == 4 then
      items[i] = { kind = ({ "call", "move", "trap", "return" })[pick(4)], bit = pick(4) - 1 }
    else
      items[i] = access(pick)
    end
  end
  return items
end

--- Draws a function.
---@param pick fun(n: integer): integer
function M.generate(pick) return list(pick, 0) end

local UNALIGNED <const> = { align = 1 }

local emit = {}

local function all(s, items)
  for _, it in ipairs(items) do (emit[it.kind])(s, it) end
end

local function bit(s, n) return s.v.c:band(1 << n):ne(0) end
local function add(s, value) s.v.sum = s.v.sum * 31 + value end

local function address(s, base, offset)
  local b, v = s.b, s.v
  local p = base == "loaded" and b:load(b:ptradd(v.g, 48), "ptr") or v[base]
  return offset == 0 and p or b:ptradd(p, offset)
end

function emit.load(s, it)
  local value = s.b:load(address(s, it.base, it.offset), it.type, UNALIGNED)
  add(s, it.type == "i64" and value or value:zext "i64")
end
function emit.store(s, it)
  local value = s.v.sum:bxor(it.value)
  value = it.type == "i64" and value or value:trunc(it.type)
  s.b:store(address(s, it.base, it.offset), value, UNALIGNED)
end
function emit.copy(s, it)
  s.b:memmove(address(s, it.base, it.offset), address(s, it.from, 0), 8)
end
emit["if"] = function(s, it)
  s.b:if_(bit(s, it.bit), function() all(s, it[1]) end, function() all(s, it[2]) end)
end
function emit.loop(s, it)
  s.v.walk = s.v.g
  s.b:for_("i", 1, 3, function()
    all(s, it[1])
    s.v.walk = s.b:ptradd(s.v.walk, 4)
  end)
end
function emit.call(s) add(s, s.b:call(s.touch, nil, s.v.sum)) end
function emit.move(s) s.v.walk = s.b:ptradd(s.v.g, 8) end
function emit.trap(s, it) s.b:trap_if(s.v.c:eq(it.bit - 1), "stop") end
emit["return"] = function(s, it)
  s.b:if_(bit(s, it.bit), function() s.b:ret(s.v.sum) end)
end

--- Makes the module of a drawn function, "f", and of "top", which calls it and reads all memory.
---@return phial.Module
---@return phial.Function f
function M.build(items)
  local m = phial.module "m"
  local g = m:global("g", 64)
  local touch = m:build("touch", { "x:i64" }, "i64", { linkage = "internal" }, function(b, v)
    local at = b:ptradd(b:address(g), 8)
    v.old = b:load(at, "i64")
    b:store(at, v.x)
    b:store(b:load(b:ptradd(b:address(g), 48), "ptr"), v.x)
    b:ret(v.old)
  end)
  local f = m:build("f", { "d:i64", "c:i64" }, "i64", { rules = false }, function(b, v)
    v.g, v.own, v.out = b:address(g), b:alloca(24, 8), b:alloca(24, 8)
    v.x, v.walk, v.sum = b:ptradd(v.g, v.d), v.g, v.d
    b:memset(v.own, 1, 24)
    b:memset(v.out, 2, 24)
    b:store(b:ptradd(v.g, 48), v.out)
    local s = { b = b, v = v, touch = touch }
    all(s, items)
    b:ret(v.sum)
  end)
  m:build("top", { "d:i64", "c:i64" }, "i64", function(b, v)
    v.r = b:call(f, nil, v.d, v.c)
    for i = 0, 40, 8 do v.r = v.r * 31 + b:load(b:ptradd(b:address(g), i), "i64") end
    b:ret(v.r)
  end)
  return m:finish(), f
end

return M
