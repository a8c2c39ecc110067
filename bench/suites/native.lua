-- Native code: kernels compared with the same C written by hand and with fn(...), and calls
-- from Lua; then their ratios without an optimizer. Best of some rounds, in which all take turns.
-- At last, what it costs to write C, and to load what tcc makes of it: milliseconds, the least and
-- the median.
-- usage: lua5.4 bench/suites/native.lua [CC ...]
package.path = "./?.lua;" .. package.path
require "bench.lib.tree"

local emission = require "bench.lib.emission"
local native = require "bench.lib.native"

for _, cc in ipairs(#arg > 0 and arg or { "gcc", "clang" }) do
  if os.execute(("command -v %s >/dev/null"):format(cc)) then print(native.table(cc, 7)) end
end
print(native.ratios(7))
if os.execute "command -v tcc >/dev/null" then print(emission.table(11)) end
