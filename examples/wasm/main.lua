-- The command: compiles and runs binary modules of WebAssembly.
local USAGE = [[
usage: lua5.4 main.lua FILE.wasm [options]
Compiles a module of WebAssembly.  By default, prints its SSA form.
  --ssa                   prints the SSA form
  --c                     prints it in C
  --imports FILE.lua      what --run lets the module import: the file gets a table, whose field
                          `program` has the memory once it runs, and returns functions and
                          numbers: {module = {name = value}}
  --native                --run compiles the module first
  -o EXE                  links a program of WASI: the export _start
  --run EXPORT ARGS ...   calls an export, and prints its results
]]

local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path

local command = require "command" (USAGE)
local phial = require "phial"
local wasm = require "wasm.module"

local OPTIONS <const> = {
  ["--ssa"] = "ssa", ["--c"] = "c", ["--imports"] = { "imports" }, ["--native"] = "native",
  ["-o"] = { "executable" },
  ["--run"] = function(o, args, at)
    o.run = table.move(args, at + 1, #args, 1, {})
    return #args
  end,
}

-- Functions after `host`, which gets the program when it runs.
local function imports_of(path, host)
  local load, why = loadfile(path)
  if not load then command.fail(why) end
  return load(host)
end

-- What the module imports, by symbol.
local function environment(m, imports, host)
  local env = {}
  for _, f in ipairs(m.funcs) do
    if f.module then env[f.symbol] = (imports[f.module] or {})[f.name] end
  end
  function env.wasm_grow(bytes) return host.program:grow("wasm_memory", bytes) and 1 or 0 end
  return env
end

local function arguments(types, words)
  local list = {}
  if #words ~= #types then command.fail(("%d arguments are needed"):format(#types)) end
  for i, type in ipairs(types) do
    local value = tonumber(words[i]) or command.fail(words[i] .. ": a number was expected")
    list[i] = type:find "^i" and math.tointeger(value) or value
  end
  return list
end

local function run(module, m, o, imports, host)
  local f = m.exported[o.run[1]]
    or command.fail(tostring(o.run[1]) .. ": no function is exported by this name")
  local env = environment(m, imports, host)
  host.program = o.native and module:compile { env = env } or module:instance { env = env }
  host.program:call "wasm_init"
  print(host.program:call(f.symbol,
    table.unpack(arguments(f.type.params, { table.unpack(o.run, 2) }))))
end

-- One file of C: the module, and what it needs of WASI.
local function link(module, path)
  local pipe = assert(io.popen(("%s -std=gnu11 -O2 -w -o '%s' -x c - -lm"):format(
    os.getenv "CC" or "cc", path:gsub("'", "'\\''")), "w"))
  pipe:write(phial.emit.c(module), command.read(here .. "wasi.c"))
  if not pipe:close() then command.fail(path .. ": the C compiler failed") end
end

local o = command.options(arg, OPTIONS)
local path = command.only(o.files)
local host = {}
local imports = o.imports and imports_of(o.imports, host) or {}
-- What is linked has all memory as an array, for which compilers have 2 GiB.
local done, module, m = pcall(wasm.translate, command.read(path), path, { imports = imports,
  pages = o.executable and 1 << 14,
  visible = o.executable and function(name) return name == "_start" and "wasm_start" or nil end })
if not done then command.fail(module) end
if o.executable and not m.exported._start then
  command.fail(path .. ": no function _start is exported")
end

if o.ssa or not (o.c or o.run or o.executable) then io.write(module:text()) end
if o.c then io.write(phial.emit.c(module)) end
if o.executable then link(module, o.executable) end
if o.run then
  local ran, why = pcall(run, module, m, o, imports, host)
  if not ran then command.fail(tostring(why)) end
end
