-- The example lint: the cases whose answers were there first, each check, and random programs.
local assert = require "spec.support.assert"
local command_of = require "spec.support.command"
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local growth = require "spec.support.growth"
local lfs = require "lfs"
local its = require "examples.spec.command"
local prop = require "spec.support.prop"
local random_lua = require "spec.support.random_lua"
local under = require "spec.support.under"

local parser = require "phial.source.luacheck"
local lint = require "phial_lint"
local nil_programs = require "lint.spec.random"

local function reports(text, code)
  local list = {}
  for _, report in ipairs(lint.text(text)) do
    if report.code:find("^" .. code) then list[#list + 1] = report end
  end
  return list
end

-- {== Cases ============================================================

-- The lines of a case that are marked, and those with reports of nil, as texts.
local function compared(text)
  local marked, found, seen, number = {}, {}, {}, 0
  for line in text:gmatch "([^\n]*)\n" do
    number = number + 1
    if line:find "%-%-!$" then marked[#marked + 1] = number end
  end
  for _, report in ipairs(reports(text, "71")) do
    if not seen[report.line] then seen[report.line], found[#found + 1] = true, report.line end
  end
  return table.concat(marked, " "), table.concat(found, " ")
end

-- It is believed that `match` finds something (stdlib.lua).
local OTHERWISE <const> = { ["a match that fails"] = true, ["type of a variable by a name"] = true }

for _, path in ipairs { "cases", "issues" } do
  describe("uses of nil, " .. path .. ":", function()
    local text = file.read("lint/spec/" .. path .. ".txt"):gsub("\n===", "\n\0")
    for name, case in text:gmatch "\0 ([^\n]+)\n([^\0]*)" do
      it(name, function()
        local marked, found = compared(case)
        assert.equal(not OTHERWISE[name], marked == found, ("%s, not %s"):format(found, marked))
      end)
    end
  end)
end

-- }== Checks ===========================================================

local command = command_of "lint/bin/phial-lint"

describe("the command lint", function()
  for name, path in golden.programs "lint/golden" do
    it("explains " .. name, function()
      local out, err, status = command("--no-config --possible --explain " .. path)
      assert.equal("", err)
      assert.equal(1, status)
      golden.check(path, (out:gsub("lint/golden/", "")))
    end)
  end

  it("prints what its README says, without explanations", function()
    local out = command "--no-config lint/golden/long.lua"
    its.shows("lint/README.md", { (out:gsub("lint/golden/", "")) })
  end)

  it("goes on after a file that is wrong, and says what was wrong by its status", function()
    local function runs(text, expected, words)
      local path = os.tmpname()
      file.write(path, text)
      local out, err, status = command(("--no-config %s - <%s"):format(words or "", path))
      os.remove(path)
      assert.equal(expected, status)
      return out, err
    end
    runs("return 1", 0)
    runs("local x", 1)
    assert.equal("a.lua:1:9: (E011) expected expression near <eof>\n",
      (runs("return (", 2, "--filename a.lua")))
    local out, err = runs("return (", 3, "missing.lua")
    assert.equal("missing.lua: No such file or directory\n", err)
    assert.equal("-:1:9: (E011) expected expression near <eof>\n", out)
  end)

  it("explains itself", function()
    for arguments, why in pairs {
      [""] = "no file given", ["--what"] = "--what: no such option",
      ["--format xml x.lua"] = "--format: no format is called 'xml'",
      ["--config lint/none x.lua"] = "Couldn't find configuration file lint/none",
    } do
      local _, err, status = command(arguments)
      assert.equal(why, err:match "^([^\n]*)\nusage: ")
      assert.equal(3, status)
    end
  end)
end)

-- }== Other witnesses ==================================================

-- The reports of luacheck that are comparable, as texts.
local function theirs(text)
  local list = {}
  for _, warning in ipairs(parser.require "luacheck.check"(text).warnings) do
    local code, is_meant = warning.code, warning.name and warning.name:find "^_"
    if not is_meant and (code:find "^21" or code == "231" or code:find "^5[1-5]") then
      list[#list + 1] = ("%d:%d %s"):format(warning.line, warning.column, code)
    end
  end
  table.sort(list)
  return list
end

local function ours(text)
  local list = {}
  for _, code in ipairs { "21", "231", "5" } do
    for _, report in ipairs(reports(text, code)) do
      list[#list + 1] = ("%d:%d %s"):format(report.line, report.col, report.code)
    end
  end
  table.sort(list)
  return list
end

describe("lint", function()
  it("finds unused variables and unreachable code where luacheck does", function()
    for _, path in ipairs { "lint/golden/checks.lua", "lint/golden/long.lua" } do
      local text = file.read(path)
      assert.same(theirs(text), ours(text), path)
    end
  end)

  it("finds what flow says of loops, assignments and _ENV", function()
    local function codes(text)
      local list = {}
      for _, report in ipairs(reports(text, "[25]")) do
        list[#list + 1] = report:text():match "^(.-%))"
      end
      return table.concat(list, " ")
    end
    assert.equal(":1:7: (W211) :4:7: (W211)", codes [[
local _ENV = {}
local function f(_ENV) return x end
local function g(_ENV) x = 1 end
local _ENV = nil
return f, g
]])
    assert.equal(":4:1: (W532)", codes [[
local function one() return 1 end
local function some(x) if x then return 1 end return 1, 2 end
local function two() return 0, one() end
local a, b = one()
local c, d = some()
a, b, c = two()
b, c = two()
return a, b, c, d
]])
    assert.equal(":2:1: (W512) :3:1: (W512) :5:1: (W512) :5:62: (W511)", codes [[
local b = ...
while b() do error "no" end
while b() do if b then break else os.exit() end end
for _ = 1, 2 do if b() then goto go_on end break ::go_on:: end
repeat local c = b() if c then break end do return end until c
repeat if b() then break end b() until true
while true do b() end
]])
  end)

  it("reports a value once, where it is written, also if closures share the variable", function()
    local list = reports([[
local x do x = f() end
function g() return x end
local y = 1
y = 2
function g() return y end
function h() y = 3 end
]], "31")
    assert.equal(1, #list)
    assert.equal(":3:7: (W311) value assigned to variable 'y' is overwritten on line 4 before use",
      list[1]:text())
  end)

  it("explains reasons and operands that have no name", function()
    local list = reports("local a = ...\nlocal r = a or nil\nprint(r .. 'x')", "71")
    assert.equal(":3:7: (W712) 'r' may be nil where it is an operand", list[1]:text())
    assert.equal(2, list[1].steps[1].line)
    list = reports("local _ENV = nil\nprint(x)", "711")
    assert.equal(":2:1: (W711) '_ENV' is nil where it is indexed", list[1]:text())
    assert.equal(1, #reports("local _ENV = nil\nx = 1", "711"))
  end)

  it("does not know what io.open gives where io or os have functions that no Lua has", function()
    local function code(before)
      local text = before .. "\nlocal f = io.open(arg[1])\nf:write(arg[2])"
      return reports(text, "71")[1].code
    end
    for _, before in ipairs { "os.cp(1, 2)", "print(io.readfile 'x')", "os.exec() os.cp = 1" } do
      assert.equal("712", code(before))
    end
    for _, before in ipairs {
      "io.lines(os.tmpname())", "function os.cp() end os.cp(1, 2)", "local os = f() os.cp(1, 2)",
      "f.os.cp(1, 2) print(os.cp)",
    } do
      assert.equal("711", code(before))
    end
    assert.equal("711", reports("os.cp()\nlocal f = load(arg[1])\nf()", "71")[1].code)
  end)

  it("knows that operators give no nil, and that the program loads texts of its own", function()
    local text = "local d = 8 - (...) %% 8 d = d == 8 and 0 or d if d then f() end return d %s 1"
    for _, op in ipairs { "+", "&", ".." } do assert.same({}, reports(text:format(op), "71")) end
    assert.equal("712", reports("local f = load('return ' .. ...) f()", "71")[1].code)
    assert.equal("711", reports("local f = load(...) f()", "71")[1].code)
  end)

  it("is not sure of files to read whose name a function gives or is asked about", function()
    local function code(call, before)
      local text = ("%s\nlocal f = %s\nf:close()"):format(before or "", call)
      return reports(text, "71")[1].code
    end
    assert.equal("712", code("nil for _, x in pairs(x.files()) do f = io.open(x) end"))
    local before = "if not exists(arg.x) then return end"
    assert.equal("712", code("io.open(arg.x)", before))
    assert.equal("712", code("io.open 'x'", "assert(fs.access('x', 'r'))"))
    assert.equal("711", code("io.open(arg.y)", before))
    assert.equal("711", code("io.open(arg.x, 'a')", before))
    assert.equal("711", code("io.open(arg.x)", "if exists(arg.x) then return end"))
    for _, call in ipairs {
      "io.open(find())", "io.open(find(), 'r')", "io.open(x.find(), 'r+')",
    } do
      assert.equal("712", code(call))
    end
    for _, call in ipairs {
      "io.open(arg[1])", "io.open(find(), 'w')", "io.open(os.tmpname())",
      "io.open(find() .. 'x')",
    } do
      assert.equal("711", code(call))
    end
  end)

  it("trusts tests where they fail, and no others, and none of self", function()
    local function code(body)
      local text = "local C = {}\nfunction C:f(e)\n" .. body .. "\nend\nreturn C"
      return reports(text, "71")[1].code
    end
    for _, body in ipairs {
      "if not e then return e.x end", "if e == nil and e.x then return 1 end",
      "if not self.size then return self.size + 1 end",
      "if self.size then return end e(self.size.x)", "return e or e.x",
      "if not there then return there.x end",
      "if e then print(1) else print(e.x) end",
    } do
      assert.equal("711", code(body))
    end
    for _, body in ipairs {
      "if self and self.x then e() end return self.x", "if not self then return self.x end",
      "if self.size then e() end return self.size + 1",
      "if self.size ~= nil then e() end return self.size + 1",
      "if e and e.x then e() end return e.x", "if there then e() end return there.x",
      "if e and e.x == 1 then e() else e(e.x) end", "self.y = e or 1 return e + 1",
      "local x = e.x and e.x.y return x + 1", "local y = e or g() return e.x, y",
      "if not e then warn 'no e' end return e.x",
      "if self.size then e() end local size = self.size return size + 1",
    } do
      assert.equal("712", code(body))
    end
  end)

  it("asks what predicates of other modules say, where require finds their sources", function()
    local folder = os.tmpname()
    os.remove(folder)
    for _, path in ipairs { "", "/lua", "/lua/tool" } do assert(lfs.mkdir(folder .. path)) end
    for path, text in pairs {
      ["lua/tool/init.lua"] = "local M = {}\nfunction M.empty(s) return s == nil or s == '' end\n"
        .. "function M.other(s) return require('main').x(s) end\nreturn M",
      ["list.lua"] = "local function full(s) return s ~= nil end\nreturn { full = full }",
      ["is_nil.lua"] = "return function(s) return s == nil end",
      ["main.lua"] = [[
local tool, full, is_nil = require "tool", require("list").full, require "is_nil"
local function read(n) if n == 0 then return nil end return io.stdin end
local a = read(1)
if not tool.empty(a) then print(a.x) end
local b = read(1)
if full(b) then print(b.x) end
local c = read(1)
if not is_nil(c) then print(c.x) end
local d = read(1)
if not tool.other(d) then print(d.x) end
]],
    } do file.write(folder .. "/" .. path, text) end
    local run = command_of(lfs.currentdir() .. "/lint/bin/phial-lint", folder)
    local out = run "--possible main.lua"
    assert.equal("", (run "main.lua"))
    os.execute("rm -rf " .. folder)
    assert.equal("main.lua:10:33: (W712) 'd' may be nil where it is indexed\n", out)
  end)

  it("ends the search for uses of nil in a function that is too large, and says so", function()
    local line = "x = x .. (a and b or c) .. 'z'\n"
    local head = "local x, a, b, c = '', ...\n"
    assert.same({ "main chunk" }, lint.text(head .. line:rep(300)).unsearched)
    assert.same({}, lint.text(head .. line:rep(5)).unsearched)
  end)

  for name, case in pairs {
    ["arms of a condition"] = { "elseif x == %d then return %d\n", "if x then return 1\n", "end" },
    ["operands of a test"] = { "and x ", "local x = ...\nif x ", "then print(x) end return x.y" },
    ["operators of a condition"] = { "and x ", "local y = x ", "return y" },
  } do
    it("takes near-linear time in the number of " .. name, function()
      assert(growth.is_near_linear(250, function(n)
        local parts = { "local x = ...\n" .. case[2] }
        for i = 1, n do parts[#parts + 1] = case[1]:format(i, i) end
        return table.concat(parts) .. case[3]
      end, lint.text))
    end)
  end

  it("finds nothing in its own files", function()
    local list <close> = assert(io.popen(
      "find lint lua/phial/source -path lint/golden -prune -o -name '*.lua' -print"))
    local n = 0
    for path in list:lines() do
      n = n + 1
      if not under.brief or n % 4 == 0 then
        assert.same({}, { lint.text(file.read(path))[1] }, path)
      end
    end
  end)

  it("checks random programs", function()
    prop.forall(random_lua.program, lint.text, 60)
  end)
end)

-- }== Nil, compared with runs ===========================================

-- Runs a program with some bits, and what `unknown` returns; returns the line where it failed, if
-- it did, and the set of the lines that it reached.
local function run(text, bits, unknown)
  local next, lines = 0, {}
  local env = { type = type, assert = assert, unknown = unknown }
  function env.bit()
    next = next + 1
    return bits >> next & 1 ~= 0
  end
  local program = coroutine.create(assert(load(text, "=run", "t", env)))
  debug.sethook(program, function(_, line)
    if debug.getinfo(2, "S").source == "=run" then lines[line] = true end
  end, "l")
  local _, why = coroutine.resume(program)
  return tonumber(tostring(why):match "^run:(%d+):"), lines
end

describe("in a random program", function()
  local TIMES <const> = 40
  local VALUES <const> = { false, {} }

  local function unknown() return VALUES[math.random(3)] end

  it("where a local is always nil, all runs fail", function()
    prop.forall(nil_programs.program, function(text)
      for _, report in ipairs(reports(text, "71")) do
        for _ = 1, report.message:find " is nil " and TIMES or 0 do
          local failed, lines = run(text, math.random(0), unknown)
          if lines[report.line] then assert.equal(report.line, failed) end
        end
      end
    end, 100)
  end)
end)

-- }======================================================================
