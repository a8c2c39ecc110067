--- The languages of programs. Each runs a program, which prints, and returns what is wrong
--- with it; its functions, unless they are all that were made; and the one that is called.
local problems = require "phial.playground.problems"

local M, languages = {}, {}

-- {== Lua ==============================================================

-- Loads a program, of which a first line #! is left out, as lua5.4 does.
local function loaded(name, text) return load(text:gsub("^#[^\n]*", "", 1), "@" .. name, "t") end

--- A script that uses phial.
function languages.lua(name, text)
  local chunk, why = loaded(name, text)
  if not chunk then return { problems.of(name, why) } end
  rawset(_G, "arg", { [0] = name })
  chunk()
  return {}
end

--- Functions of Lua, as SSA form. They are not run.
languages["lua functions"] = function(name, text)
  local bytecode = require "luac.bytecode"
  local translate = require("luac.translate").translate
  local chunk, why = loaded(name, text)
  if not chunk then return { problems.of(name, why) } end
  local protos, names = require("luac.names").of(assert(bytecode.read(string.dump(chunk))))
  local functions = {}
  for _, proto in ipairs(protos) do
    local fn = translate(proto, names)
    functions[fn] = true
    local stats = fn:stats()
    print(("%s: blocks %d, phis %d"):format(fn:name(), stats.blocks, stats.phis))
  end
  return {}, functions
end

-- }== While ============================================================

-- "n=27 m=3" as names in order, and their values by name.
local function values(words)
  local grammar = require "while.grammar"
  local given, list = {}, {}
  for word in words:gmatch "%S+" do
    local name, text = word:match "^([%a_][%w_]*)=(.*)$"
    local value = math.tointeger(tonumber(text))
    if not value or not grammar.is_name(name) then
      return nil, ("%s: expected NAME=INTEGER"):format(word)
    end
    if not list[name] then given[#given + 1] = name end
    list[name] = value
  end
  return given, list
end

languages["while"] = function(name, text, words)
  local given, list = values(words)
  if not given then return { { text = list } } end
  local program, wrong = require("while.compile").compile(name, text, given)
  if not program then return problems.all(name, wrong) end
  wrong = require("while.undefined").reads(program)
  if #wrong == 0 then wrong[1] = require("while.run").run(program, given, list) end
  return problems.all(name, wrong), { [program.fn] = true }
end

-- }== tinylang =========================================================

-- Calls the procedure that "Module.Proc 1 2" names. Returns a message or nil, and its function.
local function call(program, words)
  local entry = require "tinylang.entry"
  local list = {}
  for word in words:gmatch "%S+" do list[#list + 1] = word end
  if #list == 0 then return nil end
  local symbol, why = entry.procedure(program, list[1])
  if not symbol then return why end
  local fn = program.module:get(require("tinylang.mangle").name(symbol))
  local arguments, misfit = entry.arguments(symbol, { table.unpack(list, 2) })
  if not arguments then return misfit, fn end
  local ok, result = require("tinylang.run").run(program, symbol, arguments)
  if not ok then return result, fn end
  if result ~= nil then print(entry.shown(result)) end
  return nil, fn
end

function languages.tinylang(name, text, words)
  local program, wrong = require("tinylang.compile").compile { { path = name, text = text } }
  if not program then return problems.all(name, wrong) end
  local functions = {}
  for _, fn in ipairs(program.module:functions()) do functions[fn] = true end
  local why, called = call(program, words)
  return problems.all(name, { why }), functions, called
end

-- }=====================================================================

--- Runs a program.
---@param language string
---@param name string of its file
---@param text string
---@param words string what its run is given
---@return playground.Problem[]
---@return table<phial.Function, true>? functions
---@return phial.Function? called
function M.run(language, name, text, words)
  return problems.catch(name, languages[language], name, text, words)
end

return M
