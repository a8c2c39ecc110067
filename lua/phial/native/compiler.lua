-- Runs a C compiler: writes a source into a new folder, makes a shared object there,
-- loads it, and removes all.
local core = require "phial.core"
local errors = require "phial.errors"

local M = {}

local SOURCE <const>, OBJECT <const>, MESSAGES <const> = "phial.c", "phial.so", "messages"

--
-- {== The command =====================================================
--

-- A word of a shell's command.
local function quoted(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

-- Appends words: a string is one word, or split at blanks.
local function append(list, it, splits)
  if type(it) == "table" then
    for _, word in ipairs(it) do list[#list + 1] = quoted(word) end
  elseif splits then
    for word in it:gmatch "%S+" do list[#list + 1] = quoted(word) end
  else
    list[#list + 1] = quoted(it)
  end
  return list
end

local function command(folder, opts)
  local words = append({}, opts.cc, false)
  append(words, { "-std=c11", "-fPIC", "-shared", "-o", folder .. "/" .. OBJECT,
    folder .. "/" .. SOURCE })
  return table.concat(append(words, opts.flags, true), " ")
end

-- }== Files ===========================================================

local function write(path, text)
  local file, why = io.open(path, "w")
  local done = file
  if file then
    done, why = file:write(text)
    local closed, also = file:close()
    if not closed then done, why = closed, why or also end
  end
  if not done then errors.raise("the C source cannot be written: %s", why) end
end

local function read(path)
  local file <close> = io.open(path)
  return file and file:read "a" or ""
end

local function remove(folder)
  for _, name in ipairs { SOURCE, OBJECT, MESSAGES } do os.remove(folder .. "/" .. name) end
  core.remove_folder(folder)
end

local function new_folder()
  local where = os.getenv "TMPDIR"
  if not where or where == "" then where = "/tmp" end
  local folder, why = core.folder(where .. "/phial-XXXXXX")
  if not folder then errors.raise("no folder can be made in '%s': %s", where, why) end
  return folder
end

-- }== Compiling =======================================================

-- Shells have these statuses for a command that they do not find or cannot run.
local NOT_FOUND <const>, NOT_RUN <const> = 127, 126

local function compile(folder, opts)
  local line = command(folder, opts)
  local to = quoted(folder .. "/" .. MESSAGES)
  local done, _, status = os.execute(("%s >%s 2>&1"):format(line, to))
  if done then return end
  local cc = type(opts.cc) == "table" and opts.cc[1] or opts.cc
  if status == NOT_FOUND or status == NOT_RUN then
    errors.raise("there is no C compiler '%s': set the option cc, or the variable CC", cc)
  end
  errors.raise("the C compiler '%s' failed:\n%s", cc, read(folder .. "/" .. MESSAGES))
end

--- Compiles a source and loads the result.
---@param source string
---@param opts phial.native.Options
---@param open fun(path: string): any, string? returns nil and why if it fails
---@return any
function M.load(source, opts, open)
  local folder = new_folder()
  local done, result = pcall(function()
    write(folder .. "/" .. SOURCE, source)
    compile(folder, opts)
    local library, why = open(folder .. "/" .. OBJECT)
    if not library then errors.raise("the native code cannot be loaded: %s", why) end
    return library
  end)
  remove(folder)
  if not done then error(result, 0) end
  return result
end

-- }====================================================================

return M
