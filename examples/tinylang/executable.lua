-- An executable: the program in C, and a main function that initialises the modules,
-- calls a procedure with the words of the command line, and prints the result.
local entry = require "tinylang.entry"
local mangle = require "tinylang.mangle"
local phial = require "phial"

local M = {}

local HEAD = [[
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
]]

local READERS = {
  INTEGER = [[
static int64_t read_INTEGER(const char *word) {
  char *end;
  errno = 0;
  long long value = strtoll(word, &end, 10);
  if (end == word || *end || errno) {
    fprintf(stderr, "%s: not an INTEGER\n", word);
    exit(1);
  }
  return value;
}
]],
  BOOLEAN = [[
static bool read_BOOLEAN(const char *word) {
  bool value = strcmp(word, "TRUE") == 0;
  if (!value && strcmp(word, "FALSE") != 0) {
    fprintf(stderr, "%s: not a BOOLEAN\n", word);
    exit(1);
  }
  return value;
}
]],
}

local TYPES = { INTEGER = "int64_t", BOOLEAN = "bool" }
local PRINT = {
  INTEGER = '  printf("%%" PRId64 "\\n", %s);',
  BOOLEAN = '  puts(%s ? "TRUE" : "FALSE");',
}

local MAIN = [[
int main(int argc, char **argv) {
  if (argc != %d) {
    fprintf(stderr, "usage: %%s%s\n", argv[0]);
    return 1;
  }
%s
  return 0;
}
]]

-- What a program says when it stops, and where.
local TRAP = [[
#include <stdio.h>
#include <stdlib.h>
#define PHIAL_TRAP(why) (fputs(why "\n", stderr), exit(1))
]]

-- The declaration of a procedure in C.
local function declaration(symbol)
  local types = {}
  for i, parameter in ipairs(entry.parameters(symbol)) do types[i] = TYPES[parameter.type] end
  return ("%s %s(%s);\n"):format(TYPES[symbol.type] or "void", mangle.name(symbol),
    #types > 0 and table.concat(types, ", ") or "void")
end

-- The source of the main function.
local function main_of(program, symbol)
  local parts, readers, reads, usage = { HEAD }, {}, {}, ""
  for i, parameter in ipairs(entry.parameters(symbol)) do
    if not readers[parameter.type] then parts[#parts + 1] = READERS[parameter.type] end
    readers[parameter.type] = true
    reads[i] = ("read_%s(argv[%d])"):format(parameter.type, i)
    usage = usage .. " " .. parameter.name
  end
  local lines = {}
  for _, name in ipairs(program.initialisers) do
    parts[#parts + 1] = ("void %s(void);\n"):format(name)
    lines[#lines + 1] = ("  %s();"):format(name)
  end
  if symbol.kind == "procedure" then
    parts[#parts + 1] = declaration(symbol)
    local call = ("%s(%s)"):format(mangle.name(symbol), table.concat(reads, ", "))
    lines[#lines + 1] = (PRINT[symbol.type] or "  %s;"):format(call)
  end
  parts[#parts + 1] = MAIN:format(#reads + 1, usage, table.concat(lines, "\n"))
  return table.concat(parts, "\n")
end

-- {== Files ===========================================================

local function quoted(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

local function write(path, text)
  local file, why = io.open(path, "w")
  local done
  if file then
    done, why = file:write(text)
    file:close()
  end
  return done, why
end

local function compile(sources, path)
  local files, words = {}, {}
  for i, text in ipairs(sources) do
    local name = os.tmpname()
    files[#files + 1], files[#files + 2], words[i] = name, name .. ".c", quoted(name .. ".c")
    local done, why = write(name .. ".c", text)
    if not done then return files, why end
  end
  local command = ("%s -std=c11 -O2 -o %s %s"):format(os.getenv "CC" or "cc", quoted(path),
    table.concat(words, " "))
  return files, not os.execute(command) and "the C compiler failed: " .. command or nil
end

-- }=====================================================================

--- Links an executable; needs a C compiler, `cc` or what the variable CC names.
---@param program tinylang.Program
---@param symbol tinylang.Symbol
---@param path string of the executable
---@return true?
---@return string? why
function M.link(program, symbol, path)
  local sources = { TRAP .. phial.emit.c(program.module), main_of(program, symbol) }
  local files, why = compile(sources, path)
  for _, file in ipairs(files) do os.remove(file) end
  if why then return nil, why end
  return true
end

return M
