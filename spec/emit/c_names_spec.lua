-- Names and strings in emitted C.
local names = require "phial.emit.c.names"

describe("a string in C", function()
  it("shows what can be printed as it is", function()
    assert.equal([["_t3Gcd: 'srem %a' [x]^ AZaz09@`{}~"]],
      names.quoted "_t3Gcd: 'srem %a' [x]^ AZaz09@`{}~")
    assert.equal([["\" \\ \?\?/ \n \001 \310"]], names.quoted '" \\ ??/ \n \1 \200')
  end)
end)
