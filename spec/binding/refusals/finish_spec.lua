-- What fn:finish refuses, and what a finished function refuses.
local here = require "spec.support.here"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"
local subject = require "spec.support.subject"

describe("finish", function()
  it("lists all blocks without a terminator", function()
    local fn = phial.fn("f", { "n:i64" }, "i64", { rules = false })
    local n = fn:arg(1)
    local a = fn:block "a" local made_a = here()
    local b = fn:block "b" local made_b = here()
    fn:entry():branch(fn:entry():slt(n, 3), a, b)
    local v = a:add(n, 1)
    local w = a:sub(v, 2)
    refused(fn, ([[
function 'f' cannot be finished: these blocks need a terminator (jump, branch, switch, ret or unreachable)
  block 'a' (at %s): its last instruction is '%s = sub %s, 2'
  block 'b' (at %s): it is empty]]):format(made_a, w, v, made_b),
      function() fn:finish() end)
  end)

  it("drops empty blocks that nothing reaches", function()
    local function with_exits(opts)
      local fn = phial.fn("f", { "n:i64" }, "i64", opts)
      fn:block("counted", 2)
      local exit, dead = fn:block "exit", fn:block("dead", 0)
      fn:entry():ret(fn:arg(1))
      dead:jump(exit)
      return fn, exit
    end
    for _, opts in ipairs { {}, { strict = true } } do
      local fn, exit = with_exits(opts)
      assert.equal("fn f(%n: i64) -> i64 {\nentry:\n  ret %n\n}\n", fn:finish():text())
      assert.is_false(exit:is_reachable())
    end
    local kept = with_exits():finish { keep_unreachable = true }:text()
    assert.truthy(kept:find("exit: unreachable\n  unreachable\n", 1, true), kept)
  end)

  it("drops those to which blocks lead that nothing reaches", function()
    local fn = phial.fn "f"
    local dead, exit = fn:block "dead", fn:block "exit"
    dead:jump(exit)
    fn:entry():ret()
    assert.equal(1, fn:finish():stats().blocks)
  end)

  it("does not list these blocks when it lists others", function()
    local fn = phial.fn("f", {}, nil, { rules = false })
    local dead, exit = fn:block "dead", fn:block "exit"
    local a = fn:block "a" local made = here()
    fn:block "lost":add(1, 2)
    dead:jump(exit)
    fn:entry():jump(a)
    refused(fn, ([[
function 'f' cannot be finished: these blocks need a terminator (jump, branch, switch, ret or unreachable)
  block 'a' (at %s): it is empty
  block 'lost' (at %s): its last instruction is '%%3 = add 1, 2']]):format(made, made:gsub("%d+$",
      function(n) return n + 1 end)), function() fn:finish() end)
  end)

  it("refuses unsealed blocks with `strict` only", function()
    local function loop(opts)
      local fn = phial.fn("f", {}, nil, opts)
      local i, s = fn:var "i", fn:var "s"
      local head = fn:block "head" local at = here()
      fn:entry():write(i, 1)
      fn:entry():write(s, 1)
      fn:entry():jump(head)
      head:write(i, head:add(head:read(i), head:read(s)))
      head:jump(head)
      return fn, at
    end
    assert.equal("f", loop():finish():name())
    local fn, at = loop { strict = true }
    refused(fn, ([[
function 'f' cannot be finished: strict, and these blocks are not sealed
  block 'head' (at %s): incomplete phis of 'i', 's']]):format(at), function() fn:finish() end)
    fn:finish { strict = false }
  end)

  it("refuses a counted block that lacks predecessors, with `strict`", function()
    local fn = phial.fn("f", {}, nil, { strict = true })
    local join = fn:block("join", 3) local at = here()
    fn:entry():jump(join)
    join:ret()
    refused(fn, ([[
function 'f' cannot be finished: strict, and these blocks are not sealed
  block 'join' (at %s), which waits for 2 of 3 predecessors]]):format(at), function() fn:finish() end)
  end)

  it("lists reads that see no definition on a path", function()
    local fn = phial.fn("f", { "c:i1" }, "i64", { undef = "error" })
    local x = fn:var "x" local declared = here()
    local left, join = fn:block "left", fn:block "join"
    fn:entry():branch(fn:arg(1), left, join)
    left:seal()
    left:write(x, 1)
    left:jump(join)
    join:seal()
    fn:set_loc(12, 5)
    local v = join:read(x) local read = here()
    fn:set_loc()
    join:ret(v)
    local message = ([[
function 'f' cannot be finished: these reads see no definition on a path
  variable 'x' (at %s), read in block 'join' (at %s) @ 12:5: entry -> join]])
      :format(declared, read)
    refused(fn, message, function() fn:finish() end)
    refused(fn, message, function() fn:finish() end)
  end)

  it("refuses a use that its definition does not dominate", function()
    local fn = phial.fn("f", { "c:i1", "n:i64" }, "i64")
    local left, join = fn:block "left", fn:block "join"
    fn:entry():branch(fn:arg(1), left, join)
    local v = left:add(fn:arg(2), 1)
    left:jump(join)
    join:ret(v)
    local err = raises.with("function 'f' is not well-formed\n  ", fn.finish, fn)
    assert.truthy(err:find("'left'", 1, true), err)
    local good, problems = fn:verify()
    assert.is_nil(good)
    assert.equal("table", type(problems))
    assert.truthy(join:is_sealed() and join:is_filled())
  end)
end)

describe("after finish", function()
  local function finished()
    local fn, entry, n = subject()
    entry:ret()
    return fn:finish(), entry, n
  end

  it("a function takes no changes", function()
    local fn, entry, n = finished()
    local message = "function 'f' is finished: edit it at cursors, as block:back(), or by fn:reopen()"
    refused(fn, message, function() entry:add(n, 1) end)
    refused(fn, message, function() entry:read(fn:param(1)) end)
    refused(fn, message, function() entry:write(fn:param(1), 1) end)
    refused(fn, message, function() entry:jump(entry) end)
    refused(fn, message, function() entry:seal() end)
    refused(fn, message, function() fn:finish() end)
  end)

  it("it can be reopened, before that not", function()
    local fn = finished()
    fn:reopen()
    refused(fn, "function 'f' is not finished: there is nothing to reopen", function() fn:reopen() end)
  end)

  it("it can be cleaned, before that not", function()
    local fn = subject()
    refused(fn, "function 'f' is not finished: edit it after fn:finish()",
      function() fn:clean { dead = true } end)
  end)

  it("a function parsed from an unfinished one's text stays as it is", function()
    local fn = subject()
    local again = assert(phial.parse(fn:text()))
    local message = "function 'f' was parsed from the text of an unfinished function: it can be read, not changed"
    refused(again, message, function() again:entry():ret() end)
    refused(again, message, function() again:block() end)
    refused(again, message, function() again:finish() end)
    refused(again, message, function() again:reopen() end)
  end)
end)
