--- What subcommands read: files of several kinds, which are recognized by what they contain.
local algorithms = require "phial.trace.algorithms"
local core = require "phial.core"
local errors = require "phial.errors"
local excerpt = require "phial.command.excerpt"
local failure = require "phial.command.failure"
local file = require "phial.command.file"
local options = require "phial.options"
local phial = require "phial"
local values = require "phial.trace.values"

local M = {}

---@class phial.command.Input
---@field name string for messages
---@field text string
---@field kind "text"|"trace"|"rules"|"script"|"empty"|"unknown" empty: but for comments

-- {== Files ============================================================

local function read_file(path)
  local text, why = file.read(path)
  return text or failure.raise(2, why)
end

-- The name of a file in messages.
local function name_of(path) return path == "-" and "stdin" or path end

--- The only file of a command line.
---@param o table its options
---@return string path
function M.single(o)
  if not o.files[1] then failure.refuse "no file given" end
  if o.files[2] then failure.refuse(o.files[2] .. ": one file at a time") end
  return o.files[1]
end

-- The place of the first word outside comments.
local function first_word(text)
  local at = 1
  while true do
    at = text:match("^[ \t\r\v\f\n]*()", at)
    local behind = text:match("^%-%-[^\n]*()", at)
    if not behind then return at end
    at = behind
  end
end

-- The words with which the text form starts.
local STARTS <const> = { fn = true, internal = true, declare = true, module = true }

-- The kind of a file, by its first line.
local function kind_of(path, text)
  local line = text:match("^[^\n]*", first_word(text))
  if line == "" then return "empty" end
  if line:find "^F%s" and not line:find "=>" then return "trace" end
  local word = line:match "^(%l+)%s+[%a_\"]"
  if STARTS[word] then return "text" end
  if line:find "=>" then return "rules" end
  -- a script, or what was meant to be one
  return (path:find "%.lua$" or load(text, "=", "t")) and "script" or "unknown"
end

--- Reads a file.
---@param path string
---@return phial.command.Input
function M.open(path)
  local text = read_file(path)
  return { name = name_of(path), text = text, kind = kind_of(path, text) }
end

local KINDS <const> = {
  text = "a function or module in the text form", trace = "a trace", rules = "a set of rules",
  script = "a Lua script",
}

--- Ends the subcommand because a file is not of a kind that it takes.
---@param input phial.command.Input
---@param ... string the kinds that it takes
function M.refuse(input, ...)
  local wanted = {}
  for i, kind in ipairs { ... } do wanted[i] = KINDS[kind] end
  local expected = table.concat(wanted, " or ")
  local got = KINDS[input.kind]
  if got then
    failure.raise(2, ("%s: %s expected, this is %s%s"):format(input.name, expected, got,
      input.kind == "script" and ": 'phial explain' runs it" or ""))
  end
  if input.kind == "empty" then
    failure.raise(2, ("%s: %s expected, the file is empty"):format(input.name, expected))
  end
  local at = first_word(input.text)
  local before = input.text:sub(1, at - 1)
  local _, lines = before:gsub("\n", "")
  local place = ("%s:%d:%d"):format(input.name, lines + 1, at - (before:match "^.*()\n" or 0))
  failure.at(2, ("%s: %s expected"):format(place, expected), input.name, input.text)
end

-- }== The host =========================================================

local HOST <const> = { dialects = "table", env = "table", functions = "table", host = "table" }

--- What the host provides: the table with `dialects`, `env`, `functions` and `host` that a
--- script returns. Without a script, an empty table.
---@param path? string
---@return table
function M.host(path)
  if not path then return {} end
  local shown = name_of(path)
  local chunk, why = load(read_file(path), "@" .. shown, "t")
  if not chunk then failure.raise(2, why) end
  local ok, it = pcall(chunk, path)
  if not ok then failure.raise(2, tostring(it)) end
  if type(it) ~= "table" then failure.raise(2, shown .. ": returns no table") end
  for name, value in pairs(it) do
    if not HOST[name] then
      failure.raise(2, ("%s: unknown field '%s'%s; there are: dialects, env, functions, host")
        :format(shown, tostring(name), errors.near(tostring(name), HOST)))
    elseif type(value) ~= "table" then
      failure.raise(2, ("%s: field '%s': table expected, got %s"):format(shown, name,
        errors.got(value)))
    end
  end
  local is_list, wrong = pcall(core.list, it.dialects or {}, "field 'dialects'")
  if not is_list then failure.raise(2, ("%s: %s"):format(shown, core.refusal(wrong))) end
  return it
end

-- }== Functions ========================================================

---@class phial.command.Program
---@field input phial.command.Input
---@field functions phial.Function[]
---@field module? phial.Module

--- The functions of a trace, or of a text, which may use other dialects than those of the host.
---@param input phial.command.Input
---@param host table
---@return phial.command.Program
function M.program(input, host)
  if input.kind == "trace" then return M.replayed(input, host) end
  if input.kind ~= "text" then M.refuse(input, "text", "trace") end
  local dialects = { "any", table.unpack(host.dialects or {}) }
  local it, why = phial.parse(input.text, { file = input.name, dialects = dialects })
  if not it then failure.at(2, why, input.name, input.text) end
  if errors.class(it) == "phial.Function" then return { input = input, functions = { it } } end
  return { input = input, module = it, functions = it:functions() }
end

--- The functions of a trace.
---@param input phial.command.Input
---@param host table
---@param opts? phial.ReplayOptions without `dialects`, `host` and `file`
---@return phial.command.Program
function M.replayed(input, host, opts)
  local fns = { phial.replay(input.text, options.union(
    { file = input.name, dialects = host.dialects, host = host.host }, opts or {})) }
  if not fns[1] then failure.at(2, fns[2], input.name, input.text) end
  return { input = input, functions = fns }
end

local function refuse_name(input, name, names)
  failure.raise(2, ("%s: no function '%s'%s"):format(input.name, name, errors.near(name, names)))
end

--- The functions of a program that have a name, or all.
---@param program phial.command.Program
---@param name? string
---@return phial.Function[]
function M.chosen(program, name)
  if not name then return program.functions end
  local found, names = {}, {}
  for _, fn in ipairs(program.functions) do
    names[fn:name()] = true
    if fn:name() == name then found[#found + 1] = fn end
  end
  if #found > 0 then return found end
  refuse_name(program.input, name, names)
end

--- Of a trace, only the functions of a name, if one is given: the lines of others are empty, so
-- that lines keep their numbers, and nobody reads them.
---@param input phial.command.Input
---@param name? string
---@return phial.command.Input
function M.part(input, name)
  if not name or input.kind ~= "trace" then return input end
  local text, parts, names, from, is_chosen = input.text, {}, {}, 1, false
  local function pass(to) -- what precedes a place
    local part = text:sub(from, to - 1)
    parts[#parts + 1] = is_chosen and part or part:gsub("[^\n]+", "")
    from = to
  end
  for at, line in ("\n" .. text):gmatch "\n()([ \t\r\v\f]*F[ \t\r\v\f][^\n]*)" do
    pass(at - 1)
    local word = (values.split(line) or {})[2] or ""
    local its = word:byte() == 34 and values.unnamed(word) or word
    names[its], is_chosen = true, its == name
  end
  pass(#text + 1)
  if not names[name] then refuse_name(input, name, names) end
  return { name = input.name, kind = input.kind, text = table.concat(parts) }
end

--- The only function of a program, or that of the name.
---@param program phial.command.Program
---@param name? string|false
---@return phial.Function
function M.only(program, name)
  local fns = M.chosen(program, name)
  if #fns == 1 then return fns[1] end
  if #fns == 0 then failure.raise(2, program.input.name .. ": no functions") end
  failure.raise(2, ("%s: %d functions%s: --function chooses one"):format(program.input.name, #fns,
    name and (" '%s'"):format(name) or ""))
end

--- Ends the subcommand if a function is invalid, with all that is wrong.
---@param input phial.command.Input
---@param functions phial.Function[]
function M.refuse_invalid(input, functions)
  local messages, found = {}, nil
  for _, fn in ipairs(functions) do
    local ok, problems = fn:verify()
    for _, problem in ipairs(not ok and problems or {}) do
      found = found or input.kind == "text" and excerpt.places(input.text)
      local message = ("%s: %s"):format(fn:name(), problem)
      messages[#messages + 1] = excerpt.located(input, fn:name(), message, found)
    end
  end
  if #messages > 0 then failure.raise(1, table.concat(messages, "\n")) end
end

-- }== Rules ============================================================

--- The set of the rules of a file.
---@param input phial.command.Input
---@param host table
---@return phial.Rules
function M.rules(input, host)
  if input.kind ~= "rules" and input.kind ~= "unknown" then M.refuse(input, "rules") end
  local ok, rules, refused = failure.pcall(function()
    local set = phial.rules()
    for _, dialect in ipairs(host.dialects or {}) do set:attach(dialect) end
    return set:add(input.text, host.functions, input.name)
  end)
  if ok then return rules end
  if not refused then error(rules, 0) end
  failure.at(2, rules, input.name, input.text)
end

--- The rules by which a replay simplifies, as the options `rules` (a file, or int) and
--- `construction` say; false: none.
---@param o table
---@param host table
---@return phial.Rules|false
function M.rules_of_replay(o, host)
  if o.rules and algorithms.is_classical[o.construction] then
    failure.refuse("--rules: only with " .. table.concat(algorithms.variants, ", "))
  end
  if not o.rules then return false end
  return o.rules == "int" and phial.rules "int" or M.rules(M.open(o.rules), host)
end

-- }=====================================================================

return M
