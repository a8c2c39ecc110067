--- The C programs that serve as input, unpacked from Debian's source packages.
local quoted = require("bench.lib.corpus").quoted
local tools = require "bench.lib.llvm.tools"

local M = {}

---@class llvm.Program
---@field name string
---@field folder string of its package
---@field files string[] paths of C files
---@field flags string of the preprocessor

local function paths(folder, names)
  local list = {}
  for name in names:gmatch "%S+" do list[#list + 1] = ("%s/%s.c"):format(folder, name) end
  return list
end

local function all_in(folder)
  local list = {}
  for path in tools.must("ls %s/*.c", folder):gmatch "[^\n]+" do list[#list + 1] = path end
  return list
end

--- The folder with the headers that gzip's own build makes. Debian's patches are
--- newer than what autoconf has made of their files, which is used nevertheless.
local function configured(folder)
  local built = tools.scratch .. "/gzip"
  if not tools.run(("test -f %s/version.h"):format(built)) then
    tools.must("mkdir -p %s", built)
    tools.must("top=$(realpath %s) && cd %s && \"$top\"/configure >configure.out 2>&1 && "
      .. "set -- ACLOCAL=: AUTOCONF=: AUTOHEADER=: AUTOMAKE=: && "
      .. "make \"$@\" -C lib >make.out 2>&1 && make \"$@\" version.h >>make.out 2>&1",
      folder, built)
  end
  return built
end

--- The folder with sqlite3.c and shell.c, which sqlite's own build makes of its sources.
local function amalgamation(folder)
  local built = tools.scratch .. "/amalgamation"
  if not tools.run(("test -f %s/sqlite3.c -a -f %s/shell.c"):format(built, built)) then
    tools.must("mkdir -p %s", built)
    tools.must("top=$(realpath %s) && cd %s && \"$top\"/configure >configure.out 2>&1 && "
      .. "make sqlite3.c shell.c >make.out 2>&1", folder, built)
  end
  return built
end

local FILES = {
  lua = function(folder) return all_in(folder .. "/src"), "-DLUA_USE_POSIX -DLUA_USE_DLOPEN" end,
  bzip2 = function(folder)
    return paths(folder, "blocksort huffman crctable randtable compress decompress bzlib bzip2 "
      .. "bzip2recover"), "-D_FILE_OFFSET_BITS=64"
  end,
  zlib = function(folder)
    local list = paths(folder, "adler32 crc32 deflate infback inffast inflate inftrees trees "
      .. "zutil compress uncompr gzclose gzlib gzread gzwrite test/example test/minigzip")
    return list, "-DHAVE_UNISTD_H -I" .. quoted(folder)
  end,
  gzip = function(folder)
    local built = configured(folder)
    local flags = { "-DHAVE_CONFIG_H" }
    for _, path in ipairs { built, built .. "/lib", folder, folder .. "/lib" } do
      flags[#flags + 1] = "-I" .. quoted(path)
    end
    return paths(folder, "bits deflate gzip inflate trees unlzh unlzw unpack unzip util zip"),
      table.concat(flags, " ")
  end,
  sqlite = function(folder) return paths(amalgamation(folder), "sqlite3 shell"), "" end,
}

M.names = { "lua", "bzip2", "zlib", "sqlite" }

--- The names of the packages.
M.packages = { lua = "lua5.4", bzip2 = "bzip2", zlib = "zlib", sqlite = "sqlite3", gzip = "gzip" }

--- A program whose package is unpacked in a folder.
---@param folder string
---@param name string
---@return llvm.Program
function M.program(folder, name)
  local found = tools.must("ls -d %s/" .. M.packages[name] .. "-*/", folder):match "[^\n]*[^/\n]"
  local files, flags = FILES[name](found)
  return { name = name, folder = found, files = files, flags = flags }
end

--- Compiles a file of a program to LLVM IR, once; returns its path without ".ll".
---@param with llvm.Tools
---@param program llvm.Program
---@param path string
---@return string
function M.compiled(with, program, path)
  local folder = ("%s/ll-%d/%s"):format(tools.scratch, with.version, program.name)
  local base = ("%s/%s"):format(folder, path:match "([^/]+)%.c$")
  if not tools.run("test -f " .. quoted(base .. ".ll")) then
    tools.must("mkdir -p %s", folder)
    tools.must(tools.clang_ir(with) .. " " .. program.flags .. " %s -o %s", path, base .. ".tmp")
    tools.must("mv %s %s", base .. ".tmp", base .. ".ll")
  end
  return base
end

return M
