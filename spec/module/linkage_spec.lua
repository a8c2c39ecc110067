-- Internal functions: their text, and who does not see them.
local llvm = require "spec.support.llvm"
local phial = require "phial"
local refused = require "spec.support.refused"

local SOURCE = [[
module m

internal fn half(%x: i64) -> i64 {
entry:
  %2: i64 = sdiv %x, 2
  ret %2
}

internal fn unused() {
entry:
  ret
}

fn quarter(%x: i64) -> i64 {
entry:
  %2: i64 = call @half %x
  %3: i64 = call @half %2
  ret %3
}
]]

local function sample() return assert(phial.parse(SOURCE)) end

describe("an internal function", function()
  it("is made by an option, also of all functions of a module", function()
    local m = phial.module("m", { linkage = "internal" })
    local fn, shown = m:fn "f", m:fn("g", nil, nil, { linkage = "external" })
    assert.same({ "internal", "external", "external" },
      { fn:linkage(), shown:linkage(), m:declare("h"):linkage() })
    assert.equal("internal", phial.build("f", nil, nil, { linkage = "internal" },
      function(b) b:ret() end):linkage())
  end)

  it("defines what was declared", function()
    local m = phial.module "m"
    m:declare("later", nil, "i64")
    local first = m:fn("first", nil, "i64")
    first:entry():ret(first:entry():call "later")
    local later = m:fn("later", nil, "i64", { linkage = "internal" })
    later:entry():ret(3)
    assert.equal(3, m:finish():get "first"())
    assert.not_matches("declare", m:text())
  end)

  it("is shown by its text, which is read again", function()
    assert.equal(SOURCE, tostring(sample()))
    local text = "internal fn f() {\nentry:\n  ret\n}\n"
    assert.equal(text, tostring(phial.parse(text)))
    assert.equal("internal", phial.parse(text):linkage())
    assert.same({ nil, "1:10: 'fn' expected, got 'f'" }, { phial.parse "internal f() {" })
    assert.same({ nil, "2:10: 'fn', 'global' or 'constant' expected, got 'f'" },
      { phial.parse "module m\ninternal f() {" })
  end)

  it("of another module is declared by the text", function()
    local m, half = phial.module "other", sample():get "half"
    local fn = m:fn("f", nil, "i64")
    fn:entry():ret(fn:entry():call(half, nil, 4))
    assert.matches("\ndeclare half(%x: i64) -> i64\n", m:finish():text(), 1, true)
    assert.equal(2, fn())
  end)

  it("keeps its linkage in traces and JSON", function()
    local fn = phial.fn("f", nil, nil, { linkage = "internal" })
    local record = phial.record(fn)
    fn:entry():ret()
    fn:finish()
    local trace = record:text()
    assert.matches("\nO linkage internal\n", trace)
    assert.equal(fn:text { ids = "dense" }, assert(phial.replay(trace)):text { ids = "dense" })
    assert.matches('"linkage": "internal"', phial.emit.json(fn))
    assert.not_matches("linkage", phial.emit.json(phial.parse "fn f() {\nentry:\n  ret\n}"))
  end)

  it("is static in C, and left out if nothing of the module uses it", function()
    local text = phial.emit.c(sample())
    assert.matches("\nstatic uint64_t half(uint64_t x) {", text, 1, true)
    assert.matches("\nuint64_t quarter(uint64_t x) {", text, 1, true)
    assert.not_matches("unused", text)
    assert.matches("\nuint64_t half(uint64_t x) {", phial.emit.c(sample():get "half"), 1, true)
  end)

  it("is internal in LLVM IR", function()
    local text = phial.emit.llvm(sample())
    assert.matches("\ndefine internal i64 @half(", text, 1, true)
    assert.matches("\ndefine internal void @unused(", text, 1, true)
    assert.matches("\ndefine i64 @quarter(", text, 1, true)
    assert.matches("\ndefine i64 @half(", phial.emit.llvm(sample():get "half"), 1, true)
    for kind, tools in pairs(llvm.tools) do
      assert.equal(3, llvm.status(tools, phial.emit.llvm(sample(), { pointers = kind })
        .. "\ndefine i32 @main() {\n  %r = call i64 @quarter(i64 12)\n"
        .. "  %s = trunc i64 %r to i32\n  ret i32 %s\n}\n"))
    end
  end)

  it("is not in a library, but in an instance, which has all of its module", function()
    local lib <close> = sample():compile()
    assert.equal(3, lib:call("quarter", 12))
    refused(nil, "the library has no function 'half': it is internal",
      function() lib:get "half" end)
    refused(nil, "the library has no function 'unused': it is internal",
      function() lib:call("unused", 1) end)
    refused(nil, "the library has no function 'third'", function() lib:call("third", 1) end)
    assert.equal(6, sample():instance():call("half", 12))
    local alone <close> = sample():get "half":compile()
    assert.equal(6, alone:call("half", 12))
  end)
end)
