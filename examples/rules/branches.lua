-- Branch folding: a program is built for one configuration, and the code for
-- others is never there.
-- usage: lua5.4 branches.lua
local phial = require "phial"

-- The standard rules have those for branches: on a constant, on ~c, to one and
-- the same block. A branch that becomes a jump does so before its edges exist.
local rules = phial.rules "int"

-- checked(i) is a[i] with a test of the bounds, if `checks` says so.
local function build(checks, set)
  local fn = phial.fn("checked", { "i", "n" }, "i64", { rules = set })
  local entry, test, fail, ok = fn:entry(), fn:block "test", fn:block "fail", fn:block "ok"
  local i, n = fn:param(1), fn:param(2)
  entry:branch(fn:const(checks), test, ok)
  test:seal()
  -- dead when there are no checks: what is emitted here comes to nothing
  test:branch(test:ult(test:read(i), test:read(n)), ok, fail)
  ok:seal()
  fail:seal()
  fail:call("error", false, fail:read(i))
  fail:unreachable()
  ok:ret(ok:mul(ok:read(i), 8))
  return fn:finish()
end

print "without checks, as it is written:\n"
print(build(false, false))
print "without checks:\n"
print(build(false, rules))
print "with checks:\n"
print(build(true, rules))

-- A condition that is a constant only once a loop is closed.
local function loop(set)
  local fn = phial.fn("loop", { "n" }, "i64", { rules = set })
  local entry, head, debug, body, done =
    fn:entry(), fn:block "head", fn:block "debug", fn:block "body", fn:block "done"
  local n, verbose = fn:param(1), fn:var("verbose", "i1")
  entry:write(verbose, false)
  entry:jump(head)
  head:branch(head:read(verbose), debug, body)
  debug:seal()
  debug:call("print", false, debug:read(n))
  debug:jump(body)
  body:seal()
  body:write(n, body:sub(body:read(n), 1))
  body:branch(body:sgt(body:read(n), 0), head, done)
  head:seal() -- here the phi of `verbose` turns out to be false
  done:seal()
  done:ret(done:read(n))
  return fn:finish()
end

print "a condition that is known at the end only:\n"
print(loop(rules))

-- Conditions that are turned round, and ways that do not differ.
local function turned(set)
  local fn = phial.fn("turned", { "c:i1", "x" }, "i64", { rules = set })
  local entry, yes, no, last = fn:entry(), fn:block "yes", fn:block "no", fn:block "last"
  entry:branch(entry:bnot(fn:arg(1)), no, yes)
  yes:seal()
  no:seal()
  yes:branch(fn:arg(1), last, last)
  no:ret(0)
  last:seal()
  last:ret(fn:arg(2))
  return fn:finish()
end

print "a condition turned round, and a branch to one block:\n"
local fn = turned(rules)
print(fn)
local names = {}
for name in pairs(fn:stats().rules) do names[#names + 1] = name end
table.sort(names)
print("by " .. table.concat(names, ", "))
