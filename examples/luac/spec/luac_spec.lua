-- The example luac, which makes SSA form of Lua bytecode: what it makes of each
-- opcode, that the meaning is the same, and that it accepts any program.
local assert = require "spec.support.assert"
local lfs = require "lfs"
local command_of = require "spec.support.command"
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local its = require "examples.spec.command"
local phial = require "phial"
local prop = require "spec.support.prop"
local under = require "spec.support.under"

package.path = "examples/?.lua;" .. package.path
local bytecode = require "luac.bytecode"
local names_of = require("luac.names").of
local translate = require("luac.translate").translate
local hostile = require "examples.luac.spec.hostile"
local programs = require "examples.luac.spec.programs"
local random = require "examples.luac.spec.random"
local run = require "examples.luac.spec.interpret"

if _VERSION ~= "Lua 5.4" then
  pending "luac reads the bytecode of Lua 5.4"
  return
end

local function compiled(source)
  return string.dump(assert(load(source, "=source", "t")))
end

-- The functions of a chunk, by their prototypes and names.
local function each(chunk)
  local protos, names = names_of(assert(bytecode.read(chunk)))
  local i = 0
  return function()
    i = i + 1
    local proto = protos[i]
    if proto then return names[proto], translate(proto, names) end
  end
end

-- Checks that all functions are well-formed, minimal, pruned, and read no undefined
-- register.
local function check(chunk)
  for name, fn in each(chunk) do
    assert(fn:verify())
    assert(fn:is_minimal(), name .. " is not minimal")
    assert(fn:is_pruned(), name .. " is not pruned")
    assert.same({}, fn:undefined_reads(), name)
    fn:close()
  end
end

local function text(source)
  local list = {}
  for _, fn in each(compiled(source)) do list[#list + 1] = fn:text() end
  return table.concat(list, "\n")
end

describe("luac's SSA form of", function()
  for name, path in golden.programs "examples/luac/golden" do
    local source = file.read(path)
    it(name:gsub("_", " "), function() golden.check(path, text(source)) end)
    it(name:gsub("_", " ") .. " is minimal, pruned and defined", function()
      check(compiled(source))
    end)
    it(name:gsub("_", " ") .. " is read back, also where nobody knows the dialect", function()
      for function_text in ("\n" .. text(source)):gmatch "\n(fn .-\n}\n)" do
        local fn = assert(phial.parse(function_text, { dialects = "any" }))
        assert.equal(function_text, fn:text())
        assert.is_true(fn:is_finished())
      end
    end)
  end
end)

-- {== Meaning ==========================================================

local function same_output(source, prelude)
  local chunk = compiled(source)
  local expected = run.output(function(env)
    return load(source, "=source", "t", env)
  end, prelude)
  assert.equal(expected, run.output(function(env)
    return run.load(chunk, env)
  end, prelude))
end

describe("run by its SSA form", function()
  for _, program in ipairs(programs) do
    it("the program of " .. program.name .. " prints the same", function()
      same_output(program.source, function(print)
        return setmetatable({ print = print }, { __index = _G })
      end)
    end)
  end

  it("a random program prints the same", function()
    prop.forall(random.program, function(source)
      same_output(source, random.prelude)
    end)
  end)
end)

-- }== Any program =======================================================

describe("luac takes", function()
  -- LONG asks for larger sources: no limit of the bytecode lies between.
  local many = under.hard and 200 or os.getenv "LONG" and 30000 or under.brief and 3000 or 10000
  local names = {}
  for name in pairs(hostile) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    it(name:gsub("_", " "), function() check(compiled(hostile[name](many))) end)
  end

  it("code that was stripped", function()
    for _, program in ipairs(programs) do
      check(string.dump(assert(load(program.source)), true))
    end
  end)
end)

-- The Lua files in a folder and those under it.
local function lua_files(folder, list)
  for name in lfs.dir(folder) do
    local path = folder .. "/" .. name
    if name:find "%.lua$" then
      list[#list + 1] = path
    elseif name:sub(1, 1) ~= "." and lfs.attributes(path, "mode") == "directory" then
      lua_files(path, list)
    end
  end
  return list
end

describe("luac takes every file of", function()
  for package_name, module in pairs { busted = "busted.core", penlight = "pl.List" } do
    it(package_name, function()
      local path = assert(package.searchpath(module, package.path))
      local files = lua_files(path:match "^(.*)/", {})
      assert.is_true(#files > 10)
      for _, source in ipairs(files) do
        local chunk = loadfile(source)
        if chunk then check(string.dump(chunk)) end
      end
    end)
  end
end)

-- }== Bytecode that is none =============================================

-- Bytecode with some of its bytes, from `at` on, replaced.
local function patched(at, bytes)
  local chunk = compiled "return 1"
  return chunk:sub(1, at - 1) .. bytes .. chunk:sub(at + #bytes)
end

local function refusal(chunk)
  local main, why = bytecode.read(chunk)
  assert.is_nil(main)
  return why
end

describe("luac refuses", function()
  local cases = {
    { "what is not bytecode", 1, "\27lua", "not Lua bytecode" },
    { "another version", 5, "\x53", "bytecode of Lua 5.3, not of Lua 5.4" },
    { "a newer version", 5, "\x55", "bytecode of Lua 5.5, not of Lua 5.4" },
    { "another format", 6, "\1",
      "bytecode of format 1, not of the official format" },
    { "a chunk whose line ends were converted", 7, "\x19\x93\n\n\x1a\n",
      "bytecode was damaged by a conversion of line ends" },
    { "another size of instructions", 13, "\8",
      "bytecode with instructions of 8 bytes, not 4" },
    { "another size of integers", 14, "\4",
      "bytecode with integers of 4 bytes, not 8" },
    { "another size of floats", 15, "\4",
      "bytecode with floats of 4 bytes, not 8" },
    { "another byte order", 16, "\0\0\0\0\0\0\x56\x78",
      "bytecode with integers of another byte order" },
    { "another float format", 24, "\0\0\0\0\0\0\0\0",
      "bytecode with floats of another format" },
  }
  for _, case in ipairs(cases) do
    it(case[1], function()
      assert.equal(case[4], refusal(patched(case[2], case[3])))
    end)
  end

  it("a chunk that ends early, wherever", function()
    local chunk = compiled(programs[1].source)
    for n = 0, #chunk - 1 do
      local why = refusal(chunk:sub(1, n))
      assert(n < 4 and why == "not Lua bytecode"
        or why == "bad bytecode: it is truncated", why)
    end
  end)

  it("functions nested without end", function()
    local head = compiled("return 1"):sub(1, 32)
    local one = "\x80\x80\x80\0\0\2\x80\x80\x80\x81"
    local level = head .. one:rep(100000)
    assert.equal("bad bytecode: its functions are nested too deeply", refusal(level))
  end)

  -- A chunk with some bytes changed after the header.
  local function damaged(pick)
    local chunk = compiled(programs[pick(#programs)].source)
    for _ = 1, pick(4) do
      local at = 32 + pick(#chunk - 32)
      chunk = chunk:sub(1, at - 1) .. string.char(pick(256) - 1) .. chunk:sub(at + 1)
    end
    return chunk
  end

  it("what makes no sense, with a message, or makes sense of it", function()
    prop.forall(damaged, function(chunk)
      local main = bytecode.read(chunk)
      if not main then return end
      local protos, names = names_of(main)
      for _, proto in ipairs(protos) do
        local ok, fn = pcall(translate, proto, names)
        assert(ok and fn:verify() or fn:find "^bad bytecode", fn)
      end
    end)
  end)
end)

-- }== The command =======================================================

local command = command_of "examples/luac/main.lua"

describe("the command luac", function()
  local path

  local function write(content) file.write(path, content) end

  before_each(function() path = os.tmpname() end)
  after_each(function() os.remove(path) end)

  local SOURCE = "#!/usr/bin/lua\nlocal function f(a) return a or 1 end\n"
    .. "function g() while f() do end end\n"

  it("prints a line for each function", function()
    write(SOURCE)
    local out, err, status = command(path)
    assert.equal((([[
PATH: main: 1 block, 7 instructions, 0 phis, 0 temporary phis, 0 undefined reads
PATH: f:2: 4 blocks, 5 instructions, 1 phi, 0 temporary phis, 0 undefined reads
PATH: g:3: 4 blocks, 7 instructions, 0 phis, 0 temporary phis, 0 undefined reads
]]):gsub("PATH", path)), out)
    assert.equal("", err)
    assert.equal(0, status)
  end)

  it("ends with the totals", function()
    write(SOURCE)
    local out = command(path .. " --stats")
    assert.equal("1 file, 3 functions, 9 blocks, 19 instructions, 1 phi, "
      .. "0 temporary phis, 0 undefined reads, N seconds",
      (out:match "([^\n]*)\n$":gsub("[%d.]+ seconds", "N seconds")))
  end)

  it("prints the functions of a name, with or without the line", function()
    write(SOURCE)
    local short, full = command(path .. " --function f"), command(path .. " --function f:2")
    assert.equal(short, full)
    assert.matches("^[^\n]*: f:2: [^\n]*\n$", short)
    assert.equal("", (command(path .. " --function h")))
  end)

  it("prints the SSA form", function()
    write(SOURCE)
    local out = command(path .. " --text --function f")
    assert.matches('^fn "f:2"%(%%a: any%) {\n', out)
  end)

  it("writes graphs", function()
    write(SOURCE)
    local graph = os.tmpname()
    command(path .. " --dot " .. graph)
    local _, n = file.read(graph):gsub("digraph", "")
    os.remove(graph)
    assert.equal(3, n)
  end)

  it("takes bytecode", function()
    write(compiled "local x = ... return x")
    local out, _, status = command(path .. " --stats")
    assert.matches("^[^\n]*: main: 1 block, 3 instructions, .*\n1 file, 1 function", out)
    assert.equal(0, status)
  end)

  it("goes on after a file that is wrong, and fails", function()
    write "x = = 1"
    local out, err, status = command("missing.lua " .. path .. " examples --stats")
    assert.equal(("missing.lua: No such file or directory\n"
      .. "PATH:1: unexpected symbol near '='\n"
      .. "examples: Is a directory\n"):gsub("PATH", path), err)
    assert.matches("^0 files, 0 functions", out)
    assert.equal(1, status)
  end)

  it("refuses other bytecode, with the name of the file", function()
    write(patched(5, "\x53"))
    local _, err, status = command(path)
    assert.equal(path .. ": bytecode of Lua 5.3, not of Lua 5.4\n", err)
    assert.equal(1, status)
  end)

  it("explains itself", function()
    its.explains(command, {
      [""] = "no file given", ["--what x.lua"] = "--what: no such option",
      ["x.lua --function"] = "--function: an argument is missing",
    })
  end)

  it("runs from anywhere", function()
    assert.matches("1 file, %d+ functions",
      (command_of("main.lua", "examples/luac") "main.lua --stats"))
  end)
end)

-- }=====================================================================
