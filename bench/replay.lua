-- replay.lua: replays a trace through the public Lua interface and measures
-- it.  The clock runs over whole passes, in which each function of the trace is
-- made, its events are replayed, and it is finished and freed.  The data on
-- functions is collected in one more pass after the timed ones.
--
-- usage: lua5.4 bench/replay.lua FILE.sst [repeats] [options]

package.path = "./?.lua;" .. package.path
require "bench.lib.tree"

local fuse = require "bench.lib.fuse"
local trace = require "bench.lib.trace"

local usage = [[
usage: replay.lua FILE.sst [repeats] [options]
  --construction marker|simple|scc|operand
                                 default marker
  --seal traced|end|random       when blocks are sealed, default traced
  --seed N                       of --seal random, default 1
  --form long|short              short: variables are operands, and results are
                                 written by the call that makes them
  --current                      by the methods of the function, whose current block
                                 changes, not by those of blocks
  --fresh-moves                  replay each m as w
  --rules                        fold what is emitted
  --where                        note lines of this frontend (the default of
                                 phial.fn), for errors; off: no peer does it
  --verified                     finish verifies each function (the default of
                                 fn:finish)
  --verify                       check each function, minimal and pruned too
                                 (not timed)
  --phis FILE                    a line `index phis` for each function
]]

local function refuse(what, word)
  io.stderr:write("replay.lua: ", what, " '", tostring(word), "'\n", usage)
  os.exit(2)
end

-- ---------------------------------------------------------------- options

--- A whole number from 1 on, or nil.
local function whole(word)
  local n = word:match "^%d+$" and math.tointeger(tonumber(word))
  return n and n > 0 and n or nil
end

local options = {
  repeats = 3, construction = "marker", form = "long", seal = "traced",
  seed = 1
}

local constructions = { marker = true, simple = true, scc = true, operand = true }
local orders = { traced = true, ["end"] = true, random = true }

local forms = { long = true, short = true }

local valued = {
  ["--form"] = function(word)
    if not forms[word] then refuse("unknown form", word) end
    options.form = word
  end,
  ["--construction"] = function(word)
    if not constructions[word] then refuse("unknown construction", word) end
    options.construction = word
  end,
  ["--seal"] = function(word)
    if not orders[word] then refuse("unknown order of sealing", word) end
    options.seal = word
  end,
  ["--seed"] = function(word)
    options.seed = whole(word) or refuse("bad seed", word)
  end,
  ["--phis"] = function(word) options.phis = word end
}

local flags = {
  ["--fresh-moves"] = "fresh", ["--verify"] = "verify", ["--rules"] = "rules",
  ["--where"] = "where", ["--current"] = "current", ["--verified"] = "verified"
}

local function positional(word)
  if word:sub(1, 1) == "-" then refuse("unknown option", word) end
  if not options.file then
    options.file = word
  else
    options.repeats = whole(word) or refuse("bad number of repeats", word)
  end
end

local i = 1
while arg[i] do
  local word = arg[i]
  if valued[word] then
    i = i + 1
    valued[word](arg[i] or refuse("nothing follows", word))
  elseif flags[word] then
    options[flags[word]] = true
  else
    positional(word)
  end
  i = i + 1
end
if not options.file then refuse("no trace", "") end

-- ---------------------------------------------------------------- measures

--- A line of the process's status in KiB, -1 where there is none.
local function status(key)
  local file = io.open "/proc/self/status"
  if not file then return -1 end
  local kb = file:read "a":match(key .. ":%s*(%d+)")
  file:close()
  return tonumber(kb) or -1
end

--- Resident memory now, which the peak starts from again.
local function base()
  local file = io.open("/proc/self/clear_refs", "w")
  if file then
    file:write "5"
    file:close()
  end
  return status "VmRSS"
end

-- ---------------------------------------------------------------- passes

local function measured(replay, t, how)
  local times = {}
  collectgarbage()
  local trace_rss = base()
  for k = 1, options.repeats do times[k] = replay.timed(t, how) end
  local peak = status "VmHWM"
  table.sort(times)
  local n = #times
  return {
    ns_per_event = times[1],
    ns_per_event_median = (times[(n + 1) // 2] + times[n // 2 + 1]) / 2,
    peak_rss_kb = peak, trace_rss_kb = trace_rss
  }
end

--- Adds to `report` what the functions came out as.
local function surveyed(replay, t, how, report)
  report.phis, report.problems = 0, 0
  report.temporary_phis, report.values = 0, 0
  local function look(fn, func)
    local stats = fn:stats()
    report.temporary_phis = report.temporary_phis + stats.temporary_phis
    report.values = report.values + stats.values
    for _, problem in ipairs(options.verify and replay.problems(fn) or {}) do
      report.problems = report.problems + 1
      io.stderr:write(func.name, ": ", problem, "\n")
    end
  end
  local phis = replay.phis(t, how, look)
  for _, n in ipairs(phis) do report.phis = report.phis + n end
  return phis
end

local function write_phis(phis)
  local file <close> = assert(io.open(options.phis, "w"))
  for index, n in ipairs(phis) do file:write(index - 1, " ", n, "\n") end
end

local function print_report(t, report)
  print(([[{"system":"phial Lua","file":%q,"construction":"%s","form":"%s",]]
    .. [["seal":"%s","fresh_moves":%s,"repeats":%d,"functions":%d,"events":%d,]]
    .. [["reads":%d,]]
    .. [["ns_per_event":%.2f,"ns_per_event_median":%.2f,"peak_rss_kb":%d,]]
    .. [["trace_rss_kb":%d,"phis":%d,"temporary_phis":%d,"values":%d,]]
    .. [["problems":%d}]]):format(
    options.file, options.construction, options.form, options.seal,
    options.fresh or false, options.repeats, #t.funcs, t.events, report.reads,
    report.ns_per_event, report.ns_per_event_median, report.peak_rss_kb,
    report.trace_rss_kb, report.phis, report.temporary_phis, report.values,
    report.problems))
end

-- ---------------------------------------------------------------- main

local replay = require "bench.lib.replayer"
local phial = require "phial"
if options.rules and not phial.rules then
  refuse("this phial has no rules yet:", "--rules")
end
local loaded, t = pcall(trace.load, options.file)
if not loaded then
  io.stderr:write(t, "\n")
  os.exit(1)
end
if options.fresh then t = trace.freshen(t) end
t = trace.seal(t, options.seal, options.seed)
local reads
if options.form == "short" then
  t, reads = fuse.trace(t)
else
  t, reads = trace.pair(t), fuse.reads(t)
end
local how = {
  construction = options.construction, form = options.form, where = options.where,
  current = options.current,
  rules = options.rules and phial.rules "int" or false, verified = options.verified
}
local report = measured(replay, t, how)
report.reads = reads
local phis = surveyed(replay, t, how, report)
if options.phis then write_phis(phis) end
print_report(t, report)
os.exit(report.problems == 0)
