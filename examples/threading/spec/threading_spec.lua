-- The example threading: that programs do the same afterwards, what is threaded, and the
-- command.
local assert = require "spec.support.assert"
local command_of = require "spec.support.command"
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local its = require "examples.spec.command"
local prop = require "spec.support.prop"

package.path = "examples/?.lua;" .. package.path
local compile = require("while.compile").compile
local gains = require "threading.gains"
local random = require "examples.while.spec.random"
local random_lua = require "examples.luac.spec.random"
local run = require("while.run").run
local run_lua = require "examples.luac.spec.interpret"
local thread = require "threading.thread"

-- {== Meaning ===========================================================

-- What a While program prints, and whether it traps.
local function printed(program, given, values)
  local out = {}
  local problem = run(program, given, values, nil, function(v) out[#out + 1] = tostring(v) end)
  out[#out + 1] = problem and "trap" or nil
  return table.concat(out, " ")
end

-- Threads all edges, and checks that the function is well-formed and none is left.
local function threaded(fn)
  local edges = thread.all(fn)
  assert.equal(0, thread.all(fn))
  assert(fn:verify())
  assert.is_true((fn:is_minimal()))
  assert.is_true((fn:is_pruned()))
  return edges
end

-- A While program whose conditions are often constant: flags that are set and tested.
local function with_flags(pick)
  local text = random.program(pick, true)
  return (text:gsub("\n( *)(%a) := [^;]*;", function(indent, name)
    return ("\n%s%s := %d;"):format(indent, name, pick(3) - 1)
  end))
end

describe("a threaded While program", function()
  for kind, generate in pairs {
    ["at random"] = function(pick) return random.program(pick, true) end,
    ["with flags"] = with_flags,
  } do
    it("prints the same: " .. kind, function()
      prop.forall(generate, function(text)
        local program = assert(compile("random.while", text))
        local before = printed(program, {}, {})
        threaded(program.fn)
        assert.equal(before, printed(program, {}, {}))
        program.fn:close()
      end, 100)
    end)
  end

  for name, values in pairs { gcd = {}, primes = {}, pythagoras = {}, collatz = { n = 27 } } do
    it("prints the same: " .. name, function()
      local given = {}
      for variable in pairs(values) do given[#given + 1] = variable end
      local path = ("examples/while/programs/%s.while"):format(name)
      local program = assert(compile(path, file.read(path), given))
      local before = printed(program, given, values)
      threaded(program.fn)
      assert.equal(before, printed(program, given, values))
    end)
  end

  it("is not threaded forever if it never ends", function()
    local program = assert(compile("endless.while", [[
      a := 0;
      while true do {
        if a = 0 then b := 1 else b := 0;
        if b = 1 then a := 1 else a := 0
      }]]))
    assert.is_true(threaded(program.fn) > 0)
  end)
end)

-- What a Lua program prints, and how it ends, its functions edited before it runs.
local function output(source, edit)
  local chunk = string.dump(assert(load(source, "=source", "t")))
  return run_lua.output(function(env) return run_lua.load(chunk, env, edit) end, random_lua.prelude)
end

describe("a threaded Lua program", function()
  it("prints the same", function()
    prop.forall(random_lua.program, function(source)
      local before = output(source)
      assert.equal(before, output(source, threaded))
    end, 60)
  end)

  it("prints the same if a truth value is tested later", function()
    local source, edges = [[
      for i = 1, 3 do
        local is_two = i == 2
        local shown = is_two and {} or nil
        if shown then print "two" elseif not is_two then print(i) end
      end]], 0
    local before = output(source)
    assert.equal("1\ntwo\n3", before)
    assert.equal(before, output(source, function(fn) edges = edges + threaded(fn) end))
    assert.equal(2, edges)
  end)
end)

-- }== What is threaded ==================================================

describe("threading", function()
  for name, check in golden.each("examples/threading/golden", function(text)
    local program = assert(compile("program.while", text))
    local before = printed(program, {}, {})
    local found = gains.of(program.fn)
    assert(program.fn:verify())
    assert.equal(before, printed(program, {}, {}))
    return ("%s\n%s"):format(gains.text(found), program.fn:text())
  end) do it(name, check) end
end)

-- }== The command =======================================================

local command = command_of "examples/threading/main.lua"

describe("the command threading", function()
  it("prints what its README says", function()
    local source = file.read "examples/threading/golden/search.while"
    local name = os.tmpname()
    local path = name .. ".while"
    assert(os.rename(name, path))
    file.write(path, source)
    local out, err, status = command(path .. " --text")
    os.remove(path)
    assert.equal("", err)
    assert.equal(0, status)
    out = out:gsub("^[^:]*", "search.while"):gsub("fn [%w_]*%(", "fn search(")
    its.shows("examples/threading/README.md", { source, out })
  end)

  it("explains itself", function()
    its.explains(command,
      { [""] = "no file given", ["--what x.lua"] = "--what: no such option" })
  end)
end)

-- }======================================================================
