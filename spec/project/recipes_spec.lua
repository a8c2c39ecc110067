-- CONTRIBUTING's recipes for an op and a method, followed on a copy of the tree.
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter
local quoted = require("bench.lib.corpus").quoted
local shell = require "spec.support.shell"
local under = require "spec.support.under"

-- By recipe and file: a text of the file, and what is put after it; maybe more of these.
local EDITS <const> = {
  ["an op"] = {
    ["src/phial/op.def"] = { '"Bitwise not")\n',
      'PH_OP(BANDN, 108, "bandn", "t:tt", ARITH, NONE, 5, NONE, 0, 0, "a and not b, in bits")\n' },
    ["src/core/ir/opeval.c"] = { "case PH_BNOT:\n      return ~p.a;\n",
      "    case PH_BANDN:\n      return p.a & ~p.b;\n" },
    ["lua/phial/rows/integers.lua"] = {
      '\n-- In C, the sum with a negative constant is a difference.\n', [[
M.bandn = {
  c = of_bits "$a && !$b" .. narrow "$a & ~$b",
  llvm = "let 1 xor $t $b, -1\nand $t $a, $1",
  lua = "[a=i1] $a and not $b\n$a & ~$b",
  smt = "(bvand $a (bvnot $b))",
}
]] },
    ["spec/oracle/semantics.lua"] = { "\nlocal integer, other = {}, {}\n",
      "function integer.bandn(a, b) return bits.band(a, bits.bnot(b)) end\n" },
  },
  ["a method"] = {
    ["src/binding/methods/getters.def"] = { "GETTER(VALUE, id, NUMBER, v.id)\n",
      "GETTER(VALUE, is_phi, TRUTH, ph_value_op(f, v) == PH_PHI)\n" },
    ["types/phial.lua"] = { "\nfunction Value:op() end\n",
      "\n---True for a phi.\n---@return boolean\nfunction Value:is_phi() end\n" },
  },
}

-- Edits a file of the copy.
local function edit(path, texts)
  local text = file.read(path)
  for i = 1, #texts, 2 do
    local _, last = text:find(texts[i], 1, true)
    assert(last, ("%s has no %q"):format(path, texts[i]))
    text = text:sub(1, last) .. texts[i + 1] .. text:sub(last + 1)
  end
  file.write(path, text)
end

for recipe, edits in pairs(EDITS) do
  it(("the steps for %s link to what is edited, and to nothing else"):format(recipe), function()
    local steps = file.read "CONTRIBUTING.md":match("\n## Adding " .. recipe .. "\n\n(.-)\n\n")
    local linked = {}
    for link in steps:gmatch "%]%(([^)]+)%)" do linked[link] = "linked" end
    for path in pairs(edits) do
      assert.truthy(linked[path], path)
      linked[path] = "edited"
    end
    for link, how in pairs(linked) do assert.equal("edited", how, link) end
  end)
end

-- This compiles most of the core.
if not os.getenv "LONG" or under.slow then return end

describe("in a copy of the tree", function()
  local copy <const> = os.tmpname() .. "/"
  local op <const> = "src/phial/op.def"
  local lua <const> = quoted(interpreter())
  local here <const> = "cd " .. copy .. " && "
  local with <const> = here .. "eval \"$(sh tools/env build/quick)\" && "

  local function make(goal)
    shell.output(here .. ("env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL LUA=%s make %s")
      :format(lua, goal))
  end

  local function specs(words)
    return shell.run(with .. lua .. ' "$(command -v busted)" ' .. words)
  end

  setup(function()
    os.remove(copy:sub(1, -2))
    shell.output(("mkdir %s && cp -R $(ls | grep -vx build) .busted %s"):format(copy, copy))
    edit(copy .. op, EDITS["an op"][op])
    for path, texts in pairs(EDITS["a method"]) do edit(copy .. path, texts) end
    make "generate"
  end)

  teardown(function() shell.output("rm -r " .. copy) end)

  it("specs name all other steps to those who add a row to op.def", function()
    local text, good = specs "--filter='complete: bandn' spec/run/every_op_spec.lua"
    assert.is_false(good)
    for path in pairs(EDITS["an op"]) do
      assert.truthy(path == op or text:find(path, 1, true), path .. " is not in " .. text)
    end
  end)

  it("all steps make an op and a method that run", function()
    for path, texts in pairs(EDITS["an op"]) do
      if path ~= op then edit(copy .. path, texts) end
    end
    make "quick"
    assert(select(2, specs "--filter=bandn spec/run/every_op_spec.lua"))
    assert(select(2, specs "spec/binding/types_spec.lua"))
    file.write(copy .. "added.lua", [[
      local phial = require "phial"
      local fn = phial.fn("f", { "a:i16", "b:i16" }, "i16")
      local e = fn:entry()
      e:ret(e:bandn(fn:arg(1), fn:arg(2)))
      fn:finish()
      print(fn(-1, 5), fn:compile():get "f"(-1, 5), fn:arg(1):is_phi())
      print((phial.emit.llvm(fn):find("and i16", 1, true)) ~= nil)
      print((phial.rules("a: bandn(x:i8, x) => 0"):smt():find("(bvand v.x (bvnot v.x))", 1, true))
        ~= nil)
    ]])
    assert.equal("-6\t-6\tfalse\ntrue\ntrue\n", shell.output(with .. lua .. " added.lua"))
  end)
end)
