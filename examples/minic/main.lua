-- The command: compiles C.
local USAGE = [[
usage: lua5.4 main.lua FILE.c [options]
Compiles a C program.  By default, prints its SSA form.
  --ssa            prints the SSA form
  --llvm           prints it in LLVM's language (--typed-pointers: before LLVM 15)
  --c              prints it in C
  --run ARGS ...   runs the program by phial's interpreter
  -o EXE           links an executable
  -I DIR           searches DIR for further headers, too
  --memory         all locals are in memory, also those that could be in SSA form
  --promote        makes values of what can leave memory
What follows --run are the arguments of the program.  Output and exit status are its own.
]]

local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path

local command = require "command" (USAGE)
local compile = require "minic.compile"
local phial = require "phial"

-- {== Options =========================================================

local OPTIONS <const> = {
  ["--ssa"] = "ssa", ["--llvm"] = "llvm", ["--c"] = "c", ["--typed-pointers"] = "typed",
  ["--memory"] = "memory", ["--promote"] = "promote", ["-o"] = { "executable" },
  ["-I"] = { "headers" }
}

OPTIONS["--run"] = function(o, args, at)
  o.run = table.move(args, at + 1, #args, 1, {})
  return #args
end

-- }== Output ==========================================================

-- What an emitter writes; ends the program if the target lacks something.
local function written(emit, module, options)
  local ok, text = pcall(emit, module, options)
  return ok and text or command.fail((text:gsub("^[^:]+:%d+: ", "")))
end

-- A C compiler reads the program from a pipe.
local function link(module, path)
  local text = written(phial.emit.c, module)
  local pipe = assert(io.popen(("%s -std=c11 -O2 -w -o %s -x c - -lm"):format(
    os.getenv "CC" or "cc", compile.quoted(path)), "w"))
  pipe:write(text)
  if not pipe:close() then command.fail(path .. ": the C compiler failed") end
end

local o = command.options(arg, OPTIONS)
local path = command.only(o.files)
local text = compile.preprocess(path, o.headers) or os.exit(1, true)
local module, why = compile.compile(text, path,
  { memory = o.memory, promote = o.promote, run = o.run ~= nil })
if not module then command.fail(why) end

if o.ssa or not (o.llvm or o.c or o.run or o.executable) then
  io.write((module:text { order = "rpo" }:gsub(" @ " .. ("%q"):format(path):gsub("%p", "%%%0")
    .. ":", " @ "))) -- positions in the file itself do not name it
end
if o.llvm then
  io.write(written(compile.llvm, module, { pointers = o.typed and "typed" or "opaque" }))
end
if o.c then io.write(written(phial.emit.c, module)) end
if o.executable then link(module, o.executable) end
if o.run then
  table.insert(o.run, 1, path)
  local status, stopped = require("minic.run").run(module, o.run)
  if stopped then io.stderr:write(stopped, "\n") end
  os.exit(status, true)
end

-- }=====================================================================
