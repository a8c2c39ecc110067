-- SSA form of Pallene's IR, as record.lua writes it. Local variables are variables. Each command
-- is an op of a dialect, of which there is one for each kind of effect; its data say what it
-- computes, and its node is the command.
local phial = require "phial"

local M = {}

local function op(effect, traps)
  return { args = "*", result = "*", results = "*", effect = effect, traps = traps }
end

M.dialect = phial.dialect("pallene", {
  value = op "none", -- it computes
  check = op("none", true), -- the same, or an error
  read = op "read", -- it depends on arrays, tables, records
  get = op("read", true), -- the same, or an error
  new = op "new", -- it allocates
  call = op "write", -- it may do anything
  effect = { args = "*" }, -- the same, without a result
  -- The same check again is not needed as long as nothing is written.
  renormalize = { args = 2, effect = "read", traps = true },
  branch = { args = 1, terminator = true, targets = 2 },
  leave = { args = "*", terminator = true },
})

local KIND <const> = { Move = "value", Unop = "value", Binop = "value", ToFloat = "value",
  IsNil = "value", IsTruthy = "value", ToDyn = "value", FromDyn = "check", GetArr = "get",
  GetTable = "get", GetField = "read", NewArr = "new", NewTable = "new", NewRecord = "new",
  RenormArr = "renormalize" }

-- Integer divisions raise errors.
local function kind_of(cmd)
  local name = cmd.op:find "^%ai?nop$" and cmd.name or ""
  if name:find "Len" then return "read" end
  if name:find "Divi" or name:find "Mod" then return "check" end
  return KIND[cmd.op] or #cmd.dsts > 0 and "call" or "effect"
end

---@class pallene.State
---@field fn phial.Function
---@field vars phial.Variable[] by number
---@field blocks phial.Block[] by number
---@field boxes table<integer, phial.Value> of captured variables, as they are allocated

--- The text that stands for a constant, or for another operand that is not a local variable.
---@param src table
---@return string
function M.key(src)
  local value = src[2]
  return src[1] .. " " .. (math.type(value) == "float" and ("%a"):format(value) or tostring(value))
end

local function operands(state, cmd)
  local list = {}
  for i, src in ipairs(cmd.srcs) do
    list[i] = state.vars[src] or state.fn:const(M.key(src), "any")
  end
  return list
end

-- A captured variable is a box, which is allocated where the variable is declared, and is the
-- value of the variable only from its first assignment on.
local function write_box(state, b, cmd)
  local box = cmd.op == "SetField" and cmd.box and state.boxes[cmd.srcs[1]]
  if box then b:write(state.vars[cmd.srcs[1]], box) end
end

-- The variables of the results. Pallene assigns from right to left: of several results for one
-- variable the first counts.
local function results_of(state, cmd)
  local list, met = {}, {}
  for i, dst in ipairs(cmd.dsts) do
    local var = state.vars[dst]
    list[i] = met[dst] and state.fn:var("unused", var:type()) or var
    met[dst] = true
  end
  return list
end

local function emit(state, b, cmd)
  local kind, args, dsts = M.dialect[kind_of(cmd)], operands(state, cmd), results_of(state, cmd)
  args[#args + 1] = { data = cmd.op .. " " .. tostring(cmd.name) }
  if cmd.box and cmd.op == "NewRecord" then
    state.boxes[cmd.dsts[1]] = b:emit(kind, "any", args[1])
  elseif #dsts > 0 then
    dsts[#dsts + 1] = kind
    b:let(table.unpack(table.move(args, 1, #args, #dsts + 1, dsts)))
  else
    b:emit(kind, table.unpack(args))
  end
end

-- True if a variable gets a value of its own type.
local function is_plain(state, cmd)
  local dst, src = state.vars[cmd.dsts[1]], state.vars[cmd.srcs[1]]
  return dst:type() == (src and src:type() or "any")
end

local function add(state, b, cmd)
  local file, line, col = (cmd.at or ""):match "^(.*):(%d+):(%d+)$"
  if file then state.fn:set_loc(tonumber(line), tonumber(col), file) end
  state.fn:set_node(cmd)
  write_box(state, b, cmd)
  if cmd.op == "Move" and is_plain(state, cmd) then
    b:write(state.vars[cmd.dsts[1]], operands(state, cmd)[1])
  elseif cmd.op == "Jmp" then
    b:jump(state.blocks[cmd.to[1]])
  elseif cmd.op == "JmpIf" then
    b:emit(M.dialect.branch, operands(state, cmd)[1],
      { state.blocks[cmd.to[1]], state.blocks[cmd.to[2]] })
  elseif cmd.op ~= "Nop" then
    emit(state, b, cmd)
  end
end

-- Blocks that seal themselves when all edges have come. Nothing may lead to the entry.
local function make_blocks(fn, func)
  local count, blocks = {}, {}
  for i, block in ipairs(func.blocks) do
    for _, cmd in ipairs(block) do
      for _, to in ipairs(cmd.to or {}) do count[to] = (count[to] or 0) + 1 end
    end
    count[i] = count[i] or 0
  end
  for i in ipairs(func.blocks) do
    blocks[i] = fn:block(nil, count[i] + (i == 1 and 1 or 0)):set_data(i)
  end
  fn:entry():jump(blocks[1])
  return blocks
end

-- A dialect of the types that flat.lua has found.
local function types_of(func)
  local names = {}
  for i in ipairs(func.types or {}) do names[i] = "t" .. i end
  return phial.dialect("pallene_types", {}, names)
end

--- Constructs a function that was recorded, or is flat.lua's.
---@param func table
---@param opts table options of phial.fn
---@return phial.Function
---@return phial.Variable[] vars those of the IR, by number
function M.construct(func, opts)
  local params = {}
  for i = 1, func.params do params[i] = "p" .. i .. ":" .. (func.vars[i].type or "any") end
  opts.dialects = { M.dialect, types_of(func) }
  local fn = phial.fn(func.name or "f", params, nil, opts)
  local state = { fn = fn, vars = fn:params(), boxes = {} }
  for i = #state.vars + 1, #func.vars do
    state.vars[i] = fn:var(func.vars[i].name or "x" .. i, func.vars[i].type or "any")
  end
  state.blocks = make_blocks(fn, func)
  for i, block in ipairs(func.blocks) do
    local b = state.blocks[i]
    for _, cmd in ipairs(block) do add(state, b, cmd) end
    if i == #func.blocks then
      local results = {}
      for k, v in ipairs(func.returns) do results[k] = state.vars[v] end
      fn:set_loc():set_node()
      b:emit(M.dialect.leave, table.unpack(results))
    end
  end
  return fn:finish(), state.vars
end

return M
