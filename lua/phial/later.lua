--- Functions whose files are loaded when they are first called: a program uses few of phial's.
--
-- Files are loaded with the `require` and the path by which phial was found. A program may since
-- have replaced them, so that scripts it runs cannot load what they like.

-- The globals that files use while they are loaded.
local KEPT <const> = { require = require, package = package, debug = debug }

local globals, package = _G, package or {} -- a host may have a `require` of its own
local path = package.path

local function load_module(name)
  local theirs, their_path = {}, package.path
  for key, it in pairs(KEPT) do
    theirs[key] = rawget(globals, key)
    rawset(globals, key, it)
  end
  package.path = path
  local ok, it = pcall(KEPT.require, name)
  package.path = their_path
  for key in pairs(KEPT) do rawset(globals, key, theirs[key]) end
  if not ok then error(it, 0) end
  return it
end

--- A function that stands for one of a module.
---@param module string
---@param name string its field
---@return function
return function(module, name)
  local f
  return function(...)
    f = f or load_module(module)[name]
    return f(...)
  end
end
