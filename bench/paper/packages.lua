--- The programs that are measured: Debian's source packages, fetched, unpacked and compiled.
local corpus = require "bench.lib.corpus"
local sources = require "bench.lib.llvm.sources"
local tools = require "bench.lib.llvm.tools"
local traces = require "bench.paper.traces"
local typed_traces = require "bench.paper.typed_traces"

local M = {}

--- The folder for all that is made.
M.scratch = "build/bench/paper"

M.names = { "gzip", "bzip2", "zlib", "lua", "sqlite" }
local NEEDED = { "dpkg-source", "make", "cc", "tclsh" }

---@class paper.Program
---@field name string
---@field version string of the package; "" for a program of the corpus
---@field files string[] paths of .ll files
---@field trace string path
---@field typed string? path of a trace with arithmetic

-- {== Fetching ==========================================================

local function described(folder, package)
  return tools.run(("ls %s/%s_*.dsc"):format(corpus.quoted(folder), package))
end

-- Fetches the packages that the folder has not; nil and the complaint if that fails.
local function fetch(folder)
  local list = {}
  for _, name in ipairs(M.names) do
    local package = sources.packages[name]
    if not described(folder, package) and not described(M.scratch .. "/packages", package) then
      list[#list + 1] = package
    end
  end
  if #list == 0 then return true end
  return tools.run(("sh tools/sources %s %s"):format(corpus.quoted(M.scratch),
    table.concat(list, " ")))
end

local function unpack_package(folder, package)
  local source = M.scratch .. "/source"
  tools.must("mkdir -p %s", source)
  if not tools.run(("ls -d %s/%s-*/"):format(source, package)) then
    local path = described(folder, package) or tools.must("ls %s/packages/" .. package .. "_*.dsc",
      M.scratch)
    tools.must("dsc=$(realpath %s) && cd %s && dpkg-source --no-check -x \"$dsc\" >/dev/null",
      path:match "[^\n]+", source)
  end
  return source
end

local function version_of(source, package)
  return tools.must("sed -n '1s/.*(\\(.*\\)).*/\\1/p' %s/" .. package .. "-*/debian/changelog",
    source):match "%S+"
end

-- }== Compiling =========================================================

local function compiled(with, folder, name)
  local package = sources.packages[name]
  local source = unpack_package(folder, package)
  local program, files = sources.program(source, name), {}
  for i, path in ipairs(program.files) do
    files[i] = sources.compiled(with, program, path) .. ".ll"
  end
  local base = ("%s/%s"):format(M.scratch, name)
  local trace, typed = base .. ".sst", base .. "-typed.sst"
  traces.write(files, trace)
  typed_traces.write(files, typed)
  return { name = name, version = version_of(source, package), files = files, trace = trace,
    typed = typed }
end

-- What is not installed, or nil.
local function missing(with)
  local list = {}
  if not with then list[1] = "clang, opt and lli 16 or 14" end
  for _, command in ipairs(NEEDED) do
    if not tools.run("command -v " .. command) then list[#list + 1] = command end
  end
  return #list > 0 and "Not installed: " .. table.concat(list, ", ") or nil
end

--- The programs, compiled; nil and why if that is not possible here.
---@param with llvm.Tools?
---@param folder string with packages that need not be fetched
---@param only string? the name of the only program
---@return paper.Program[]?
---@return string?
function M.programs(with, folder, only)
  local why = missing(with)
  if why then return nil, why end
  local ok, complaint = fetch(folder)
  if not ok then return nil, "The packages cannot be fetched: " .. complaint end
  local list = {}
  for _, name in ipairs(M.names) do
    if not only or only == name then list[#list + 1] = compiled(with, folder, name) end
  end
  return list
end

--- The programs of bench's own corpus, which has traces only.
---@return paper.Program[]
function M.of_corpus()
  local list = {}
  for i, name in ipairs(corpus.programs(corpus.folder)) do
    local trace = corpus.unpacked(corpus.folder, name)
    list[i] = { name = name, version = "", files = {}, trace = trace }
  end
  return list
end

-- }======================================================================

return M
