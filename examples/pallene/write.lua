-- Pallene's IR again from SSA form: locations are its local variables, moves are its Moves.

-- A local variable, or a constant as record.lua writes it.
local function operand(d, v)
  local location, text = d:location(v), v:const()
  if location then return location end
  if not text then return { "Nil" } end -- undef: the variable was not initialized
  local kind, value = text:match "^(%a+) (.*)$"
  return { kind, value }
end

local function command(d, v)
  local cmd, dsts, srcs = v:nodes()[1], {}, {}
  for i, result in ipairs(v:type() and v:results() or {}) do dsts[i] = d:location(result) end
  for i, arg in ipairs(v:args()) do srcs[i] = operand(d, arg) end
  return { op = cmd.op, name = cmd.name, box = cmd.box, at = cmd.at, of = cmd.of, dsts = dsts,
    srcs = srcs }
end

local function move(dst, src) return { op = "Move", dsts = { dst }, srcs = { src } } end

local function add_moves(list, d, from, to)
  for _, m in ipairs(d:moves(from, to)) do
    list[#list + 1] = move(m.to, math.type(m.from) and m.from or operand(d, m.from))
  end
end

-- Where the results are returned from: local variables after the locations.
local function add_results(list, d, v, vars, returns)
  for i, arg in ipairs(v:args()) do
    returns[i] = d:count() + i
    vars[returns[i]] = { type = arg:type() }
    list[#list + 1] = move(returns[i], operand(d, arg))
  end
end

-- The blocks, that of the results last.
local function blocks_of(fn)
  local list, last = {}, nil
  for b in fn:blocks() do
    if #b:succs() > 0 then list[#list + 1] = b else last = b end
  end
  list[#list + 1] = last
  return list
end

--- Writes a function of construct.lua, with the same parameters.
---@param fn phial.Function its edges may be split
---@param name string
---@return table func in the form of record.lua
return function(fn, name)
  local d, number = fn:leave { split = true }, {}
  local func = { name = name, params = #fn:params(), vars = {}, blocks = {}, returns = {} }
  for i = 1, func.params do assert(d:location(fn:arg(i)) == i) end
  for i = 1, d:count() do func.vars[i] = { type = d:type(i) } end
  for _, b in ipairs(blocks_of(fn)) do
    func.blocks[#func.blocks + 1] = {}
    number[b] = #func.blocks
  end
  for b in fn:blocks() do
    local list, last, preds, to = func.blocks[number[b]], b:terminator(), b:preds(), {}
    for i, target in ipairs(b:succs()) do to[i] = number[target] end
    if #preds == 1 and #preds[1]:succs() > 1 then add_moves(list, d, preds[1], b) end
    for _, v in ipairs(b:insts()) do
      if v ~= last and v:op() ~= "proj" then list[#list + 1] = command(d, v) end
    end
    if last:op() == "jump" then
      add_moves(list, d, b, b:succs()[1])
      list[#list + 1] = { op = "Jmp", dsts = {}, srcs = {}, to = to }
    elseif #to == 2 then
      list[#list + 1] = { op = "JmpIf", dsts = {}, srcs = { operand(d, last:args()[1]) }, to = to }
    else
      add_results(list, d, last, func.vars, func.returns)
    end
  end
  return func
end
