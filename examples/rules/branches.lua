-- Branch folding: a program is built for one configuration, and the code for other
-- configurations is never generated.
-- usage: lua5.4 branches.lua
local phial = require "phial"

-- The built-in rules cover branches on a constant, on ~c, and with two equal targets.
-- A branch becomes a jump before its edges exist.
local rules = phial.rules "int"

-- checked(i) is a[i], with a bounds check if `checks` is set.
local function build(checks, set)
  local fn = phial.fn("checked", { "i", "n" }, "i64", { rules = set })
  local entry, test, fail, ok = fn:entry(), fn:block "test", fn:block "fail", fn:block "ok"
  local i, n = fn:param(1), fn:param(2)
  entry:branch(fn:const(checks), test, ok)
  test:seal()
  -- dead if checks are off: what is emitted here has no effect
  test:branch(test:ult(test:read(i), test:read(n)), ok, fail)
  ok:seal()
  fail:seal()
  fail:call("error", false, fail:read(i))
  fail:unreachable()
  ok:ret(ok:mul(ok:read(i), 8))
  return fn:finish()
end

print "without checks, as written:\n"
print(build(false, false))
print "without checks:\n"
print(build(false, rules))
print "with checks:\n"
print(build(true, rules))

-- A condition that is known to be constant only when the loop is sealed.
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
  head:seal() -- now the phi of `verbose` turns out to be false
  done:seal()
  done:ret(done:read(n))
  return fn:finish()
end

print "a condition that is known only at the end:\n"
print(loop(rules))

-- Negated conditions, and branches with two equal targets.
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

print "a negated condition, and a branch with equal targets:\n"
local fn = turned(rules)
print(fn)
local names = {}
for name in pairs(fn:stats().rules) do names[#names + 1] = name end
table.sort(names)
print("by " .. table.concat(names, ", "))
