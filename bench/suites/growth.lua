-- growth.lua: growth of time and memory with the size of a function: all shapes
-- of synth.lua at n and n/8, replayed on a C stack of 256 KiB.
--
-- usage: lua5.4 bench/suites/growth.lua [--callgrind] [--million] [--cold] [--lua] [N]
--        lua5.4 bench/suites/growth.lua --calls
--        lua5.4 bench/suites/growth.lua --data
--        lua5.4 bench/suites/growth.lua --sources
-- Default: time, through C, N = 100000 (with --callgrind 16000).  --million:
-- some shapes at 10,000 and at 1,000,000.  --cold: memory goes back to the
-- system between passes, as is the C library's default.  --calls: time of
-- single calls.  --data: of emitters and parsers, for bytes, gaps, strings and
-- lists of constants.  --sources: of phial.source and phial-lint.

package.path = "./?.lua;" .. package.path

local growth = require "bench.lib.growth_table"
local system = require "bench.lib.system"

local which, how = system.known.c, {}
for _, word in ipairs(arg) do
  if word == "--callgrind" then
    how.callgrind = true
  elseif word == "--million" then
    how.n, how.factor, how.shapes = 1000000, 100, growth.long
    how.constructions = { "marker" }
  elseif word == "--cold" then
    how.cold = true
  elseif word == "--calls" then
    io.write(growth.calls(3), growth.solving(3))
    os.exit()
  elseif word == "--data" then
    io.write(growth.data(3))
    os.exit()
  elseif word == "--sources" then
    io.write(growth.calls(3, require "bench.lib.growing_source"))
    os.exit()
  elseif word == "--lua" then
    which = system.known.lua
  elseif math.type(tonumber(word)) == "integer" then
    how.n = tonumber(word)
  else
    io.stderr:write(
      "usage: growth.lua [--callgrind] [--million] [--cold] [--lua] [--calls] [--data] "
        .. "[--sources] [N]\n")
    os.exit(2)
  end
end
how.n = how.n or how.callgrind and 16000 or 100000

if not system.present(which) then
  io.stderr:write(which.name, " is not built\n")
  os.exit(1)
end
local text, ok = growth.table(which, how)
io.write(text)
os.exit(ok)
