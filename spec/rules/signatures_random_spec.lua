-- Rules whose results are of ops with any signature: each applies, and makes what it says.
local forall = require("spec.support.prop").forall
local phial = require "phial"

local ALL <const> = { "i64", "i64", "i64" }

-- A dialect, and a rule from a call of its first op to calls of others. A call is the op's number
-- and its operands, which are calls or numbers of variables.
local function generate(pick)
  local ops, count = {}, {}
  for i = 1, 4 do
    count[i] = i == 1 and pick(3) or pick(4) - 1
    local types = table.move(ALL, 1, count[i], 1, {})
    ops["o" .. i] = { args = ({ types, count[i], "*" })[pick(3)],
      result = ({ "i64", "*" })[pick(2)], pure = true, cost = i == 1 and 50 or 1 }
  end
  local function call(depth)
    local it = { op = pick(3) + 1 }
    for i = 1, count[it.op] do
      it[i] = depth > 0 and pick(2) == 1 and call(depth - 1) or pick(count[1])
    end
    return it
  end
  return { dialect = phial.dialect("r", ops), result = call(2),
    pattern = table.move({ 1, 2, 3 }, 1, count[1], 1, { op = 1 }) }
end

local function text(it)
  if math.type(it) then return ("xyz"):sub(it, it) end
  local list = {}
  for i, operand in ipairs(it) do list[i] = text(operand) end
  return ("r.o%d(%s):i64"):format(it.op, table.concat(list, ", "))
end

describe("rules of ops with random signatures", function()
  it("apply, and make what they say", function()
    forall(generate, function(case)
      local D = case.dialect
      local rule = text(case.pattern) .. " => " .. text(case.result) .. " @ unoriented"
      local fn = phial.fn("f", { "x:i64", "y:i64", "z:i64" }, nil,
        { rules = phial.rules():attach(D):add(rule), dialects = { D } })
      local function emit(it)
        if math.type(it) then return fn:arg(it) end
        local op, list = D["o" .. it.op], {}
        for i, operand in ipairs(it) do list[i] = emit(operand) end
        if op:says_type() then list[#list + 1] = "i64" end
        return fn:entry():emit(op, table.unpack(list))
      end
      assert.equal(emit(case.result), emit(case.pattern), rule)
    end)
  end)
end)
