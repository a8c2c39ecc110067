-- phial.emit.blockargs: an oracle makes phis of the parameters again; that is the function.
local arithmetic = require "spec.support.arithmetic"
local golden = require "spec.support.golden"
local oracle = require "spec.oracle.blockargs"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local refused = require "spec.support.refused"

-- The text form with the edges of a block in order of their text, and phis without the
-- names of their variables.
local function sorted(text)
  local function in_order(list)
    local out = {}
    for it in (list .. ", "):gmatch "(.-), " do out[#out + 1] = it end
    table.sort(out)
    return table.concat(out, ", ")
  end
  text = text:gsub("(: <%- )([^\n]*)", function(arrow, list) return arrow .. in_order(list) end)
  return (text:gsub("( = phi )[^%[\n]*%[([^\n]*)%]", function(phi, list)
    return phi .. "[" .. in_order(list) .. "]"
  end))
end

local function check(fn, dialects)
  local text = phial.emit.blockargs(fn)
  assert.is_nil(text:find(" phi ", 1, true))
  local again = assert(phial.parse(oracle.text(text), { dialects = dialects }))
  assert(again:verify())
  assert.equal(sorted(fn:text()), sorted(again:text()))
end

describe("the text with parameters of blocks", function()
  for name, run in golden.each("spec/golden/emit", function(code)
    local fn = assert(load(code, "=golden"))(phial)
    assert(fn:verify())
    check(fn, "any")
    return phial.emit.blockargs(fn)
  end, "blockargs") do
    it("of " .. name, run)
  end

  it("says what the text form says, for random programs", function()
    prop.forall(function(pick) return programs.generate(pick, 12) end, function(p)
      for _, copies in ipairs { false, true } do
        check(programs.build(p, { copies = copies, runs = true }):finish(), { programs.dialect })
      end
    end)
  end)

  it("says it for random functions", function()
    prop.forall(arithmetic.generate, function(p) check(arithmetic.build(p, "show")) end)
  end)

  it("keeps data and positions, whatever they contain", function()
    local D = phial.dialect("d", { go = { args = 1, terminator = true, targets = "*" } })
    local fn = phial.fn("f", { "n:i64" }, "i64", { rules = false })
    local b, x = fn:entry(), fn:var "x"
    local first, second = fn:block "first", fn:block "second"
    b:write(x, 70)
    fn:set_loc(3, 4, "%n, [first, second, first]")
    b:emit(D.go, fn:arg(1), { first, second, first, data = '\\"%n, [first, second, first]' })
    fn:set_loc()
    second:seal()
    second:write(x, 80)
    second:jump(first)
    first:seal()
    first:ret(first:read(x))
    assert.equal([[
fn f(i64) -> i64 {
entry(%n: i64):
  d.go {"\\\"%n, [first, second, first]"} %n, [first(70), second, first(70)] ]]
      .. [[@ "%n, [first, second, first]":3:4
first(%6: i64):
  ret %6
second:
  jump first(80)
}
]], phial.emit.blockargs(fn:finish()))
  end)

  it("writes blocks that were added by edits", function()
    local fn = phial.build("f", { "n" }, "i64", function(b, v) b:ret(v.n) end)
    fn:block "new"
    assert.equal("fn f(i64) -> i64 {\nentry(%n: i64):\n  ret %n\nnew:\n  unreachable\n}\n",
      phial.emit.blockargs(fn))
  end)

  it("is refused for what has no finished body", function()
    refused(nil, "bad argument #1 to 'phial.emit.blockargs' (phial.Function expected, got nil)",
      function() phial.emit.blockargs() end)
    refused(nil, "function 'g' is not finished: call m:finish() before it can be written",
      function() phial.emit.blockargs(phial.module("m"):fn "g") end)
    local h = phial.module("m"):declare("h", { "i64" }, "i64")
    refused(nil, "function 'h' is a declaration: it has no body",
      function() phial.emit.blockargs(h) end)
  end)
end)
