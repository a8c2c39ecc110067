-- docs/trust.md: what foreign texts, traces, rules and functions may do.
local emitters = require "phial.emit"
local phial = require "phial"

-- What a process has besides memory.
local OUTSIDE <const> = {
  io = { "open", "popen", "lines", "input", "output", "tmpfile", "read", "write" },
  os = { "execute", "getenv", "remove", "rename", "tmpname", "exit", "setlocale" },
  _G = { "dofile", "loadfile", "print", "require" }, package = { "loadlib", "searchpath" },
}

-- Calls f, in which each use of these raises an error.
local function shut(f)
  local kept = {}
  for library, names in pairs(OUTSIDE) do
    for _, name in ipairs(names) do
      kept[#kept + 1] = { _G[library], name, _G[library][name] }
      _G[library][name] = function() error(("%s.%s was used"):format(library, name), 2) end
    end
  end
  local result = table.pack(pcall(f))
  for _, it in ipairs(kept) do it[1][it[2]] = it[3] end
  assert(result[1], result[2])
end

local HOSTILE <const> = [==[
fn "os.exit(1) --]]\n*/ </script><script>alert(1)</script>"(%n: i64) -> i64 {
entry:
  %p: ptr = alloca 8, 8
  store %p, %n
  %1: i64 = call @"os.execute" %n
  %2: i64 = add %1, %n
  ret %2
}
]==]

local TRACE <const> = [[
F "io.popen('id')" 1 0 i64 n:i64
b entry
r n %2
i %3 i64 mul %2 %2
x %3
E
]]

local function read_and_emit()
  local fn = assert(phial.parse(HOSTILE))
  for _, it in ipairs { fn, assert(phial.replay(TRACE)) } do
    assert(it:verify() and it:is_minimal() and it:is_pruned())
    for name in pairs(emitters.BUNDLED) do
      if name ~= "svg" then phial.emit[name](it) end -- that runs node
    end
  end
  assert(not (phial.parse "fn f() { rte }" or phial.replay "q" or phial.steps "q"))
  assert(not phial.rules("a: sdiv(x, 2) => sar(x, 1)"):check())
  return fn
end

local function run(fn)
  assert(phial.replay(TRACE)(7) == 49)
  local ok, why = pcall(fn, 1, { fuel = 10 })
  assert(not ok and why:find("there is no 'os.execute' in the option env", 1, true), why)
  assert(fn(1, { env = { ["os.execute"] = function(n) return n + 1 end } }) == 3)
end

it("foreign texts, traces and rules open nothing and run nothing", function()
  run(read_and_emit()) -- loads phial's own files
  shut(function() run(read_and_emit()) end)
end)

it("a foreign function ends when its fuel does", function()
  local fn = assert(phial.parse "fn f() {\nentry:\n  jump a\na: <- entry, a\n  jump a\n}\n")
  local ok, why = pcall(fn, { fuel = 1000 })
  assert.falsy(ok)
  assert.truthy(why:find("out of fuel", 1, true), why)
end)

describe("a short text is refused that asks for much:", function()
  for what, case in pairs {
    ["blocks"] = { "replay", "F f 10000000 0\n", "1: 10000000 blocks are too many" },
    ["variables"] = { "replay", "F f 1 10000000\n", "1: 10000000 variables are too many" },
    ["a global"] = { "parse", "module m\n\nglobal g: bytes 1000000000000\n",
      "3:1: global 'g': a size from 1 to 2147483647 expected, got 1000000000000" },
  } do
    it(what, function()
      local it, why = phial[case[1]](case[2])
      assert.is_nil(it)
      assert.equal(case[3], why)
    end)
  end
end)

it("large ids in a short text take no memory", function()
  local fn = assert(phial.parse [[
fn f(%4000000000: i64) -> i64 {
b3000000000:
  %n.2000000000: i64 = add %4000000000, 1
  jump b3000000001
b3000000001: <- b3000000000
  ret %n.2000000000
}]])
  assert.equal([[
fn f(%1: i64) -> i64 {
b1:
  %n: i64 = add %1, 1
  jump b2
b2: <- b1
  ret %n
}
]], fn:text())
end)

it("rules are refused that are nested without end, or could be applied for ever", function()
  for text, why in pairs {
    ["a: " .. ("("):rep(100000) .. "x => x"] = "this is nested too deeply",
    ["a: x + y => y + x"] = "might be applied forever",
  } do
    local ok, said = pcall(phial.rules, text)
    assert.falsy(ok)
    assert.truthy(said:find(why, 1, true), said)
  end
end)
