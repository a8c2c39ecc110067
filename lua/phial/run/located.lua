-- Where an error happened that generated code did not raise itself: in the eval of a
-- dialect's op, or because a recursion has used up the stack.
--
-- Nothing is noted while a function runs. When an error passes, a message handler looks
-- for the innermost generated function on the stack and its line; the instruction is
-- found by generating the source once more, with marks.
local core = require "phial.core"
local emit = require "phial.emit.lua"

local M = {}

local getinfo, running = debug.getinfo, coroutine.running
local version_of = core.Function.__index.version

--- Chunks of generated code have names that start with this.
M.CHUNK = "=[phial "

-- The most levels of the stack that are searched.
local LEVELS = 100

-- The most nested runs with a handler: each takes one of the 200 nested C calls that
-- Lua allows. Errors in deeper ones are located by these.
local NESTED = 16

---@class phial.run.Located an error and where it passed generated code
---@field why any
---@field owner phial.run.Owner?
---@field lines integer[] of its code, innermost first

---@class phial.run.Owner what is known about an instance
---@field fn phial.Function
---@field version integer
---@field code phial.run.Code
---@field fuel boolean

---@type table<function, phial.run.Owner>
local owners = setmetatable({}, { __mode = "k" })

--- Makes an instance known.
---@param instance function
---@param owner phial.run.Owner
function M.add(instance, owner) owners[instance] = owner end

--- Raises an error of what an instruction does.
---@param where string the instruction
---@param format string
function M.raise(where, format, ...)
  error(where .. ": " .. format:format(...), 0)
end

-- The message handler. It must do with the little stack that is left after an overflow.
local function locate(why)
  local lines = {}
  for level = 2, LEVELS do
    local at = getinfo(level, "Slf")
    if not at then break end
    if at.source:sub(1, #M.CHUNK) == M.CHUNK then
      lines[#lines + 1] = at.currentline
      if owners[at.func] then return { why = why, owner = owners[at.func], lines = lines } end
    end
  end
  return { why = why, lines = lines }
end

-- By line of the source, the instruction that calls something there.
local function find_marks(owner)
  local marks, by_line, n = {}, {}, 0
  local made = emit.generate(owner.fn, { fuel = owner.fuel }, marks)
  for line in made.source:gmatch "([^\n]*)\n" do
    n = n + 1
    local number = line:match "%-%-%[%[@(%d+)%]%]"
    by_line[n] = number and marks[tonumber(number)]
  end
  return by_line
end

local function mark_of(owner, lines)
  if not core.is_usable(owner.fn) or version_of(owner.fn) ~= owner.version then return nil end
  local code = owner.code
  code.marks = code.marks or find_marks(owner)
  for _, line in ipairs(lines) do
    if code.marks[line] then return code.marks[line] end
  end
end

-- Errors that have been explained pass through the runs around as they are.
local explained

-- The error with the instruction, if it belongs to one.
local function explain(located)
  local why, owner = located.why, located.owner
  if not owner or type(why) ~= "string" or why == explained then return why end
  local overflow = why:find "stack overflow"
  if not overflow and not owner.code.evals then return why end
  local mark = mark_of(owner, located.lines)
  if not mark or not (overflow or mark.eval) or why:sub(1, #mark.where) == mark.where then
    return why
  end
  if why:sub(1, #M.CHUNK - 1) == M.CHUNK:sub(2) then why = why:gsub("^.-%]:%d+: ", "") end
  explained = mark.where .. ": " .. why
  return explained
end

-- The number of runs with a handler, by coroutine.
local nested = setmetatable({}, { __mode = "k" })

local function finish(thread, n, ok, ...)
  nested[thread] = n
  if ok then return true, ... end
  local located = ...
  if type(located) ~= "table" or not located.lines then return false, located end
  return false, explain(located)
end

--- Calls an instance, as pcall does; errors have the instruction where they happened. Those in
--- deeply nested calls are raised unless `catches`.
---@param catches boolean
---@param instance function
---@return boolean, any
function M.call(catches, instance, ...)
  local thread = running()
  local n = nested[thread] or 0
  if n == NESTED and catches then return pcall(instance, ...) end
  if n == NESTED then return true, instance(...) end
  nested[thread] = n + 1
  return finish(thread, n, xpcall(instance, locate, ...))
end

return M
