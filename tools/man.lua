--- The man page of the command phial, made from what --help is made of.
local command = require "phial.command"
local file = require "tools.file"
local place = require "tools.place"

local ESCAPES <const> = {
  ["\\"] = "\\e", ["-"] = "\\-", ["'"] = "\\(aq", ["`"] = "\\(ga", ["^"] = "\\(ha", ["~"] = "\\(ti",
}

local function escaped(text) return (text:gsub("[\\'`^~-]", ESCAPES)) end

-- Paragraphs that blank lines separate.
local function paragraphs(text) return (escaped(text):gsub("\n\n", "\n.PP\n")) end

-- What a user replaces is in capitals.
local function synopsis(name, takes)
  return (".B %s\n[\\fIoptions\\fR] %s\n"):format(name,
    escaped(takes):gsub("%u+", "\\fI%0\\fR"))
end

-- Rows as items: the first word is to be typed, the second is replaced.
local function items(rows)
  local lines = {}
  for i, row in ipairs(rows) do
    local name, value = row[1]:match "^(%S+) ?(%S*)$"
    lines[i] = (".TP\n.B%s %s\n%s\n"):format(value ~= "" and "I" or "",
      escaped(name) .. (value ~= "" and ' " "' .. value or ""), escaped(row[2]))
  end
  return table.concat(lines)
end

local function section(name, its)
  return (".SS %s\n%s.PP\n%s%s%s"):format(name, synopsis("phial " .. name, its.takes),
    paragraphs(its.about), items(its.formats and its.formats() or {}), items(its.options))
end

-- The version and the date of the newest release.
local function release() return file.read "CHANGELOG.md":match "\n## %[(.-)%] %- (%S+)" end

-- Command lines of docs/command.md, where a spec runs them, with what they do.
local EXAMPLES <const> = {
  { "phial run gcd.ssa -- 48 36", "Runs a function with two arguments." },
  { "phial show --stats gcd.ssa", "Counts its blocks, values and phis." },
  { "phial check mine.rules", "Tells which rules are wrong, and for which values." },
  { "phial explain --variable n sum.sst", "Tells why a variable has phis." },
  { "phial replay --stats --construction cytron sum.sst",
    "Constructs the functions of a trace by another algorithm." },
}

local function examples()
  local page, lines = file.read "docs/command.md", {}
  for i, row in ipairs(EXAMPLES) do
    assert(page:find("$ " .. row[1], 1, true), row[1])
    lines[i] = (".TP\n.B %s\n%s\n"):format(escaped(row[1]), row[2])
  end
  return table.concat(lines)
end

-- The manual, and other programs that read what phial writes.
local function see_also()
  local url = place.read().url
  return [[
The manual, in the folder share/doc/phial of the installation, begins at docs/index.md;
docs/command.md describes the command.
]] .. (url and url .. "\n" or "") .. [[
.PP
.BR lua (1),
.BR dot (1),
.BR cc (1),
.BR lli (1)
]]
end

--- The text of the page.
---@return string
return function()
  local sections = {}
  for i, it in ipairs(command.subcommands()) do sections[i] = section(it[1], it[2]) end
  local version, date = release()
  return ([[
.\" made from lua/phial/command by `make generate`
.TH PHIAL 1 %s "phial %s"
.SH NAME
phial \- looks at functions in SSA form, traces and rules
.SH SYNOPSIS
.B phial
.I SUBCOMMAND
%s.SH DESCRIPTION
%s.SH OPTIONS
%s.SH SUBCOMMANDS
%s.SH EXIT STATUS
%s.SH EXAMPLES
%s.SH SEE ALSO
%s]]):format(date, version, "[\\fIoptions\\fR] \\fIFILE\\fR ...\n", paragraphs(command.about),
    items(command.options), table.concat(sections), paragraphs(command.status),
    examples(), see_also())
end
