-- The demonstration behind `make demo`: the builder, a While program, a compiler down
-- to native code, one Lua function next to its SSA form, then figures for all
-- functions of whole packages.
-- usage: lua5.4 examples/demo.lua [FOLDER for the drawings]
local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "?.lua;" .. package.path

local phial = require "phial"
local chunk = require "luac.chunk"

local folder = arg[1] or "build/demo"

local function slurp(path)
  local f <close> = assert(io.open(path, "rb"))
  return f:read "a"
end

local function spit(path, text)
  local f <close> = assert(io.open(path, "wb"))
  assert(f:write(text))
end

local function heading(text)
  print(("\n--- %s %s\n"):format(text, ("-"):rep(74 - #text)))
end

local can_draw = os.execute "command -v dot >/dev/null 2>&1"
local drawings = {}

-- Makes FOLDER/name.svg from FOLDER/name.dot, if Graphviz is installed.
local function lay_out(name)
  local base = folder .. "/" .. name
  if can_draw and os.execute(("dot -Tsvg -o '%s.svg' '%s.dot'"):format(base, base)) then
    drawings[#drawings + 1] = base .. ".svg"
  end
end

local function draw(fn, name)
  spit(("%s/%s.dot"):format(folder, name), phial.emit.dot(fn))
  lay_out(name)
end

local function readme_example()
  heading "the structured builder: the README's first example"
  local source = slurp "README.md":match "```lua\n(.-)```"
  io.write(source, "\n")
  local env = setmetatable({ print = function(it)
    print(it)
    if type(it) == "userdata" then draw(it, "sum") end
  end }, { __index = _G })
  assert(load(source, "=README.md", "t", env))()
end

-- Shows a command and what it prints, errors included.
local function run(command)
  print("$ " .. command)
  io.stdout:flush()
  os.execute(command .. " 2>&1")
end

local WHILE = "%s examples/while/main.lua examples/while/programs/%s"

local function while_programs()
  heading "the While language: from text to SSA form, and running it"
  io.write(slurp "examples/while/programs/gcd.while", "\n")
  run(WHILE:format(arg[-1], "gcd.while") .. (" --ssa --run --dot '%s/gcd.dot'"):format(folder))
  lay_out "gcd"
  print()
  run(WHILE:format(arg[-1], "undefined.while") .. " --run")
end

local TINYLANG = "%s examples/tinylang/main.lua examples/tinylang/programs/gcd.mod"
local CC = os.getenv "CC" or "cc"

local function tinylang_program()
  heading "tinylang: from text to SSA form, and to native code"
  local text = slurp "examples/tinylang/programs/gcd.mod"
  io.write(text:match "(.-)\n%(%* Of three", "\n")
  local command = TINYLANG:format(arg[-1])
  run(command .. " | sed -n '3,/^}/p'")
  run(command .. " --run Gcd.Gcd 1071 462")
  if os.execute(("command -v %s >/dev/null 2>&1"):format(CC)) then
    local exe = folder .. "/gcd"
    run(("%s -o '%s' Gcd.Gcd && '%s' 1071 462"):format(command, exe, exe))
  else
    print "no native code: it needs a C compiler"
  end
end

local EXAMPLE = [[
local function collatz(n)
  local steps = 0
  while n ~= 1 do
    if n % 2 == 0 then
      n = n // 2
    else
      n = 3 * n + 1
    end
    steps = steps + 1
  end
  return steps
end
]]

local function lines_of(text)
  local lines = {}
  for line in text:gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  return lines
end

local function side_by_side(left, right)
  left, right = lines_of(left), lines_of(right)
  for i = 1, math.max(#left, #right) do
    print(("%-28s| %s"):format(left[i] or "", right[i] or ""))
  end
end

local function one_function()
  heading "a Lua function and its SSA form"
  local path = folder .. "/collatz.lua"
  spit(path, EXAMPLE)
  assert(chunk.each(path, function(fn, name)
    if name:find "^collatz" then
      side_by_side(EXAMPLE, fn:text())
      draw(fn, "collatz")
    end
  end))
end

local on_terminal = os.execute "test -t 1"

local function progress(done, of, path)
  if not on_terminal then return end
  io.write(("\r\27[K%4d of %d  %s"):format(done, of, path))
  if done == of then io.write "\r\27[K" end
  io.flush()
end

-- The Lua files of an installed package, found by the path of one of its modules.
local function files_of(module)
  local path = package.searchpath(module, package.path)
  if not path then return {} end
  local list <close> = assert(io.popen(("find '%s' -name '*.lua'"):format(path:match "^(.*)/")))
  local files = {}
  for file in list:lines() do files[#files + 1] = file end
  table.sort(files)
  return files
end

local SUMMARY = "%-9s %3d files, %4d functions, %5d blocks, %5d instructions, "
  .. "%4d phis (%d temporary), %d undefined reads, %.2f s"
local KEYS = { "blocks", "values", "phis", "temporary_phis" }

local function whole_package(name, module)
  local total = { functions = 0, undefined = 0 }
  for _, key in ipairs(KEYS) do total[key] = 0 end
  local files, start = files_of(module), os.clock()
  for i, path in ipairs(files) do
    assert(chunk.each(path, function(fn)
      local stats = fn:stats()
      for _, key in ipairs(KEYS) do total[key] = total[key] + stats[key] end
      total.functions = total.functions + 1
      total.undefined = total.undefined + #fn:undefined_reads()
    end))
    progress(i, #files, path)
  end
  print(SUMMARY:format(name, #files, total.functions, total.blocks, total.values,
    total.phis, total.temporary_phis, total.undefined, os.clock() - start))
end

assert(os.execute(("mkdir -p '%s'"):format(folder)))
readme_example()
while_programs()
tinylang_program()
one_function()
heading "whole packages: every function constructed, finished and verified"
whole_package("busted", "busted.core")
whole_package("penlight", "pl.init")
heading(can_draw and "drawings" or "no drawings: they need Graphviz")
for _, path in ipairs(drawings) do print(path) end
