-- The command: compiles tinylang.
local USAGE = [[
usage: lua5.4 main.lua FILE ... [options]
Reports what is wrong with the program that the files make up.  Then, by default,
prints its SSA form.
  --ssa                prints the SSA form
  --llvm               prints it in LLVM's language (--typed-pointers: before LLVM 15)
  --c                  prints it in C
  --run PROC ARGS ...  initialises the modules, calls a procedure, prints its result
  -o EXE PROC          links an executable that does so with the words of its command
PROC is Module.Proc, or the mangled name _t6Module4Proc.  What follows --run PROC are
arguments: integers, TRUE and FALSE.
]]

local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path

local command = require "command" (USAGE)
local phial = require "phial"
local compile = require("tinylang.compile").compile
local entry = require "tinylang.entry"
local link = require("tinylang.executable").link
local run = require("tinylang.run").run

local MOST = 20 -- problems shown

-- {== Options =========================================================

local OPTIONS <const> = {
  ["--ssa"] = "ssa", ["--llvm"] = "llvm", ["--c"] = "c", ["--typed-pointers"] = "typed"
}

OPTIONS["--run"] = function(o, args, at)
  o.run = args[at + 1] or command.refuse "--run: a procedure is missing"
  o.arguments = table.move(args, at + 2, #args, 1, {})
  return #args
end

OPTIONS["-o"] = function(o, args, at)
  o.executable, o.entry = args[at + 1], args[at + 2]
  if not o.entry then command.refuse "-o: a file and a procedure are needed" end
  return at + 2
end

-- }== Compiling =======================================================

local function compiled(paths)
  local files = {}
  for i, path in ipairs(paths) do files[i] = { path = path, text = command.read(path) } end
  local program, problems = compile(files)
  if program then return program end
  for i = 1, math.min(#problems, MOST) do io.stderr:write(problems[i], "\n") end
  if #problems > MOST then command.fail(("and %d more"):format(#problems - MOST)) end
  os.exit(1, true)
end

local function check(it, why)
  if it == nil then command.fail(why) end
  return it
end

-- }== Output ==========================================================

-- The name of the only file is not repeated in each line.
local function ssa(program, files)
  local text = program.module:text { order = "rpo" }
  return #files == 1 and text:gsub(' @ "[^"\n]*":', " @ ") or text
end

local o = command.options(arg, OPTIONS)
local program = compiled(o.files)
local called = o.run and check(entry.procedure(program, o.run))
local arguments = called and check(entry.arguments(called, o.arguments))
local linked = o.executable and check(entry.procedure(program, o.entry))

if o.ssa or not (o.llvm or o.c or o.run or o.executable) then io.write((ssa(program, o.files))) end
if o.llvm then
  io.write(phial.emit.llvm(program.module, { pointers = o.typed and "typed" or "opaque" }))
end
if o.c then io.write(phial.emit.c(program.module)) end
if linked then check(link(program, linked, o.executable)) end
if called then
  local ok, result = run(program, called, arguments)
  if not ok then command.fail(result) end
  if result ~= nil then print(entry.shown(result)) end
end
