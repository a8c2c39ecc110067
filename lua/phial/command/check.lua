--- phial check: verdicts on rules.
local excerpt = require "phial.command.excerpt"
local failure = require "phial.command.failure"
local file = require "phial.command.file"
local input = require "phial.command.input"
local options = require "phial.command.options"

local M = {
  summary = "checks rules: which are wrong, which are useless",
  usage = [[
usage: phial check [options] FILE
Gives a verdict on each rule of FILE, and names rules that are suspicious: duplicates, and those
that are never applied or might be applied forever. The exit status is 1 if a rule is wrong or
never applies.

  --quiet        writes only what is wrong or suspicious
  --strict       rules that are only tested must be marked '@ tested'
  --div ub       what a division by zero gives is undefined; default: trap
  --shift zero   what a shift by the width or more gives; or undef; default: mod
  --width N      all widths up to N are tried; default: 4
  --limit N      all values are tried if the variables have at most N bits; default: 12
  --cases N      else so many samples; default: 5000
  --host FILE    functions and dialects: a Lua script that returns them
]],
  options = {
    ["--quiet"] = "quiet", ["--strict"] = "strict",
    ["--div"] = { "div" }, ["--shift"] = { "shift" }, ["--width"] = { "width" },
    ["--limit"] = { "limit" }, ["--cases"] = { "cases" }, ["--host"] = { "host" },
  },
}

-- The options of Rules:check.
local function check_options(o)
  options.check_choice(o, "div", { "trap", "ub" })
  options.check_choice(o, "shift", { "mod", "zero", "undef" })
  local opts = { strict = o.strict, div = o.div, shift = o.shift }
  for _, name in ipairs { "width", "limit", "cases" } do opts[name] = options.integer(o, name) end
  return opts
end

-- Ends the subcommand because Rules:check refuses its options, or cannot run.
local function refuse(it, why)
  local option, wanted = why:match "%(option '(%l+)': (.*)%)$"
  if option then failure.refuse(("--%s: %s"):format(option, wanted)) end
  failure.raise(2, ("%s: %s"):format(it.name, why))
end

-- Returns a function that puts the place of its rule before a verdict. It takes verdicts in the
-- order of the rules; that of a nameless rule has its place already.
local function finder(it)
  local text, at, number = "\n" .. it.text, 1, 0
  local function line_of(place)
    local _, lines = text:sub(at, place):gsub("\n", "")
    at, number = place + 1, number + lines
    return number
  end
  return function(verdict)
    local name = verdict:match "^([A-Za-z_][A-Za-z0-9_]*): "
    local place = name and text:find("\n[ \t]*" .. name .. "[ \t]*:[ \t\r\n]", at)
    if not place then return verdict end
    return ("%s:%d: %s"):format(it.name, line_of(place), verdict)
  end
end

-- True if a verdict says that its rule is wrong, never applies or is marked as what it is not.
local function is_bad(verdict)
  local said = verdict:gsub("^[^ ]*: ", "", 1)
  return said:find "^wrong" or said:find "^never applies" or said:find("'@ tested' says", 1, true)
end

-- Splits verdicts: messages about rules that are bad, lines about the others; and the set of all.
local function split(it, verdicts, quiet)
  local wrong, lines, said, place = {}, {}, {}, finder(it)
  for _, verdict in ipairs(verdicts) do
    local placed = place(verdict)
    said[verdict] = true
    if is_bad(verdict) then
      wrong[#wrong + 1] = excerpt.shown(placed, it.name, it.text)
    elseif not quiet then
      lines[#lines + 1] = verdict .. "\n"
    end
  end
  return wrong, lines, said
end

--- Runs the subcommand.
---@param o table its options
---@return integer status
function M.run(o)
  local path, opts, host = input.single(o), check_options(o), input.host(o.host)
  local it = input.open(path)
  local rules = input.rules(it, host)
  local ok, right, verdicts = failure.pcall(rules.check, rules, opts)
  if not ok then refuse(it, right) end
  local wrong, lines, said = split(it, verdicts, o.quiet)
  local _, suspicious = rules:lint()
  for _, why in ipairs(suspicious or {}) do
    if not said[why] then lines[#lines + 1] = why .. "\n" end
  end
  file.put(table.concat(lines))
  if not right then failure.raise(1, table.concat(wrong, "\n")) end
  return 0
end

return M
