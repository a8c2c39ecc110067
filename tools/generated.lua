--- What is generated: builtin.c from builtin.rules, the hashes of the viewer of
--- phial.emit.html, the man page and the completions of the command, and parts of other files from
--- op.def, functions.def and place.txt. Such a part lies between two lines:
---
---     generated from FILE by `make generate`: NAME
---     end of what is generated
---
--- in comments of the file's language. Parts need the module phial.
local file = require "tools.file"
local place = require "tools.place"
local tables = require "tools.tables"
local viewer = require "tools.viewer"

local M = {}

local BUILTIN <const> = "src/core/rules/language/builtin.c"

--- The files that are generated, or have parts that are.
M.FILES = { BUILTIN, viewer.PATH, "types/phial.lua", "docs/text.md", "docs/rules.md",
  "README.md", "SECURITY.md", "share/man/man1/phial.1", "share/bash-completion/completions/phial",
  "share/zsh/site-functions/_phial", "share/fish/vendor_completions.d/phial.fish" }

local function all_ops() return require "phial".ops() end

-- --------------------------------------------------------------------- types

local NAMES <const> = { ["x:bxx"] = { "c", "a", "b" } }

-- What the signature says of the operands, as a sentence.
local TAKES <const> = {
  ["t:tt"] = "Both are integers of one type.", ["b:tt"] = "Both are integers of one type.",
  ["b:ee"] = "Both are integers of one type, or ptr.",
  ["p:pn"] = "a is a ptr, b an i64.", ["M:p"] = "a is a ptr.",
  ["-:pm"] = "a is a ptr, b of a type that memory holds.",
  ["-:ppn"] = "a and b are ptrs, c is an i64.", ["-:pyn"] = "a is a ptr, b an i8, c an i64.",
  ["f:ff"] = "Both are floats of one type.", ["b:ff"] = "Both are floats of one type.",
  ["t:t"] = "a is an integer.", ["f:f"] = "a is a float.", ["x:bxx"] = "Both are of one type.",
  ["I:i"] = "a is an integer.", ["G:i"] = "a is an integer.", ["I:g"] = "a is a float.",
  ["G:g"] = "a is a float.", ["w:w"] = "a is an integer of 16 bits or more.",
}

local function operands(row)
  local names = NAMES[row.signature] or { "a", "b", "c" }
  return { table.unpack(names, 1, #row.signature - 2) }
end

-- The text as lines of at most `most` bytes, each after a prefix.
local function wrapped(text, prefix, most)
  local lines, line = {}, prefix
  for word in text:gmatch "%S+" do
    if #line + 1 + #word > most then
      lines[#lines + 1], line = line, prefix
    end
    line = line .. " " .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

-- The ops that a frontend needs daily; values have operators for the others.
local CORE <const> = { Term = {}, Ops = {} }
for name in ("eq ne slt sle sgt sge feq flt"):gmatch "%S+" do
  CORE.Term[name], CORE.Ops[name] = true, true
end
for name in ("add sub mul sdiv srem band bor bxor shl shr sar ult ule fadd fsub fmul fdiv fle "
  .. "select zext sext trunc itof ftoi load store"):gmatch "%S+" do
  CORE.Ops[name] = true
end

-- The method of a class for an op; from: the first operand that is no self.
local function method(class, row, from)
  local takes = TAKES[row.signature]
  local lines = { CORE[class][row.name] and "--- *core*" or nil }
  lines[#lines + 1] = wrapped(row.text .. "." .. (takes and " " .. takes or ""), "---", 80)
  local params = { table.unpack(operands(row), from) }
  for _, name in ipairs(params) do
    lines[#lines + 1] = ("---@param %s phial.Operand"):format(name)
  end
  if row.signature:find "^%u" then
    params[#params + 1] = "type"
    lines[#lines + 1] = "---@param type string name of the result's type"
  end
  params[#params + 1] = "extra"
  lines[#lines + 1] = "---@param extra? phial.Extra"
  if row.signature:sub(1, 1) ~= "-" then lines[#lines + 1] = "---@return phial.Value" end
  lines[#lines + 1] = ("function %s:%s(%s) end"):format(class, row.name, table.concat(params, ", "))
  return table.concat(lines, "\n")
end

-- Ops that compute nothing from constants, but have methods like those that do.
local SIMPLE <const> = {
  copy = true, load = true, store = true, load_volatile = true, store_volatile = true,
  memcpy = true, memmove = true, memset = true, va_start = true, va_arg = true, va_copy = true,
  va_end = true,
}

local function methods(class, from)
  local out = {}
  for _, row in ipairs(all_ops()) do
    if row.class ~= "other" or SIMPLE[row.name] then out[#out + 1] = method(class, row, from) end
  end
  return "\n" .. table.concat(out, "\n\n") .. "\n"
end

-- ---------------------------------------------------------------------- docs

local function op_table()
  local lines = { "", "| op | signature | what it is |", "|---|---|---|" }
  for _, row in ipairs(all_ops()) do
    lines[#lines + 1] = ("| `%s` | `%s` | %s |"):format(row.name, row.signature,
      (row.text:gsub("|", "\\|")))
  end
  return table.concat(lines, "\n") .. "\n"
end

local USUAL <const> = 3

local function weights()
  local by, all = {}, {}
  for _, row in ipairs(all_ops()) do
    local w = row.weight
    if w > 0 and w ~= USUAL then
      if not by[w] then all[#all + 1], by[w] = w, {} end
      table.insert(by[w], row.name)
    end
  end
  table.sort(all)
  local lines = { "", "| weight | ops |", "|---|---|" }
  for _, w in ipairs(all) do
    lines[#lines + 1] = ("| %d | `%s` |"):format(w, table.concat(by[w], " "))
  end
  lines[#lines + 1] = ("| %d | all others |\n"):format(USUAL)
  return table.concat(lines, "\n")
end

local ARGUMENTS <const> = { NUMBERS = { "A", "B" }, TYPE = { "x" }, VALUE = { "x" },
  INTEGER = { "x" } }
local GIVES <const> = {
  NUMBER = "a number", SIZED = "an integer of that type", TRUTH = "a condition",
}

-- Those that one of the arguments has.
local function functions_of(wanted)
  local lines = { "", "| function | gives | |", "|---|---|---|" }
  for _, row in ipairs(tables.functions()) do
    local kind = row.argument == "TYPE" and "NUMBERS" or row.argument
    if kind == wanted then
      local args = table.concat(ARGUMENTS[row.argument], ", ", 1, row.count)
      lines[#lines + 1] = ("| `%s(%s)` | %s | %s |"):format(row.name, args, GIVES[row.result],
        row.text)
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

-- Where the source is, and who is told of a vulnerability.
local function source()
  local url = place.read().url
  return url and ("\nThe source is at <%s>: `git clone %s`.\n"):format(url, url)
    or "\nThe source is this tree, by git or as a tarball: it has no public place yet.\n"
end

local function address()
  local mail = place.read().mail
  return ("\nPlease report a vulnerability to %s, in private, before you publish it.\n"):format(
    mail and "<" .. mail .. ">" or "those who gave you phial")
end

--- By name: what the part is.
local parts = {
  ["methods of blocks"] = function() return methods("Ops", 1) end,
  ["methods of terms"] = function() return methods("Term", 2) end,
  ["source"] = source,
  ["address"] = address,
  ["ops"] = op_table,
  ["weights"] = weights,
  ["functions of constants"] = function() return functions_of "NUMBERS" end,
  ["functions of values"] = function() return functions_of "VALUE" end,
  ["facts"] = function() return functions_of "INTEGER" end,
}

-- --------------------------------------------------------------------- rules

-- The rules as C, without comments and columns: a string a line, since C has a limit for the length
-- of one.
local function rules_in_c()
  local lines = {}
  for line in file.read("src/core/rules/language/builtin.rules"):gmatch "([^\n]*)\n" do
    line = line:gsub("^%-%-.*", ""):gsub("  +", " ")
    lines[#lines + 1] = ('    "%s",'):format((line:gsub('[\\"]', "\\%0")))
  end
  return ([[
/* builtin.c: the rules that phial has: builtin.rules as C, by `make generate`.
**
** They are read when they are first asked for.
*/
#include "core/base/strbuf.h"
#include "phial/rules.h"

/* clang-format off */
static const char *const lines[] = {
%s
};
/* clang-format on */

void ph_ruleset_builtin(ph_strbuf *b) {
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    ph_strbuf_puts(ph_ptr(b), lines[i]);
    ph_strbuf_char(b, '\n');
  }
}
]]):format(table.concat(lines, "\n"))
end

-- --------------------------------------------------------------------- files

-- What belongs to the command: its man page, or the completions for a shell.
local function shared(what)
  if what == "man" then return require "tools.man"() end
  return require "tools.completions"[what]()
end

local MARKED <const> = "(generated from [%w.]+ by `make generate`: ([%w ]+%w)[^\n]*\n)"
  .. "(.-)(\n[^\n]*end of what is generated)"

--- What a file should hold, and what it holds.
---@param path string one of FILES
---@return string wanted
---@return string found
function M.renew(path)
  local text = file.read(path)
  if path == BUILTIN then return rules_in_c(), text end
  if path:find "^share/" then return shared(path:match "^share/(%l+)"), text end
  if path == viewer.PATH then return viewer.module(), text end
  return text:gsub(MARKED, function(start, name, _, last)
    return start .. assert(parts[name], name)() .. last
  end), text
end

return M
