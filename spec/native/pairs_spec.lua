-- Ops on results of ops, at all types, with parameters and constants as other operands: an
-- expression in C is part of another one only if it has the right type there.
local compilers = require "spec.support.compilers"
local forms = require "spec.support.forms"
local native = require "phial.native"
local ops = require "spec.support.ops"
local phial = require "phial"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"
local under = require "spec.support.under"

local FUNCTIONS = os.getenv "LONG" and 2400 or under.brief and 150 or 1200

local CALLS <const> = 4

local all, by_result = {}, {}
for _, row in ipairs(ops.all) do
  forms.each(row, function(form)
    all[#all + 1] = form
    by_result[form.result] = by_result[form.result] or {}
    table.insert(by_result[form.result], form)
  end)
end

local function one_of(list) return list[math.random(#list)] end

-- Pointers of native code are those of the machine.
local function edge(type) return type == "ptr" and 4096 or one_of(forms.edges(type)) end

-- The operands of the outer op, one of which is the result of the inner one; both have
-- parameters and constants for others.
local function generate(name)
  local outer = one_of(all)
  local place = math.random(#outer.types)
  local inner = one_of(by_result[outer.types[place]])
  local params, consts = {}, {}
  local function operands(form, but)
    local list = {}
    for i, type in ipairs(form.types) do
      params[#params + 1] = ("x%d:%s"):format(#params, type)
      list[i] = #params
      if i ~= but and math.random(3) == 1 then consts[#params] = edge(type) end
    end
    return list
  end
  local its, own = operands(inner, 0), operands(outer, place)
  local fn = phial.fn(name, params, outer.result, { rules = false, where = false })
  local function value(i, form, k)
    return consts[i] ~= nil and fn:const(consts[i], form.types[k]) or fn:arg(i)
  end
  local args = {}
  for k, i in ipairs(its) do args[k] = value(i, inner, k) end
  args[#args + 1] = inner.said
  local b = fn:entry()
  local result = b:emit(inner.op, table.unpack(args))
  args = {}
  for k, i in ipairs(own) do args[k] = k == place and result or value(i, outer, k) end
  args[#args + 1] = outer.said
  b:ret(b:emit(outer.op, table.unpack(args)))
  return { fn = fn:finish(), inner = inner, outer = outer, place = place, its = its, own = own,
    consts = consts }
end

local function computed(form, args)
  return results.outcome(semantics.op, form.op, { type = form.result, from = form.types[1] },
    table.unpack(args))
end

-- Arguments of a call, and what comes out.
local function call(it)
  local args, inner, outer = {}, {}, {}
  local function choose(form, places, list)
    for k, i in ipairs(places) do
      args[i] = it.consts[i]
      if args[i] == nil then args[i] = edge(form.types[k]) end
      list[k] = args[i]
    end
  end
  choose(it.inner, it.its, inner)
  choose(it.outer, it.own, outer)
  local result = computed(it.inner, inner)
  if type(result) == "string" then return args, result end
  outer[it.place] = result
  return args, computed(it.outer, outer)
end

math.randomseed(tonumber(os.getenv "SEED") or 28)
local cases, functions = {}, {}
for i = 1, FUNCTIONS do
  local it = generate("f" .. i)
  functions[i] = it.fn
  for _ = 1, CALLS do
    local args, expected = call(it)
    cases[#cases + 1] = { fn = it.fn, op = it.outer.op, args = args, expected = expected }
  end
end

describe("ops on results of ops, compiled by", function()
  compilers.each(pending, function(cc)
    it(cc .. ", compute what they mean", function()
      local lib <close> = native.compile(functions, compilers.options(cc))
      for _, case in ipairs(cases) do forms.check(case, lib:get(case.fn:name())) end
    end)
  end)
end)

-- Without rules: compilers see that these are constants, complements, or what another expression
-- is, and warn of comparisons with them.
local SEEN <const> = {
  function(b, x) return b:band(x, 0) end,
  function(b, x) return b:mul(x, 0) end,
  function(b, x) return b:bor(x, -1) end,
  function(b, x) return b:urem(x, 1) end,
  function(b, x) return b:srem(x, -1) end,
  function(b, x) return b:sub(x, x) end,
  function(b, x) return b:bxor(x, x) end,
  function(b, x) return b:bxor(x, -1) end,
  function(b, x) return b:sub(-1, x) end,
  function(b, x) return b:sub(b:neg(x), 1) end,
  function(b, x) return b:bxor(b:bxor(x, -2), 1) end,
  function(b, x) return b:add(b:bnot(x), 0) end,
  function(b, x) return b:sub(b:zext(b:trunc(x, "i1"), x:type()), 0) end,
}

local COMPARED <const> = under.brief and { "eq", "ult", "uge", "slt" }
  or { "eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sge" }

describe("comparisons of what is seen through, compiled by", function()
  local list, expected = {}, {}
  local function add(op, make, type, wide)
    local name = "f" .. #list
    local fn = phial.fn(name, { "x:" .. type, "y:" .. type }, "i1", { rules = false })
    local b, x, y = fn:entry(), fn:arg(1), fn:arg(2)
    local function seen() return wide and b:zext(make(b, x), "i64") or make(b, x) end
    if wide then y = b:zext(y, "i64") end
    b:ret(b:bxor(b:emit(op, seen(), y), b:emit(op, -1, seen())))
    list[#list + 1] = fn:finish()
    expected[name] = fn(5, 100)
  end
  for _, type in ipairs { "i8", "i16", "i32", "i64" } do
    for _, op in ipairs(COMPARED) do
      for _, make in ipairs(SEEN) do
        add(op, make, type)
        if type ~= "i64" then add(op, make, type, true) end
      end
    end
  end

  compilers.each(pending, function(cc)
    it(cc .. ", give no warning", function()
      local lib <close> = native.compile(list, compilers.options(cc))
      for name, result in pairs(expected) do assert.are.equal(result, lib:call(name, 5, 100)) end
    end)
  end)
end)

-- Likewise: what goes one way, as some compilers see. Each by its lines, which make %s of %x.
local DECIDED <const> = {
  integers = {
    "%s: T = copy 5:T", "%s: T = copy undef:T",
    "%s: T = select false, %x, 3:T",
    "%a: T = select false, %x, 2:T; %b: T = bnot %a; %s: T = add %b, 1:T",
    "%a: T = srem %x, -1:T; %s: T = sub 3:T, %a",
    "%a: i1 = ne %x, 1:T; %b: i1 = band %a, false; %s: T = sext %b",
    "%a: i1 = eq %x, 1:T; %b: i1 = bor true, %a; %s: T = zext %b",
    "%a: i1 = ne %x, 1:T; %b: T = sext %a; %s: T = sdiv %b, 3:T",
    "%a: T = select true, 2:T, %x; %b: T = shl %a, 1:T; %s: T = rotl %b, 1:T",
  },
  bits = {
    "%s: i1 = copy true", "%s: i1 = copy undef:i1",
    "%a: i1 = ne %x, true; %s: i1 = band %a, false",
    "%a: i1 = ne %x, true; %s: i1 = umax true, %a",
    "%a: i1 = select false, %x, true; %s: i1 = bnot %a",
    "%a: i1 = eq 1:i8, 2:i8; %s: i1 = sle %a, %x",
    "%a: ptr = address @F; %s: i1 = eq %a, 0:ptr",
    "%a: f64 = fadd 0.5, 0.5; %s: i1 = flt %a, 0.0",
  },
}

describe("terminators that go one way, compiled by", function()
  local list = {}
  local function add(type, lines, terminator)
    local text = ([[
      fn F(%%x: T) -> i64 {
      entry:
        %s
        %s
      one: <- entry
        ret 1
      other: <- entry
        ret 2
      }]]):format((lines:gsub("; ", "\n")), terminator):gsub("%f[%w][TF]%f[%W]",
        { T = type, F = "f" .. #list })
    list[#list + 1] = assert(phial.parse(text))
  end
  for _, type in ipairs { "i8", "i16", "i32", "i64" } do
    for _, lines in ipairs(DECIDED.integers) do add(type, lines, "switch %s, one [77:T: other]") end
  end
  for _, lines in ipairs(DECIDED.bits) do
    add("i1", lines, "switch %s, one [false: other]")
    add("i1", lines, "switch %s, one [true: other]")
    add("i1", lines, "branch %s, one, other")
  end

  compilers.each(pending, function(cc)
    it(cc .. ", give no warning", function()
      local lib <close> = native.compile(list, compilers.options(cc))
      for _, fn in ipairs(list) do
        for _, x in ipairs(fn:params()[1]:type() == "i1" and { false, true } or { 1, 5 }) do
          assert.are.equal(fn(x), lib:call(fn:name(), x))
        end
      end
    end)
  end)
end)
