-- Names and strings in emitted C.
local names = require "phial.emit.c.names"
local phial = require "phial"

describe("a string in C", function()
  it("shows what can be printed as it is", function()
    assert.equal([["_t3Gcd: 'srem %a' [x]^ AZaz09@`{}~"]],
      names.quoted "_t3Gcd: 'srem %a' [x]^ AZaz09@`{}~")
    assert.equal([["\" \\ \?\?/ \n \001 \310"]], names.quoted '" \\ ??/ \n \1 \200')
  end)
end)

describe("a name in C", function()
  it("may start with an underscore, unless C keeps it for itself", function()
    local scope = names.scope()
    for name, taken in pairs {
      _t6Square4Root = "_t6Square4Root", _x = "_x", _1 = "_1", __x = "x_", _Bool = "Bool_",
      _exit = "exit_", _ = "x",
    } do
      assert.equal(taken, scope:take(name, true))
    end
  end)

  it("is that of the linker without a label, if it is the same", function()
    local fn = phial.fn("_t3Gcd", {}, "i64")
    fn:entry():ret(1)
    fn:finish()
    local source = phial.emit.c(fn)
    assert.truthy(source:find("uint64_t _t3Gcd(void) {", 1, true))
    assert.is_nil(source:find("PHIAL_SYMBOL", 1, true))
  end)
end)
