--- Commands: clang, opt and lli of one version, the promotion that is to be witnessed, and running
--- them.
local build = require("bench.lib.tree").build
local quoted = require("bench.lib.corpus").quoted

local M = {}

local function here()
  local pipe <close> = assert(io.popen "pwd")
  return pipe:read "l"
end

--- The tree of phial, which is not the current folder in cc.lua.
M.root = select(2, ...):match "^(/.*)/bench/lib/llvm/tools%.lua$" or here()

local function absolute(path) return path:find "^/" and path or M.root .. "/" .. path end

-- Every command finds phial.
local ENVIRONMENT <const> = ("LUA_PATH=%s LUA_CPATH=%s; export LUA_PATH LUA_CPATH"):format(
  quoted(("%s/lua/?.lua;%s/lua/?/init.lua;;"):format(M.root, M.root)),
  quoted(absolute(build) .. "/?.so;;"))

--- The folder for all that is made.
M.scratch = "build/bench/llvm"

--- The promotion of examples/llvm.
M.ours = "lua5.4 examples/llvm/main.lua"

---@class llvm.Tools
---@field version integer
---@field pointers "typed"|"opaque"
---@field clang string
---@field opt string
---@field lli string

--- Runs a command; returns its output, or nil and its error output. A failure has something to
--- say in any case.
---@param command string
---@return string?
---@return string?
function M.run(command)
  local errors = os.tmpname()
  local pipe = assert(io.popen(("%s; { %s\n} 2>%s"):format(ENVIRONMENT, command, errors)))
  local out = pipe:read "a"
  local ok, how, status = pipe:close()
  local file <close> = assert(io.open(errors))
  local complaint = file:read "a"
  os.remove(errors)
  if ok then return out end
  if not complaint:find "%S" then complaint = ("%s %d: %s"):format(how, status, command) end
  return nil, complaint:sub(1, 2000)
end

--- The same, but a failure is an error.
---@param format string
---@param ... any words of the command, to be quoted; numbers are not
---@return string
function M.must(format, ...)
  local words = { ... }
  for i, word in ipairs(words) do
    if type(word) == "string" then words[i] = quoted(word) end
  end
  local command = format:format(table.unpack(words))
  local out, complaint = M.run(command)
  return out or error(("%s\n%s"):format(command, complaint), 0)
end

--- The tools of one version; nil if one is not installed.
---@param version integer
---@return llvm.Tools?
function M.of(version)
  local tools = { version = version, pointers = version >= 15 and "opaque" or "typed" }
  for _, name in ipairs { "clang", "opt", "lli" } do
    tools[name] = ("%s-%d"):format(name, version)
    if not M.run(("command -v %s"):format(tools[name])) then return nil end
  end
  return tools
end

--- The command that promotes the allocas of a file, which is its last argument.
---@param tools llvm.Tools
---@param rules boolean
---@return string
function M.promotion(tools, rules)
  return (M.ours:gsub("VERSION", tools.version)) .. (rules and " --rules" or "")
end

--- Promotes the allocas of a file; returns true, or nil and the complaint.
---@param tools llvm.Tools
---@param from string
---@param to string
---@param rules boolean
---@return boolean?
---@return string?
function M.promote(tools, from, to, rules)
  local out, complaint = M.run(("%s %s > %s"):format(M.promotion(tools, rules), quoted(from),
    quoted(to)))
  return out and true, complaint
end

--- What clang writes for a C file without optimisation, as a command.
---@param tools llvm.Tools
---@return string
function M.clang_ir(tools)
  return tools.clang .. " -O0 -Xclang -disable-O0-optnone -S -emit-llvm -w"
end

return M
