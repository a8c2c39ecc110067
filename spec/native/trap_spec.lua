-- Traps of programs and of dialects: the same message on all routes.
local compilers = require "spec.support.compilers"
local phial = require "phial"

local function no(c)
  if c then phial.trap "no \"way\"" end
end

-- A statement that traps if the operand is true, by a text, and by a function.
local D = phial.dialect("t", {
  text = { args = { "i1" }, effect = "none", traps = true, eval = no,
    lua = 'trap $a: no "way"', c = 'trap $a: no "way"', llvm = 'trap $a: no "way"' },
  trap = { args = { "i1" }, effect = "none", traps = true, eval = no,
    lua = function(_, operands, emit)
      return ("if %s then %s end"):format(operands[1], emit:trap 'no "way"')
    end,
    c = function(_, operands, emit)
      return ("if (%s) %s"):format(operands[1], emit:trap 'no "way"')
    end,
    llvm = function(_, operands, emit)
      local bad, good = emit:label "bad", emit:label "good"
      return { ("br i1 %s, label %%%s, label %%%s"):format(operands[1], bad, good),
        bad .. ":", emit:trap 'no "way"', good .. ":" }
    end },
  always = { args = 0, effect = "write", eval = function() no(true) end,
    lua = 'trap: no "way"', c = 'trap: no "way"', llvm = 'trap: no "way"' },
  own = { args = { "i1" }, traps = true, eval = no, c = 'do if ($a) PHIAL_TRAP("own");' },
  helped = { args = { "i1" }, eval = no,
    c = 'declare static inline void help(int c) { if (c) PHIAL_TRAP("helped"); }\ndo help($a);' },
  lost = { args = { "i1" }, eval = no, c = "do lost_function($a);" },
})

-- A function with such a statement in its second block.
local function with(emit)
  local fn = phial.fn("f", { "c:i1" }, "i64", { dialects = { D } })
  local bad = fn:block("bad", 1)
  fn:entry():jump(bad)
  fn:set_loc(12, 3, "x.wasm")
  emit(bad, fn:arg(1))
  if not bad:is_filled() then bad:ret(1) end
  return fn:finish()
end

local function traps(lib)
  local ok, why = pcall(lib.call, lib, "f", true)
  assert.is_false(ok)
  return why
end

describe("a trap", function()
  it("tells natively what fn(...) tells", function()
    for expected, emit in pairs {
      ["f: 't.text %c' in block 'bad' (x.wasm:12:3): no \"way\""] = function(b, c)
        b:emit(D.text, c)
      end,
      ["f: 't.trap %c' in block 'bad' (x.wasm:12:3): no \"way\""] = function(b, c)
        b:emit(D.trap, c)
      end,
      ["f: 't.always' in block 'bad' (x.wasm:12:3): no \"way\""] = function(b)
        b:emit(D.always)
      end,
      ["f: 'trap_if {\"no\"} %c' in block 'bad' (x.wasm:12:3): no"] = function(b, c)
        b:trap_if(c, "no")
      end,
      ["f: 'trap {\"no\"}' in block 'bad' (x.wasm:12:3): no"] = function(b) b:trap "no" end,
    } do
      local fn = with(emit)
      assert.equal(expected, select(2, pcall(fn, true)))
      local lua, host = phial.emit.lua(fn)
      assert.equal(expected, select(2, pcall(load(lua)(host), true)))
      local cps, more = phial.emit.cps(fn, { form = "lua" })
      assert.equal(expected, select(2, pcall(load(cps)(more), true, print)))
      compilers.each(function() end, function(cc)
        local lib <close> = fn:compile(compilers.options(cc))
        assert.equal(expected, traps(lib))
      end)
      local text = expected:gsub('"', "\\22")
      assert.truthy(phial.emit.llvm(fn, { traps = "call" }):find(text .. "\\00", 1, true))
    end
  end)

  it("of a program stays where those of phial's ops are left out", function()
    local fn = with(function(b, c)
      b:trap_if(c, "one")
      b:udiv(1, b:zext(c, "i64"))
      b:trap "two"
    end)
    local lib <close> = fn:compile { traps = "undefined", cc = compilers.command "cc" }
    assert.matches("one$", traps(lib))
    assert.matches("two$", select(2, pcall(lib.call, lib, "f", false)))
    local llvm = phial.emit.llvm(fn, { traps = "undefined" })
    assert.equal(1, select(2, llvm:gsub("call void @llvm.trap", "")))
    assert.equal(2, select(2, llvm:gsub("label %%trap", "")))
  end)

  it("can be written by PHIAL_TRAP in the C of an op, also if nothing else traps", function()
    for name, message in pairs { own = "own", helped = "helped" } do
      local fn = with(function(b, c) b:emit(D[name], c) end)
      local lib <close> = fn:compile()
      assert.equal(message, traps(lib))
      assert.truthy(phial.emit.c(fn):find("#ifndef PHIAL_TRAP", 1, true))
    end
  end)
end)

it("what nothing declares is an error of the compiler", function()
  local fn = with(function(b, c) b:emit(D.lost, c) end)
  assert.matches("the C compiler 'cc' failed:\n.*lost_function",
    select(2, pcall(fn.compile, fn, { cc = "cc" })))
end)
