--- The command phial: looks at functions, traces and rules from a shell. docs/command.md
-- describes it.
--
-- A subcommand is a module of this folder, with the fields of this class. It ends early by raising
-- a failure (failure.lua).
local errors = require "phial.errors"
local excerpt = require "phial.command.excerpt"
local failure = require "phial.command.failure"
local help = require "phial.command.help"
local options = require "phial.command.options"
local union = require("phial.options").union

local M = {}

---@class phial.command.Subcommand
---@field summary string a line for the list of all
---@field takes string the words after the options
---@field about string paragraphs, in lines
---@field formats? fun(): {[1]: string, [2]: string}[] what the first word can be, and what it means
---@field options phial.command.Row[]
---@field run fun(o: table): integer gets the options, returns the exit status
---@field takes_rest? boolean the words after `--` are not files
---@field first_ends? boolean nor are those after the first file

-- In the order in which they are listed.
local NAMES <const> = {
  "show", "run", "check", "rules", "replay", "explain", "flow", "reduce", "emit",
}
local IS_NAME <const> = {}
for _, name in ipairs(NAMES) do IS_NAME[name] = true end

--- What the command itself is.
M.about = [[
FILE may be - for standard input. What it holds is seen from its first line: a function or
module in the text form, a trace, or rules. `phial SUBCOMMAND --help` says more.
]]

--- The options that precede a subcommand.
---@type phial.command.Row[]
M.options = {
  { "--help", "lists the subcommands; after one of them, its options" },
  { "--version", "writes the version of phial, and of Lua" },
}

--- What the exit status says.
M.status = [[
The exit status is 0 if all is well, 1 if the answer is no (a rule is wrong, a function is
invalid or traps), 2 if the command line or a file is wrong, 3 if phial itself is.
]]

local function subcommand(name) return require("phial.command." .. name) end

--- The names and tables of all subcommands.
---@return {[1]: string, [2]: phial.command.Subcommand}[]
function M.subcommands()
  local list = {}
  for i, name in ipairs(NAMES) do list[i] = { name, subcommand(name) } end
  return list
end

local function usage()
  local rows = {}
  for i, it in ipairs(M.subcommands()) do rows[i] = { it[1], it[2].summary } end
  return ("usage: phial SUBCOMMAND [options] FILE ...\n%s\n%s\n%s\n%s"):format(help.columns(rows),
    M.about, help.columns(M.options), M.status)
end

local function write_out(text)
  require("phial.command.file").put(text)
  return 0
end

-- The options that all subcommands have.
local HELP <const> = { ["--help"] = "help", ["-h"] = "help" }

-- Standard input can be read only once.
local function check_input(o)
  local count = 0
  for _, path in ipairs { o.files[#o.files] or "", o.host or "", o.rules or "" } do
    count = count + (path == "-" and 1 or 0)
  end
  if count > 1 then failure.refuse "-: standard input can be read only once" end
end

local function dispatch(words)
  local name = words[1]
  if not name then failure.refuse "no subcommand given" end
  if name == "--help" or name == "-h" then return write_out(usage()) end
  if name == "--version" then
    return write_out(("%s (%s)\n"):format(require("phial")._VERSION, _VERSION))
  end
  if not IS_NAME[name] then
    failure.refuse(("%s: no such subcommand%s"):format(name, errors.near(name, IS_NAME)))
  end
  local its = subcommand(name)
  local o, why = options.read(table.move(words, 2, #words, 1, {}), union(HELP,
    options.known(its.options)), its.first_ends)
  if not o then failure.refuse(why) end
  if o.help then return write_out(help.of(name, its)) end
  options.check_choices(o, its.options)
  if not its.takes_rest then table.move(o.rest, 1, #o.rest, #o.files + 1, o.files) end
  check_input(o)
  return its.run(o)
end

--- Runs the command.
---@param words string[] of the command line
---@return integer status for os.exit
function M.main(words)
  local ok, it = xpcall(dispatch, function(err) -- a failure is for the user, anything else a bug
    return failure.is(err) and err or debug.traceback("phial: " .. tostring(err), 2)
  end, words)
  if ok then return it end
  if not failure.is(it) then
    io.stderr:write(it, "\nThis is a mistake of phial's: please report it.\n")
    return 3
  end
  local message = excerpt.safe(it.message)
  if message ~= "" then io.stderr:write(it.usage and "phial: " or "", message, "\n") end
  if it.usage then
    io.stderr:write(("try 'phial %s--help'\n"):format(IS_NAME[words[1]] and words[1] .. " " or ""))
  end
  return it.status
end

return M
