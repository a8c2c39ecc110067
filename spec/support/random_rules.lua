-- Random sets of rules that are right by construction, for integers that wrap around:
-- two ways to write one sum, two ways to write one product, conjunction or the like, and
-- terms taken to equal ones by the laws of algebra. Results are nested and compute
-- constants, by functions in Lua, too; guards and actions in Lua occur, names of operations,
-- `let`, and facts.
local M = {}

local VARS, CONSTS = { "x", "y", "z" }, { "A", "B" }

local function pick_of(pick, list) return list[pick(#list)] end

local function call(op, ...) return { op = op, ... } end

-- True if it has no variables.
local function is_const(t)
  if not t.op then return t.const ~= nil end
  for _, kid in ipairs(t) do
    if not is_const(kid) then return false end
  end
  return true
end

--
-- {== Text ============================================================
--

local INFIX = { add = "+", sub = "-", mul = "*", band = "&", bor = "|", bxor = "~" }

-- by: what operations of the pattern are called, and which are written as what `let` names.
local function text(t, by)
  if not t.op then return t.var or t.const end
  local kids = {}
  for i, kid in ipairs(t) do kids[i] = text(kid, by) end
  local all, let = table.concat(kids, ", "), by and by.lets[t]
  local it = let and ("%s(%s)"):format(let, all) or t.op == "neg" and ("-(%s)"):format(all)
    or t.op == "bnot" and ("~(%s)"):format(all)
    or INFIX[t.op] and ("(%s %s %s)"):format(kids[1], INFIX[t.op], kids[2])
    or ("%s(%s)"):format(t.op, all)
  return by and by.name and by.name[t] and ("(%s @ %s)"):format(by.name[t], it) or it
end

-- What a term of constants is, with values by name.
local function value(t, values)
  if not t.op then return values[t.const] or math.tointeger(t.const) end
  local a, b = value(t[1], values), t[2] and value(t[2], values)
  local ops = {
    neg = function() return -a end, bnot = function() return ~a end,
    add = function() return a + b end, sub = function() return a - b end,
    mul = function() return a * b end, band = function() return a & b end,
    bor = function() return a | b end, bxor = function() return a ~ b end,
  }
  return ops[t.op]()
end

-- A call of a new function that computes a term of constants, perhaps by another one that is an
-- argument.
local function helper(pick, t, functions)
  local name = "h" .. pick(1 << 30)
  functions[name] = function(a, b) return value(t, { A = a, B = b }) end
  functions.same = function(a) return a end
  return ("$%s(%s, B)"):format(name, pick(3) == 1 and "$same(A)" or "A")
end

-- The result, where what has a name is called by it; has: which constants the pattern has.
local function result_text(t, name, pick, functions, has)
  if name[t] then return name[t] end
  if is_const(t) and has.A and has.B and pick(4) == 1 then return helper(pick, t, functions) end
  local kids = { op = t.op, var = t.var, const = t.const }
  for i, kid in ipairs(t) do
    kids[i] = { var = result_text(kid, name, pick, functions, has) }
  end
  return text(kids)
end

-- Adds the names of variables and constants to a set.
local function names(t, found)
  if t.var or t.const and t.const:find "^%u" then found[t.var or t.const] = true end
  for _, kid in ipairs(t) do names(kid, found) end
  return found
end

-- }== Trees ===========================================================

-- A tree of any shape whose leaves are the terms, in any order; join makes an inner
-- node. apart: constants are not joined with each other.
local function tree(pick, terms, join, apart)
  terms = table.move(terms, 1, #terms, 1, {})
  while #terms > 1 do
    local a = table.remove(terms, pick(#terms))
    local i = pick(#terms)
    if apart and is_const(a) and is_const(terms[i]) then
      for k, t in ipairs(terms) do
        if not is_const(t) then i = k end
      end
    end
    terms[i] = join(a, terms[i])
  end
  return terms[1]
end

-- Half of the terms are constants, so that results have something to compute.
local function leaves(pick)
  local out = {}
  for i = 1, pick(3) + 1 do
    out[i] = i % 2 == 1 and { var = pick_of(pick, VARS) } or { const = CONSTS[i // 2] }
  end
  return out
end

-- The terms joined anew. Most often all constants are joined first, into one.
local function rejoined(pick, terms, join)
  if pick(4) == 1 then return tree(pick, terms, join) end
  local consts, rest = {}, {}
  for _, t in ipairs(terms) do table.insert(is_const(t) and consts or rest, t) end
  if #consts > 0 then rest[#rest + 1] = tree(pick, consts, join) end
  return tree(pick, rest, join)
end

-- A sum or difference, and the same summands in another order and shape.
local function sums(pick)
  local left = tree(pick, leaves(pick), function(a, b)
    return call(pick(3) == 1 and "sub" or "add", a, b)
  end, true)
  local summands = {}
  local function gather(t, minus)
    if not t.op then
      summands[#summands + 1] = minus and call("neg", t) or t
    else
      gather(t[1], minus)
      gather(t[2], minus ~= (t.op == "sub"))
    end
  end
  gather(left, false)
  return left, rejoined(pick, summands, function(a, b) return call("add", a, b) end)
end

-- The same of an op that is associative and commutative.
local function products(pick)
  local op = pick_of(pick, { "add", "mul", "band", "bor", "bxor" })
  local terms = leaves(pick)
  local function join(a, b) return call(op, a, b) end
  return tree(pick, terms, join, true), rejoined(pick, terms, join)
end

-- }== Laws ============================================================

-- Each takes a term to an equal one, or returns nil.
local laws = {
  function(t) return INFIX[t.op] and t.op ~= "sub" and call(t.op, t[2], t[1]) end,
  function(t)
    if INFIX[t.op] and t.op ~= "sub" and t[1].op == t.op then
      return call(t.op, t[1][1], call(t.op, t[1][2], t[2]))
    end
  end,
  function(t) return t.op == "sub" and call("add", t[1], call("neg", t[2])) end,
  function(t) return t.op == "neg" and call("add", call("bnot", t[1]), { const = "1" }) end,
  function(t) return t.op == "bnot" and call("sub", { const = "-1" }, t[1]) end,
  function(t) return t.op == "add" and call("sub", t[1], call("neg", t[2])) end,
  function(t) return t.op == "sub" and call("neg", call("sub", t[2], t[1])) end,
  function(t)
    local dual = t.op == "band" and "bor" or t.op == "bor" and "band"
    return dual and call("bnot", call(dual, call("bnot", t[1]), call("bnot", t[2])))
  end,
  function(t)
    if t.op == "bxor" then
      return call("sub", call("bor", t[1], t[2]), call("band", t[1], t[2]))
    end
  end,
  function(t)
    if t.op == "add" then
      local both = call("band", t[1], t[2])
      return call("add", call("bxor", t[1], t[2]), call("add", both, both))
    end
  end,
  function(t)
    if t.op == "mul" and (t[1].op == "add" or t[1].op == "sub") then
      return call(t[1].op, call("mul", t[1][1], t[2]), call("mul", t[1][2], t[2]))
    end
  end,
  function(t)
    if t.op == "band" and (t[1].op == "bor" or t[1].op == "bxor") then
      return call(t[1].op, call("band", t[1][1], t[2]), call("band", t[1][2], t[2]))
    end
  end,
}

-- The term with a random law applied somewhere.
local function step(pick, t)
  if t.op and pick(#t + 1) > 1 then
    local i, out = pick(#t), { op = t.op }
    for k, kid in ipairs(t) do out[k] = k == i and step(pick, kid) or kid end
    return out
  end
  return pick_of(pick, laws)(t) or t
end

local function equals(pick)
  local left = tree(pick, leaves(pick), function(a, b)
    local both = call(pick_of(pick, { "add", "sub", "mul", "band", "bor", "bxor" }), a, b)
    if pick(4) > 1 then return both end
    return call(pick_of(pick, { "neg", "bnot" }), both)
  end, true)
  local right = left
  for _ = 1, pick(8) do right = step(pick, right) end
  return left, right
end

-- }== Names ===========================================================

local A, B = { var = "a" }, { var = "b" }

-- What `let` names for an op, and equal forms of it.
local LETS <const> = {
  add = { "plus(a, b)", call("add", A, B), call("sub", A, call("neg", B)) },
  sub = { "less(a, b)", call("sub", A, B), call("add", A, call("neg", B)) },
  band = { "both(a, b)", call("band", A, B),
    call("bnot", call("bor", call("bnot", A), call("bnot", B))) },
  bor = { "some(a, b)", call("bor", A, B),
    call("bnot", call("band", call("bnot", A), call("bnot", B))) },
  neg = { "minus(a)", call("neg", A), call("add", call("bnot", A), { const = "1" }),
    call("sub", { const = "0" }, A) },
  bnot = { "turned(a)", call("bnot", A), call("sub", { const = "-1" }, A) },
}

-- The definitions.
local function definitions()
  local lines = {}
  for _, op in ipairs { "add", "sub", "band", "bor", "neg", "bnot" } do
    local let, forms = LETS[op], {}
    for i = 2, #let do forms[i - 1] = text(let[i]) end
    lines[#lines + 1] = ("let %s = %s"):format(let[1], table.concat(forms, " | "))
  end
  return lines
end

-- A form with operands in place of parameters.
local function filled(form, operands)
  if form.var then return operands[form.var] end
  local out = { op = form.op, const = form.const }
  for i, kid in ipairs(form) do out[i] = filled(kid, operands) end
  return out
end

-- The operations in a tree that have no constant among their operands.
local function variable_ops(t, found)
  local is_plain = t.op ~= nil
  for _, kid in ipairs(t) do
    variable_ops(kid, found)
    is_plain = is_plain and not is_const(kid)
  end
  if is_plain then found[#found + 1] = t end
  return found
end

-- The operations below the root of the pattern that the result contains as they are.
local function shared(left, right)
  local is_right, out = {}, {}
  for _, t in ipairs(variable_ops(right, {})) do is_right[t] = true end
  for _, t in ipairs(variable_ops(left, {})) do
    if is_right[t] and t ~= left then out[#out + 1] = t end
  end
  return out
end

-- The pattern as `let` writes it, or as it is; and a form that it then has.
local function with_lets(pick, left)
  local by, all = { lets = {}, name = {} }, variable_ops(left, {})
  local chosen = #all > 0 and pick(3) == 1 and pick_of(pick, all)
  local function form(t)
    local out = { op = t.op, var = t.var, const = t.const }
    for i, kid in ipairs(t) do out[i] = form(kid) end
    if t ~= chosen then return out end
    by.lets[t] = LETS[t.op][1]:match "%w+"
    return filled(LETS[t.op][pick(#LETS[t.op] - 1) + 1], { a = out[1], b = out[2] })
  end
  if chosen and not LETS[chosen.op] then chosen = nil end
  local plain = form(left)
  return by, plain
end

-- }== Rules ===========================================================

local FAMILIES = { sums, products, equals }

-- A function that makes the term with the builder of an action; params: their names.
local function action(term, params)
  return function(b, ...)
    local given, type = {}, nil
    for i, name in ipairs(params) do
      local it = select(i, ...)
      given[name] = it
      if not math.type(it) then type = it:type() end
    end
    local function make(t)
      if t.var then return given[t.var] end
      if not t.op then
        local n = given[t.const] or math.tointeger(t.const)
        return b:const(type == "i1" and n & 1 == 1 or type ~= "i1" and n, type)
      end
      local kids = {}
      for i, kid in ipairs(t) do kids[i] = make(kid) end
      return b:emit(t.op, table.unpack(kids))
    end
    return make(term)
  end
end

local function guard(pick, found, functions)
  local values, consts = {}, {}
  for name in pairs(found) do table.insert(name:find "%u" and consts or values, name) end
  table.sort(values)
  table.sort(consts)
  local kind = pick(9)
  if kind == 1 and #consts > 0 then
    return (" if %s & 1 == 0"):format(pick_of(pick, consts))
  elseif kind == 2 then
    return (" if $sometimes(%s)"):format(pick_of(pick, values))
  elseif kind == 3 then
    return (" if uses(%s) == 1 or same_block(%s)"):format(pick_of(pick, values), values[1])
  elseif kind == 4 and #consts > 1 then
    return (" if %s ~= %s and not isphi(%s)"):format(consts[1], consts[2], values[1])
  elseif kind == 5 and #consts > 1 then
    local sum = call("sub", { const = "A" }, { const = "B" })
    return (" if %s == A - B"):format(helper(pick, sum, functions))
  end
  return ""
end

-- A rule as a line, and its pattern without names; adds its action, if it has one, to functions.
local function line(pick, name, functions)
  local left, right
  repeat
    left, right = pick_of(pick, FAMILIES)(pick)
  until left.op and text(left) ~= text(right)
  local found = names(left, {})
  local by, plain = with_lets(pick, left)
  local kept = shared(left, right)
  if #kept > 0 and pick(2) == 1 then by.name[pick_of(pick, kept)] = "w" end
  local result = result_text(right, by.name, pick, functions, found)
  if pick(5) == 1 then
    local params = {}
    for param in pairs(found) do params[#params + 1] = param end
    table.sort(params)
    functions[name] = action(right, params)
    result = ("$%s(%s)"):format(name, table.concat(params, ", "))
  end
  local attributes = pick(3) == 1 and "unoriented, always" or "unoriented"
  return ("%s: %s => %s%s @ %s"):format(name, text(left, by), result, guard(pick, found, functions),
    attributes), ("%s: %s =>"):format(name, text(plain))
end

-- Rules of terminators, each of them right.
local ENDS <const> = {
  "switch(x, D, J, T, K, T, L, T) => branch(x == J | (x == K | x == L), T, D)",
  "switch(x, D, J, S, K, T, L, U) => switch(x, D, K, T, J, S, L, U) if J < K",
  "switch(x, D, J, S, K, T, L, U) => switch(x, D, J, S, L, U, K, T) if K < L",
  "switch(x, D, J, D, K, T, L, U) => switch(x, D, K, T, L, U)",
  "switch(x, D, J, S, K, D, L, U) => switch(x, D, J, S, L, U)",
  "switch(x, D, K, T) => branch(x == K, T, D)",
  "branch(x ~= y, T, F) => branch(x == y, F, T)",
}

-- Rules that are right where a fact is known.
local FACTS <const> = {
  "x & A => x if A | zero_bits(x) == -1",
  "x + y => x | y if zero_bits(x) | zero_bits(y) == -1",
  "x ~ y => x + y if zero_bits(x) | zero_bits(y) == -1",
  "x | A => x + A if A & ~zero_bits(x) == 0",
  "(w @ (x & A)) - B => w ~ -B if -B & ~zero_bits(w) == 0",
  "sdiv(x, y) => udiv(x, y) if nonneg(x) and nonneg(y)",
  "srem(x, y) => urem(x, y) if nonneg(x) and nonneg(y)",
  "sar(x, y) => shr(x, y) if nonneg(x)",
  "sext(x):V => zext(x):V if nonneg(x)",
  "itof(x):V => utof(x):V if nonneg(x)",
  "x < y => ult(x, y) if nonneg(x) and nonneg(y)",
  "smax(x, y) => umax(x, y) if nonneg(x) and nonneg(y)",
  "x == 0 => false if nonzero(x)",
  "ult(x, A) => true if ult(~zero_bits(x), A)",
}

--- The text of 1 to 30 rules, and some of terminators, the functions that they name, and the
--- patterns alone.
function M.generate(pick)
  local lines, plain, asked = definitions(), {}, 0
  local functions = {
    sometimes = function()
      asked = asked + 1
      return asked % 2 == 0
    end,
  }
  for i = 1, pick(pick(30)) do lines[#lines + 1], plain[i] = line(pick, "r" .. i, functions) end
  for i, rule in ipairs(FACTS) do
    if pick(3) == 1 then
      plain[#plain + 1] = ("fact%d: %s"):format(i, rule)
      lines[#lines + 1] = plain[#plain] .. " @ unoriented"
    end
  end
  for i, rule in ipairs(ENDS) do
    if pick(2) == 1 then
      lines[#lines + 1] = ("end%d: %s @ unoriented, always"):format(i, rule)
    end
  end
  return table.concat(lines, "\n"), functions, table.concat(plain, "\n")
end

-- }====================================================================

return M
