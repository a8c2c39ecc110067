-- Records the IR of Pallene programs, with what Pallene's own passes say of it, for the specs:
--   lua5.4 examples/pallene/record.lua PALLENE PROGRAM.pln ...
-- PALLENE is a checkout of https://github.com/pallene-lang/pallene. Writes recorded/NAME.ir.
package.path = arg[1] .. "/src/?.lua;examples/?.lua;" .. package.path
local constant_propagation = require "pallene.constant_propagation"
local driver = require "pallene.driver"
local flat = require "pallene.flat"
local gc = require "pallene.gc"
local ir = require "pallene.ir"
local types = require "pallene.types"
local uninitialized = require "pallene.uninitialized"

-- {== The IR as plain tables =============================================

local function command(cmd)
  local it = flat.command(cmd)
  it.box = cmd.rec_typ and cmd.rec_typ.is_upvalue_box or nil
  return it
end

local function sorted(list)
  table.sort(list)
  return list
end

local function recorded(func)
  local it = { name = func.name, at = func.loc and func.loc:show_line_col(), vars = {},
    params = #func.typ.arg_types, returns = func.ret_vars, blocks = {}, live = {} }
  for i, var in ipairs(func.vars) do
    it.vars[i] = { name = var.name or nil, gc = types.is_gc(var.typ) or nil }
  end
  local live = gc.compute_gc_info(func).live_gc_vars
  for i, block in ipairs(func.blocks) do
    it.blocks[i], it.live[i] = {}, {}
    for k, cmd in ipairs(block.cmds) do
      it.blocks[i][k] = command(cmd)
      it.live[i][k] = live[i][k] and sorted(live[i][k])
    end
  end
  return it
end

-- Notes which operands the compiler makes constants, which it does in the module.
local function add_constants(module, functions)
  local cmds = {}
  for f, func in ipairs(module.functions) do
    for b, block in ipairs(func.blocks) do
      for k, cmd in ipairs(block.cmds) do cmds[functions[f].blocks[b][k]] = cmd end
    end
  end
  constant_propagation.run(module)
  for it, cmd in pairs(cmds) do
    local now, list, found = flat.command(cmd).srcs, {}, false
    for i, src in ipairs(it.srcs) do
      local is_new = type(now[i]) == "table" and (type(src) ~= "table" or src[1] == "Upvalue")
        and now[i][1] ~= "Upvalue"
      list[i], found = is_new and now[i], found or is_new
    end
    it.constants = found and it.op ~= "InitUpvalues" and list or nil
  end
end

-- }== Writing ============================================================

local text
local function field(key, value)
  return type(key) == "string" and key .. "=" .. text(value) or text(value)
end

function text(it)
  if type(it) ~= "table" then return ("%q"):format(it):gsub("\\\n", "\\n") end
  local out, keys = {}, {}
  for i, value in ipairs(it) do out[i] = field(i, value) end
  for key in pairs(it) do
    if type(key) == "string" then keys[#keys + 1] = key end
  end
  for _, key in ipairs(sorted(keys)) do out[#out + 1] = field(key, it[key]) end
  return "{" .. table.concat(out, ",") .. "}"
end

for i = 2, #arg do
  local file <close> = assert(io.open(arg[i]))
  local path = arg[i]:match "[^/]+/[^/]+$"
  local module = assert(driver.compile_internal(path, file:read "a", "ir", 0))
  ir.clean_all(module)
  local _, messages = uninitialized.verify_variables(module)
  local functions = {}
  for k, func in ipairs(module.functions) do functions[k] = recorded(func) end
  add_constants(module, functions)
  for k, func in ipairs(functions) do functions[k] = text(func) end
  local name = path:match("([^/]+)/pallene.pln$") or path:match "([^/]+)%.pln$"
  local out <close> = assert(io.open(("examples/pallene/recorded/%s.ir"):format(name), "w"))
  out:write("-- ", path, ", recorded by record.lua.\n")
  out:write("return {messages=", text(messages), ",functions={\n",
    table.concat(functions, ",\n"), "}}\n")
end

-- }=======================================================================
