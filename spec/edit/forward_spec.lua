-- fn:forward(): which loads become values, which stores go, and which stay.
local phial = require "phial"
local read = require("spec.support.parsed").read
local refused = require "spec.support.refused"

-- What is done to a function with these lines, "loads stores phis", and its text then.
local function forwarded(lines)
  local text = ("fn f(%%p: ptr, %%q: ptr, %%x: i64, %%c: i1) -> i64 {\nentry:\n%s}"):format(lines)
  local fn = read(text, { rules = false })
  local n = fn:forward()
  assert(fn:verify())
  return ("%d %d %d"):format(n.loads, n.stores, n.phis), fn:text(), fn
end

-- True if nothing is done to a second load, or a first store, with this between it and the other.
local function stays(between)
  local first = forwarded("  %1: i64 = load %p\n" .. between .. [[
  %2: i64 = load %p
  %3: i64 = add %1, %2
  ret %3
]])
  local second = forwarded("  store %p, %x\n" .. between .. "  store %p, 1\n  ret 0\n")
  return first:match "^0" ~= nil, second:match "^%d+ 0" ~= nil
end

describe("fn:forward()", function()
  it("makes a phi of what is loaded on one path and stored on the other", function()
    local n, text = forwarded [[
  branch %c, yes, no
yes: <- entry
  %1: i64 = load %p
  jump join
no: <- entry
  store %p, %x
  jump join
join: <- yes, no
  %2: i64 = load %p
  ret %2
]]
    assert.equal("1 0 1", n)
    assert.truthy(text:find("= phi [yes: %1, no: %x]", 1, true))
  end)

  it("adds no load to a path that had none", function()
    assert.equal("0 0 0", (forwarded [[
  branch %c, yes, join
yes: <- entry
  %1: i64 = load %p
  jump join
join: <- entry, yes
  %2: i64 = load %p
  ret %2
]]))
  end)

  it("takes loads out of a loop that writes other bytes, and finds addresses that are loaded",
    function()
      local n, text = forwarded [[
  %a: ptr = load %p
  %8: ptr = ptradd %p, 8
  %9: i64 = load %a
  jump head
head: <- entry, body
  %b: ptr = load %p
  %10: i64 = load %b
  %11: i1 = eq %10, %9
  branch %11, body, done
body: <- head
  %12: ptr = load %p
  store %8, %x
  jump head
done: <- head
  ret %10
]]
      assert.equal("2 0 0", n)
      assert.truthy(text:find("= load %a\n  %11: i1", 1, true))
    end)

  it("follows addresses that are loaded", function()
    assert.equal("2 0 0", (forwarded [[
  %a: ptr = load %p
  %1: i64 = load %a
  branch %c, yes, no
yes: <- entry
  %b: ptr = load %p
  %2: i64 = load %b
  %3: i64 = add %1, %2
  ret %3
no: <- entry
  ret %1
]]))
  end)

  it("does not take an address of one round of a loop for that of another", function()
    assert.equal("0 0 0", (forwarded [[
  jump head
head: <- entry, head
  %a: ptr = phi [entry: %p, head: %b]
  %1: i64 = load %a
  %b: ptr = ptradd %a, 8
  %2: i1 = eq %1, %x
  branch %2, head, done
done: <- head
  ret %1
]]))
    assert.equal("0 0 0", (forwarded [[
  jump head
head: <- entry, head
  %a: ptr = phi [entry: %p, head: %b]
  store %a, %x
  %b: ptr = ptradd %a, 8
  branch %c, head, done
done: <- head
  ret 1
]]))
  end)

  it("leaves what may be written, or read, in between", function()
    for _, between in ipairs {
      "  call @g\n", "  %9: i64 = load_volatile %q\n", "  store_volatile %q, 1\n",
      "  memcpy %q, %p, 8\n",
    } do
      assert.same({ true, true }, { stays(between) }, between)
    end
    local half = "  %h: ptr = ptradd %p, 4\n"
    for _, between in ipairs { "  store %q, 1\n", half .. "  store %h, 1:i32\n",
      "  memset %q, 1:i8, %x\n" } do
      assert.same({ true, false }, { stays(between) }, between)
    end
    for _, between in ipairs { "  %9: i64 = load %q\n", half .. "  %9: i8 = load %h\n",
      "  %9: i64 = udiv 1, %x\n", "  %9: i64 = call @g reads() writes()\n",
    } do
      assert.same({ false, true }, { stays(between) }, between)
    end
    for _, between in ipairs { "  %h: ptr = ptradd %p, 8\n  store %h, 1\n  %9: i64 = load %h\n",
      "  %a: ptr = alloca 16, 8\n  %h: ptr = ptradd %a, %x\n  store %h, 1\n  %9: i64 = load %h\n",
    } do
      assert.same({ false, false }, { stays(between) }, between)
    end
  end)

  it("tells apart what classes and allocas tell apart", function()
    assert.equal("3 1 0", (forwarded [[
  store %p, 3 writes(a)
  %1: i64 = load %p reads(a)
  store %q, 1 writes(b)
  %2: i64 = load %p reads(a)
  %3: i64 = load %q reads(b)
  store %p, 4 writes(a)
  %4: i64 = add %2, %3
  ret %1
]]))
    local n, text = forwarded [[
  %a: ptr = alloca 8, 8
  %b: ptr = alloca 8, 8
  store %p, %a
  store %q, %b
  %1: i64 = load %a
  store %b, 1
  %2: i64 = load %a
  %3: i64 = add %1, %2
  ret %3
]]
    assert.equal("1 0 0", n)
    assert.truthy(text:find("add %1, %1", 1, true))
  end)

  it("does not take a load of all classes for a store of one", function()
    assert.equal("0 0 0", (forwarded [[
  store %p, 3 writes(a)
  %1: i64 = load %p
  store %q, 1 writes(b)
  %2: i64 = load %p
  %3: i64 = add %1, %2
  ret %3
]]))
  end)

  it("tells bytes apart that lie side by side", function()
    assert.equal("1 0 0", (forwarded [[
  %h: ptr = ptradd %p, 4
  %1: i32 = load %p
  store %h, 1:i32
  %2: i32 = load %p
  %3: i32 = add %1, %2
  %4: i64 = zext %3
  ret %4
]]))
  end)

  it("counts loads in functions without variables", function()
    local fn = read [[
fn f() -> i64 {
entry:
  %1: ptr = alloca 8, 8
  store %1, 1
  %2: i64 = load %1
  ret %2
}]]
    assert.same({ loads = 1, stores = 1, phis = 0 }, fn:forward())
  end)

  -- A name that has been used before the global was made is other data than the global.
  it("knows a global by what has its address, and does not tell it from others", function()
    local m = phial.module "m"
    local fn = m:fn("f", { "c:i1" }, "i64", { rules = false })
    local b = fn:entry()
    local by_name, g = b:address "g", m:global("g", "i64")
    local yes, no, join = fn:block(), fn:block(), fn:block()
    b:branch(fn:arg(1), yes, no)
    for i, block in ipairs { yes, no } do
      block:store(block:address(g), i)
      block:jump(join)
    end
    local first = join:load(join:address(g), "i64")
    join:store(join:address(g), 3)
    join:store(by_name, 4)
    join:ret(join:add(first, join:load(join:address(g), "i64")))
    fn:finish()
    assert.same({ loads = 1, stores = 2, phis = 1 }, fn:forward())
    assert.equal(6, m:instance():call("f", false))
  end)

  it("takes offsets around the end of addresses", function()
    assert.equal("1 1 0", (forwarded(([[
  %%1: ptr = ptradd %%p, %d
  store %%1, 1
  %%2: ptr = ptradd %%1, 2
  store %%2, 1:i8
  store %%1, 2
  %%3: i64 = load %%1
  ret %%3
]]):format(math.maxinteger - 3))))
  end)

  it("removes stores that are stored over, or to what nothing will know", function()
    assert.equal("0 2 0", (forwarded [[
  %h: ptr = ptradd %p, 4
  store %h, 1:i32
  store %p, 7
  branch %c, yes, no
yes: <- entry
  store %p, 1
  ret 1
no: <- entry
  %a: ptr = ptradd %p, 0
  store %a, 2
  %1: i32 = load %h
  %2: i64 = zext %1
  ret %2
]]))
  end)

  it("is for finished functions", function()
    local fn = phial.fn("f", { "p:ptr" }, "i64")
    local b = fn:entry()
    refused(fn, "function 'f' is not finished: edit it after fn:finish()",
      function() fn:forward() end)
    b:ret(b:load(fn:arg(1), "i64"))
    fn:finish()
    assert.same({ loads = 0, stores = 0, phis = 0 }, fn:forward())
  end)
end)
