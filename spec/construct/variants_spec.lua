-- The variants of construction: what each does in its own way.
local assert = require "spec.support.assert"
local golden = require "spec.support.golden"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local scc_lookup = require "spec.oracle.scc_lookup"
local variants = require "spec.support.variants"

-- A golden is a frontend's code, which makes a list of texts.
describe("a variant:", function()
  local function texts(code) return table.concat(assert(load(code, "=golden"))(phial)) end
  for name, check in golden.each("spec/golden/construct/variants", texts) do it(name, check) end
end)

-- A look-up skips blocks that write none of the variables whose numbers are equal modulo 64.
it("each variant finds what only the entry writes, far above writes of others", function()
  for _, construction in ipairs(variants) do
    local fn = phial.fn("f", { "x" }, "i64", { rules = false, construction = construction })
    local last, vars = fn:entry(), {}
    for i = 1, 64 do vars[i] = fn:var("v" .. i) end
    for i = 1, 1000 do
      local block = fn:block(nil, 1)
      last:jump(block)
      block:write(vars[64], i)
      last = block
    end
    assert.equal(fn:arg(1), last:read(fn:param(1)))
    assert.equal(1000, (last:read(vars[64]):const()))
    last:ret(0)
    fn:finish()
    assert.equal(0, fn:stats().temporary_phis)
  end
end)

-- {== The SCC variant ==================================================

-- Builds the blocks of a random program with a constant of its own for each write, and
-- without any read: all are filled and sealed.
local function without_reads(p)
  local fn = phial.fn("random", {}, nil, {
    construction = "scc", rules = false, dialects = { programs.dialect },
  })
  local vars, blocks, written = {}, { fn:entry() }, {}
  for v = 1, p.vars do vars[v], written[v] = fn:var("v" .. v), {} end
  for i = 2, #p.blocks do blocks[i] = fn:block() end
  for i, source in ipairs(p.blocks) do
    for k, op in ipairs(source) do
      if op.op ~= "use" then
        local value = fn:const(i * 100 + k)
        blocks[i]:write(vars[op.var], value)
        written[op.var][i] = value
      end
    end
    local targets = {}
    for k, target in ipairs(source.targets) do targets[k] = blocks[target] end
    if #targets == 0 then
      blocks[i]:ret()
    else
      blocks[i]:emit("rnd.fork", fn:const(0), targets)
    end
  end
  for i = 2, #blocks do blocks[i]:seal() end
  return fn, blocks, vars, written
end

-- Reads of variables at the ends of blocks, in some order.
local function reads_of(pick, p)
  local reads = {}
  for i = 1, pick(2 * #p.blocks) do reads[i] = { block = pick(#p.blocks), var = pick(p.vars) } end
  return reads
end

-- Blocks that the entry does not reach are read, too.
local function program_and_reads(pick)
  local p = programs.generate(pick)
  return { p = p, reads = reads_of(pick, p) }
end

local function preds_of(p)
  local preds = {}
  for i = 1, #p.blocks do preds[i] = {} end
  for i, block in ipairs(p.blocks) do
    for _, target in ipairs(block.targets) do table.insert(preds[target], i) end
  end
  return preds
end

describe("the SCC variant, with all blocks filled and sealed before the first read,", function()
  it("makes necessary phis only, also where control flow is irreducible", function()
    prop.forall(function(pick)
      local p = programs.pruned(programs.generate(pick, 14))
      return { p = p, reads = reads_of(pick, p) }
    end, function(case)
      local fn, blocks, vars = without_reads(case.p)
      for _, read in ipairs(case.reads) do
        blocks[read.block]:read(vars[read.var])
        assert.is_true((fn:is_minimal()))
      end
      local phis = fn:stats().phis
      fn:finish()
      local stats = fn:stats()
      assert.equal(phis, stats.phis)
      assert.equal(0, stats.temporary_phis)
      assert.equal(0, stats.trivial_phis)
      assert.equal(0, stats.redundant_phis)
    end)
  end)

  -- The phis of a cycle that several blocks enter with one value are the redundant sets
  -- of section 3.2, which the other variants make first.
  it("makes none in a loop with two entries that is only read", function()
    local made = {}
    for _, construction in ipairs { "marker", "scc" } do
      local fn = phial.fn("f", { "c:i1" }, "i64", { construction = construction, rules = false })
      local x, c, entry = fn:var "x", fn:arg(1), fn:entry()
      local a, b, done = fn:block "a", fn:block "b", fn:block "done"
      entry:write(x, 1)
      entry:branch(c, a, b)
      a:jump(b)
      b:branch(c, a, done)
      for _, block in ipairs { a, b, done } do block:seal() end
      done:ret(done:read(x))
      fn:finish()
      assert.is_false((fn:is_reducible()))
      made[construction] = fn:stats().temporary_phis
      assert.equal(0, fn:stats().phis)
    end
    assert.same({ marker = 2, scc = 0 }, made)
  end)

  it("makes the phis of the paper's recursion, operand by operand", function()
    prop.forall(program_and_reads, function(case)
      local p = case.p
      local fn, blocks, vars, written = without_reads(p)
      local preds, lookups, all = preds_of(p), {}, {}
      for v = 1, p.vars do
        lookups[v], all[v] = scc_lookup {
          preds = preds, writes = written[v], undef = fn:undef "i64",
        }
      end
      local function same(expected, value)
        if type(expected) ~= "table" then
          assert.equal(expected, value)
        else
          assert.equal("phi", value:op())
          assert.equal(blocks[expected.block], value:block())
        end
      end
      for _, read in ipairs(case.reads) do
        same(lookups[read.var](read.block), blocks[read.block]:read(vars[read.var]))
      end
      for i, block in ipairs(blocks) do
        local count = 0
        for v = 1, p.vars do
          if all[v][i] then count = count + 1 end
        end
        assert.equal(count, #block:phis())
        for _, phi in ipairs(block:phis()) do
          local expected
          for v = 1, p.vars do
            if vars[v] == phi:var() then expected = all[v][i] end
          end
          for k, operand in ipairs(expected.operands) do same(operand, phi:args()[k]:now()) end
        end
      end
    end)
  end)
end)

describe("the SCC variant", function()
  it("counts the incomplete phis that sealing removes", function()
    local fn = phial.fn("f", { "x" }, "i64", { construction = "scc", rules = false })
    local x, head, done = fn:param(1), fn:block "head", fn:block "done"
    fn:entry():jump(head)
    head:branch(head:read(fn:var("c", "i1")), head, done)
    done:seal()
    assert.equal("phi", done:read(x):op())
    head:seal()
    done:ret(done:read(x))
    fn:finish()
    assert.equal(0, fn:stats().phis)
    assert.equal(2, fn:stats().trivial_phis)
  end)

  it("needs one look-up for loops in loops", function()
    local fn = phial.fn("f", {}, "i64", { construction = "scc", rules = false })
    local x, heads = fn:var "x", {}
    local depth = 300
    fn:entry():write(x, 0)
    local last = fn:entry()
    for i = 1, depth do
      heads[i] = fn:block()
      last:jump(heads[i])
      last = fn:block()
      heads[i]:branch(fn:const(true), last, heads[i - 1] or fn:block "done")
    end
    last:write(x, 1)
    last:jump(heads[depth])
    local done = heads[1]:succs()[2]
    for b in fn:blocks() do if not b:is_sealed() then b:seal() end end
    done:ret(done:read(x))
    assert.is_true((fn:is_minimal()))
    fn:finish()
    assert.equal(depth, fn:stats().phis)
    assert.equal(0, fn:stats().temporary_phis)
  end)
end)

-- }=====================================================================

-- v is phi(w, v), other phi(v, w), and w phi(v, other, 1): that v is w makes the others
-- suspects, and that other is w makes w one again.
it("each variant removes a phi that becomes a suspect twice", function()
  for _, construction in ipairs(variants) do
    local fn = phial.fn("f", { "i:i64" }, nil, { rules = false, construction = construction })
    local x, entry = fn:var "x", fn:entry()
    local w, v, other, out = fn:block "w", fn:block "v", fn:block "other", fn:block "out"
    v:switch(fn:arg(1), w, { [1] = v, [2] = other, [3] = out })
    other:jump(w)
    w:branch(fn:const(true), v, other)
    entry:write(x, 1)
    entry:jump(w)
    for _, block in ipairs { w, v, other } do block:read(x) end
    for _, block in ipairs { w, other, v, out } do block:seal() end
    local value = out:read(x)
    out:ret()
    fn:finish()
    assert.equal(fn:const(1), value:now())
    assert.equal(0, fn:stats().phis)
  end
end)

-- {== The operand variant ==============================================

describe("the operand variant", function()
  it("finds a phi from before reopening where a loop only reads it", function()
    for _, construction in ipairs(variants) do
      local fn = phial.fn("f", { "c:i1" }, "i64", { construction = construction, rules = false })
      local x, entry, arm, join = fn:var "x", fn:entry(), fn:block "arm", fn:block "join"
      entry:write(x, 1)
      entry:branch(fn:arg(1), arm, join)
      arm:write(x, 2)
      arm:jump(join)
      local old = join:read(x)
      join:ret(old)
      fn:finish()
      fn:reopen()
      local start, loop, out = fn:block "start", fn:block "loop", fn:block "out"
      local set, meet = fn:block "set", fn:block "meet"
      start:write(x, old)
      start:jump(loop)
      local phi = loop:read(x)
      loop:branch(fn:arg(1), loop, out)
      out:branch(fn:arg(1), set, meet)
      set:write(x, 5)
      set:jump(meet)
      for _, block in ipairs { out, set, meet } do block:seal() end
      assert.same({ phi, set:read(x) }, meet:read(x):args())
      loop:seal()
      assert.equal(old:now(), phi:now())
    end
  end)

  it("finds what the unique operand tells: a loop that is only read, in another one", function()
    local fn = phial.fn("f", {}, "i64", { construction = "operand", rules = false })
    local x, outer, inner = fn:var "x", fn:block "outer", fn:block "inner"
    fn:entry():write(x, 1)
    fn:entry():jump(outer)
    assert.equal("phi", outer:read(x):op())
    outer:jump(inner)
    assert.equal("phi", inner:read(x):op())
    inner:branch(fn:const(true), inner, outer)
    outer:seal()
    inner:seal()
    assert.equal(fn:const(1), inner:read(x))
    assert.equal(2, fn:stats().trivial_phis)
    assert.is_true((fn:is_minimal()))
  end)

  it("leaves a phi from before reopening that turns out to be the unique operand", function()
    local fn = phial.fn("f", { "c:i1" }, "i64", { construction = "operand", rules = false })
    local x, loop, out = fn:var "x", fn:block "loop", fn:block "out"
    fn:entry():write(x, 1)
    fn:entry():jump(loop)
    local old = loop:read(x)
    loop:write(x, loop:add(old, 1))
    loop:branch(fn:arg(1), loop, out)
    loop:seal()
    out:seal()
    out:ret(old)
    fn:finish()
    fn:reopen()
    local start, again = fn:block "start", fn:block "again"
    start:write(x, old)
    start:jump(again)
    local phi = again:read(x)
    again:jump(again)
    again:seal()
    assert.equal(old, phi:now())
  end)
end)

-- }=====================================================================
