-- Native code: kernels compared with the same C written by hand and with fn(...), and calls
-- from Lua; then their ratios without an optimizer. Best of some rounds, in which all take turns.
-- usage: lua5.4 bench/suites/native.lua [CC ...]
package.path = "./?.lua;" .. package.path
require "bench.lib.tree"

local native = require "bench.lib.native"

for _, cc in ipairs(#arg > 0 and arg or { "gcc", "clang" }) do
  if os.execute(("command -v %s >/dev/null"):format(cc)) then print(native.table(cc, 7)) end
end
print(native.ratios(7))
