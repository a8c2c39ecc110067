-- The command: SSA form of the functions in Lua 5.4 files.
local USAGE = [[
usage: lua5.4 main.lua FILE ... [options]
FILE is source or bytecode of Lua 5.4.  Prints one line of counts for each
function.  Options:
  --text           prints the SSA form instead
  --function NAME  only functions of that name, with or without the line
  --dot FILE       writes the functions as graphs for Graphviz
  --stats          prints a last line with totals
]]

local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path

local command = require "command" (USAGE)
local phial = require "phial"
local chunk = require "luac.chunk"

local COUNTS = { "block", "instruction", "phi", "temporary phi", "undefined read" }

local OPTIONS <const> = {
  ["--function"] = { "only" }, ["--dot"] = { "dot" },
  ["--text"] = "text", ["--stats"] = "stats",
}

local function wanted(name, only)
  return not only or name == only or name:match "^(.*):" == only
end

-- The number of instructions without phis; further results of an instruction are
-- not counted.
local function instructions(fn)
  local n = 0
  for v in fn:values() do
    local op = v:op()
    if op ~= "phi" and op ~= "proj" then n = n + 1 end
  end
  return n
end

local function counts(fn)
  local stats = fn:stats()
  return { stats.blocks, instructions(fn), stats.phis, stats.temporary_phis,
    #fn:undefined_reads() }
end

local function plural(n, what) return ("%d %s%s"):format(n, what, n == 1 and "" or "s") end

local function described(list)
  local parts = {}
  for c, count in ipairs(list) do parts[c] = plural(count, COUNTS[c]) end
  return table.concat(parts, ", ")
end

local function show(path, fn, name, o, totals)
  local list = counts(fn)
  totals.functions = totals.functions + 1
  for c, count in ipairs(list) do totals[c] = totals[c] + count end
  if o.dot then o.dot:write(phial.emit.dot(fn), "\n") end
  if o.text then
    io.write(fn:text(), "\n")
  else
    io.write(path, ": ", name, ": ", described(list), "\n")
  end
end

-- true, or nil and a message.
local function process(path, o, totals)
  local done, why = chunk.each(path, function(fn, name)
    show(path, fn, name, o, totals)
  end, { wanted = function(name) return wanted(name, o.only) end })
  if done then totals.files = totals.files + 1 end
  return done, why
end

local o = command.options(arg, OPTIONS)
if o.dot then
  local file, why = io.open(o.dot, "w")
  o.dot = file or command.refuse(why)
end
local totals = { files = 0, functions = 0, 0, 0, 0, 0, 0 }
local done = command.each(o.files, function(path) return process(path, o, totals) end)
if o.stats then
  io.write(("%s, %s, %s, %.3f seconds\n"):format(plural(totals.files, "file"),
    plural(totals.functions, "function"), described(totals), os.clock()))
end
os.exit(done, true)
