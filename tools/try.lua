-- try: goes the main path through the phial that Lua finds: builds a function, simplifies, prints,
-- reads and runs it. Raises an error if something is not as it should be.
local phial = require "phial"

local double = phial.build("double", { "n:i64" }, "i64", function(b, v) b:ret(v.n + v.n) end)
local text = tostring(double)
assert(text:find("shl %n, 1", 1, true), text) -- the standard rules are there
assert(double(21) == 42)

local sum = phial.build("sum", { "n:i64" }, "i64", function(b, v)
  v.i, v.s = 0, 0
  b:while_(function() return v.i:slt(v.n) end, function()
    v.s = v.s + v.i
    v.i = v.i + 1
  end)
  b:ret(v.s)
end)
assert(sum(10) == 45)
local read = assert(phial.parse(tostring(sum)))
assert(read:verify())
assert(read(10) == 45)

assert(phial.emit.html(sum):find("<svg", 1, true)) -- so are the files of the viewer
print(phial._VERSION .. " works")
