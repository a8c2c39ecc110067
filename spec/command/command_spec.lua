-- The command phial as a program among others: pipes, files, hosts.
local child = require "spec.support.command"
local command = child "bin/phial"
local file = require "spec.support.file"
local json = require "spec.support.json"
local lfs = require "lfs"
local quoted = require("bench.lib.corpus").quoted
local shell = require "spec.support.shell"

local GCD <const> = file.read "spec/golden/command/inputs/gcd.phial"

-- Calls f with the path of a file that has this text, and removes it; returns what f does.
local function with(text, f)
  local path = os.tmpname()
  local _ <close> = setmetatable({}, { __close = function() os.remove(path) end })
  file.write(path, text)
  return f(path)
end

describe("the command", function()
  it("says its version", function()
    local out = command "--version"
    assert.equal(("%s (%s)\n"):format(require("phial")._VERSION, _VERSION), out)
  end)

  it("is not loaded with the module", function()
    with([[
      require "phial"
      for name in pairs(package.loaded) do assert(not name:find "command", name) end]],
      function(script) assert.same({ "", "", 0 }, { child(script) "" }) end)
  end)

  it("loads no emitter to list its subcommands", function()
    with([[
      require("phial.command").subcommands()
      for name in pairs(package.loaded) do assert(not name:find "^phial%.emit%.%l+$", name) end]],
      function(script) assert.same({ "", "", 0 }, { child(script) "" }) end)
  end)

  it("ends quietly when nobody reads what it writes", function()
    with(GCD, function(path)
      local words = "emit html " .. quoted(path)
      local out, complaints = command(words .. " | true")
      assert.same({ "", "" }, { out, complaints })
      -- where the signal is ignored, writing fails
      with(("trap '' PIPE; LUA_PATH=%s LUA_CPATH=%s; export LUA_PATH LUA_CPATH\n"
        .. "{ %s bin/phial %s; echo $? >%s; } | true\n"):format(quoted(package.path),
        quoted(package.cpath), quoted(require("bench.lib.system").interpreter()), words,
        quoted(path)), function(script)
          assert.equal("", (shell.run("sh " .. quoted(script))))
        end)
      assert.equal("0\n", file.read(path))
    end)
  end)

  it("says when its output cannot be written", function()
    if not lfs.attributes "/dev/full" then return end
    with(GCD, function(path)
      local out, complaints, status = command("show " .. path .. " >/dev/full")
      assert.same({ "", "standard output: No space left on device\n", 2 },
        { out, complaints, status })
      out, complaints, status = command("show -o /dev/full " .. path)
      assert.same({ "", "/dev/full: No space left on device\n", 2 }, { out, complaints, status })
    end)
  end)

  it("writes a file as a whole, or not at all", function()
    with(GCD, function(path)
      local other = path .. ".out"
      assert.same({ "", "", 0 }, { command(("show %s -o %s"):format(path, other)) })
      assert.equal(GCD, file.read(other))
      local _, _, status = command(("emit lua --function f %s -o %s"):format(path, other))
      assert.equal(2, status)
      assert.equal(GCD, file.read(other))
      os.remove(other)
      local _, complaints
      _, complaints, status = command(("show %s -o no/such"):format(path))
      assert.same({ "no/such: No such file or directory\n", 2 }, { complaints, status })
      assert.same({ "", "", 0 }, { command(("emit text %s -o %s"):format(path, path)) })
      assert.equal(GCD, file.read(path))
    end)
  end)

  it("reports its own mistakes with a traceback", function()
    local out, complaints, status = with([[
      package.loaded["phial.command.show"] = {
        options = {}, run = function() error "a mistake" end,
      }
      os.exit(require("phial.command").main { "show" }, true)]],
      function(script) return child(script) "" end)
    assert.same({ "", 3 }, { out, status })
    assert.truthy(complaints:find "^phial: [^\n]*: a mistake\nstack traceback:\n", complaints)
    assert.truthy(complaints:find "\nThis is a mistake of phial's: please report it%.\n$")
  end)

  it("takes files whose names look like options after --", function()
    local _, complaints = command "show -- --stats"
    assert.equal("--stats: No such file or directory\n", complaints)
  end)
end)

it("emit shows how a trace is constructed, by the algorithm that is asked for", function()
  with("F f 1 0 i64 x:i64\nb 0\nr 0 %1\nx %1\nE\n", function(path)
    local out = command("emit --construction cytron --detail json " .. path)
    assert.truthy(out:find('\n"construction": "cytron",\n', 1, true))
    assert.truthy(out:find '\n{"event":"finished"')
    assert.truthy(command("show --html " .. path):find "^<!DOCTYPE html>")
  end)
end)

it("emit svg refuses a list of steps with a hole", function()
  with("F f 1 0\nb 0\nx\nE\n", function(path)
    for _, list in ipairs { "1,,2", "1,", ",1", "x" } do
      local out, complaints = command(("emit svg --steps %s %s"):format(list, path))
      assert.same({ "", ("phial: --steps: integers expected, got '%s'"):format(list) },
        { out, complaints:match "^[^\n]*" })
    end
  end)
end)

it("emit shows how rules simplify a trace", function()
  with("F f 1 0 i64 x:i64\nb 0\ni %2 i64 mul %1 1\nx %2\nE\n", function(path)
    local out = command("emit --rules int json " .. path)
    assert.truthy(out:find('"op":"mul","args":[1,2],"line":3,"rule":"mul1"', 1, true), out)
    local refused = "phial: --rules: only with marker, simple, scc, operand\n"
      .. "try 'phial emit --help'\n"
    assert.same({ "", refused, 2 },
      { command("emit --rules int --construction cytron json " .. path) })
  end)
end)

it("a page holds the files that positions name only if that is asked for", function()
  with("a secret", function(secret)
    for _, text in ipairs {
      'F f 1 0\n@ 1 1 "%s"\nb 0\nx\nE\n', 'fn f() {\nentry:\n  ret @ "%s":1:1\n}\n',
    } do
      with(text:format(secret), function(path)
        for _, words in ipairs { "emit html ", "show --html " } do
          assert.is_nil(command(words .. path):find("a secret", 1, true), text)
          assert.truthy(command(words .. "--source " .. path):find("a secret", 1, true), text)
        end
      end)
    end
  end)
end)

it("emit, replay and show read one of a trace's functions alone", function()
  with("-- two\nF f 1 0\nQ\n \tF \"g\" 1 0 -\nb 0\nx -\nE\nF h 1 0\nb 0\nQ\n", function(path)
    for _, words in ipairs { "emit text", "replay", "show" } do
      local text, why = command(("%s --function g %s"):format(words, path))
      assert.same({ "fn g() {\nentry:\n  ret\n}\n", "" }, { text, why })
    end
    local _, why = command("emit html --function h " .. path)
    assert.matches(path .. ":10:", why, 1, true)
  end)
end)

it("emit shows how one of a trace's functions is constructed", function()
  local trace = "-- two\nF f 1 0 i64 x:i64\nb 0\nr 0 %1\nx %1\nE\n"
    .. "F g 1 0 i64 x:i64\nb 0\nr 0 %1\nx %1\nE\n"
  with(trace, function(path)
    local document = json.read(command("emit --function g --detail json " .. path))
    local it = document.functions[1]
    assert.same({ 1, "g" }, { #document.functions, it.name })
    assert.same({ line = 7, text = "F g 1 0 i64 x:i64" }, it.trace[1])
    assert.equal("read", it.events[1].event)
    assert.same({ "", path .. ": no function 'h'\n", 2 },
      { command("emit --function h json " .. path) })
  end)
end)

describe("the option --host", function()
  local TEXT <const> = [[
fn f(%x: i64) -> i64 {
entry:
  %2: i64 = d.twice %x
  %3: i64 = call @more %2
  ret %3
}
]]

  local function run(host, words)
    local out, complaints, status
    with(TEXT, function(path)
      with(host, function(script)
        out, complaints, status = command(("%s --host %s %s"):format(
          words:gsub("{}", path), script, words:find "run" and "-- 4" or ""))
        complaints = complaints:gsub(script:gsub("%p", "%%%0"), "HOST")
      end)
    end)
    return out, complaints, status
  end

  it("gives dialects and callees", function()
    local host = [[
      local phial = require "phial"
      return {
        dialects = { phial.dialect("d", { twice = { args = { "i64" }, result = "i64",
          eval = function(x) return 2 * x end } }) },
        env = { more = function(x) return x + 1 end },
      }]]
    assert.same({ "9\n", "", 0 }, { run(host, "run {}") })
    assert.same({ TEXT, "", 0 }, { run(host, "show {}") })
  end)

  it("gives functions of rules", function()
    with("x * C => x if $one(C)\n", function(path)
      local out, _, status = run("return { functions = { one = function(C) return C == 1 end } }",
        "check " .. path)
      assert.truthy(out:find "^[^\n]*:1: checked, applied")
      assert.equal(0, status)
    end)
  end)

  it("says what is wrong with the script", function()
    assert.same({ "", "HOST: returns no table\n", 2 }, { run("", "show {}") })
    assert.same({ "", "HOST:1: no\n", 2 }, { run("error 'no'", "show {}") })
    assert.same({ "", "HOST: unknown field 'envy' (did you mean 'env'?); there are: dialects, env, "
      .. "functions, host\n", 2 }, { run("return { envy = 1 }", "show {}") })
    assert.same({ "", "HOST: field 'env': table expected, got 1\n", 2 },
      { run("return { env = 1 }", "show {}") })
    assert.same({ "", "HOST: field 'dialects': a list expected, but 'd' is a key of it\n", 2 },
      { run("return { dialects = { d = 1 } }", "show {}") })
    local _, complaints = run("return {", "show {}")
    assert.truthy(complaints:find "^HOST:1: unexpected symbol", complaints)
  end)
end)
