-- Locals that values share in Lua source, so that edges need no assignments.
local phial = require "phial"

-- The body of the source, without indentation.
local function source(fn)
  local text = phial.emit.lua(fn)
  return (text:match "local function [^\n]*\n(.*)end\nreturn":gsub("%f[^\n\0] +", ""))
end

-- A loop whose block is given.
local function loop(lines)
  return assert(phial.parse(([[
fn f(%%n: i64) -> i64 {
entry:
  jump head
head: <- entry, head
  %%x: i64 = phi x [entry: %%n, head: %%y]
  %%s: i64 = phi s [entry: 0, head: %%t]
%s
  %%c: i1 = sgt %%y, 0
  branch %%c, head, done
done: <- head
  ret %%t
}]]):format(lines)))
end

describe("Lua source", function()
  it("keeps a variable of a loop in one local", function()
    local fn = phial.build("f", { "n:i64" }, "i64", function(b, v)
      v.i, v.s = 0, 0
      b:while_(function() return v.i:slt(v.n) end, function()
        v.s = v.s + v.i
        v.i = v.i + 1
        b:if_(v.s:sgt(1000), function() b:break_() end)
      end)
      b:ret(v.s)
    end)
    local text = source(fn)
    local _, assignments = text:gsub(" = ", "")
    assert.equal(4, assignments, text)
    assert.equal(45, fn(10))
  end)

  it("does not overwrite what an expression reads that is evaluated later", function()
    local fn = loop [[
  %old: i64 = mul %x, 10
  %y: i64 = shr %x, 1
  %t: i64 = add %s, %old
  %used: i64 = call @seen %y]]
    assert.equal(380, fn(20, { env = { seen = function(y) return y end } }))
    assert.matches("local old_%d+ = n_1 %* 10\nn_1 = n_1 >> 1", source(fn))
  end)

  it("does not overwrite an operand of several statements", function()
    local fn = loop [[
  %t: i64 = add %s, %x
  %y: i64 = sdiv %x, 2]]
    assert.equal(38, fn(20))
    assert.matches("local y_%d+ = n_1 // 2", source(fn))
  end)
end)
