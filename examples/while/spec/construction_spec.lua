-- SSA form of While programs by all variants and classical algorithms: the theorems of
-- spec/oracle/thesis.lua hold, and in lock-step after each statement, all variables have the values
-- of their names (spec/construct/lockstep_spec.lua).
local assert = require "spec.support.assert"
local file = require "spec.support.file"
local prop = require "spec.support.prop"
local thesis = require "spec.oracle.thesis"

package.path = "examples/?.lua;" .. package.path
local compile = require("while.compile").compile
local each_while_form = require "examples.while.spec.forms"
local interpret = require "examples.while.spec.interpret"
local random = require "examples.while.spec.random"

describe("in SSA form of a random While program", function()
  it("the theorems hold, and control flow is reducible", function()
    prop.forall(random.program, function(text)
      local it = assert(compile("random.while", text))
      each_while_form(it.source, it.tree, {}, true, function(fn, algorithm)
        thesis.check(fn, thesis.ALWAYS, algorithm)
        thesis.check(fn, thesis.FURTHER[algorithm], algorithm)
        thesis.check(fn, { "reducible" }, algorithm)
      end)
      it.fn:close()
    end, 60)
  end)
end)

-- {== Lock-step =========================================================

-- A statement that prints a variable, at the place of another one.
local function shown(name, node)
  local it = { tag = "name", at = node.at, from = node.from, to = node.to, name }
  return { tag = "print", at = node.at, from = node.from, to = node.to, it }
end

-- The statement, followed by prints of all variables that are assigned there for sure.
-- `assigned`: their names so far, to which those of the statement are added.
local watched

local function watched_part(node, assigned)
  return watched(node, table.move(assigned, 1, #assigned, 1, {}))
end

function watched(node, assigned)
  local block = { tag = "block", at = node.at, from = node.from, to = node.to }
  local copy = {}
  for key, part in pairs(node) do copy[key] = part end
  block[1] = copy
  if node.tag == "block" then
    for i, part in ipairs(node) do copy[i] = watched(part, assigned) end
    return block
  end
  if node.tag == "if" then
    copy[2] = watched_part(node[2], assigned)
    copy[3] = node[3] and watched_part(node[3], assigned)
  elseif node.tag == "while" then
    copy[2] = watched_part(node[2], assigned)
  elseif node.tag == "assign" then
    local is_new = true
    for _, name in ipairs(assigned) do is_new = is_new and name ~= node[1] end
    if is_new then assigned[#assigned + 1] = node[1] end
  end
  for _, name in ipairs(assigned) do block[#block + 1] = shown(name, node) end
  return block
end

-- Runs the tree and its SSA form, one print of each at a time. Returns the number of prints.
local function in_step(tree, fn, given, values)
  local vars, args = {}, {}
  for i, name in ipairs(given) do vars[name], args[i] = values[name], values[name] end
  local source = coroutine.wrap(function()
    local ok, why = pcall(interpret, tree, vars, coroutine.yield)
    coroutine.yield(ok and "end" or why)
  end)
  local prints, differs = 0, nil
  args[#args + 1] = { env = { print = function(name)
    prints = prints + 1
    local variable = source()
    if variable ~= name then
      differs = ("print %d: %s in the source, %s in SSA form"):format(prints, variable, name)
      error "the runs differ"
    end
  end } }
  local ok = pcall(fn, table.unpack(args))
  assert(not differs, differs)
  assert.equal(ok and "end" or "trap", source())
  return prints
end

local function compare(path, text, given, values)
  local it = assert(compile(path, text, given))
  local tree, least = watched(it.tree, table.move(given, 1, #given, 1, {})), math.huge
  each_while_form(it.source, tree, given, false, function(fn)
    assert(fn:verify())
    least = math.min(least, in_step(tree, fn, given, values))
  end)
  it.fn:close()
  return least
end

describe("along the executed path of a While program, after each statement", function()
  it("all variables have the values of their names", function()
    local prints = 0
    prop.forall(function(pick) return random.program(pick, true) end, function(text)
      prints = prints + compare("random.while", text, {}, {})
    end, 20)
    assert.is_true(prints > 0)
  end)

  for name, values in pairs { gcd = {}, primes = {}, pythagoras = {}, collatz = { n = 27 } } do
    it("the same holds in " .. name, function()
      local given = {}
      for variable in pairs(values) do given[#given + 1] = variable end
      local path = ("examples/while/programs/%s.while"):format(name)
      assert.is_true(compare(path, file.read(path), given, values) > 10)
    end)
  end
end)

-- }======================================================================
