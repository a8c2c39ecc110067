-- Lua states in threads of their own, at once. `make threads` runs this under ThreadSanitizer,
-- which also sees the races that do no harm here; rules that threads share are in
-- spec/c/freeze.c, since only C can share them.
local native = require "spec.support.native"

-- Runs the script, which is passed 1 to 8, in eight threads, again and again for as long as
-- MINUTES says; `result(i)` is expected of each. Each time with new threads: ThreadSanitizer does
-- not see that errors of Lua leave frames, of which a thread may only have so many.
local function in_eight_threads(script, result)
  local last = os.time() + 60 * (tonumber(os.getenv "MINUTES") or 0) // 2
  repeat
    local results = { native.threads(8, script) }
    for i = 1, 8 do assert.equal(result(i), results[i]) end
  until os.time() >= last
end

describe("eight states in eight threads", function()
  it("do all kinds of work", function()
    in_eight_threads([[
      local number = ...
      local workloads = require "spec.support.workloads"
      local n = #workloads.names
      for i = 1, n do
        local name = workloads.names[(i + number * n // 8) % n + 1]
        local work, check = assert(load(workloads.script(name)))()
        check(pcall(work))
      end
      return "done"
    ]], function() return "done" end)
  end)

  -- ThreadSanitizer does not see that the loader unmaps a library where it maps another then:
  -- there, the only native code is in the work above.
  if os.getenv "TSAN_OPTIONS" then return end

  it("call native code of their own", function()
    in_eight_threads([[
      local number = ...
      local phial = require "phial"
      local m = phial.module "m"
      m:global("sum", "i64", number)
      local fn = phial.build("down", { "n" }, "i64", function(b, v)
        b:if_(v.n:eq(0), function() b:ret(0) end)
        b:ret(b:call("down", "i64", v.n - 1) * 3 + v.n)
      end)
      local add = m:fn("add", { "n" }, "i64")
      local b = add:entry()
      local p = b:address "sum"
      b:store(p, b:add(b:load(p, "i64"), add:arg(1)))
      b:ret(b:load(p, "i64"))
      m:finish()
      local one <close> = m:compile { flags = "-O0" }
      local two <close> = fn:compile { flags = "-O1" }
      local last
      for i = 1, 2000 do
        last = one:call("add", i)
        if i % 500 == 0 then
          local ok, why = pcall(two:get "down", -1)
          assert(not ok and why:find "stack overflow")
        end
      end
      return last
    ]], function(i) return tostring(2000 * 2001 // 2 + i) end)
  end)
end)
