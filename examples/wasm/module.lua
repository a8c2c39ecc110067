-- A module of WebAssembly as one of phial: functions, globals, and as globals also the memory,
-- the table, and the segments that are copied there.
local phial = require "phial"
local reader = require "wasm.reader"
local State = require "wasm.state"
local translate_code = require "wasm.instructions"

local M = {}

local PAGE <const> = 65536
local INTERNAL <const> = { linkage = "internal" }

-- A name of phial and C that is not taken. What the module does not name has a dot in its own.
local function unique(module, name)
  name = name:gsub("[^%w_]", "_"):gsub("^%d", "_%0"):gsub("^$", "_")
  local free, n = name, 1
  while module:get(free) do
    n = n + 1
    free = ("%s_%d"):format(name, n)
  end
  return free
end

-- Elements of so many bytes each. `check` traps unless the i64 `stop` is within them.
local function area(place, width, size, why)
  return { place = place, width = width, size = size, why = why, check = function(block, stop)
    block:trap_if(block:ugt(stop, size(block)), why)
  end }
end

-- What reads a size that changes.
local function reading(global, class)
  local extra = { reads = { class } }
  return function(block) return block:load(block:address(global), "i64", extra) end
end

-- Parameters as phial.fn takes them.
local function with_names(types)
  local list = {}
  for i, type in ipairs(types) do list[i] = ("p%d:%s"):format(i - 1, type) end
  return list
end

-- {== Memory ==============================================================

-- Grows the memory by pages as the host lets it; -1: it does not.
local function growing(module, size, most)
  local host = module:declare("wasm_grow", { "bytes:i64" }, "i32")
  return module:build("memory.grow", { "pages:i32" }, "i32", INTERNAL, function(b, v)
    v.old = b:load(b:address(size), "i64")
    v.new = v.old + b:shl(b:zext(v.pages, "i64"), 16)
    b:if_(v.new:ugt(most), function() b:ret(-1) end)
    b:if_(b:call(host, nil, v.new - v.old):eq(0), function() b:ret(-1) end)
    b:store(b:address(size), v.new)
    b:ret(b:trunc(b:shr(v.old, 16), "i32"))
  end)
end

local function make_memory(module, m, grows, limit)
  local pages = m.memory or { min = 0, max = 0 }
  local bytes = pages.min * PAGE
  local most = math.max(pages.min, math.min(pages.max or PAGE, limit or PAGE)) * PAGE
  local global = module:global("wasm_bytes", "i64", bytes)
  local size = function() return bytes end
  if grows then size = reading(global, "size") else most = bytes end
  local place = module:global("wasm_memory", bytes, nil, { reserve = math.max(most, 1) })
  local memory = area(place, 1, size, "memory access out of bounds")
  memory.bytes, memory.grow = size, grows and growing(module, global, most)
  return memory
end

-- }== Segments ============================================================

local ENTRY <const> = 16 -- bytes of an element: the number of its type, 0 for none; its address

local function entries(funcs, list)
  local runs = {}
  for i, it in ipairs(list) do
    local f = funcs[it.func]
    if f then
      table.insert(runs, { (i - 1) * ENTRY, "i64", f.type.number })
      table.insert(runs, { (i - 1) * ENTRY + 8, "ptr", f.fn })
    end
  end
  return runs
end

-- What instructions copy of a segment to the area `to`, and `drop`, after which that is nothing.
local function segment(module, name, it, count, to, initial)
  local place = module:global(name, math.max(count, 1) * to.width, initial,
    { linkage = "internal", constant = true })
  local left = module:global(name .. ".left", "i64", it.mode == "passive" and count or 0, INTERNAL)
  local made = area(place, to.width, reading(left, "segments"), to.why)
  made.count, made.to, made.offset = count, to, it.offset
  made.drop = function(block) block:store(block:address(left), 0, { writes = { "segments" } }) end
  return made
end

-- Copies a whole segment where it belongs when the program starts.
local function place_segment(fn, block, globals, it)
  local at, to = it.offset, it.to
  at = type(at) == "table" and block:load(block:address(globals[at.global].place), "i32")
    or fn:const(at, "i32")
  at = block:zext(at, "i64")
  to.check(block, block:add(at, it.count))
  block:memmove(block:ptradd(block:address(to.place), block:mul(at, to.width)),
    block:address(it.place), it.count * to.width)
end

-- }== Functions ===========================================================

local function declare_functions(module, m, exports, visible)
  local hosts = {}
  for i, f in ipairs(m.funcs) do
    local params, results = with_names(f.type.params), f.type.results
    if f.module then
      local key = ("%s\0%s\0%s"):format(f.module, f.name, f.type.key)
      local same = hosts[key]
      f.symbol = same and same.symbol or unique(module, f.module .. "_" .. f.name)
      f.fn = same and same.fn or module:declare(f.symbol, params, results)
      hosts[key] = f
    else
      local own = exports[i] and visible(exports[i])
      f.symbol = unique(module, own or exports[i] or f.name or "f" .. i - 1)
      f.fn = module:fn(f.symbol, params, results, not own and INTERNAL or nil)
    end
  end
end

local function translate_function(f, r, context)
  local fn = f.fn
  local s = State.new(fn, r, context)
  s.locals, r.at = {}, f.at or error("it has no code", 0)
  for i in ipairs(f.type.params) do s.locals[i] = fn:param(i) end
  for _, type in ipairs(f.locals) do
    local var = fn:var("l" .. #s.locals, type)
    table.insert(s.locals, var)
    s.block:write(var, 0)
  end
  s:open(f.type.results, {}, f.type.results)
  translate_code(s, f.stop)
  if s.block then s.block:ret(s:take(#f.type.results)) end
  fn:finish()
end

-- }== Modules =============================================================

-- The value of an imported global, or what it begins with.
local function initial_value(m, global, imports)
  local import = global.import
  if import then
    return (imports[import.module] or {})[import.name]
      or error(("global '%s.%s' has to be imported"):format(import.module, import.name), 0)
  end
  local value = global.initial
  if type(value) ~= "table" then return value end
  return initial_value(m, m.globals[value.global], imports)
end

-- The function that makes a program ready: it fills table and memory, and calls the start.
local function make_ready(module, m, context)
  local fn = module:get "wasm_init"
  local block = fn:entry()
  for _, segments in ipairs { context.elements, context.data } do
    for _, it in ipairs(segments) do
      if it.offset then place_segment(fn, block, context.globals, it) end
    end
  end
  if m.start then block:call(m.funcs[m.start].fn, false) end
  block:ret()
  fn:finish()
end

-- Equal types get one number. What has several results is called like a declaration of its type.
local function number_types(module, types)
  local numbers = {}
  for i, type in ipairs(types) do
    numbers[type.key] = numbers[type.key] or i
    type.number = numbers[type.key]
    if #type.results > 1 then
      type.as = { as = "type." .. i - 1 }
      module:declare(type.as.as, with_names(type.params), type.results)
    end
  end
end

---@class wasm.Options
---@field imports? table<string, table<string, any>> values of imported globals, by module
---@field pages? integer how many pages memory can have at most (65536: 4 GiB)
---@field visible? fun(export: string): string? the symbol of an exported function

--- Translates a binary module.
---@param text string
---@param path string for messages and positions
---@param options wasm.Options
---@return phial.Module module which first has `wasm_init` to be called
---@return table m what reader.read returns; functions have a `symbol`, `exported` are those
---that the module exports, by name
function M.translate(text, path, options)
  local m, r = reader.read(text, path)
  local module = phial.module("wasm")
  local exports = {}
  m.exported = {}
  for _, export in ipairs(m.exports) do
    if export.kind == 0 then
      exports[export.index] = exports[export.index] or export.name
      m.exported[export.name] = m.funcs[export.index]
    end
  end
  module:fn("wasm_init", {})
  number_types(module, m.types)
  local context = { types = m.types, funcs = m.funcs, globals = m.globals }
  -- The instruction is these two bytes, which may also be others.
  context.memory = make_memory(module, m, text:find("\x40\x00", 1, true), options.pages)
  declare_functions(module, m, exports, options.visible or function(name) return name end)
  for i, global in ipairs(m.globals) do
    global.place = module:global("global." .. i - 1, global.type,
      initial_value(m, global, options.imports or {}), INTERNAL)
  end
  local entries_of = m.table and m.table.min or 0
  context.table = area(module:global("wasm.table", math.max(entries_of, 1) * ENTRY, nil, INTERNAL),
    ENTRY, function() return entries_of end, "table index is out of bounds")
  context.data, context.elements = {}, {}
  for i, it in ipairs(m.elements) do
    context.elements[i] = segment(module, "elements." .. i - 1, it, #it.funcs, context.table,
      entries(m.funcs, it.funcs))
  end
  for i, it in ipairs(m.data) do
    context.data[i] = segment(module, "data." .. i - 1, it, #it.bytes, context.memory, it.bytes)
  end
  for _, f in ipairs(m.funcs) do
    local done, why = f.module, nil
    if not done then done, why = pcall(translate_function, f, r, context) end
    if not done then
      error(("%s: function '%s', offset 0x%x: %s"):format(path, f.symbol, r.at - 1, why), 0)
    end
  end
  make_ready(module, m, context)
  module:finish()
  return module, m
end

-- }========================================================================

return M
