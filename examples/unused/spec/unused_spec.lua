-- The example unused, which reports unused assignments: definitions and uses,
-- compared with those of a plain solver, and the reports.
local assert = require "spec.support.assert"
local command_of = require "spec.support.command"
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local its = require "examples.spec.command"
local prop = require "spec.support.prop"
local reaching = require "examples.unused.spec.reaching"
local source = require "phial.source"
local variants = require "spec.support.variants"

package.path = "examples/?.lua;" .. package.path
local compile = require("while.compile").compile
local random = require "examples.while.spec.random"
local random_lua = require "examples.luac.spec.random"
local nil_programs = require "examples.unused.spec.random"

-- {== Reaching definitions ==============================================

local function sorted(set)
  local list = {}
  for key in pairs(set) do list[#list + 1] = key end
  table.sort(list)
  return list
end

-- How both sides name a definition: the position of an assignment, or `x before`.
local function place(from, node)
  return node.before and node.before .. " before" or ("%d:%d"):format(from:place(node.at))
end

local function where(value, name)
  if value:op() ~= "copy" then return name .. " before" end
  return ("%d:%d"):format(value:loc())
end

-- The solver's results: the definitions of each read, by position, and the
-- assignments that no read uses.
local function solved(from, tree)
  local reads, assignments = reaching.of(tree)
  local defined, used, unused = {}, {}, {}
  for node, definitions in pairs(reads) do
    local set = {}
    for _, definition in ipairs(definitions) do
      set[place(from, definition)] = true
      used[definition] = true
    end
    defined[place(from, node)] = table.concat(sorted(set), ", ")
  end
  for _, node in ipairs(assignments) do
    if not used[node] then unused[place(from, node)] = true end
  end
  return defined, sorted(unused), reads
end

local function definitions(program, reads)
  local list = {}
  for node in pairs(reads) do
    local set = {}
    for _, value in ipairs(program.reads[node]:definitions()) do
      set[where(value, node[1])] = true
    end
    list[place(program.source, node)] = table.concat(sorted(set), ", ")
  end
  return list
end

local function unused(program)
  local set = {}
  for value in program.fn:values() do
    if value:op() == "copy" and #value:users() == 0 then set[where(value)] = true end
  end
  return sorted(set)
end

-- Checks that each read that fn:undefined_reads reports may see no definition, and that it
-- reports one for each variable with such reads.
local function check_undefined(program, defined, reads)
  local told, expected = {}, {}
  for _, read in ipairs(program.fn:undefined_reads()) do
    local at = ("%d:%d"):format(read.loc.line, read.loc.col)
    assert.matches(read.var:name() .. " before", defined[at], 1, true)
    told[read.var:name()] = true
  end
  for node in pairs(reads) do
    if defined[place(program.source, node)]:find "before" then expected[node[1]] = true end
  end
  assert.same(expected, told)
end

local function compare(text, opts)
  local program = assert(compile("random.while", text, nil, opts))
  local defined, none, reads = solved(program.source, program.tree)
  assert.same(defined, definitions(program, reads))
  assert.same(none, unused(program))
  check_undefined(program, defined, reads)
end

describe("definitions and users say what a plain solver says", function()
  for _, construction in ipairs(variants) do
    it("construction " .. construction, function()
      prop.forall(random.program, function(text)
        compare(text, { copies = true, construction = construction })
      end)
    end)
  end
end)

-- }== Reports ===========================================================

local function reads_bytecode()
  return _VERSION == "Lua 5.4" or pending "luac reads the bytecode of Lua 5.4"
end

-- Calls f with the path of a file.
local function with_file(name, text, f)
  local path = os.tmpname()
  os.remove(path)
  path = path .. name
  file.write(path, text)
  local results = table.pack(pcall(f, path))
  os.remove(path)
  assert(results[1], results[2])
  return table.unpack(results, 2, results.n)
end

local function reports(language, text, all)
  local list = with_file("." .. language, text, function(path)
    return require("unused." .. language).reports(path, all)
  end)
  for i, report in ipairs(list) do
    local col = report.col and ":" .. report.col or ""
    list[i] = ("%d%s: %s\n"):format(report.line, col, report.message)
  end
  return table.concat(list)
end

describe("reports of", function()
  for name, path in golden.programs "examples/unused/golden" do
    local language = path:match "[^.]+$"
    it(language .. " " .. name:gsub("_", " "), function()
      if language == "lua" and not reads_bytecode() then return end
      local all = name:find "^all_" ~= nil
      golden.check(path, reports(language, file.read(path), all))
    end)
  end
end)

describe("a random Lua program", function()
  it("can be reported on", function()
    if not reads_bytecode() then return end
    prop.forall(random_lua.program, function(text)
      reports("lua", text)
    end)
  end)
end)

-- {== Nil, compared with runs ===========================================

-- Runs a program with some bits, and what `unknown` returns; returns the line where it
-- failed, if it did, the local that was nil there, and the set of the lines it reached.
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
  why = tostring(why)
  local name = why:match "attempt to index a nil value %(local '(.*)'%)"
  return tonumber(why:match "^run:(%d+):"), name, lines
end

local function nil_reports(text, all)
  local list = {}
  for line in reports("lua", text, all):gmatch "[^\n]+" do
    local at, name, is = line:match "^(%d+): '(.-)' (%a+) .*where it is"
    if at then list[#list + 1] = { line = tonumber(at), name = name, is = is } end
  end
  return list
end

describe("in a random program with", function()
  local TIMES <const> = 40

  it("a local that was nil in a run, that is reported", function()
    if not reads_bytecode() then return end
    prop.forall(nil_programs.program, function(text)
      local named = {}
      for _, report in ipairs(nil_reports(text, true)) do named[report.name] = true end
      for _ = 1, TIMES do
        local line, name = run(text, math.random(0), function() return {} end)
        assert.is_true(not name or named[name], ("line %s: %s was nil"):format(line, name))
      end
    end, 100)
  end)

  it("a local that is always nil, all runs fail there", function()
    if not reads_bytecode() then return end
    local VALUES <const> = { false, {} }
    prop.forall(nil_programs.program, function(text)
      for _, report in ipairs(nil_reports(text)) do
        for _ = 1, report.is == "is" and TIMES or 0 do
          local failed, _, lines = run(text, math.random(0), function()
            return VALUES[math.random(3)]
          end)
          if lines[report.line] then assert.equal(report.line, failed) end
        end
      end
    end, 100)
  end)
end)

-- }======================================================================

-- luacheck finds nothing unused in it either.
describe("this project's Lua", function()
  it("has nothing that is never used", function()
    if not reads_bytecode() then return end
    local list <close> = assert(io.popen(
      "find lua examples -path '*/golden' -prune -o -name '*.lua' -print"))
    local found = require("unused.reports").new()
    for path in list:lines() do
      require("unused.lua").find(assert(source.load(path, { values = true })), found)
    end
    assert.same({}, found:sorted())
  end)
end)

-- }== The command =======================================================

local command = command_of "examples/unused/main.lua"

describe("the command unused", function()
  it("tells by the name what language it is", function()
    with_file(".while", "x := 1", function(path)
      local out, _, status = command(path)
      assert.equal(path .. ":1:1: value assigned to 'x' is never used\n", out)
      assert.equal(1, status)
    end)
    with_file(".lua", "local x = 1", function(path)
      local out, _, status = command(path)
      assert.equal(path .. ":1:7: variable 'x' is never used\n", out)
      assert.equal(1, status)
    end)
  end)

  it("prints what its README says", function()
    if not reads_bytecode() then return end
    local program, expected, more = file.read "examples/unused/README.md"
      :match "For\n\n(.-)\n\nit prints\n\n(.-)\n\n.*above, that is\n\n(.-)\n\n"
    with_file(".lua", program:gsub("%f[^\n\0]    ", ""), function(path)
      local function printed(options)
        return (command(options .. path):gsub("[^\n]*%.lua:", "    long.lua:"))
      end
      assert.equal(expected .. "\n", printed "")
      assert.equal(expected .. "\n" .. more .. "\n", printed "--all ")
    end)
  end)

  it("says nothing when there is nothing", function()
    assert.same({ "", "", 0 },
      { command "examples/unused/main.lua examples/while/programs/gcd.while" })
  end)

  it("goes on after a file that is wrong, and fails", function()
    with_file(".while", "x :=", function(path)
      local _, err, status = command("missing.lua " .. path .. " examples")
      assert.equal("missing.lua: No such file or directory\n"
        .. path .. ":1:5: expected an expression, found the end of the program\n  x :=\n      ^\n"
        .. "examples: Is a directory\n", err)
      assert.equal(1, status)
    end)
  end)

  it("explains itself", function()
    its.explains(command, { [""] = "no file given", ["--what"] = "--what: no such option" })
  end)
end)

-- }======================================================================
