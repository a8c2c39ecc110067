-- What messages tell besides what is wrong: which function and method, where in
-- the frontend's source, what to use instead.
local phial = require "phial"
local refused = require "spec.support.refused"

local here = debug.getinfo(1, "S").short_src

local function line() return debug.getinfo(2, "l").currentline end

local function start(opts)
  local fn = phial.fn("f", { "n:i64", "c:i1", "x:f64" }, "i64", opts)
  local entry = fn:entry()
  fn:at(entry)
  return fn, entry, fn:arg(1), fn:arg(2), fn:arg(3)
end

describe("a call by name", function()
  local function fib(callee)
    local fn = phial.fn("fib", { "n:i64" }, "i64")
    local b, more, done = fn:entry(), fn:block "more", fn:block "done"
    b:branch(b:slt(fn:arg(1), 2), done, more)
    more:seal()
    done:seal()
    done:ret(fn:arg(1))
    local to = callee or fn
    local one = more:call(to, "i64", more:sub(fn:arg(1), 1))
    local two = more:call(to, "i64", more:sub(fn:arg(1), 2))
    more:ret(more:add(one, two))
    return fn:finish()
  end

  it("costs about what a call by object does", function()
    local object, name = fib(), fib "fib"
    local opts = { env = { fib = name } }
    assert.equal(6765, object(20))
    assert.equal(6765, name(20, opts))
    local function best(old, f, ...)
      local from = os.clock()
      f(17, ...)
      return math.min(old, os.clock() - from)
    end
    local by_object, by_name = math.huge, math.huge
    for _ = 1, 30 do
      by_object, by_name = best(by_object, object), best(by_name, name, opts)
      if by_name <= 1.3 * by_object then return end
      if by_name > 5 * by_object and by_name > 0.002 then break end
    end
    error(("%.1f times"):format(by_name / by_object))
  end)

  it("is looked up each time", function()
    local calls = 0
    local env = {}
    local g = phial.fn("g", { "n:i64" }, "i64")
    local b = g:entry()
    b:ret(b:add(b:call("h", "i64", g:arg(1)), b:call("h", "i64", g:arg(1))))
    g:finish()
    function env.h(n)
      calls = calls + 1
      env.h = function(m) return 100 * m end
      return n
    end
    assert.equal(1 + 100, g(1, { env = env }))
    assert.equal(200, g(1, { env = env }))
    assert.equal(1, calls)
  end)
end)
