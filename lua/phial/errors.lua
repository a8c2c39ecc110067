-- Errors, raised at the first frame outside this folder as by the C module: so the
-- line is the caller's, however deep the builder is nested.
--
-- In all functions, `method` is what the user called, as messages name it, and `i` the number of an
-- argument of it.
local core = require "phial.core"
local portable = require "phial.portable"

local M = {}

--- "file:line" of the first frame outside this folder.
---@return string
function M.place() return core.place() or "?" end

--- The function that is built by the running coroutine, if any; phial.build sets it.
---@return phial.Function?
function M.under_construction() end

--- Raises a formatted message. It ends with the frontend's location, " @ file:line:col",
--- if the function under construction has one. A message that ends with a list of places is raised
--- by core.raise.
---@param format string
function M.raise(format, ...)
  core.raise(format:format(...), M.under_construction())
end

-- The same about a function, with its own location.
local function raise_about(fn, format, ...) core.raise(format:format(...), fn) end

local KIND = { table = "a table", ["function"] = "a function", thread = "a thread" }

--- The class of a handle ("phial.Value", "phial.Block", ...), else nil.
---@param it any
---@return string?
function M.class(it)
  local mt = type(it) == "userdata" and getmetatable(it)
  return type(mt) == "table" and mt.__name or nil
end

--- The class of an object that is a table, as handles of the facade are; else nil.
---@param it any
---@return string?
function M.object(it)
  local mt = type(it) == "table" and getmetatable(it)
  local name = type(mt) == "table" and rawget(mt, "__name")
  return type(name) == "string" and name or nil
end

--- True if Lua can call it.
---@param it any
---@return boolean
function M.is_callable(it)
  local mt = getmetatable(it)
  return type(it) == "function" or type(mt) == "table" and mt.__call ~= nil
end

--- Describes an unexpected value: "i1 '%c'", "1.5", "a table".
---@param it any
---@return string
function M.got(it)
  local class = M.class(it)
  if class == "phial.Value" then return ("%s '%s'"):format(it:type() or "nothing", it) end
  class = class or M.object(it)
  if class then return "a " .. class end
  if type(it) == "string" then return portable.quoted(it) end
  return KIND[type(it)] or portable.tostring(it)
end

--- Raises that an argument is wrong.
---@param expected string
---@param got any the argument
---@param hint string?
function M.arg(method, i, expected, got, hint)
  M.raise("bad argument #%d to '%s' (%s expected, got %s%s)", i, method, expected, M.got(got),
    hint and ": " .. hint or "")
end

--- Raises unless an argument is a table of options: a table, which stands for nothing else.
function M.check_table(method, i, it)
  if type(it) ~= "table" or M.object(it) then M.arg(method, i, "table", it) end
end

--- Raises unless an argument is a string.
function M.check_string(method, i, it)
  if type(it) ~= "string" then M.arg(method, i, "string", it) end
end

--- phial.trap: raises from the eval of a dialect's op; what runs it adds the instruction and its
--- place.
---@param message string
function M.trap(message)
  if type(message) ~= "string" then M.arg("phial.trap", 1, "string", message) end
  error(message, 0)
end

--- Raises that a method was called on something else.
---@param class string
---@param got any
---@param hint string? " (use ':'?)"
function M.self(method, class, got, hint)
  M.raise("calling '%s' on bad self (%s expected, got %s)%s", method, class, M.got(got),
    hint or "")
end

--- Raises that the number of arguments of a method is wrong. Nils that exceed it are as if
--- absent.
---@param least integer
---@param most integer
---@param given integer those that precede the others
---@param ... any the others
function M.count(method, least, most, given, ...)
  local others = select("#", ...)
  while given + others > most and others > 0 and select(others, ...) == nil do
    others = others - 1
  end
  given = given + others
  if given >= least and given <= most then return end
  M.raise("wrong number of arguments to '%s' (%s expected, got %d)", method,
    least == most and least or ("%d to %d"):format(least, most), given)
end

--- Compiles Lua that phial has written.
---@param source string
---@param name string of the chunk
---@param what string who exceeds the limit
---@return function
function M.compile(source, name, what)
  local chunk, why = core.load(source, name)
  return chunk or M.raise("%s exceeds a limit of Lua: %s", what, why)
end

--- Makes a function for a method, which errors name in place of phial.fn.
---@param make fun(...): phial.Function phial.fn
---@param ... any its arguments
---@return phial.Function
function M.new_function(method, make, ...)
  local ok, it = pcall(make, ...)
  if ok then return it end
  if type(it) == "string" then it = it:gsub("to 'phial%.fn'", ("to '%s'"):format(method)) end
  error(it, 0)
end

--- Raises unless a phial function can run, or be written as code.
---@param fn phial.Function
---@param what string? what it is finished for
function M.check_finished(fn, what)
  if fn:is_finished() then return end
  if fn:is_declaration() then
    M.raise("function '%s' is a declaration: it has no body", fn:name())
  elseif core.is_frozen(fn) then
    M.raise("function '%s' was parsed from the text of an unfinished function: it can be read, "
      .. "not changed", fn:name())
  end
  raise_about(fn, "function '%s' is not finished: call %s:finish() before it can %s", fn:name(),
    fn:module() and "m" or "fn", what or "run")
end

--- Raises if m:finish() refused a module, and has not accepted it since.
---@param state phial.module.State
---@param what string what is to be done with it: "compiled"
function M.check_accepted(state, what)
  if not state.is_refused then return end
  M.raise("module '%s' cannot be %s: m:finish() refused it, and must be called again", state.name,
    what)
end

--- Raises unless it is a function that can still be watched from its beginning: the frontend has
--- not used it. With the option `copies` the entry has a copy per parameter.
---@param fn any
---@param how string "log", "record"
function M.check_untouched(fn, how)
  if M.class(fn) ~= "phial.Function" then M.arg("phial." .. how, 1, "phial.Function", fn) end
  local blocks, insts = 0, fn:entry():insts()
  local used = #insts > #fn:params()
  for _ in fn:blocks() do blocks = blocks + 1 end
  for _, v in ipairs(insts) do used = used or v:op() ~= "copy" or not v:var() end
  if not used and blocks == 1 then return end
  raise_about(fn, "function '%s' has blocks or instructions already: %s it right after phial.fn",
    fn:name(), how)
end

--- Raises unless an argument is a function.
---@param hint string?
function M.check_function(method, i, it, hint)
  if type(it) ~= "function" then M.arg(method, i, "function", it, hint) end
end

--- " any more: use ..." if the class had something of that name before 0.9.0, ": use ..." if other
--- libraries have it, else nil.
---@param class string "phial.Builder"
---@param name string
---@return string?
function M.now(class, name) return core.now(class, name) end

--- The __index of phial: a name that `now` answers raises when it is called; others are nil.
---@param name any
---@return function?
function M.old_field(_, name)
  local now = type(name) == "string" and M.now("phial", name)
  return now and function() M.raise("there is no phial.%s%s", name, now) end or nil
end

--- " (did you mean 'x'?)" if one of the names is similar, else "".
---@param name string
---@param names table<string, any> a set
---@return string
function M.near(name, names)
  local meant = #name > 1 and core.similar(names, name) -- one letter is near any other
  return meant and (" (did you mean '%s'?)"):format(meant) or ""
end

return M
