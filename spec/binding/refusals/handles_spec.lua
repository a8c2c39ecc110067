-- Handles of other functions, of what is gone and of closed functions are refused.
local phial = require "phial"
local refused = require "spec.support.refused"
local subject = require "spec.support.subject"

describe("handles are refused", function()
  it("that belong to another function", function()
    local fn, entry, n = subject()
    local other = phial.fn("g", { "n:i64" })
    local m, block, d = other:arg(1), other:block "b", fn:block "d"
    refused(fn, "bad argument #2 to 'add' (i64 '%n' belongs to function 'g', not to 'f')",
      function() entry:add(n, m) end)
    refused(fn, "bad argument #1 to 'jump' (block 'b' belongs to function 'g', not to 'f')",
      function() entry:jump(block) end)
    refused(fn, "bad argument #1 to 'read' (variable 'n' belongs to function 'g', not to 'f')",
      function() entry:read(other:param(1)) end)
    refused(fn, "bad argument #2 to 'read' (variable 'n' belongs to function 'g', not to 'f')",
      function() entry:read(fn:param(1), other:param(1)) end)
    refused(fn, "bad argument #1 to 'write' (variable 'n' belongs to function 'g', not to 'f')",
      function() entry:write(other:param(1), n) end)
    refused(fn, "bad argument #2 to 'write' (i64 '%n' belongs to function 'g', not to 'f')",
      function() entry:write(fn:param(1), m) end)
    refused(fn, "bad argument #1 to 'at' (block 'b' belongs to function 'g', not to 'f')",
      function() fn:at(block) end)
    refused(fn, "bad argument #3 to 'switch' (block 'b' belongs to function 'g', not to 'f')",
      function() entry:switch(n, d, { [1] = block }) end)
    refused(fn, "bad argument #1 to 'dominates' (block 'b' belongs to function 'g', not to 'f')",
      function() fn:dominates(block, entry) end)
    fn:at(entry)
    refused(fn, "bad argument #2 to '+' (i64 '%n' belongs to function 'g', not to 'f')",
      function() return n + m end)
    other:close()
    refused(fn, "bad argument #2 to 'add' (it belongs to function 'g', which is closed)",
      function() entry:add(n, m) end)
  end)

  it("of erased values and dropped blocks", function()
    local fn = phial.fn("f", {}, nil, { rules = false })
    local dead = fn:block("dead", 0)
    local v = dead:add(1, 2)
    dead:ret()
    fn:entry():ret()
    fn:finish()
    refused(fn, "value '%3' is gone: it was erased, swept or dropped", function() v:op() end)
    fn:reopen()
    refused(fn, "bad argument #1 to 'at' (block 'dead' is gone: it was dropped)",
      function() fn:at(dead) end)
    refused(fn, "block 'dead' is gone: it was dropped, since nothing reaches it",
      function() dead:add(1, 2) end)
    refused(fn, "block 'dead' is gone: it was dropped, since nothing reaches it",
      function() dead:phi {} end)
    local new = fn:block "new"
    refused(fn, "bad argument #1 to 'add' (value '%3' is gone: it was erased, swept or dropped)",
      function() new:add(v, 2) end)
  end)

  it("of a closed function", function()
    local fn, entry, n = subject()
    local var = fn:param(1)
    fn:close()
    fn:close()
    for _, call in ipairs {
      { "text", function() fn:text() end }, { "finish", function() fn:finish() end },
      { "seal", function() entry:seal() end }, { "name", function() entry:name() end },
      { "op", function() n:op() end }, { "+", function() return n + 1 end },
      { "name", function() var:name() end }, { "blocks", function() fn:blocks() end },
      { "add", function() entry:add(1, 2) end },
    } do
      refused(nil, ("calling '%s': function 'f' is closed"):format(call[1]), call[2])
    end
    refused(nil, "function 'f' is closed", function() fn() end)
    assert.equal("phial.Function (closed)", tostring(fn))
    assert.equal("phial.Value (closed)", tostring(n))
    assert.is_true(n == n) -- luacheck: ignore 411
  end)
end)
