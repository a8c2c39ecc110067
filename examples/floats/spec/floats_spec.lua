-- The dialect floats: Lua, C and LLVM compute the same.
local compilers = require "spec.support.compilers"
local document = require "spec.support.document"
local forms = require "spec.support.forms"
local llvm = require "spec.support.llvm"
local phial = require "phial"
local results = require "spec.support.results"

package.path = "examples/?.lua;" .. package.path
local floats = require "floats.floats"

local ARITY <const> = { round = 1, fmod = 2 }

local function build(name)
  local fn = phial.fn(name .. "_of", { "x:f64", "y:f64" }, "f64")
  local b = fn:entry()
  b:ret(b:emit(floats[name], table.unpack({ fn:arg(1), fn:arg(2) }, 1, ARITY[name])))
  return fn:finish()
end

-- Calls f with all pairs of edge values.
local function each_pair(f)
  local edges = forms.edges "f64"
  for _, x in ipairs { 1.5, 0x1p52, -0x1.8p52 } do edges[#edges + 1] = x end
  for _, x in ipairs(edges) do
    for _, y in ipairs(edges) do f(x, y) end
  end
end

describe("the dialect floats:", function()
  it("does what its README shows", function() document.check "examples/floats/README.md" end)

  it("rounds", function()
    local fn, rounded = build "round", {}
    for _, x in ipairs { 2.5, -2.5, 0.25, -0.25, -0.0, 0x1.fffffffffffffp-2, 0x1p52 + 1, 1 / 0 } do
      rounded[#rounded + 1] = ("%.17g"):format(fn(x, 0))
    end
    assert.equal("3 -3 0 -0 -0 0 4503599627370497 inf", table.concat(rounded, " "))
  end)

  compilers.each(pending, function(compiler)
    it("means the same in C, by " .. compiler, function()
      for name in pairs(ARITY) do
        local fn = build(name)
        local native = fn:compile(compilers.options(compiler, "-lm")):get(fn:name())
        each_pair(function(x, y)
          assert(results.same(fn(x, y), native(x, y)), ("%s of %a, %a"):format(name, x, y))
        end)
      end
    end)
  end)

  for kind in pairs(llvm.tools) do
    it("means the same in LLVM IR with pointers that are " .. kind, function()
      local cases = {}
      for name in pairs(ARITY) do
        local fn = build(name)
        each_pair(function(x, y) cases[#cases + 1] = { fn = fn, args = { x, y } } end)
      end
      llvm.each_way(cases, kind, {}, nil, false, function(_, outcomes)
        for i, case in ipairs(cases) do
          local expected = "is " .. llvm.shown("f64", case.fn(table.unpack(case.args)))
          assert(expected == outcomes[i], ("%s: %s, not %s"):format(case.fn:name(), outcomes[i],
            expected))
        end
      end)
    end)
  end
end)
