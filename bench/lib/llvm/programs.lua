--- Programs built by cc.lua from our LLVM IR: their own tests pass, and what they print is what the
--- same program prints that the C compiler of the machine has built.
local file = require "tools.file"
local quoted = require("bench.lib.corpus").quoted
local sql = require "bench.lib.llvm.sql"
local tools = require "bench.lib.llvm.tools"

local M = {}

---@class llvm.Build
---@field build string commands in a copy of the sources, where $CC is the compiler
---@field test? string commands that must succeed
---@field print? string[] commands whose output is compared; $TREE is the tree of phial

---@type table<string, llvm.Build>
local BUILDS = {
  bzip2 = {
    build = "make CC=\"$CC\" bzip2 bzip2recover",
    test = "make CC=\"$CC\" test",
    print = {
      "LD_LIBRARY_PATH=. ./bzip2 -9 <manual.ps | cksum",
      "LD_LIBRARY_PATH=. ./bzip2 -1 <blocksort.c | LD_LIBRARY_PATH=. ./bzip2 -ds | cksum",
      "cp sample1.bz2 t.bz2; LD_LIBRARY_PATH=. ./bzip2 -tvv t.bz2 2>&1; ./bzip2recover t.bz2 2>&1",
    },
  },
  zlib = {
    build = "CC=\"$CC\" ./configure && make",
    test = "make test",
    print = {
      "./minigzip <ChangeLog | cksum; ./minigzip -1 <ChangeLog | cksum; ./minigzip -h <deflate.c "
        .. "| cksum; ./minigzip -f <zlib.3.pdf | ./minigzip -d | cksum",
    },
  },
  -- Debian's makefile needs libtool.
  lua = {
    build = "cd src && for part in lua luac; do "
      .. "$CC -O2 -DLUA_COMPAT_5_3 -DLUA_USE_POSIX -DLUA_USE_DLOPEN -Wl,-E -o ../$part $part.c "
      .. "$(ls *.c | grep -v '^luac*\\.c$') -lm -ldl || exit 1; done",
    print = {
      "./lua $TREE/bench/lib/llvm/algorithms.lua",
      "cd $TREE && find lua bench examples spec tools -name '*.lua' | LC_ALL=C sort | "
        .. "while read -r f; do echo \"$f\"; $HERE/luac -s -o - \"$f\" | cksum; done",
      "cd $TREE && for f in examples/luac/*.lua lua/phial/*.lua; do "
        .. "$HERE/lua examples/luac/main.lua \"$f\"; done",
      "cd $TREE && $HERE/lua examples/tinylang/main.lua examples/tinylang/programs/gcd.mod --llvm",
      "cd $TREE && $HERE/lua examples/threading/main.lua examples/luac/*.lua; echo $?",
    },
  },
  sqlite = {
    build = "$CC -O2 -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_MATH_FUNCTIONS -o sqlite3 shell.c "
      .. "sqlite3.c -lm -ldl -lpthread",
    print = {
      "./sqlite3 -batch :memory: <small.sql 2>&1; echo $?",
      "rm -f t.db*; (echo 'PRAGMA journal_mode = WAL;'; cat large.sql) | "
        .. "./sqlite3 -batch t.db 2>&1; echo $?; ./sqlite3 t.db .dump | cksum; "
        .. "./sqlite3 t.db 'PRAGMA integrity_check'",
    },
  },
}

--- A fresh copy of the sources.
local function copied(program, mode)
  local to = ("%s/programs/%s-%s"):format(tools.scratch, program.name, mode)
  tools.must("rm -rf %s && mkdir -p %s", to, to)
  if program.name == "sqlite" then
    tools.must("cp %s %s %s", program.files[1], program.files[2], to)
    tools.must("cp $(dirname %s)/sqlite3.h %s", program.files[1], to)
    file.write(to .. "/small.sql", sql.script(300))
    file.write(to .. "/large.sql", sql.script(3000))
  else
    tools.must("cp -r %s/. %s", program.folder, to)
  end
  return to
end

--- A script that is cc.lua for one version and mode; its path and that of its log.
local function compiler(with, rules)
  local name = ("%s/%s/cc-%d%s"):format(tools.root, tools.scratch, with.version,
    rules and "-rules" or "")
  local log = name .. ".log"
  file.write(log, "")
  file.write(name, ("#!/bin/sh\nexec lua5.4 %s %s %d %s %s \"$PWD\" \"$@\"\n"):format(
    quoted(tools.root .. "/bench/lib/llvm/cc.lua"), quoted(tools.root), with.version, quoted(log),
    quoted(tools.promotion(with, rules))))
  tools.must("chmod +x %s", name)
  return name, log
end

--- Runs commands in a folder; returns their output, or nil and the complaint.
local function inside(folder, cc, commands)
  return tools.run(("export CC=%s TREE=%s; cd %s; export HERE=\"$PWD\"; %s"):format(quoted(cc),
    quoted(tools.root), quoted(folder), commands))
end

--- The first line in which two texts differ.
local function difference(ours, theirs)
  local next_line = theirs:gmatch "([^\n]*)\n?"
  for line in ours:gmatch "([^\n]*)\n?" do
    local other = next_line()
    if line ~= other then return ("%s instead of %s"):format(line, other or "nothing") end
  end
  return "the end is missing"
end

--- The lines of the log: how many files were compiled, and the complaints.
local function logged(log)
  local count, complaints = 0, {}
  for line in file.read(log):gmatch "[^\n]+" do
    if line:find "^ok " then count = count + 1 else complaints[#complaints + 1] = line end
  end
  return count, complaints
end

local function built(program, mode, cc)
  local plan, folder = BUILDS[program.name], copied(program, mode)
  local ok, complaint = inside(folder, cc, "{ " .. plan.build .. "\n} >build.out")
  if ok and plan.test then
    ok, complaint = inside(folder, cc, "{ " .. plan.test .. "\n} >test.out")
  end
  return ok and folder, complaint
end

--- Builds and tries a program; returns the number of C files from our LLVM IR and the problems.
---@param with llvm.Tools
---@param program llvm.Program
---@param rules boolean
---@return integer
---@return string[]
function M.check(with, program, rules)
  local reference, complaint = built(program, "reference", "cc")
  if not reference then return 0, { "reference: " .. complaint } end
  local cc, log = compiler(with, rules)
  local ours
  ours, complaint = built(program, rules and "rules" or "plain", cc)
  local count, problems = logged(log)
  if not ours then problems[#problems + 1] = complaint end
  for _, command in ipairs(ours and BUILDS[program.name].print or {}) do
    local theirs = inside(reference, "cc", command)
    local mine, why = inside(ours, cc, command)
    if not mine or mine ~= theirs then
      problems[#problems + 1] = ("%s: %s"):format(command, why or difference(mine, theirs or ""))
    end
  end
  return count, problems
end

return M
