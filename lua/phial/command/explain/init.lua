--- phial explain: runs a frontend, or replays a trace, and explains why each phi exists and why
-- other phis were removed.
local core = require "phial.core"
local emit = require "phial.command.emit"
local errors = require "phial.errors"
local excerpt = require "phial.command.excerpt"
local failure = require "phial.command.failure"
local file = require "phial.command.file"
local input = require "phial.command.input"
local logs = require "phial.trace.log"
local options = require "phial.command.options"
local portable = require "phial.portable"
local story_of = require "phial.command.explain.story"
local text = require "phial.command.explain.text"

local M = {
  summary = "explains why each phi exists, and why others were removed",
  takes = "FILE [ARGUMENT ...]",
  about = [[
FILE is a trace, or a Lua script that makes functions with phial, which is run with the
arguments. For each phi of each function, writes what requested it, where its operands come
from, and why it was removed; or, with --html, a page that shows the construction step by step.
]],
  options = {
    { "--steps", "writes instead what was done, step by step, and its effects" },
    { "--html", "writes instead the page of the explorer; of a script, with -o" },
    { "--detail", "the page also has what look-ups do on their way" },
    { "-o FILE", "writes to FILE", field = "output" },
    { "--function NAME", "only functions of that name", field = "only" },
    { "--variable NAME", "only phis of variables of that name, and functions that have one" },
  },
  first_ends = true, takes_rest = true, -- what follows the file is for the script
}

local function refuse_function(name, names)
  failure.raise(2, ("no function '%s' was made%s"):format(name, errors.near(name, names)))
end

-- Names that are listed in a message.
local SHOWN <const> = 20

-- Refuses names that the options have: of a function that none is, of a variable that no function
-- has of those that are told of.
local function check_names(stories, o)
  local names, vars = {}, {}
  for _, story in ipairs(stories) do
    names[story.name] = true
    for _, name in pairs((not o.only or o.only == story.name) and story.vars or {}) do
      vars[name] = true
    end
  end
  if o.only and not names[o.only] then refuse_function(o.only, names) end
  if not o.variable or vars[o.variable] then return end
  local list = portable.sorted(vars)
  failure.raise(2, ("no variable '%s'; there are: %s%s"):format(o.variable,
    #list == 0 and "none" or table.concat(list, ", ", 1, math.min(#list, SHOWN)),
    #list > SHOWN and ", ..." or ""))
end

local function is_chosen(story, o)
  if o.only and o.only ~= story.name then return false end
  local found = not o.variable
  for _, name in pairs(story.vars) do found = found or name == o.variable end
  return found
end

local function tell(stories, o)
  local out = {}
  for _, story in ipairs(stories) do
    story:look()
    if is_chosen(story, o) then
      out[#out + 1] = ("\n=== %s ===\n\n"):format(story.name)
      out[#out + 1] = o.steps and text.steps(story) or text.summary(story, o.variable)
    end
  end
  file.put(excerpt.safe(table.concat(out)), o.output)
end

-- Runs the script as if it were not being watched, until it ends or exits: calls `begin` for each
-- function that it makes, and `finish` before it exits. Returns what it raised, or nil.
local function run(it, o, begin, finish)
  local chunk, why = load(it.text:gsub("^#[^\n]*", "", 1), "@" .. it.name)
  if not chunk then failure.at(2, why, it.name, it.text) end
  local exit, words = os.exit, arg
  arg = table.move(o.rest, 1, #o.rest, 1, { [0] = it.name }) -- luacheck: ignore 121
  os.exit = function(...) -- luacheck: ignore 122
    finish()
    exit(...)
  end
  local ok, err = story_of.watching(function() chunk(table.unpack(o.rest)) end, begin)
  os.exit, arg = exit, words -- luacheck: ignore 121 122
  if failure.is(err) then error(err, 0) end -- of `finish`
  return not ok and tostring(err) or nil
end

-- {== Pages ============================================================

-- Of the functions that a script has made, those that are still there and have the name.
local function shown(functions, name)
  local list, names = {}, {}
  for _, fn in ipairs(functions) do
    local is_there = core.is_usable(fn) and not fn:is_declaration()
    if is_there then names[fn:name()] = true end
    if is_there and (not name or fn:name() == name) then list[#list + 1] = fn end
  end
  if #list > 0 then return list end
  if name then refuse_function(name, names) end
  failure.raise(2, "the script has made no function that is still there")
end

-- Writes the page of a trace, or of a script.
local function write_page(it, o)
  if it.kind == "trace" then
    file.put(emit.text("html", it, {}, { only = o.only, detail = o.detail }), o.output)
    return 0
  end
  if not o.output then failure.refuse "--html: of a script, which may print, with -o FILE" end
  local functions = {}
  local function begin(fn)
    logs.listen(fn, o.detail or false)
    functions[#functions + 1] = fn
  end
  local function finish()
    file.put(require("phial.emit.html").funcs(shown(functions, o.only), {}), o.output)
  end
  local problem = run(it, o, begin, finish)
  if not problem or #functions > 0 then finish() end
  if problem then failure.raise(1, problem) end
  return 0
end

-- }=====================================================================

--- Runs the subcommand.
function M.run(o)
  local it = input.open(input.single(o))
  options.only(o, o.html, "--html", "detail")
  for _, name in ipairs { "steps", "variable" } do options.one(o, "html", name) end
  local may_be_script = it.kind == "script" or it.kind == "unknown"
  if it.kind ~= "trace" and not may_be_script then input.refuse(it, "trace", "script") end
  if it.kind == "trace" and o.rest[1] then
    failure.refuse(o.rest[1] .. ": only a script can be followed by words, its arguments")
  end
  if o.html then return write_page(it, o) end
  local stories, problem = {}
  if it.kind == "trace" then
    stories, problem = story_of.replayed(it.text, it.name)
  else
    local function begin(fn) story_of.listen(stories, fn) end
    problem = run(it, o, begin, function() tell(stories, o) end)
  end
  tell(stories or {}, o)
  if problem and it.kind == "trace" then failure.at(2, problem, it.name, it.text) end
  if problem then failure.raise(1, problem) end
  if #stories == 0 then failure.raise(2, it.name .. ": the script has made no function") end
  check_names(stories, o)
  return 0
end

return M
