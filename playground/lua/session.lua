--- What the page asks of Lua: to run a program, once, and to show the functions that it has
--- made. Answers are JSON or text.
local watch = require "phial.playground.watch" -- before phial
local errors = require "phial.errors"
local languages = require "phial.playground.languages"
local phial = require "phial"
local write = require "phial.emit.json.write"

local M = {}

-- Native code needs a C compiler and dynamic loading, which a browser lacks.
package.preload["phial.native"] = function()
  return { compile = function() errors.raise "the playground has no C compiler" end }
end

-- The standard output, which programs may close or replace.
local stdout = io.stdout
local function flush() pcall(stdout.flush, stdout) end

-- What a program has written is also shown if it ends by os.exit.
local exit = os.exit
rawset(os, "exit", function(...)
  flush()
  exit(...)
end)

local watched, sources = {}, {}

local function answer(fields) return write.document({}, fields) end

--- The versions of what runs here.
---@return string
function M.version()
  return ("%s, %s"):format(phial._VERSION, _VERSION)
end

local function names()
  local list = {}
  for i, it in ipairs(watched) do
    list[i] = { name = it.fn:name(), finished = it.fn:is_finished() }
  end
  return list
end

--- Runs a program.
---@param language string
---@param name string
---@param text string
---@param words string
---@param construction string of functions that do not name one; "": the default
---@param rules string of functions that name none: "none", "int"; "": the default
---@return string json problems, functions, and the place of the one to be shown first
function M.run(language, name, text, words, construction, rules)
  sources = { [name] = text, [""] = text }
  watch.choose(construction, rules)
  local start = os.clock()
  local problems, functions, called = languages.run(language, name, text, words)
  local took = math.floor((os.clock() - start) * 1e6)
  flush()
  watched = watch.functions(functions)
  local first = watch.place(watched, called)
  return answer { problems = problems, made = names(), first = first, took = took }
end

local function chosen(number) return assert(watched[math.tointeger(tonumber(number))]) end

--- The SSA form of a function.
---@param number string
---@return string
function M.text(number) return chosen(number).fn:text() end

--- The page of a function.
---@param number string
---@param detail string "detail": with what look-ups do on their way
---@return string html
function M.page(number, detail)
  local it = chosen(number)
  local log = it.log and watch.shown(it.log, detail ~= "")
  return phial.emit.html(it.fn, { log = log, source = sources })
end

return M
