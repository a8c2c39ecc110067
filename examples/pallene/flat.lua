-- Functions of Pallene's compiler as plain tables, as construct.lua takes them and write.lua makes
-- them, and what is written as functions of the compiler again. Needs Pallene's modules.
local ir = require "pallene.ir"
local key = require("pallene.construct").key
local types = require "pallene.types"

local M = {}

-- {== From Pallene =======================================================

local function operand(src)
  if src._tag == "ir.Value.LocalVar" then return src.id end
  return { src._tag:match "[^.]+$", src.value or src.id }
end

local function type_of(it, typ, f_id)
  for i, other in ipairs(it.types) do
    if other.f_id == f_id and types.equals(other.typ, typ) then return i end
  end
  it.types[#it.types + 1] = { typ = typ, f_id = f_id }
  return #it.types
end

--- A command. A step of a loop, which changes two of its results in place, has their old values
--- as operands.
---@param cmd table
---@return table
function M.command(cmd)
  local it = { op = cmd._tag:match "[^.]+$", dsts = ir.get_dsts(cmd), srcs = {},
    name = cmd.op or cmd.field_name or cmd.f_id or cmd.dst_typ and types.tostring(cmd.dst_typ),
    to = cmd.target and { cmd.target } or
    cmd.target_true and { cmd.target_true, cmd.target_false } or nil,
    at = cmd.loc and cmd.loc:show_line_col() or nil }
  for i, src in ipairs(ir.get_srcs(cmd)) do it.srcs[i] = operand(src) end
  if it.op == "ForStep" then it.srcs[4], it.srcs[5] = cmd.dst_iter, cmd.dst_count end
  return it
end

--- A function. Variables have their types by number; one that holds a known function has a type
--- of its own, so that no other shares its location. `constants` has the compiler's by
--- construct.key.
---@param func table ir.Function
---@return table
function M.func(func)
  local it = { name = func.name, at = func.loc and func.loc:show_line_col(), vars = {},
    params = #func.typ.arg_types, returns = func.ret_vars, blocks = {}, types = {},
    constants = {} }
  for i, var in ipairs(func.vars) do
    local number = type_of(it, var.typ, func.f_id_of_local[i])
    it.vars[i] = { name = var.name or nil, type = "pallene_types.t" .. number }
  end
  for i, block in ipairs(func.blocks) do
    it.blocks[i] = {}
    for k, cmd in ipairs(block.cmds) do
      it.blocks[i][k] = M.command(cmd)
      it.blocks[i][k].of = cmd
      for _, src in ipairs(ir.get_srcs(cmd)) do
        if src._tag ~= "ir.Value.LocalVar" then it.constants[key(operand(src))] = src end
      end
    end
  end
  return it
end

-- }== To Pallene =========================================================

---@class pallene.Writing
---@field func table the function, as it was
---@field it table of M.func
---@field vars table[] new ones
---@field cmds table[] of the block

local function add_var(w, typ)
  w.vars[#w.vars + 1] = ir.VarDecl(false, typ)
  return #w.vars
end

local function value(w, src)
  if math.type(src) then return ir.Value.LocalVar(src) end
  return w.it.constants[key(src)] or ir.Value.Nil()
end

-- Nothing is moved from a variable that is not initialized, which write.lua has as Nil.
local function add_move(w, dst, src)
  if not math.type(src) and src[1] == "Nil" then return end
  w.cmds[#w.cmds + 1] = ir.Cmd.Move(false, dst, value(w, src))
end

-- What a command has with its new operands and results, by names of fields.
local function renamed(w, cmd, srcs, dsts)
  local fields, new, s, d = ir.get_value_field_names(cmd), {}, 0, 0
  for name, it in pairs(cmd) do new[name] = it end
  for _, name in ipairs(fields.src) do s = s + 1; new[name] = value(w, srcs[s]) end
  for _, name in ipairs(fields.dst) do d = d + 1; new[name] = dsts[d] end
  for _, name in ipairs(fields.srcs) do
    new[name] = {}
    for i in ipairs(cmd[name]) do s = s + 1; new[name][i] = value(w, srcs[s]) end
  end
  for _, name in ipairs(fields.dsts) do
    new[name] = {}
    for i, dst in ipairs(cmd[name]) do
      if dst then d = d + 1 end
      new[name][i] = dst and dsts[d]
    end
  end
  return new
end

-- The results of a step are variables of its own, which begin with the old values.
local function add_step(w, cmd)
  local dsts = {}
  for i, dst in ipairs(ir.get_dsts(cmd.of)) do dsts[i] = add_var(w, w.func.vars[dst].typ) end
  for i = 3, 4 do add_move(w, dsts[i], cmd.srcs[i + 1]) end -- of i, cond, iter, count
  w.cmds[#w.cmds + 1] = renamed(w, cmd.of, cmd.srcs, dsts)
  for i, dst in pairs(cmd.dsts) do add_move(w, dst, dsts[i]) end
end

local function add(w, cmd)
  if cmd.op == "Jmp" then
    w.cmds[#w.cmds + 1] = ir.Cmd.Jmp(cmd.to[1])
  elseif cmd.op == "JmpIf" then
    w.cmds[#w.cmds + 1] = ir.Cmd.JmpIf(false, value(w, cmd.srcs[1]), cmd.to[1], cmd.to[2])
  elseif not cmd.of then
    add_move(w, cmd.dsts[1], cmd.srcs[1])
  elseif cmd.op == "ForStep" then
    add_step(w, cmd)
  else
    for i, dst in ipairs(ir.get_dsts(cmd.of)) do
      cmd.dsts[i] = cmd.dsts[i] or add_var(w, w.func.vars[dst].typ)
    end
    w.cmds[#w.cmds + 1] = renamed(w, cmd.of, cmd.srcs, cmd.dsts)
  end
end

--- Makes a function what was written of it.
---@param func table ir.Function
---@param it table of M.func
---@param written table of write.lua
function M.restore(func, it, written)
  local w, blocks, returns, f_ids = { func = func, it = it, vars = {} }, {}, {}, {}
  for i, var in ipairs(written.vars) do
    local of = it.types[tonumber(var.type:match "%d+$")]
    w.vars[i] = ir.VarDecl(i <= it.params and func.vars[i].name, of.typ)
    f_ids[i] = of.f_id
  end
  for i, cmds in ipairs(written.blocks) do
    blocks[i] = ir.BasicBlock()
    w.cmds = blocks[i].cmds
    for _, cmd in ipairs(cmds) do add(w, cmd) end
  end
  for i, var in ipairs(func.ret_vars) do
    returns[i] = written.returns[i] or add_var(w, func.vars[var].typ)
  end
  func.vars, func.blocks, func.ret_vars, func.f_id_of_local = w.vars, blocks, returns, f_ids
end

-- }=======================================================================

return M
