--- The command phial: looks at functions, traces and rules from a shell. docs/command.md
-- describes it.
--
-- A subcommand is a module of this folder: `summary`, a line for the list of all; `usage`, what
-- --help writes; `options`, those that it takes; `run`, which gets them and returns the exit
-- status; `takes_rest` and `first_ends`, if the words behind `--`, or behind the first file, are
-- not files. It ends early by raising a failure (failure.lua).
local errors = require "phial.errors"
local excerpt = require "phial.command.excerpt"
local failure = require "phial.command.failure"
local options = require "phial.command.options"
local union = require("phial.options").union

local M = {}

-- In the order in which they are listed.
local SUBCOMMANDS <const> = { "show", "run", "check", "replay", "explain", "reduce", "emit" }

local USAGE <const> = [[
usage: phial SUBCOMMAND [options] FILE ...
%s
FILE may be - for standard input. What it holds is seen from its first line: a function or
module in the text form, a trace, or rules. `phial SUBCOMMAND --help` says more.

  --help     writes this
  --version  writes the version of phial, and of Lua

The exit status is 0 if all is well, 1 if the answer is no (a rule is wrong, a function is
invalid or traps), 2 if the command line or a file is wrong.
]]

local function subcommand(name) return require("phial.command." .. name) end

local function usage()
  local lines = {}
  for i, name in ipairs(SUBCOMMANDS) do
    lines[i] = ("  %-8s %s\n"):format(name, subcommand(name).summary)
  end
  return USAGE:format(table.concat(lines))
end

local function write_out(text)
  require("phial.command.file").put(text)
  return 0
end

-- The subcommand of a name that may be wrong.
local function chosen(name)
  local known = {}
  for _, it in ipairs(SUBCOMMANDS) do known[it] = true end
  if known[name] then return subcommand(name) end
  failure.refuse(("%s: no such subcommand%s"):format(name, errors.near(name, known)))
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
  local its = chosen(name)
  local o, why = options.read(table.move(words, 2, #words, 1, {}), union(HELP, its.options),
    its.first_ends)
  if not o then failure.refuse(why) end
  if o.help then return write_out(its.usage) end
  if not its.takes_rest then table.move(o.rest, 1, #o.rest, #o.files + 1, o.files) end
  check_input(o)
  return its.run(o)
end

-- Handles errors: a failure is for the user, anything else a bug.
local function traced(err)
  return failure.is(err) and err or debug.traceback("phial: " .. tostring(err), 2)
end

--- Runs the command.
---@param words string[] of the command line
---@return integer status for os.exit
function M.main(words)
  local ok, it = xpcall(dispatch, traced, words)
  if ok then return it end
  if not failure.is(it) then
    io.stderr:write(it, "\nThis is a mistake of phial's: please report it.\n")
    return 3
  end
  local message = excerpt.safe(it.message)
  if message ~= "" then io.stderr:write(it.usage and "phial: " or "", message, "\n") end
  if it.usage then
    local name = words[1] and package.loaded["phial.command." .. words[1]] and words[1]
    io.stderr:write(("try 'phial %s--help'\n"):format(name and name .. " " or ""))
  end
  return it.status
end

return M
