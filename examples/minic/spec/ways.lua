-- The ways to run a C program: each is a function of the path of the program and the words of its
-- command line, and returns its output and exit status. A way that needs tools that are not
-- installed is not listed.
local compilers = require "spec.support.compilers"
local interpreter = require("bench.lib.system").interpreter
local llvm = require "spec.support.llvm"
local quoted = require("bench.lib.corpus").quoted

local M = {}

--- The seconds that a program may take; one that takes longer has the exit status 124.
M.limit = 120

--- A way to run it.
---@alias spec.minic.Way fun(path: string, words: string, headers: string?): string, integer

-- The output of a command, standard error included, and its exit status.
local function run(command)
  local pipe = assert(io.popen(("export LD_PRELOAD=; { %s; } 2>&1"):format(command)))
  local out = pipe:read "a"
  local _, _, status = pipe:close()
  return out, status
end

local function limited(command) return ("timeout %d %s"):format(M.limit, command) end

local function minic(path, headers, options)
  return ("env LUA_PATH=%s LUA_CPATH=%s %s examples/minic/main.lua %s %s %s"):format(
    quoted(package.path), quoted(package.cpath), quoted(interpreter()), quoted(path),
    headers and "-I " .. headers or "", options)
end

-- Makes a file by a command, runs another with it, in a folder that is empty otherwise: what the
-- program writes goes with it.
local function by_file(make, use)
  local pipe = assert(io.popen "mktemp -d")
  local folder = pipe:read()
  pipe:close()
  local file = folder .. "/program"
  local out, status = run(make:format(file))
  if status == 0 then
    out, status = run(("cd %s && %s"):format(folder, limited(use:format(file))))
  end
  os.execute("rm -r " .. folder)
  return out, status
end

--- The C compiler alone.
---@type spec.minic.Way
function M.cc(path, words, headers)
  local options = headers and "-I " .. headers or ""
  return by_file(("cc -std=gnu11 -w -O1 %s -o %%s %s -lm"):format(options, quoted(path)),
    "%s " .. words)
end

---@type spec.minic.Way
function M.c(path, words, headers)
  return by_file(minic(path, headers, "-o %s"), "%s " .. words)
end

--- With all locals in memory, and then promoted.
---@type spec.minic.Way
function M.promoted(path, words, headers)
  return by_file(minic(path, headers, "--memory --promote -o %s"), "%s " .. words)
end

---@type spec.minic.Way
function M.interpreter(path, words, headers)
  return run(limited(minic(path, headers, "--run " .. words)))
end

---@type spec.minic.Way
local function lli(path, words, headers)
  local kind = llvm.tools.opaque and "opaque" or "typed"
  local options = kind == "typed" and "--llvm --typed-pointers" or "--llvm"
  return by_file(minic(path, headers, options .. " >%s"), llvm.tools[kind].lli .. " %s " .. words)
end

if llvm.tools.opaque or llvm.tools.typed then M.lli = lli end
if not compilers.has "cc" then
  for _, kind in ipairs { "cc", "c", "promoted", "interpreter", "lli" } do M[kind] = nil end
end

return M
