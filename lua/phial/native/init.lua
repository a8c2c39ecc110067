--- phial.native: functions as native code. Their C is compiled into a shared object, in
-- a folder of its own that is removed as soon as the object is loaded.
local callees = require "phial.code.callees"
local core = require "phial.core"
local emit = require "phial.emit.c"
local errors = require "phial.errors"
local global = require "phial.module.global"
local hosts = require "phial.emit.c.hosts"
local memory = require "phial.native.memory"
local module = require "phial.module"
local options = require "phial.options"
local runtime = require "phial.run.runtime"
local shell = require "phial.shell"
local signature = require "phial.signature"

local M = {}

---@class phial.native.Options
--- The compiler, a name or path, or a list of it and its first arguments (default: what
--- the environment variable CC says, or "cc").
---@field cc? string|string[]
--- Further arguments, in a string separated by blanks, or a list (default: "-O2").
---@field flags? string|string[]
---@field traps? "checked"|"undefined" as for `phial.emit.c`
---@field lines? boolean as for `phial.emit.c`
---@field env? table the functions of Lua that are called by name
---@field stack? integer the bytes that a recursion may take (default: half of the limit)

local SOURCE <const>, OBJECT <const>, MESSAGES <const> = "phial.c", "phial.so", "messages"

-- The least stack of a recursion.
local LEAST <const> = 4096

local KNOWN <const> = {
  cc = true, flags = true, traps = { "checked", "undefined" }, lines = "boolean",
  env = "table", stack = { LEAST },
}

-- {== Options =========================================================

-- Checks an option that is a string, or a list of strings, and returns it.
local function take_words(name, it)
  if type(it) == "table" then it = core.list(it, ("option '%s'"):format(name)) end
  for _, word in ipairs(type(it) == "table" and it or { it }) do
    if type(word) ~= "string" then
      errors.raise("option '%s': string or list of strings expected, got %s", name, errors.got(it))
    elseif word:find("\0", 1, true) then
      errors.raise("option '%s': words without NUL expected, got %s", name, errors.got(word))
    end
  end
  return it
end

local function check_command(cc)
  local word = cc
  if type(cc) == "table" then word = cc[1] end
  if word and word ~= "" then return end
  errors.raise("option 'cc': a command expected, got %s", word == cc and '""'
    or word and 'a list that starts with ""' or "a list without words")
end

local function take_options(opts)
  if opts == nil then opts = {} end
  errors.check_table("compile", 1, opts)
  opts = options.take("", opts, KNOWN)
  local usual = os.getenv "CC"
  opts.cc = take_words("cc", opts.cc or usual ~= "" and usual or "cc")
  check_command(opts.cc)
  opts.flags = take_words("flags", opts.flags or "-O2")
  return opts
end

-- }== Functions =======================================================

-- Those that Lua can call: it cannot give further arguments.
local function callable(functions)
  local list = {}
  for _, fn in ipairs(functions) do
    if not fn:is_variadic() then list[#list + 1] = fn end
  end
  return list
end

-- Why Lua cannot call functions of a module, by name.
local function hidden_of(what)
  local why = {}
  for _, fn in ipairs(module.state(what) and what:functions() or {}) do
    why[fn:name()] = fn:linkage() == "internal" and "internal"
      or fn:is_variadic() and "variadic, so that only native code calls it" or nil
  end
  return why
end

-- Those that are compiled: a function, those of a module, or a list of functions.
local function functions_of(what)
  if module.state(what) then return callable((emit.visible(what))) end
  local is_one, by_name = errors.class(what) == "phial.Function", {}
  if not is_one and type(what) ~= "table" then
    errors.arg("compile", 1, "phial.Function or list", what)
  end
  local list = is_one and { what } or core.list(what, "'compile'")
  for i, fn in ipairs(list) do
    if errors.class(fn) ~= "phial.Function" then
      errors.arg("compile", 1, "list of functions", fn, "element " .. i)
    end
    if fn:is_variadic() then
      errors.raise("function '%s' is variadic: native code calls it, Lua cannot", fn:name())
    end
    if by_name[fn:name()] then errors.raise("two functions are named '%s'", fn:name()) end
    by_name[fn:name()] = true
  end
  return list
end

local function letters(of)
  local text = {}
  for i, param in ipairs(of.params) do text[i] = hosts.LETTERS[param.type] end
  return table.concat(text) .. ":" .. (of.result or ""):gsub("(%w+)[, ]*", hosts.LETTERS)
end

-- }== The compiler ====================================================

local quoted = shell.quoted

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
  append(words, { "-std=c11", "-fPIC", "-shared", "-Werror=implicit-function-declaration", "-o",
    folder .. "/" .. OBJECT, folder .. "/" .. SOURCE })
  return table.concat(append(words, opts.flags, true), " ")
end

-- }== Its files ==========================================================

local function write_file(path, text)
  local file, why = io.open(path, "w")
  local done = file
  if file then
    done, why = file:write(text)
    local closed, also = file:close()
    if not closed then done, why = closed, why or also end
  end
  if not done then errors.raise("the C source cannot be written: %s", why) end
end

local function remove(folder)
  for _, name in ipairs { SOURCE, OBJECT, MESSAGES } do os.remove(folder .. "/" .. name) end
  core.remove_folder(folder)
end

local function new_folder()
  local parent = os.getenv "TMPDIR"
  if not parent or parent == "" then parent = "/tmp" end
  local folder, why = core.folder(parent .. "/phial-XXXXXX")
  if not folder then errors.raise("no folder can be made in '%s': %s", parent, why) end
  return folder
end

-- }== Compiling =======================================================

local function run_compiler(folder, opts)
  local line = command(folder, opts)
  local to = quoted(folder .. "/" .. MESSAGES)
  local done, _, status = os.execute(("%s >%s 2>&1"):format(line, to))
  if done then return end
  local cc = type(opts.cc) == "table" and opts.cc[1] or opts.cc
  if shell.is_missing(status) then
    errors.raise("there is no C compiler '%s': set the option cc, or the variable CC", cc)
  end
  local file <close> = io.open(folder .. "/" .. MESSAGES)
  errors.raise("the C compiler '%s' failed:\n%s", cc, file and file:read "a" or "")
end

-- What the loader says is missing, and the instruction or global that refers to it.
local function missing(unit, why)
  local said = {}
  for word in why:gsub("%S*/", ""):gmatch "[^%s:,'\"()]+" do said[word] = true end
  local function is_it(it)
    local is_symbol = callees.is_usable(it) or global.is(it)
    local name = is_symbol and it:is_declaration() and it:name() or it
    return (said[name] or said["_" .. tostring(name)]) and name
  end
  for _, program in ipairs(unit.programs) do
    for _, id in ipairs(program.ids) do
      local name = is_it(program.symbol[id])
      if name then return name, core.where(program.fn, id) end
    end
  end
  for _, g in ipairs(unit.symbols.globals) do
    for _, it in ipairs(global.symbols(g)) do
      local name = is_it(it)
      if name then return name, ("global '%s'"):format(g:name()) end
    end
  end
end

-- Raises why a shared object is not loaded: mostly because something is missing.
local function refuse_loading(unit, why)
  local name, at = missing(unit, why)
  if not name then errors.raise("the native code cannot be loaded: %s", why) end
  errors.raise("%s: there is no '%s' in the option env, and no such symbol of C", at, name)
end

-- Compiles a source and opens the result.
local function load_library(source, unit, opts, open)
  local folder = new_folder()
  local done, result = pcall(function()
    write_file(folder .. "/" .. SOURCE, source)
    run_compiler(folder, opts)
    local library, why = open(folder .. "/" .. OBJECT)
    if not library then refuse_loading(unit, why) end
    return library
  end)
  remove(folder)
  if not done then error(result, 0) end
  return result
end

-- What raises errors of calls; called by the C module with the number of arguments, or
-- the number of one that is wrong, and it.
local function raises(signatures)
  return function(name, what, n, it)
    local of = signatures[name]
    if what == "closed" then errors.raise("function '%s': its library is closed", name) end
    errors.raise("%s", what == "count" and signature.count(of, n)
      or signature.argument(of, n, it))
  end
end

-- The functions of Lua by the number of the site; behind 0 what raises that a call is too deep,
-- that it has yielded, or that its result does not fit a type.
local function host_functions(list)
  if #list == 0 then return nil end
  local by_site = { [0] = function(what, site, letter, result)
    local it = list[site]
    if what == "deep" then error(it.where .. ": stack overflow", 0) end
    if what == "yield" then error(("%s: %s may not yield"):format(it.where, it.name), 0) end
    for type, its_letter in pairs(hosts.LETTERS) do
      if its_letter == letter then runtime.take(type)(result, it.where .. ": result") end
    end
  end }
  for site, it in ipairs(list) do by_site[site] = it.f end
  return by_site
end

-- The globals that a module defines, those that it declares, and the functions that it declares.
local function others_of(what)
  local defined, declared = {}, {}
  if not module.state(what) then return defined, declared, {} end
  for _, g in ipairs(what:globals()) do
    table.insert(g:is_declaration() and declared or defined, g)
  end
  return defined, declared, what:declarations()
end

--- Compiles functions and all that they call and refer to. Globals are data of the library.
function M.compile(what, opts)
  local functions, hidden, signatures = functions_of(what), hidden_of(what), {}
  opts = take_options(opts)
  local defined, declared, declarations = others_of(what)
  local source, unit = emit.generate(functions, defined, { native = true,
    env = opts.env or {}, declarations = declarations,
    traps = opts.traps, lines = opts.lines ~= false, file = "phial.c" })
  for _, fn in ipairs(functions) do signatures[fn:name()] = signature.of(fn) end
  local calls_out = unit.symbols.calls_out == true
  local by_site, growing, mappings = host_functions(unit.symbols.hosts), unit.symbols.growing, {}
  for i, it in ipairs(growing) do mappings[i] = it.mapping end
  for _, g in ipairs(declared) do declared[g] = hosts.found(unit.symbols, g) end
  local library = load_library(source, unit, opts, function(path)
    return core.open_library(path, opts.stack or 0, raises(signatures), calls_out, mappings)
  end)
  for _, fn in ipairs(functions) do
    core.link(library, fn:name(), unit.program[fn].entry, letters(signatures[fn:name()]), by_site)
  end
  for name, why in pairs(hidden) do core.hide(library, name, why) end
  memory.open(library, unit.exported, module.state(what), growing, declared)
  return library
end

-- }====================================================================

return M
