--- phial check: verdicts on rules, and on construction.
local algorithms = require "phial.trace.algorithms"
local excerpt = require "phial.command.excerpt"
local failure = require "phial.command.failure"
local file = require "phial.command.file"
local input = require "phial.command.input"
local options = require "phial.command.options"

local M = {
  summary = "checks rules: which are wrong, which are useless; or construction",
  takes = "FILE",
  about = [[
Gives a verdict on each rule of FILE, and names rules that are suspicious: duplicates, and those
that are never applied or might be applied forever. The exit status is 1 if a rule is wrong or
never applies. With --proved, FILE is a trace: its functions are constructed, and a checker that is
proved right compares them with the trace.
]],
  options = {
    { "--quiet", "writes only what is wrong or suspicious" },
    { "--strict", "rules that are only tested must be marked '@ tested'" },
    { "--div HOW", "what a division by zero gives: trap, or ub, undefined; default: trap",
      choices = { "trap", "ub" } },
    { "--shift HOW", "what a shift by the width or more gives: mod, zero or undef; default: mod",
      choices = { "mod", "zero", "undef" } },
    { "--width N", "all widths up to N are tried; default: 4" },
    { "--limit N", "all values are tried if the variables have at most N bits; default: 12" },
    { "--cases N", "else so many samples; default: 5000" },
    { "--host FILE", "functions and dialects: a Lua script that returns them" },
    { "--proved", "constructs the functions of a trace, and has them checked" },
    { "--rules", "with --proved: with the default rules; writes the lemmas that this supposes" },
    { "--construction NAME", "with --proved: by this algorithm", choices = algorithms.names },
  },
}

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
  return function(verdict)
    local name = verdict:match "^([A-Za-z_][A-Za-z0-9_]*): "
    local place = name and text:find("\n[ \t]*" .. name .. "[ \t]*:[ \t\r\n]", at)
    if not place then return verdict end
    local _, lines = text:sub(at, place):gsub("\n", "")
    at, number = place + 1, number + lines
    return ("%s:%d: %s"):format(it.name, number, verdict)
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

-- {== Construction ======================================================

-- The program of the folder proof, which the environment names.
local function checker()
  local path = os.getenv "PHIAL_PROOF"
  local program = path and io.open(path, "rb")
  if not program then
    failure.raise(2, "--proved: the checker is not there: `make proof COUNT=0` in the sources of "
      .. "phial makes it, and PHIAL_PROOF is its path")
  end
  program:close()
  return path
end

-- Calls f with the paths of files with these texts, which exist while it runs.
local function with_files(texts, f)
  local paths <close> = setmetatable({}, { __close = function(its)
    for _, path in ipairs(its) do os.remove(path) end
  end })
  for i, text in ipairs(texts) do
    paths[i] = os.tmpname()
    local done, why = file.write(paths[i], text)
    if not done then failure.raise(2, why) end
  end
  return f(table.unpack(paths))
end

-- What is compared. The lines of a trace are what was called only if it was recorded without rules.
local SOURCES <const> = {
  [false] = "%s: the trace, as it was called; constructed without rules\n",
  [true] = "%s: the trace, as it was called if it was recorded without rules; replayed with the "
    .. "default rules\n",
}

-- Constructs the functions of a trace, and lets the checker compare them.
local function prove(o, it, host)
  if it.kind ~= "trace" then input.refuse(it, "trace") end
  local program, with_rules, out = checker(), o.rules or false, {}
  local replayed = input.replayed(it, host, { construction = o.construction,
    rules = with_rules or nil })
  for i, fn in ipairs(replayed.functions) do
    out[i] = fn:text { positions = false }:gsub("^internal ", "")
  end
  return with_files({ it.text, table.concat(out) }, function(trace, text)
    local pipe <close> = assert(io.popen(("'%s' %s '%s' '%s'"):format(program,
      with_rules and "--rules --lemmas" or "", trace, text)))
    local said = pipe:read "a":gsub("[^\n]*", function(line)
      for _, path in ipairs { trace, text } do
        if line:sub(1, #path) == path then return it.name .. line:sub(#path + 1) end
      end
    end)
    file.put(SOURCES[with_rules]:format(it.name) .. said)
    return pipe:close() and 0 or 1
  end)
end

-- }=====================================================================

--- Runs the subcommand.
function M.run(o)
  options.only(o, o.proved, "--proved", "rules", "construction")
  options.only(o, not o.proved, "rules", "quiet", "strict", "div", "shift", "width", "limit",
    "cases")
  local path, opts = input.single(o), { strict = o.strict, div = o.div, shift = o.shift }
  for _, name in ipairs { "width", "limit", "cases" } do opts[name] = options.integer(o, name) end
  local host, it = input.host(o.host), input.open(path)
  if o.proved then return prove(o, it, host) end
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
