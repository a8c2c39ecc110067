-- Records the IR of Pallene programs, with what Pallene's own passes say of it, for the specs:
--   lua5.4 examples/pallene/record.lua PALLENE PROGRAM.pln ...
-- PALLENE is a checkout of https://github.com/pallene-lang/pallene. Writes recorded/NAME.ir.
package.path = arg[1] .. "/src/?.lua;examples/?.lua;" .. package.path
local driver = require "pallene.driver"
local gc = require "pallene.gc"
local ir = require "pallene.ir"
local types = require "pallene.types"
local uninitialized = require "pallene.uninitialized"

-- {== The IR as plain tables =============================================

local function operand(src)
  if src._tag == "ir.Value.LocalVar" then return src.id end
  return { src._tag:match "[^.]+$", src.value or src.id }
end

local function command(cmd)
  local it = { op = cmd._tag:match "[^.]+$", dsts = ir.get_dsts(cmd), srcs = {},
    name = cmd.op or cmd.field_name or cmd.f_id, to = cmd.target and { cmd.target } or
    cmd.target_true and { cmd.target_true, cmd.target_false } or nil,
    box = cmd.rec_typ and cmd.rec_typ.is_upvalue_box or nil,
    at = cmd.loc and cmd.loc:show_line_col() or nil }
  for i, src in ipairs(ir.get_srcs(cmd)) do it.srcs[i] = operand(src) end
  return it
end

local function sorted(list)
  table.sort(list)
  return list
end

local function flat(func)
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
  for k, func in ipairs(module.functions) do functions[k] = text(flat(func)) end
  local name = path:match("([^/]+)/pallene.pln$") or path:match "([^/]+)%.pln$"
  local out <close> = assert(io.open(("examples/pallene/recorded/%s.ir"):format(name), "w"))
  out:write("-- ", path, ", recorded by record.lua.\n")
  out:write("return {messages=", text(messages), ",functions={\n",
    table.concat(functions, ",\n"), "}}\n")
end

-- }=======================================================================
