-- phial.source says of local variables what Lua's own bytecode says (spec/oracle/bytecode.lua); all
-- files of six packages are compared by bench/suites/bytecode.lua.
local file = require "spec.support.file"
local prop = require "spec.support.prop"
local random_lua = require "spec.support.random_lua"
local under = require "spec.support.under"

if _VERSION ~= "Lua 5.4" then
  pending "examples/luac reads the bytecode of Lua 5.4"
  return
end

local compare = require("spec.oracle.bytecode").text

local WAYS <const> = { { values = true, refine = true, fields = true },
  not under.brief and { values = false } or nil }

-- Compares a source; the number of places that read a variable.
local function check(text)
  local reads = 0
  for _, opts in ipairs(WAYS) do
    local result = assert(compare(text, opts))
    assert.same({}, result.other, text)
    reads = reads + result.reads
  end
  return reads
end

describe("phial.source and bytecode agree on which writes reach which reads", function()
  it("in phial's own files", function()
    local list <close> = assert(io.popen "find lua/phial/source lint -name '*.lua'")
    local reads = 0
    for path in list:lines() do reads = reads + check(file.read(path)) end
    assert.is_true(reads > 1500 * #WAYS)
  end)

  it("in random programs", function() prop.forall(random_lua.program, check, 160) end)
end)
