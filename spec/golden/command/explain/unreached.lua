-- A loop that nothing reaches: its phi goes with it.
local phial = require "phial"
local fn = phial.fn("unreached", { "c:i1" }, "i64")
local x, c = fn:var "x", fn:param(1)
local loop, left, right = fn:block "loop", fn:block("left", 1), fn:block("right", 1)
fn:entry():ret(0)
loop:read(x)
loop:branch(loop:read(c), left, right)
left:write(x, 1)
left:jump(loop)
right:write(x, 2)
right:jump(loop)
fn:finish()
