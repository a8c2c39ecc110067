-- Traps of a program's own: what construction, finish and edits make of them.
local phial = require "phial"
local refused = require "spec.support.refused"

-- The text of a finished function's blocks.
local function body(fn) return fn:text():match "{\n(.-)}\n$" end

local function parsed(text, opts) return assert(phial.parse(text, opts)) end

local function get(opts)
  local fn = phial.fn("get", { "at:i64", "size:i64", "p:ptr" }, "i64", opts)
  return fn, fn:entry(), fn:arg(1), fn:arg(2), fn:arg(3)
end

describe("trap_if", function()
  it("is one with an equal one that dominates it, and lets loads be one", function()
    local fn, b, at, size, p = get()
    local more = fn:block(nil, 1)
    b:trap_if(b:uge(at, size), "out of bounds")
    local x = b:load(p, "i64")
    b:jump(more)
    more:trap_if(more:uge(at, size), "out of bounds")
    local y = more:load(p, "i64")
    more:trap_if(more:uge(at, size), "other")
    more:ret(more:sub(y, x))
    assert.equal([[
entry:
  %4: i1 = ule %size, %at
  trap_if {"out of bounds"} %4
  %6: i64 = load %p
  jump b2
b2: <- entry
  trap_if {"other"} %4
  ret 0
]], body(fn:finish()))
  end)

  it("does not merge with what does not dominate it, and not without rules", function()
    local fn, b, at, size = get()
    local yes, no, last = fn:block(nil, 1), fn:block(nil, 1), fn:block(nil, 2)
    local out = b:uge(at, size)
    b:branch(b:eq(at, 0), yes, no)
    for _, block in ipairs { yes, no } do
      block:trap_if(out, "out")
      block:jump(last)
    end
    last:trap_if(out, "out")
    last:ret(at)
    assert.equal(3, select(2, fn:finish():text():gsub("trap_if", "")))
    local plain, entry = get { rules = false }
    local never = plain:const(false)
    entry:trap_if(never, "a")
    entry:trap_if(never, "a")
    entry:ret(plain:arg(1))
    assert.equal(2, select(2, plain:finish():text():gsub("trap_if", "")))
  end)

  it("can trap, has no effect, and stays", function()
    local fn = parsed 'fn f(%c: i1) {\nentry:\n  trap_if {"x"} %c\n  ret\n}'
    local check = fn:entry():insts()[1]
    assert.same({ true, "none", "x" }, { check:can_trap(), check:effect(), check:data() })
    assert.same({ dead = 0 }, { dead = fn:clean { dead = true }.dead })
    assert.truthy(fn:text():find "trap_if")
  end)

  it("goes when its condition is false, and ends its block when it is true", function()
    local fn, b, at, _, p = get()
    local yes, no, last = fn:block("yes", 1), fn:block("no", 1), fn:block("last", 2)
    b:trap_if(fn:const(false), "never")
    b:branch(b:eq(at, 0), yes, no)
    yes:store(p, 1)
    yes:trap_if(yes:eq(1, 1), "always")
    local sum = yes:load(p, "i64")
    yes:trap_if(fn:const(true), "behind that")
    yes:store(p, sum)
    yes:jump(last)
    no:jump(last)
    last:ret(last:phi { [yes] = sum, [no] = at })
    assert.equal([[
entry:
  %7: i1 = eq %at, 0
  branch %7, yes, no
yes: <- entry
  store %p, 1
  trap {"always"}
no: <- entry
  jump last
last: <- no
  ret %at
]], body(fn:finish()))
    assert.equal(true, fn:verify())
  end)

  it("is decided by what phis turn out to be, in loops, and with its uses", function()
    local fn, b, at = get()
    local x, head, rest, done = fn:var("x", "i64"), fn:block "head", fn:block("rest", 1), fn:block()
    b:write(x, 7)
    b:jump(head)
    head:trap_if(head:ne(head:read(x), 7), "never")
    head:branch(head:slt(at, 5), rest, done)
    local seven = rest:read(x)
    rest:trap_if(rest:eq(seven, 7), "always")
    rest:write(x, seven)
    rest:jump(head)
    done:ret(done:read(x))
    assert.equal([[
entry:
  jump head
head: <- entry
  %10: i1 = slt %at, 5
  branch %10, rest, b4
rest: <- head
  trap {"always"}
b4: <- head
  ret 7
]], (body(fn:finish()):gsub("  %%%d+: i1 = eq[^\n]*\n", "")))
    assert.equal(true, fn:verify())
  end)

  it("of several that are decided in one block, the first ends it", function()
    local fn = phial.fn("f", { "x:i1", "y:i1" }, "i64")
    local b = fn:entry()
    b:trap_if(b:bxor(fn:arg(1), fn:arg(2)), "one")
    b:trap_if(b:bor(fn:arg(1), fn:arg(2)), "two")
    b:trap_if(fn:arg(2), "three")
    b:ret(1)
    fn:finish()
    fn:arg(1):replace(fn:const(true))
    fn:arg(2):replace(fn:const(false))
    fn:clean { rules = true }
    assert.equal('entry:\n  trap {"one"}\n', body(fn))
    assert.equal(true, fn:verify())
  end)

  it("is decided by clean, where edits made its condition constant", function()
    local fn = phial.fn("f", { "c:i1", "x:i64" }, "i64")
    local a, b = fn:block("a", 1), fn:block("b", 2)
    fn:entry():branch(fn:arg(1), a, b)
    fn:set_loc(3, 4, "f.x")
    a:trap_if(fn:arg(1), "no")
    fn:set_loc(nil)
    a:write(fn:param(2), a:add(fn:arg(2), 1))
    a:jump(b)
    b:ret(b:read(fn:param(2)))
    fn:finish()
    a:insts()[1]:set_arg(1, fn:const(true))
    fn:clean { rules = true }
    assert.equal([[
entry:
  branch %c, a, b
a: <- entry
  trap {"no"} @ "f.x":3:4
b: <- entry
  ret %x
]], body(fn))
    assert.equal("f: 'trap {\"no\"}' in block 'a' (f.x:3:4): no", select(2, pcall(fn, true, 1)))
  end)

  it("leaves unreachable blocks where these are kept", function()
    local fn, b, at = get { keep_unreachable = true }
    local behind = fn:block("behind", 1)
    b:trap_if(fn:const(true), "always")
    local x = b:mul(at, 3)
    b:jump(behind)
    behind:ret(behind:add(x, 1))
    fn:finish()
    assert.equal('entry:\n  trap {"always"}\nbehind: unreachable\n',
      body(fn):match "^.-unreachable\n")
    assert.equal(true, fn:verify())
  end)

  it("has an equal one's nodes, and tells of its handle", function()
    local fn, b, at, size = get()
    for node = 1, 2 do
      fn:set_node(node)
      b:trap_if(b:uge(at, size), "out")
    end
    b:ret(at)
    fn:finish()
    local check = fn:entry():insts()[2]
    assert.same({ 1, 2 }, check:nodes())
    assert.equal("new", check:set_data("new"):data())
  end)
end)

describe("a trap", function()
  it("refuses what is no message, and conditions that are booleans of Lua", function()
    local fn, b, at = get()
    refused(fn, "bad argument #1 to 'trap' (message expected, a string, got 5)",
      function() b:trap(5) end)
    refused(fn, "wrong number of arguments to 'trap' (1 expected, got 0)", function() b:trap() end)
    refused(fn, "bad argument #2 to 'trap_if' (message expected, a string, got nil)",
      function() b:trap_if(at, nil) end)
    refused(fn, "bad argument #1 to 'trap_if' (i1 expected, got i64 '%at')",
      function() b:trap_if(at, "x") end)
    refused(fn, "bad argument #1 to 'trap_if' (value expected, got true: '==' between handles "
      .. "gives a boolean, use v:eq(w); the constant is fn:const(true))",
      function() b:trap_if(at == at, "x") end)
    refused(fn, "bad argument #1 to 'emit' ('trap_if' has a method of its own: block:trap_if)",
      function() b:emit("trap_if", at) end)
    refused(fn, "bad argument #1 to 'emit' ('trap' has a method of its own: block:trap)",
      function() b:emit("trap", at) end)
    b:trap "no"
    refused(fn, "bad argument #1 to 'set_data' (message expected, a string, got true)",
      function() b:terminator():set_data(true) end)
  end)

  it("is read with a message only", function()
    for text, why in pairs {
      ["trap"] = "3:1: 'trap' needs a message, a string in braces",
      ["trap {5}"] = "3:1: 'trap' needs a message, a string in braces",
      ["trap_if %c\nret"] = "3:1: 'trap_if' needs a message, a string in braces",
      ['trap {"x"} %c'] = "3:12: the end of the line expected, got '%c'",
      ['trap_if {"x"}\nret'] = "3:1: 'trap_if' takes 1 operand, not 0",
    } do
      assert.same({ nil, why }, { phial.parse("fn f(%c: i1) {\nentry:\n" .. text .. "\n}") })
    end
  end)

  it("is made by the builder, at cursors, and in traces", function()
    local fn = phial.build("f", { "x:i64" }, "i64", function(b, v)
      b:if_(v.x:slt(0), function() b:trap "negative" end)
      b:trap_if(v.x:eq(5), "five")
      b:ret(v.x)
    end)
    fn:find "if_then":back():trap "less"
    fn:entry():front():trap_if(fn:const(true), "now")
    assert.equal([[
entry:
  trap_if {"now"} true
  %3: i1 = slt %x, 0
  branch %3, if_then, if_done
if_then: <- entry
  trap {"less"}
if_done: <- entry
  %8: i1 = eq %x, 5
  trap_if {"five"} %8
  ret %x
]], body(fn))
    local again = phial.fn("f", { "c:i1" }, nil, { rules = false })
    local record, b = phial.record(again), again:entry()
    b:trap_if(again:const(true), "one")
    b:trap_if(again:arg(1), "two")
    b:trap "three"
    assert.equal(again:finish():text(), phial.replay(record:text()):text())
    for line, why in pairs {
      ['(trap_if) {"one"}'] = "'trap_if' needs its message, in braces",
      ['(trap) {"three"}'] = "'trap' needs its message, in braces",
      ['(trap {"three"})'] = "'trap' has no operands",
    } do
      local text = record:text():gsub(line, why:find "has no" and "%1 %%1" or "%1")
      assert.truthy(tostring(select(2, phial.replay(text))):find(why, 1, true))
    end
  end)
end)
