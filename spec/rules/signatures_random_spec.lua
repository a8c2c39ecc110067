-- Rules of ops with any signature: each applies where it says so, and makes what it says.
local forall = require("spec.support.prop").forall
local phial = require "phial"

-- A dialect, and a rule from a call of its first op to calls of others. A call is the op's number
-- and its operands, which are calls or numbers of variables.
local function generate(pick)
  local ops, count = {}, {}
  for i = 1, 4 do
    count[i] = i == 1 and pick(3) or pick(4) - 1
    local types = table.move({ "i64", "i64", "i64" }, 1, count[i], 1, {})
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

-- A rule about a terminator, of which operands and targets have to be equal, and a call of it.
local function generate_terminator(pick)
  local function numbers(n, most)
    local list = {}
    for i = 1, n do list[i] = pick(most) end
    return list
  end
  local nargs, ntargets = pick(4) - 1, pick(3)
  local most = 1 + pick(2)
  return { nargs = nargs, ntargets = ntargets,
    pattern = numbers(nargs, most), labels = numbers(ntargets, most),
    args = numbers(nargs, most), targets = numbers(ntargets, most) }
end

-- True if what is equal in a list is equal in the other one.
local function agrees(wanted, got)
  local seen = {}
  for i, it in ipairs(wanted) do
    if (seen[it] or got[i]) ~= got[i] then return false end
    seen[it] = got[i]
  end
  return true
end

describe("rules of terminators with random signatures", function()
  it("apply if and only if all is equal that they say", function()
    forall(generate_terminator, function(case)
      local D = phial.dialect("r", { t = { args = case.nargs, terminator = true,
        targets = case.ntargets } })
      local operands = {}
      for i, n in ipairs(case.pattern) do operands[i] = ("xyz"):sub(n, n) end
      for _, n in ipairs(case.labels) do operands[#operands + 1] = ("LMN"):sub(n, n) end
      local rule = ("r.t(%s) => jump(%s)"):format(table.concat(operands, ", "),
        operands[case.nargs + 1])
      local R = phial.rules():attach(D):add(rule)
      local fn = phial.fn("f", { "x", "y", "z" }, nil, { rules = R })
      local blocks, call = { fn:block(), fn:block(), fn:block() }, {}
      for i, n in ipairs(case.args) do call[i] = fn:arg(n) end
      for _, n in ipairs(case.targets) do call[#call + 1] = blocks[n] end
      fn:entry():emit(D.t, table.unpack(call))
      local applies = agrees(case.pattern, case.args) and agrees(case.labels, case.targets)
      assert.equal(applies and "jump" or "r.t", fn:entry():terminator():op(), rule)
    end, 1000)
  end)
end)
