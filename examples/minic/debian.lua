-- debian.lua BUILD [TESTS]: compiles Lua and SQLite, Debian's source packages, by minic and the C
-- compiler, and runs them beside the programs that Debian ships: Lua with its test suite, which is
-- in the folder TESTS or comes from lua.org, and with minic itself; SQLite with the statements of
-- debian.sql, which leave the same database. Tells what is missing.
require "bench.lib.tree"
package.path = "examples/?.lua;" .. package.path
local file = require "spec.support.file"
local minic = require "minic.compile"
local now = require("bench.lib.system").now
local phial = require "phial"
local sources = require "bench.lib.llvm.sources"
local tools = require "bench.lib.llvm.tools"

local run, must = tools.run, tools.must
local build, tests = (arg[1] or error("a folder is missing", 0)) .. "/debian", arg[2]
local failed = false

local function report(same, format, ...)
  print((same and "" or "DIFFERS: ") .. format:format(...))
  failed = failed or not same
end

-- {== Compiling ========================================================

local FLAGS <const> = {
  lua = "-DLUA_USE_POSIX -DLUA_USE_DLOPEN",
  -- as Debian has it, without threads and modules, and with double instead of long double
  sqlite = "-DLONGDOUBLE_TYPE=double -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION=1 "
    .. "-DHAVE_ISNAN -DSQLITE_SECURE_DELETE -DSQLITE_ENABLE_COLUMN_METADATA "
    .. "-DSQLITE_ENABLE_FTS3 -DSQLITE_ENABLE_FTS3_PARENTHESIS -DSQLITE_ENABLE_FTS5 "
    .. "-DSQLITE_ENABLE_RTREE=1 -DSQLITE_SOUNDEX=1 -DSQLITE_ENABLE_DBSTAT_VTAB "
    .. "-DSQLITE_ENABLE_UPDATE_DELETE_LIMIT=1 -DSQLITE_LIKE_DOESNT_MATCH_BLOBS "
    .. "-DSQLITE_ENABLE_STMTVTAB -DSQLITE_ENABLE_MATH_FUNCTIONS",
}

local function fetch()
  for command in ("apt-get dpkg-source make cc tclsh lua5.4 sqlite3"):gmatch "%S+" do
    if not run("command -v " .. command) then error("missing: " .. command, 0) end
  end
  if not run(("ls %s/source/sqlite3-*/configure"):format(build)) then
    must("sh tools/sources %s lua5.4 sqlite3", build)
    must("mkdir -p %s/source && cd %s/source && for it in ../packages/*.dsc; do "
      .. "dpkg-source --no-check -x $it; done", build, build)
  end
  must("echo '#define DEB_HOST_MULTIARCH \"'$(dpkg-architecture -qDEB_HOST_MULTIARCH)'\"' "
    .. ">$(echo %s/source/lua5.4-*/src)/lua5.4-deb-multiarch.h", build)
end

-- Makes a program; its path.
local function compiled(name)
  local program, files = sources.program(build .. "/source", name), {}
  local clock, start = os.clock(), now()
  for _, path in ipairs(program.files) do
    local base = path:match "[^/]+$"
    if base ~= "luac.c" then
      files[#files + 1] = ("%s/%s-%s"):format(build, name, base)
      local text = assert(minic.preprocess(path, nil, FLAGS[name]))
      file.write(files[#files], phial.emit.c(assert(minic.compile(text, path))))
    end
  end
  print(("%s: %d files to C in %.1f s of processor, %.1f s"):format(name, #files,
    os.clock() - clock, now() - start))
  local made = ("%s/%s-by-minic"):format(build, name)
  must("cc -std=c11 -O1 -w -Wl,-E -o %s " .. table.concat(files, " ") .. " -lm -ldl", made)
  return must("realpath %s", made):match "[^\n]+"
end

-- }== Lua ==============================================================

-- The folder of the test suite; nil and why there is none.
local function suite(lua)
  if tests then return tests end
  local name = ("lua-%s-tests"):format(must("%s -v", lua):match "[%d.]+")
  local folder = build .. "/" .. name
  if run("ls " .. folder) then return folder end
  local got, why = run(("cd %s && curl -fsSL --max-time 60 https://www.lua.org/tests/%s.tar.gz "
    .. ">tests.tar.gz && tar xzf tests.tar.gz"):format(build, name))
  return got and folder, why
end

local function try_lua(lua)
  local folder, why = suite(lua)
  local function tried(by)
    local out = must("cd %s && %s -e _U=true all.lua 2>&1 || true", folder, by)
    return out:find "final OK !!!" and select(2, out:gsub("%*%*%* FILE", "")) or 0
  end
  if folder then
    local ours, theirs = tried(lua), tried "lua5.4"
    report(ours > 0 and ours == theirs, "lua: %d files of its test suite pass; Debian's: %d", ours,
      theirs)
  else
    print("missing: Lua's test suite; TESTS can name its folder: " .. why)
  end
  local function ssa(by)
    return must("%s examples/minic/main.lua examples/minic/programs/games.c --llvm", by)
  end
  report(ssa(lua) == ssa "lua5.4", "lua: minic, run by it, writes the same")
end

-- }== SQLite ===========================================================

-- What each statement shows, and what is in the database then.
local function answers(sqlite, statements)
  local lines, path = {}, build .. "/tried"
  for i, statement in ipairs(statements) do
    lines[i] = (".print \"\"\n.print == %d\n%s;\n"):format(i, statement)
  end
  file.write(path .. ".sql", table.concat(lines))
  local out = must("rm -f %s.db; %s %s.db <%s.sql 2>&1 || true", path, sqlite, path, path)
  local list = {}
  for i, text in (out .. "\n== "):gmatch "== (%d+)\n(.-)\n%f[=]" do list[tonumber(i)] = text end
  return list, file.read(path .. ".db")
end

local function try_sqlite(sqlite)
  local statements, same = {}, 0
  for line in io.lines "examples/minic/debian.sql" do statements[#statements + 1] = line end
  local ours, our_file = answers(sqlite, statements)
  local theirs, their_file = answers("sqlite3", statements)
  for i, statement in ipairs(statements) do
    if theirs[i] and ours[i] == theirs[i] then
      same = same + 1
    else
      report(false, "%s\n%s\n%s", statement, ours[i], theirs[i])
    end
  end
  report(same == #statements, "sqlite: %d of %d statements the same", same, #statements)
  report(our_file == their_file, "sqlite: databases of %d bytes", #our_file)
end

-- }=====================================================================

fetch()
try_lua(compiled "lua")
try_sqlite(compiled "sqlite")
os.exit(not failed)
