-- idle.lua: bench/replay.lua with a module that does nothing (idle.c): measures
-- calls, handles and the frontend's own work.
--
-- usage: lua5.4 bench/peers/idle.lua FILE.sst [repeats] [--form long|short]
--        lua5.4 bench/peers/idle.lua --luac [repeats]   examples/luac so

package.path = "./?.lua;" .. package.path
local open = assert(package.loadlib("build/bench/idle.so", "luaopen_idle"))
package.loaded.phial = open()

if arg[1] == "--luac" then
  print((require("bench.lib.luac").table(tonumber(arg[2] or 5))))
  return
end

local fuse = require "bench.lib.fuse"
local replay = require "bench.lib.replayer"
local trace = require "bench.lib.trace"

local form = table.concat(arg, " "):match "%-%-form (%a+)"
local change = form == "short" and fuse.trace or trace.pair
local t, how = change(trace.load(arg[1])), { form = form }
local times = {}
for k = 1, tonumber(arg[2]) or 3 do
  collectgarbage()
  collectgarbage()
  local start = os.clock()
  replay.pass(t, how)
  times[k] = (os.clock() - start) * 1e9 / t.events
end
print(('{"system":"calls only","events":%d,"ns_per_event":%.2f}'):format(
  t.events, math.min(table.unpack(times))))
