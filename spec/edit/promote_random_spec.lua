-- fn:promote on random functions: they compute the same, in minimal and pruned SSA form, and
-- variables in memory become what they are if they are variables from the beginning.
local arithmetic = require "spec.support.arithmetic"
local phial = require "phial"
local prop = require "spec.support.prop"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"
local variants = require "spec.support.variants"

local STEPS = 400

local function build(program, opts)
  opts.result, opts.leave = "i64", arithmetic.digest
  return arithmetic.build(program, nil, opts)
end

local function count(fn, op)
  local n = 0
  for v in fn:values() do
    if op == nil or v:op() == op then n = n + 1 end
  end
  return n
end

local function check_form(fn)
  assert(fn:verify())
  assert.is_true(fn:is_minimal())
  assert.is_true(fn:is_pruned())
end

-- Promotes fn; by the oracle and as Lua it gives what it gave.
local function check_same(fn, program)
  local expected = results.outcome(semantics.run, fn, { fuel = STEPS },
    table.unpack(program.values))
  local counts = fn:promote()
  check_form(fn)
  if expected ~= "out of fuel" then
    results.check(expected, results.outcome(semantics.run, fn, { fuel = 2 * STEPS },
      table.unpack(program.values)), "interpreted")
    results.check(expected, results.outcome(fn, table.unpack(program.values)), "run")
  end
  return counts
end

-- A loop in which parts of allocas are copied to each other in any order, overlapping ones, too.
-- The first one has an address that is compared, and parts are written in halves, or two at once:
-- these stay in memory.
local function generate_copies(pick)
  local most, lines = pick(4), {}
  local function add(...) lines[#lines + 1] = ("  " .. (...)):format(select(2, ...)) end
  local function part() return ("%%a%d_%d"):format(pick(most), 4 * pick(4)) end
  for i = 1, most do
    add("%%a%d: ptr = alloca 24, 8\n  store %%a%d, %d:i32", i, i, i)
    for at = 4, 20, 4 do
      add("%%a%d_%d: ptr = ptradd %%a%d, %d\n  store %%a%d_%d, %d:i32", i, at, i, at, i, at, i * at)
    end
  end
  add "jump loop\nloop: <- entry, loop\n  %%i: i64 = phi [entry: 0, loop: %%j]"
  for _ = 1, pick(12) do
    local kind, by = pick(6), 4 * pick(2)
    if kind == 1 then add("store %s, 77:i16", part())
    elseif kind == 2 then add("store_unaligned %s, 7:i64", part())
    elseif kind == 3 then add("memset %%a%d, 3:i8, %d", pick(most), 4 * pick(6))
    elseif kind == 4 then add("memmove %%a%d, %%a%d_%d, %d", pick(most), pick(most), by, 24 - by)
    elseif kind == 5 then add("memmove %%a%d_%d, %%a%d, %d", pick(most), by, pick(most), 24 - by)
    else add("memcpy %%a%d, %%a%d, 24", pick(most), pick(most)) end
  end
  add "%%j: i64 = add %%i, 1\n  %%c: i1 = ult %%j, %%n\n  branch %%c, loop, done\ndone: <- loop"
  add("%%r: i32 = load %s\n  %%e: i1 = eq %%a1, %%p\n  %%z: i32 = zext %%e", part())
  add "%%s: i32 = add %%r, %%z\n  ret %%s\n}"
  return "fn f(%n: i64, %p: ptr) -> i32 {\nentry:\n" .. table.concat(lines, "\n")
end

describe("fn:promote() of a random function", function()
  local int = phial.rules "int"

  it("gives the phis and instructions that variables give", function()
    prop.forall(arithmetic.generate, function(program)
      local wanted = build(program, { rules = false })
      wanted:clean { dead = true }
      for _, variant in ipairs(variants) do
        local fn = build(program, { rules = false, slots = true, construction = variant })
        local counts = check_same(fn, program)
        assert.equal(0, count(fn, "alloca"))
        assert.equal(0, count(fn, "load"))
        fn:clean { dead = true }
        assert.equal(count(wanted, "phi"), count(fn, "phi"))
        assert.equal(count(wanted), count(fn))
        assert.same({ allocas = 0, fields = 0, loads = 0, writes = 0, phis = 0 }, fn:promote())
        assert.is_true(counts.allocas > 0)
      end
    end)
  end)

  it("computes the same with rules", function()
    prop.forall(arithmetic.generate, function(program)
      check_same(build(program, { rules = int, slots = true }), program)
    end)
  end)

  it("computes the same with copies in any order, and comes to an end", function()
    prop.forall(generate_copies, function(text)
      local fn, expected = assert(phial.parse(text)), {}
      for n = 1, 9 do expected[n] = fn(n, 0) end
      local rounds = 0
      repeat
        rounds = rounds + 1
        fn:promote()
        check_form(fn)
        for n = 1, 9 do assert.equal(expected[n], fn(n, 0)) end
      until fn:clean().dead == 0 or rounds > 6
      assert.is_true(rounds <= 6)
    end)
  end)

  for _, memory in ipairs { true, "fixed" } do
    it("computes the same with records, at offsets that are " .. tostring(memory), function()
      prop.forall(function(pick)
        return arithmetic.generate(pick, nil, nil, { memory = memory, no_nans = true })
      end, function(program)
        check_same(build(program, { rules = false }), program)
        check_same(build(program, { rules = int, slots = true }), program)
      end)
    end)
  end
end)
