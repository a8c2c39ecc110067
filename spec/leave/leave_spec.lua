-- fn:leave: locations and moves of functions that are hard to leave SSA form from, and
-- what is refused.
local conformance = require "spec.support.conformance"
local oracle = require "spec.oracle.leaving"
local phial = require "phial"
local refused = require "spec.support.refused"

local function parsed(text, dialects) return assert(phial.parse(text, { dialects = dialects })) end

-- The moves of an edge as text: "2=3 1=0".
local function moves(d, from, to, nth)
  local out = {}
  for i, move in ipairs(d:moves(from, to, nth)) do
    out[i] = ("%d=%s"):format(move.to, math.type(move.from) and move.from or "'" ..
      tostring(move.from) .. "'")
  end
  return table.concat(out, " ")
end

local function checked(fn, opts)
  local d = fn:leave(opts)
  assert(fn:verify())
  oracle.check(fn, d)
  oracle.check_types(fn, d)
  return d
end

describe("fn:leave", function()
  it("solves the swap problem with a temporary", function()
    local fn = parsed(conformance.text "the swap problem")
    local d = checked(fn)
    local head = fn:find "head"
    local a, b = d:location(fn:find "%a"), d:location(fn:find "%b")
    local temporary = d:count()
    assert.equal(d:location(fn:find "%n2"), d:location(fn:find "%n3"))
    local cycle = { [("%d=%d %d=%d %d=%d"):format(temporary, b, b, a, a, temporary)] = true,
      [("%d=%d %d=%d %d=%d"):format(temporary, a, a, b, b, temporary)] = true }
    assert.truthy(cycle[moves(d, head, head)])
    assert.equal("i64", d:type(temporary))
    for n = 1, 4 do assert.equal(fn(n), (oracle.run(fn, d, 100, n))) end
  end)

  it("is answered again after emitters have freed what they read", function()
    local fn = parsed(conformance.text "the swap problem")
    local phi
    for v in fn:values() do
      if v:op() == "phi" then phi = v end
    end
    local leaving = fn:leave()
    local before = { leaving:count(), leaving:location(phi) }
    for _, emit in ipairs { phial.emit.c, phial.emit.llvm, phial.emit.lua } do
      emit(fn)
      assert.same(before, { leaving:count(), leaving:location(phi) })
      checked(fn)
    end
  end)

  it("solves the lost-copy problem", function()
    local fn = parsed(conformance.text "the lost copy problem")
    local d = checked(fn)
    assert.not_equal(d:location(fn:find "%x"), d:location(fn:find "%x2"))
    local edge = d:critical_edges()[1]
    assert.equal(fn:find "head", edge.from)
    assert.equal(fn:find "head", edge.to)
    assert.equal(1, edge.nth)
    assert.equal(1, #d:critical_edges())
    for n = 1, 4 do assert.equal(fn(n), (oracle.run(fn, d, 100, n))) end
    local version = fn:version()
    local split = checked(fn, { split = true })
    assert.is_true(fn:version() > version)
    assert.same({}, split:critical_edges())
    for n = 1, 4 do assert.equal(fn(n), (oracle.run(fn, split, 100, n))) end
  end)

  it("gives a variable one location", function()
    local fn = phial.build("gcd", { "a", "b" }, "i64", function(b, v)
      b:while_(function() return v.b:ne(0) end, function()
        v.a, v.b = v.b, v.a:srem(v.b)
      end)
      b:ret(v.a)
    end)
    local d = checked(fn)
    assert.equal(6, (oracle.run(fn, d, 100, 54, 24)))
    assert.is_true(oracle.total(fn, d) < oracle.total(fn, fn:leave { coalesce = false }))
  end)

  it("keeps apart several edges between two blocks", function()
    local fn = parsed [[
fn choose(%n: i64) -> i64 {
b1:
  switch %n, b2 [1: b2, 2: b3, 3: b2]
b2: <- b1, b1, b1
  %3: i64 = phi [b1: 10, b1: %n, b1: 30]
  jump b3
b3: <- b1, b2
  %4: i64 = phi [b1: 40, b2: %3]
  ret %4
}]]
    local d = checked(fn)
    local from, to = fn:entry(), fn:find "b2"
    assert.equal("'10'", (moves(d, from, to, 1):gsub("^%d=", "")))
    assert.equal("", moves(d, from, to, 2))
    assert.equal("'30'", (moves(d, from, to, 3):gsub("^%d=", "")))
    assert.same({ 1, 3, 1 }, (function()
      local nths = {}
      for i, edge in ipairs(d:critical_edges()) do nths[i] = edge.nth end
      return nths
    end)())
    refused(fn, "3 edges lead from 'b1' to 'b2': say which one, 1 to 3",
      function() d:moves(from, to) end)
    refused(fn, "bad argument #3 to 'moves' (4 is not in 1 .. 3)",
      function() d:moves(from, to, 4) end)
    for n = 0, 4 do
      assert.equal(fn(n), (oracle.run(fn, d, 9, n)))
    end
    local split = checked(fn, { split = true })
    for n = 0, 4 do assert.equal(fn(n), (oracle.run(fn, split, 9, n))) end
  end)

  it("gives phis that only dead phis use no location, and no moves", function()
    local fn = parsed [[
fn dead(%n: i64) -> i64 {
b1:
  jump b2
b2: <- b1, b2
  %3: i64 = phi [b1: 1, b2: %4]
  %4: i64 = phi [b1: 2, b2: %3]
  %5: i1 = eq %n, 0
  branch %5, b2, b3
b3: <- b2
  ret %n
}]]
    local d = fn:leave()
    assert.is_nil(d:location(fn:find "%3"))
    assert.is_nil(d:location(fn:find "%4"))
    assert.equal("", moves(d, fn:entry(), fn:find "b2"))
    assert.equal(2, d:count())
  end)

  it("gives constants and undefs no location, and moves them", function()
    local fn = parsed [[
fn constants(%c: i1, %x: f64) -> f64 {
b1:
  branch %c, b2, b3
b2: <- b1
  jump b3
b3: <- b1, b2
  %5: f64 = phi [b1: undef:f64, b2: 1.5]
  %6: f64 = fadd %5, %x
  ret %6
}]]
    local d = checked(fn)
    local phi = fn:find "%5"
    local args = phi:args()
    assert.is_nil(d:location(args[1]))
    assert.is_nil(d:location(args[2]))
    local move = d:moves(fn:entry(), fn:find "b3")[1]
    assert.equal(d:location(phi), move.to)
    assert.equal(args[1], move.from)
    assert.equal(1.5, d:moves(fn:find "b2", fn:find "b3")[1].from:const())
    assert.equal("f64", d:type(d:location(phi)))
    assert.equal("i1", d:type(d:location(fn:arg(1))))
    assert.is_nil(d:location(fn:entry():insts()[1]))
  end)

  it("gives all results of an instruction locations at once", function()
    local D = phial.dialect("d", {
      two = { args = 1, result = "i64", results = 2, eval = function(x) return x + 1, x + 3 end },
    })
    -- the second result must not share its location with %4, which is live at the
    -- instruction though no more at the projection
    local fn = parsed([[
fn results(%n: i64) -> i64 {
b1:
  jump b2
b2: <- b1, b2
  %3: i64 = phi [b1: 0, b2: %6]
  %4: i64 = phi [b1: 1, b2: %7]
  %5: i64 = d.two %3
  %6: i64 = add %4, %5
  %7: i64 = proj {2} %5
  %8: i1 = slt %6, %n
  branch %8, b2, b3
b3: <- b2
  %9: i64 = add %6, %7
  ret %9
}]], { D })
    local d = checked(fn)
    assert.not_equal(d:location(fn:find "%4"), d:location(fn:find "%7"))
    for n = 1, 50, 7 do assert.equal(fn(n), (oracle.run(fn, d, 100, n))) end
  end)

  it("needs no temporary for a cycle with a way out", function()
    local fn = parsed [[
fn rotate(%n: i64) -> i64 {
b1:
  jump b2
b2: <- b1, b3
  %3: i64 = phi [b1: 1, b3: %4]
  %4: i64 = phi [b1: 2, b3: %3]
  %5: i64 = phi [b1: 3, b3: %3]
  %6: i64 = phi [b1: 0, b3: %7]
  %7: i64 = add %6, 1
  %8: i1 = slt %7, %n
  branch %8, b3, b4
b3: <- b2
  jump b2
b4: <- b2
  %9: i1 = eq %5, 1
  branch %9, b5, b6
b5: <- b4
  jump b6
b6: <- b4, b5
  %10: i64 = phi [b4: %3, b5: 7]
  %11: i64 = mul %10, 100
  %12: i64 = mul %4, 10
  %13: i64 = add %11, %12
  %14: i64 = add %13, %5
  ret %14
}]]
    local d = checked(fn)
    assert.equal(3, #d:moves(fn:find "b3", fn:find "b2"))
    assert.equal(0, #d:moves(fn:find "b4", fn:find "b6"))
    assert.equal(1, #d:moves(fn:find "b5", fn:find "b6"))
    for n = 1, 4 do assert.equal(fn(n), (oracle.run(fn, d, 100, n))) end
  end)

  it("lets terminators read their operands before the moves", function()
    local D = phial.dialect("d", {
      go = { args = { "i64" }, terminator = true, targets = 2,
        eval = function(n) return n > 10 and 2 or 1 end },
    })
    local fn = parsed([[
fn terminators(%n: i64) -> i64 {
b1:
  jump b2
b2: <- b1, b2
  %3: i64 = phi [b1: %n, b2: %4]
  %4: i64 = add %3, 3
  d.go %3, [b2, b3]
b3: <- b2
  ret %4
}]], { D })
    for _, opts in ipairs { { coalesce = true }, { coalesce = false }, { split = true } } do
      local d = checked(fn, opts)
      for n = 0, 12 do assert.equal(fn(n), (oracle.run(fn, d, 100, n))) end
    end
  end)

  it("gives a location to copies and their operands, if that is all they are", function()
    local fn = parsed [[
fn copies(%n: i64) -> i64 {
b1:
  %2: i64 = copy %n
  %3: i64 = copy %2
  %4: i64 = add %2, %3
  %5: i64 = add %4, %n
  ret %5
}]]
    local d = checked(fn)
    assert.equal(d:location(fn:arg(1)), d:location(fn:find "%2"))
    assert.equal(d:location(fn:arg(1)), d:location(fn:find "%3"))
    assert.equal(12, (oracle.run(fn, d, 2, 4)))
  end)

  it("avoids the moves of inner loops first", function()
    local fn = parsed [[
fn inner(%n: i64, %x: i64) -> i64 {
b1:
  jump b2
b2: <- b1, b2
  %3: i64 = phi [b1: %x, b2: %4]
  %4: i64 = add %3, %x
  %5: i1 = slt %4, %n
  branch %5, b2, b3
b3: <- b2
  ret %4
}]]
    local d = checked(fn)
    assert.equal(d:location(fn:find "%3"), d:location(fn:find "%4"))
    assert.equal("", moves(d, fn:find "b2", fn:find "b2"))
    assert.not_equal("", moves(d, fn:entry(), fn:find "b2"))
  end)

  it("does not coalesce where that would take more moves", function()
    -- 300 edges exchange x and y, 128 do not: sharing with the operands of the latter
    -- saves two moves on each of these, and takes a temporary on each of the former
    local cases, p, q = {}, {}, {}
    for i = 1, 428 do
      cases[i] = ("%d: b2"):format(i)
      p[i], q[i] = i <= 128 and "b1: %x" or "b1: %y", i <= 128 and "b1: %y" or "b1: %x"
    end
    local fn = parsed(([[
fn exchange(%%n: i64, %%x: i64, %%y: i64) -> i64 {
b1:
  switch %%n, b3 [%s]
b2: <- %s
  %%4: i64 = phi [%s]
  %%5: i64 = phi [%s]
  %%6: i64 = sub %%4, %%5
  ret %%6
b3: <- b1
  ret %%n
}]]):format(table.concat(cases, ", "), ("b1, "):rep(427) .. "b1", table.concat(p, ", "),
      table.concat(q, ", ")))
    local d = checked(fn)
    assert.equal(856, oracle.total(fn, d))
    assert.equal(1, (oracle.run(fn, d, 9, 128, 3, 2)))
    assert.equal(-1, (oracle.run(fn, d, 9, 129, 3, 2)))
  end)

  it("finds what it found before while nothing changes", function()
    local fn = parsed "fn f(%x: i64) -> i64 {\nb1:\n  ret %x\n}"
    local d, again = fn:leave(), fn:leave()
    assert.equal(1, d:location(fn:arg(1)))
    assert.equal(d:count(), again:count())
  end)

  it("has answers as long as the function lives", function()
    local d = (function()
      local fn = parsed "fn f(%x: i64) -> i64 {\nb1:\n  ret %x\n}"
      return fn:leave()
    end)()
    collectgarbage()
    collectgarbage()
    assert.equal("i64", d:type(1))
  end)

  it("refuses", function()
    local fn = parsed "fn f(%x: i64) -> i64 {\nb1:\n  ret %x\n}"
    local other = parsed "fn g(%x: i64) -> i64 {\nb1:\n  ret %x\n}"
    local open = phial.fn("open", { "x" })
    local d = fn:leave()
    refused(open, "function 'open' is not finished: it can leave SSA form after fn:finish()",
      function() open:leave() end)
    refused(fn, "bad argument #1 to 'leave' (option 'coalesce': boolean expected, got number)",
      function() fn:leave { coalesce = 1 } end)
    refused(fn, "bad argument #1 to 'location' (i64 '%x' belongs to function 'g', not to 'f')",
      function() d:location(other:arg(1)) end)
    refused(fn, "bad argument #1 to 'location' (phial.Value expected, got a phial.Block)",
      function() d:location(fn:entry()) end)
    refused(fn, "bad argument #1 to 'type' (2 is not in 1 .. 1)",
      function() d:type(2) end)
    refused(fn, "bad argument #2 to 'moves' ('b1' does not lead to 'b1')",
      function() d:moves(fn:entry(), fn:entry()) end)
    refused(fn, "a phial.Leaving has no method 'cuont': did you mean 'count'?",
      function() d:cuont() end)
    fn:entry():front():add(fn:arg(1), 1)
    refused(fn, "function 'f' has changed since fn:leave(): call it again",
      function() d:count() end)
    d = fn:leave()
    assert.equal(2, d:count())
    fn:arg(1):set_name "renamed"
    assert.equal(2, d:count())
    fn:reopen()
    refused(fn, "function 'f' has changed since fn:leave(): call it again",
      function() d:count() end)
  end)
end)

describe("locations, after an edit has made blocks unreachable", function()
  it("are not those of values that only these use", function()
    local fn = phial.parse [[
      fn f(%c: i1, %x: i64) -> i64 {
      entry:
        branch %c, a, u
      a: <- entry, u
        %p: i64 = phi [entry: %x, u: 1]
        %q: i64 = phi [entry: %x, u: 2]
        ret 0
      u: <- entry
        %s: i64 = add %x, 1
        jump a
      }]]
    local entry, a, u = fn:entry(), fn:find "a", fn:find "u"
    u:front():add(fn:find "%p", fn:find "%q")
    entry:remove_edge(u)
    assert(fn:verify())
    local d = fn:leave()
    for _, name in ipairs { "%p", "%q", "%s" } do assert.is_nil(d:location(fn:find(name))) end
    assert.same({}, d:moves(u, a))
    assert.same({}, d:moves(entry, a))
  end)
end)

describe("fn:text", function()
  it("prints the blocks in reverse postorder, with their names and ids", function()
    local text = [[
fn order(%c: i1) {
b1:
  branch %c, later, b2
b2: <- b1
  ret
later: <- b1
  jump b5
b5: <- later
  ret
}
]]
    local fn = parsed(text)
    local rpo = fn:text { order = "rpo" }
    local order = {}
    for name in rpo:gmatch "\n(%w+):" do order[#order + 1] = name end
    local expected = {}
    for i, b in ipairs(fn:rpo()) do expected[i] = tostring(b) end
    assert.same(expected, order)
    assert.equal(fn:text { ids = "dense" }, assert(phial.parse(rpo)):text { ids = "dense" })
    assert.equal(fn:text(), fn:text { order = "id" })
    assert.equal(fn:text { ids = "dense" }, fn:text { ids = "dense", order = "rpo" })
  end)
end)
