-- source.lua: time and memory of phial.source after parsing, for 5,000 lines, and how the time
-- grows with the size of one function.
--
-- usage: lua5.4 bench/suites/source.lua [FILE ...]
-- Default: luacheck's own files.

local parser = require "phial.source.luacheck"
local source = require "phial.source"

local WAYS <const> = {
  { "variables", {} },
  { "as linters do", { closures = "creation", unreachable = "joined" } },
  { "values", { values = true } },
  { "refinements", { values = true, refine = true } },
}

-- The least of five: ms, and kilobytes of Lua's heap, which has handles and tables of answers.
local function measured(trees, opts)
  local time, memory = math.huge, nil
  for _ = 1, 5 do
    collectgarbage()
    local before, start = collectgarbage "count", os.clock()
    local programs = {}
    for i, tree in ipairs(trees) do programs[i] = assert(source.tree(tree, opts)) end
    time = math.min(time, (os.clock() - start) * 1000)
    memory = collectgarbage "count" - before
    assert(#programs == #trees) -- they are kept until here
  end
  return time, memory
end

local function parsed(texts)
  local trees, lines = {}, 0
  for i, text in ipairs(texts) do
    trees[i] = assert(parser.parse(text))
    lines = lines + select(2, text:gsub("\n", ""))
  end
  return trees, lines
end

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

local function report(name, texts)
  local trees, lines = parsed(texts)
  for _, way in ipairs(WAYS) do
    local time, memory = measured(trees, way[2])
    print(("%-24s %-14s %6d lines  %6.1f ms for 5,000 lines  %5.0f KB"):format(name, way[1], lines,
      time * 5000 / lines, memory * 5000 / lines))
  end
end

local texts = {}
for i, path in ipairs(arg) do texts[i] = read(path) end
if #texts == 0 then
  parser.parse ""
  local folder = debug.getinfo(package.loaded["luacheck.parser"].parse).source:match "^@(.*/)"
  local names = "check config format lexer main options parser runner standards utils"
  for name in names:gmatch "%a+" do
    texts[#texts + 1] = read(folder .. name .. ".lua")
  end
end
report("files", texts)

for _, n in ipairs { 1000, 8000 } do
  report(n .. " ifs in one function", { "local x\n" .. ("if f(x) then\nx = g()\nend\n"):rep(n) })
  local closures = {}
  for i = 1, n do
    closures[i] = ("function M.f%d()\nv%d = v%d\nend\n"):format(i, i % 20, i * 7 % 20)
  end
  local names = {}
  for i = 0, 19 do names[i + 1] = "v" .. i end
  report(n .. " closures over 20", { "local " .. table.concat(names, ", ") .. "\n"
    .. table.concat(closures) })
end
