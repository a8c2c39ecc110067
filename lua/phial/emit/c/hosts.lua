-- Functions of Lua in native code. A call of one is that of a function of C which stores the
-- arguments as words, lets src/binding/native/library.c make the call, and takes the result; all
-- calls of a signature share it. The number of the site says which function is called, and where.
local core = require "phial.core"
local errors = require "phial.errors"
local global = require "phial.module.global"
local types = require "phial.emit.c.types"

local M = {}

--- The letters of types, by which the core knows them.
M.LETTERS = {
  i1 = "b", i8 = "c", i16 = "s", i32 = "i", i64 = "l", f32 = "f", f64 = "d", ptr = "p",
}

---@class phial.emit.c.Host a function of Lua that is called at a site
---@field f any
---@field name string
---@field where string

--
-- {== Words ===========================================================
--

-- Words of 64 bits have integers in their low bits, and the bits of floats.

local FROM <const> = { f32 = "phial_f32((uint32_t)%s)", f64 = "phial_f64(%s)" }
local TO <const> = { f32 = "phial_bits32(%s)", f64 = "phial_bits64(%s)", ptr = "(uintptr_t)%s" }

--- The value of a word.
---@param needed table<string, true> helpers
---@param type string
---@param word string
---@return string
function M.from_word(needed, type, word)
  if type == "ptr" then return ("(char *)(uintptr_t)%s"):format(word) end
  if not FROM[type] then return ("(%s)%s"):format(types.name(type), word) end
  needed["phial_" .. type] = true
  return FROM[type]:format(word)
end

--- A value as a word.
---@param needed table<string, true> helpers
---@param type string
---@param value string
---@return string
function M.to_word(needed, type, value)
  if types.is_float(type) then needed["phial_bits" .. type:sub(2)] = true end
  return (TO[type] or "%s"):format(value)
end

-- }== The option env ==================================================

-- The name of what lies elsewhere.
local function name_of(it)
  if type(it) == "string" then return it end
  local is_symbol = errors.class(it) == "phial.Function" and core.is_usable(it) or global.is(it)
  return is_symbol and it:is_declaration() and it:name() or nil
end

-- What env has for it, and its name.
local function in_env(symbols, it)
  local name = name_of(it)
  local found = name and symbols.env[name]
  if found == nil or found == false then return nil end
  local is_data = math.type(found) == "integer" or global.is(found)
  if is_data and (type(it) == "string" or global.is(it))
    or not is_data and not global.is(it) and errors.is_callable(found) then
    return found, name
  end
  errors.raise("option 'env': '%s' is declared as a %s, and is %s", name,
    global.is(it) and "global" or "function", errors.got(found))
end

--- What a symbol is if env says that: a function of phial, a global or an address; else itself.
---@param symbols phial.emit.c.Symbols
---@param it any
---@return any
function M.found(symbols, it)
  if not symbols.env then return it end
  local found = in_env(symbols, it)
  local is_host = errors.class(found) ~= "phial.Function" and errors.is_callable(found)
  return (found == nil or is_host) and it or found
end

--- The function of Lua that a symbol is, and what errors call it; nil: another thing.
---@param symbols phial.emit.c.Symbols
---@param it any
---@return any
---@return string?
function M.lua_function(symbols, it)
  if not symbols.env then return nil end
  local found, name = in_env(symbols, it)
  if not found and errors.class(it) ~= "phial.Function" and not global.is(it)
    and type(it) ~= "string" and errors.is_callable(it) then
    return it, "the function"
  end
  if errors.class(found) == "phial.Function" or not errors.is_callable(found) then return nil end
  return found, ("'%s'"):format(name)
end

-- }== Calls ===========================================================

-- The letters of a signature, the result behind the arguments; nil if C lacks one of the types.
local function letters(result, args)
  local list = {}
  for i, type in ipairs(args) do
    list[i] = M.LETTERS[type]
    if not list[i] then return nil end
  end
  local last = result and M.LETTERS[result] or not result and "-"
  return last and table.concat(list) .. last
end

-- A function of C, which is static: its head is declared before all, its body comes later.
local function define(symbols, head, body)
  table.insert(symbols.outside, ("static %s;"):format(head))
  table.insert(symbols.inward, { ("static %s {"):format(head), body, "}" })
end

-- The head of a function, whose first parameter may be the number of the site.
local function head(name, result, list, has_site)
  local params = {}
  if has_site then params[1] = "uint32_t site" end
  for i, type in ipairs(list) do params[#params + 1] = types.declaration(type, "a" .. i) end
  return types.declared_function(result, params):format(name)
end

-- The types of arguments, as a function passes them, or as usual.
local function c_types(args, of)
  local list = {}
  for i, type in ipairs(args) do
    local passing = types.PASSING[type]
    if of then passing = of:passing(i) end
    list[i] = types.passed(type, passing)
  end
  return list
end

-- The name of what calls functions of a signature.
local function caller(symbols, key, result, args)
  if symbols.callers[key] then return symbols.callers[key] end
  local name, words = symbols.scope:take("host_" .. key:gsub("-", "")), {}
  for i, type in ipairs(args) do words[i] = M.to_word(symbols.needed, type, "a" .. i) end
  local body = ("  uint64_t w[] = { %s };\n  phial_now.call(phial_now.data, site, \"%s\", w);")
    :format(words[1] and table.concat(words, ", ") or "0", key)
  if result then
    body = ("%s\n  return %s;"):format(body, M.from_word(symbols.needed, result, "w[0]"))
  end
  define(symbols, head(name, types.passed(result, types.PASSING[result]),
    c_types(args), true), body)
  symbols.callers[key], symbols.needed.native = name, true
  return name
end

-- Adds a site; returns its number.
local function add_site(symbols, f, name, where)
  table.insert(symbols.hosts, { f = f, name = name, where = where })
  return #symbols.hosts
end

--- What a call of a function of Lua is, up to its first argument: "host_ll(7"; nil if C lacks one
--- of the types.
---@param symbols phial.emit.c.Symbols
---@param f any
---@param name string
---@param where string the instruction
---@param result string?
---@param args string[]
---@return string?
function M.call(symbols, f, name, where, result, args)
  local key = letters(result, args)
  if not key then return nil end
  return ("%s(%d"):format(caller(symbols, key, result, args), add_site(symbols, f, name, where))
end

--- The name of a function of C that calls one of Lua, and has its signature alone, as what has an
--- address, and what tail calls call; nil if C lacks one of the types.
---@param symbols phial.emit.c.Symbols
---@param f any
---@param name string
---@param where string
---@param result string?
---@param args string[]
---@param of phial.Function? whose signature it has: how arguments are passed
---@return string?
function M.pointer(symbols, f, name, where, result, args, of)
  local call = M.call(symbols, f, name, where, result, args)
  if not call then return nil end
  local passing, texts = types.PASSING[result], { call }
  if of then passing = of:passing() end
  for i in ipairs(args) do texts[i + 1] = "a" .. i end
  local c_name = symbols.scope:take(name:gsub("[^%w_]+", "") .. "_host")
  define(symbols, head(c_name, types.passed(result, passing), c_types(args, of)),
    ("  %s%s);"):format(result and "return " or "", table.concat(texts, ", ")))
  return c_name
end

-- }====================================================================

return M
