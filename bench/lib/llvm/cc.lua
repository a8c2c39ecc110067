--- A C compiler whose optimisation is ours, for the makefiles of programs: each C file goes through
--- clang without optimisation, our promotion of allocas, `opt -passes=verify` and clang -O1 for
--- the rest; everything else goes to clang as it is.
---
--- usage: lua5.4 cc.lua ROOT VERSION LOG OURS FOLDER [ARGUMENT ...]
---
--- ROOT is the tree of phial, OURS a command run there, FOLDER the current folder. LOG gets a line
--- for each C file: "ok FILE" or "failed FILE: complaint".
local root, version, log, ours, folder = table.unpack(arg, 1, 5)
package.path = root .. "/?.lua;" .. package.path

local quoted = require("bench.lib.corpus").quoted
local tools = require "bench.lib.llvm.tools"

local clang = "clang-" .. version

local function joined(list)
  local words = {}
  for i, word in ipairs(list) do words[i] = quoted(word) end
  return table.concat(words, " ")
end

local function note(text)
  local file <close> = assert(io.open(log, "a"))
  file:write(text, "\n")
end

local function quit(complaint)
  io.stderr:write(complaint, "\n")
  os.exit(1)
end

-- The arguments by what they are for.
local sources, frontend, backend, others = {}, {}, {}, {}
local output, compiles_only, is_other
do
  local i = 6
  while arg[i] do
    local word = arg[i]
    if word == "-o" then
      i = i + 1
      output = arg[i]
    elseif word == "-c" then compiles_only = true
    elseif word:find "^%-[ES]$" or word:find "^%-M" or word == "-v" then is_other = true
    elseif word:find "%.c$" then sources[#sources + 1] = word
    elseif word:find "^%-[DIUgW]" and not word:find "^%-Wl," or word:find "^%-std" then
      frontend[#frontend + 1] = word
    elseif word:find "^%-[fm]" then
      frontend[#frontend + 1], backend[#backend + 1] = word, word
    elseif not word:find "^%-O" then others[#others + 1] = word
    end
    i = i + 1
  end
end

local temporary = {}
local function fresh(suffix)
  local name = os.tmpname()
  temporary[#temporary + 1] = name
  if suffix then
    temporary[#temporary + 1] = name .. suffix
    name = name .. suffix
  end
  return name
end

local function compile(source, object)
  local written, promoted, flags = fresh ".ll", fresh ".ll", joined(frontend)
  local ok, complaint = tools.run(("%s %s %s -o %s"):format(tools.clang_ir { clang = clang },
    flags, quoted(source), quoted(written)))
  if not ok then quit(complaint) end -- a mistake in the C file
  ok, complaint = tools.run(("cd %s && %s %s >%s && opt-%s -passes=verify -disable-output %s")
    :format(quoted(root), ours, quoted(written), quoted(promoted), version, quoted(promoted)))
  if ok then
    ok, complaint = tools.run(("%s -O1 -Qunused-arguments %s -c -x ir %s -o %s"):format(clang,
      joined(backend), quoted(promoted), quoted(object)))
  end
  local path = source:find "^/" and source or folder .. "/" .. source
  note(ok and "ok " .. path or ("failed %s: %s"):format(path, complaint))
  if not ok then quit(complaint) end
end

local status = true
if is_other or #sources == 0 then
  status = os.execute(clang .. " " .. joined(table.move(arg, 6, #arg, 1, {})))
else
  local objects = {}
  for i, source in ipairs(sources) do
    objects[i] = compiles_only and (output or source:match "([^/]*)%.c$" .. ".o") or fresh ".o"
    compile(source, objects[i])
  end
  if not compiles_only then
    local out = output and "-o " .. quoted(output) or ""
    status = os.execute(("%s %s %s %s %s"):format(clang, joined(objects), joined(others), out,
      joined(backend)))
  end
end
for _, name in ipairs(temporary) do os.remove(name) end
os.exit(status == true)
