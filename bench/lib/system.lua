--- The programs that replay a trace: phial's own and its peers.  Each prints
--- one line of JSON, flat and without escapes.
local corpus = require "bench.lib.corpus"
local tree = require "bench.lib.tree"

local M = {}

--- The interpreter that runs this, which is to run the scripts.
---@return string
function M.interpreter()
  local i = 0
  while arg and arg[i - 1] do i = i - 1 end
  return i < 0 and arg[i] or "lua5.4"
end

--- Seconds since some moment, of processes as well.
---@return number
function M.now()
  local date <close> = assert(io.popen "date +%s%N")
  return date:read "n" / 1e9
end

---@class bench.System
---@field name string
---@field command string
---@field script? boolean runs in the Lua interpreter, or
---@field interpreter? string this one
---@field module? boolean needs phial's Lua module
---@field needs? string a file that it needs besides
---@field options? string
---@field renamed? table<string, string> fields that it names differently

local purelua = {
  ns_per_event = "best_ns_ev", ns_per_event_median = "med_ns_ev",
  peak_rss_kb = "rss_kb", trace_rss_kb = "trace_kb"
}

---@type table<string, bench.System>
M.known = {
  walk = { name = "walk only", command = "build/bench/walk" },
  c = { name = "phial C", command = tree.build .. "/bench/replay" },
  typed = { name = "phial C, typed", command = tree.build .. "/bench/replay_typed" },
  lua = {
    name = "phial Lua, long", command = "bench/replay.lua", script = true,
    module = true
  },
  short = {
    name = "phial Lua, short", command = "bench/replay.lua", script = true,
    module = true, options = "--form short"
  },
  current = {
    name = "phial Lua, current", command = "bench/replay.lua", script = true,
    module = true, options = "--current"
  },
  purelua = {
    name = "pure Lua", command = "bench/peers/purelua.lua", script = true,
    renamed = purelua
  },
  luajit = {
    name = "LuaJIT, pure Lua", command = "bench/peers/purelua.lua", script = true,
    interpreter = "luajit", renamed = purelua
  },
  idle = {
    name = "Lua, calls only", command = "bench/peers/idle.lua", script = true,
    needs = "build/bench/idle.so"
  },
  where = {
    name = "phial Lua, where", command = "bench/replay.lua", script = true,
    module = true, options = "--where"
  },
  llvm = { name = "LLVM 14", command = "build/bench/llvm14" }
}

local function installed(interpreter)
  return os.execute(("command -v %s >/dev/null 2>&1"):format(interpreter)) == true
end

--- Can it run here: is it built, and its interpreter installed?
---@param system bench.System
---@return boolean
function M.present(system)
  if system.module and not tree.has_module then return false end
  if system.needs and not tree.exists(system.needs) then return false end
  if system.interpreter and not installed(system.interpreter) then return false end
  return tree.exists(system.command)
end

--- The command line that replays `path`.
---@param system bench.System
---@param path string
---@param arguments string
---@return string
function M.command(system, path, arguments)
  local run = corpus.quoted(system.command)
  local interpreter = system.interpreter or M.interpreter()
  if system.script then run = corpus.quoted(interpreter) .. " " .. run end
  if system.options then arguments = arguments .. " " .. system.options end
  return run .. " " .. corpus.quoted(path) .. " " .. arguments
end

--- The fields of a line of JSON.
local function decoded(line, renamed)
  local fields = {}
  for key, value in line:gmatch '"([%w_]+)":"?([^",}]*)' do
    fields[key] = tonumber(value) or value
  end
  for key, other in pairs(renamed or {}) do fields[key] = fields[other] end
  return fields
end

--- Runs a command and returns the fields it printed, or nil when it failed;
--- what it says on the error output goes there.
---@param system bench.System
---@param command string
---@return table<string, any>?
function M.result(system, command)
  local pipe = assert(io.popen(command))
  local line = pipe:read "a":match "{.*}"
  local ok = pipe:close()
  return ok and line and decoded(line, system.renamed) or nil
end

--- Replays `path` once.
---@param system bench.System
---@param path string
---@param arguments string
---@return table<string, any>?
function M.run(system, path, arguments)
  return M.result(system, M.command(system, path, arguments))
end

--- Instructions of a command by callgrind, or nil.
local function instructions(command)
  local valgrind = "valgrind --tool=callgrind --callgrind-out-file=/dev/null "
  local pipe = assert(io.popen(valgrind .. command .. " 2>&1"))
  local counted = pipe:read "a":match "Collected : (%d+)"
  pipe:close()
  return tonumber(counted)
end

--- Instructions of one pass over `path`: those of two passes without those of
--- one, so that nothing but the pass counts.
---@param system bench.System
---@param path string
---@param options? string
---@return number?
function M.instructions(system, path, options)
  options = options and " " .. options or ""
  local once = instructions(M.command(system, path, "1" .. options))
  local twice = instructions(M.command(system, path, "2" .. options))
  return once and twice and twice - once
end

---@return boolean
function M.has_valgrind() return installed "valgrind" end

return M
