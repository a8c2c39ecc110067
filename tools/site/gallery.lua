--- What docs/gallery.md and others show on the site only: pages of the explorer and drawings,
--- made when the site is. A comment `<!-- site: play NAME [STEP] -->` becomes a link to a page,
--- `<!-- site: drawing NAME TEXT -->` a picture, `<!-- site: open playground -->` a link to that.
local file = require "tools.file"
local logged = require "spec.support.logged"
local phial = require "phial"
local tree = require "tools.site.tree"

local M = {}

local FOLDER <const> = "gallery/"

-- {== Functions ========================================================

-- Calls `make`; returns a list of the functions that it makes and their logs, which grows.
local function watched(make, detail)
  local list, fn = {}, phial.fn
  phial.fn = function(...)
    local it = fn(...)
    list[#list + 1] = { fn = it, log = it:log { detail = detail } }
    return it
  end
  local good, why = pcall(make, list)
  phial.fn = fn
  return good and list or error(why, 0)
end

local function example(module)
  local path = package.path
  package.path = "examples/?.lua;" .. path
  local it = require(module)
  package.path = path
  return it
end

-- The first block of Lua code in a document, which makes one function.
local function of_document(path)
  local code = file.read(path):match "```lua\n(.-)```"
  local env = setmetatable({ print = function() end }, { __index = _G })
  local it = watched(assert(load(code, "=" .. path, "t", env)))[1]
  return it.fn, { log = it.log, source = { [path] = code } }
end

-- The function of a lesson. Its code quotes in comments the lines of the lesson's program, an
-- indented block: positions of steps are of those lines.
local function of_lesson(path)
  local text, program, lines = file.read(path), {}, {}
  for line in text:match "^(.-)```lua":gmatch "\n    ([^\n]*)" do
    program[#program + 1] = line
    lines[line:match "^%s*(.*)"] = #program
  end
  local code = text:match "```lua\n(.-)```"
  local placed = code:gsub("([^\n]+)%-%- ([^\n]+)", function(start, quoted)
    return lines[quoted] and ("fn:set_loc(%d, 1, 'program') %s"):format(lines[quoted], start)
  end)
  local env = setmetatable({ print = function() end }, { __index = _G })
  local it = watched(assert(load(placed, "=frontend.lua", "t", env)), true)[1]
  return it.fn, { log = it.log, source = {
    program = table.concat(program, "\n"), ["frontend.lua"] = code,
  } }
end

local COLLATZ <const> = file.read "examples/demo.lua":match "local EXAMPLE = %[%[\n(.-)%]%]"

-- What makes functions of bytecode closes them when they have been looked at.
local function lua_function(use)
  local chunk = example "luac.chunk"
  local path = os.tmpname()
  tree.write(path, COLLATZ)
  watched(function(list)
    assert(chunk.each(path, function(fn, name)
      if name:find "^collatz" then use(fn, { log = list[#list].log, source = COLLATZ }) end
    end))
  end)
  os.remove(path)
end

local function while_program()
  local compile = example("while.compile").compile
  local path = "examples/while/programs/primes.while"
  local text = file.read(path)
  local it = watched(function() assert(compile(path, text)) end)[1]
  return it.fn, { log = it.log, source = text }
end

-- A figure by a classical algorithm: the trace of its frontend.
local function classical(name, algorithm)
  local record
  local recording = setmetatable({ fn = function(...)
    local fn = phial.fn(...)
    record = phial.record(fn)
    return fn
  end }, { __index = phial })
  assert(load(file.read("spec/golden/construct/figures/" .. name .. ".lua")))(recording)
  return record, { construction = algorithm, detail = true }
end

local function figure(name, detail)
  local fn, log, code = logged(name, { detail = detail })
  return fn, { log = log, source = { [name] = code } }
end

-- }== Pages and drawings ===============================================

-- By name: the title, and what calls a function with a function or trace, and options.
---@type table<string, {[1]: string, [2]: fun(use: fun(it: any, opts: table))}>
local MADE <const> = {
  gcd = { "gcd", function(use) use(of_document "docs/exporting.md") end },
  collatz = { "A Lua function", lua_function },
  primes = { "A While program", function(use) use(while_program()) end },
  cytron = { "Figure 2, by Cytron et al.", function(use) use(classical("figure2", "cytron")) end },
  choi = { "Figure 2, by Choi et al.", function(use) use(classical("figure2", "choi")) end },
}
for _, name in ipairs {
  "if-and-loop", "unsealed-block", "trivial-phis", "irreducible-loops", "markers",
} do
  local path = "docs/lessons/" .. name .. ".md"
  MADE[name] = { file.read(path):match "^# ([^\n]*)", function(use) use(of_lesson(path)) end }
end
for _, n in ipairs { 2, 3, 5, 6 } do
  local name, title = "figure" .. n, ("Figure %d of the paper"):format(n)
  MADE[name] = { title, function(use) use(figure(name)) end }
  MADE[name .. "detail"] = { title, function(use) use(figure(name, true)) end }
end

local has_dot = os.execute "command -v dot >/dev/null 2>&1"

--- A graph as SVG, or nil without Graphviz.
---@param graph string in Graphviz's language
---@return string?
function M.drawn(graph)
  if not has_dot then return nil end
  local path = os.tmpname()
  tree.write(path, graph)
  local pipe = assert(io.popen(("dot -Tsvg '%s'"):format(path)))
  local svg = pipe:read "a"
  assert(pipe:close(), "dot fails")
  os.remove(path)
  return svg
end

---@class site.Gallery
---@field into string the folder of the site's pages
---@field built string the folder of what else is built
---@field has table<string, boolean>
local Gallery = {}
Gallery.__index = Gallery

---@param into string the folder of the site's pages
---@param built string the folder of what else is built
---@return site.Gallery
function M.new(into, built)
  return setmetatable({ into = into, built = built, has = {} }, Gallery)
end

-- The place of a file, which is written when it is first asked for.
local function made(self, name, kind, text_of)
  local place = ("%s%s.%s"):format(FOLDER, name, kind)
  if not self.has[place] then
    self.has[place] = true
    local it = assert(MADE[name], name)
    it[2](function(what, opts)
      opts.title = it[1]
      tree.write(("%s/%s"):format(self.into, place), text_of(what, opts))
    end)
  end
  return place
end

-- A link to the page of a function or trace.
local function play(self, page, name, step)
  local place = made(self, name, "html", phial.emit.html)
  local text = step == "" and "Play it, step by step" or "Play it from this step on"
  return ("[%s](%s%s){ .md-button }"):format(text, tree.relative(page, place),
    step == "" and "" or "#step=" .. step)
end

local function drawing(self, page, name, text)
  if not has_dot then return "" end
  local place = made(self, name, "svg", function(fn) return M.drawn(phial.emit.dot(fn)) end)
  return ("![%s](%s){ .drawing }"):format(text, tree.relative(page, place))
end

-- A link to the playground, if that has been built.
local function open(self, page, name)
  local place = name .. "/index.html"
  local found = io.open(("%s/%s"):format(self.built, place), "rb")
  if not found then return "" end
  tree.write(("%s/%s"):format(self.into, place), found:read "a")
  found:close()
  return ("[Open the %s](%s){ .md-button }"):format(name, tree.relative(page, place))
end

local KINDS <const> = { play = play, drawing = drawing, open = open }

--- A text with what its comments ask for.
---@param page string on the site
---@param text string
---@return string
function Gallery:shown(page, text)
  return (text:gsub("<!%-%- site: (%l+) ([%w-]+) ?(.-) ?%-%->", function(kind, name, rest)
    return assert(KINDS[kind], kind)(self, page, name, rest)
  end))
end

-- }=====================================================================

return M
