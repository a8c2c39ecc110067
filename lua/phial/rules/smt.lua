--- A rule as a question to a solver, in SMT-LIB 2 (https://smt-lib.org): are there values for
-- which it applies, and its result differs from its pattern?
--
-- Constants of a rule are bit vectors as its values are. What computes with constants, in guards
-- and results, does so as the core does (constexpr.c): in 64 bits, sign-extended from the type,
-- or at a type; where that has no value (a division by zero, a shift by too much), the rule does
-- not apply.
local terms = require "phial.rules.terms"

local M = {}

local number, resize = terms.number, terms.resize

---@class phial.rules.Rule: phial.RuleTree whose nodes have `own`, ops of dialects
---@field dialects table<string, phial.Dialect> that these ops are of, by name
---@field functions? table<string, function> that it calls
---@field blind? boolean not all of them can be run

---@class phial.rules.Call
---@field callback function
---@field name string of the function in the question
---@field args string[] symbols

---@class phial.rules.Query
---@field rule phial.rules.Rule
---@field types string[] the types chosen for those of the rule
---@field declared string[] commands that declare variables
---@field variables { name: string, symbol: string, type: string, kind: string }[]
---@field asserted string[] what holds if the rule applies, and the question
---@field traps string[] when what was translated last traps
---@field unknown? string why the rule cannot be asked about
---@field assumed? boolean its guard asks about values: it may be told anything
---@field calls phial.rules.Call[] of functions of constants, which can be any here
---@field facts? boolean its guard asks for facts about values
---@field multiplies? boolean shifts to the left are products, complements differences
---@field package symbols table<string, string> by name
---@field package signs table<string, string> by float
---@field package functions table<function, table<string, string>> symbols by sorts
---@field known? table<string, boolean> what functions have given
---@field package fresh integer

-- {== Variables ========================================================

local function declare(query, symbol, sort)
  table.insert(query.declared, ("(declare-const %s %s)"):format(symbol, sort))
  return symbol
end

local function new_symbol(query, sort)
  query.fresh = query.fresh + 1
  return declare(query, "free." .. query.fresh, sort)
end

local function refuse(query, why) query.unknown = query.unknown or why end

-- What a variable of a type, with such bits, is.
local function typed(query, symbol, type)
  if not terms.is_float(type) then return symbol end
  local last = terms.width(type) - 1
  local float = terms.float(symbol, type)
  query.signs[float] = ("(= ((_ extract %d %d) %s) (_ bv1 1))"):format(last, last, symbol)
  return float
end

local function variable(query, node)
  local type, symbol = query.types[node.type], query.symbols[node.name]
  if not symbol then
    symbol = declare(query, "v." .. node.name, ("(_ BitVec %d)"):format(terms.width(type)))
    query.symbols[node.name] = symbol
    table.insert(query.variables,
      { name = node.name, symbol = symbol, type = type, kind = node.kind })
  end
  return typed(query, symbol, type)
end

-- Declares what `z @` names; the pattern will say what it is.
local function declare_names(query, node)
  if node.as then
    query.symbols[node.as] = declare(query, "v." .. node.as,
      ("(_ BitVec %d)"):format(terms.width(query.types[node.type])))
  end
  for _, kid in ipairs(node) do declare_names(query, kid) end
end

local function label(query, node)
  local symbol = query.symbols[node.name] or declare(query, "l." .. node.name, "Int")
  query.symbols[node.name] = symbol
  return symbol
end

-- The sign of a float; that of a nan which was computed is not known.
local function sign_of(query)
  return function(float)
    local sign = query.signs[float]
    if not sign then
      sign = ("(ite (fp.isNaN %s) %s (fp.isNegative %s))"):format(float,
        new_symbol(query, "Bool"), float)
      query.signs[float] = sign
    end
    return sign
  end
end

-- What the op, `own` if it is of a dialect, computes of operands of type `from`.
local function compute(query, op, from, to, args, own)
  local term, trap = terms.compute(op, { from = from, to = to, sign = sign_of(query), own = own,
    signs = query.signs, multiplies = query.multiplies }, table.unpack(args))
  if term then return term, trap end
  refuse(query, trap)
  return ""
end

-- }== Constants ========================================================

-- Terms are of 64 bits, sign-extended, or floats; a second result says when there is a value;
-- nil: always.

local constant, truth

local function both(a, b)
  if not (a and b) then return a or b end
  return ("(and %s %s)"):format(a, b)
end

local function type_of(query, node) return node.type and query.types[node.type] end
local function bits_of(query, node)
  return node.type and terms.width(query.types[node.type]) or 64
end

-- Bits of a constant at its own width, without its sign.
local function unsigned(query, node, term)
  return resize(resize(term, 64, bits_of(query, node)), bits_of(query, node), 64)
end

local function is_true(term) return ("(distinct %s %s)"):format(term, number(0, 64)) end

local function literal(query, node)
  local value, type = node.value, type_of(query, node)
  if type and terms.is_float(type) then return terms.float_number(value, type) end
  if value == true then value = -1 end
  local bits = bits_of(query, node)
  return resize(number(value or 0, bits), bits, 64, true)
end

local function least(query, node)
  return number(-1 << bits_of(query, node) - 1, 64)
end

-- The logarithm, rounded down: the place of the first one.
local function log2(term)
  local result = number(0, 64)
  for i = 1, 63 do
    local above = number(1 << i, 64)
    result = ("(ite (bvuge %s %s) %s %s)"):format(term, above, number(i, 64), result)
  end
  return result, is_true(term)
end

-- Functions that are true or false.
local truths = {
  pow2 = function(term)
    return ("(and %s (= (bvand %s (bvsub %s %s)) %s))"):format(is_true(term), term, term,
      number(1, 64), number(0, 64))
  end,
  ismask = function(term)
    return ("(and %s (= (bvand %s (bvadd %s %s)) %s))"):format(is_true(term), term, term,
      number(1, 64), number(0, 64))
  end,
}

-- The bits of a float that is a constant, which are known; nil if it is none.
local function bits_of_float(query, node)
  local kid = node[1]
  if node.op ~= "bitcast" or kid.kind ~= "constant" then return nil end
  if not terms.is_float(type_of(query, kid)) then return nil end
  variable(query, kid)
  return resize(query.symbols[kid.name], bits_of(query, node), 64, true)
end

local function asks(node)
  return node.kind == "callback" or node.op == "isconst" or node.op == "isphi"
    or node.op == "same_block"
end

-- Facts about a value, which may be known or not.
local facts = {
  nonneg = function(x, bits) return ("(bvsge %s %s)"):format(x, number(0, bits)) end,
  nonzero = function(x, bits) return ("(distinct %s %s)"):format(x, number(0, bits)) end,
}

local function known_zeros(query, node)
  local bits = bits_of(query, node)
  query.facts = true
  return resize(("(bvand %s (bvnot %s))"):format(
    new_symbol(query, ("(_ BitVec %d)"):format(bits)), variable(query, node[1])), bits, 64, true)
end

-- Values of the arguments of an expression.
local function arguments(query, node)
  local args, defined = {}, nil
  for i, kid in ipairs(node) do
    local one
    args[i], one = constant(query, kid)
    defined = both(defined, one)
  end
  return args, defined
end

-- A shift by too much has no value.
local function shift_defined(query, node, args, bits)
  if not terms.class(node.op):find "^[lr]shift$" then return nil end
  return ("(bvult %s %s)"):format(unsigned(query, node[2], args[2]), number(bits, 64))
end

local function negated(trap) return trap and ("(not %s)"):format(trap) end

-- One step in 64 bits; of what depends on the width, such as clz, in those of its operand.
local function plain_step(query, node, args)
  local class = terms.class(node.op)
  local bits = class == "sized" and bits_of(query, node[1]) or 64
  for i, kid in ipairs(node) do
    if class == "ucompare" or class == "sized" then
      args[i] = resize(unsigned(query, kid, args[i]), 64, bits)
    end
  end
  local defined = shift_defined(query, node, args, 64)
  local term, trap = compute(query, node.op, "i" .. bits, "i" .. bits, args)
  return resize(term, class:find "compare$" and 1 or bits, 64), both(defined, negated(trap))
end

-- The type of the operands: of a select, of the last two.
local function operand_type(query, node)
  local type = type_of(query, node)
  for i = #node, node.op == "select" and 2 or 1, -1 do type = type_of(query, node[i]) or type end
  return type
end

-- One step at a type.
local function typed_step(query, node, args)
  local to, from = type_of(query, node), operand_type(query, node)
  local defined = shift_defined(query, node, args, terms.width(to))
  for i, arg in ipairs(args) do
    local bits = node.op == "select" and i == 1 and 1 or terms.width(from)
    if bits == 1 or not terms.is_float(from) then args[i] = resize(arg, 64, bits) end
  end
  local term, trap = compute(query, node.op, from, to, args)
  if not terms.is_float(to) then term = resize(term, terms.width(to), 64, true) end
  return term, both(defined, negated(trap))
end

-- An integer that is the data of an op, in 64 bits.
local function data(query, node)
  if node.kind == "helper" then return constant(query, node) end
  if node.kind == "data" and node.name ~= "_" then
    local symbol = query.symbols[node.name]
    if symbol then return symbol end
    symbol = declare(query, "v." .. node.name, "(_ BitVec 64)")
    query.symbols[node.name] = symbol
    table.insert(query.variables,
      { name = node.name, symbol = symbol, type = "i64", kind = "constant" })
    return symbol
  end
  if node.kind == "data" then return new_symbol(query, "(_ BitVec 64)") end
  if math.type(node.value) ~= "integer" then
    refuse(query, "data other than integers are not told to solvers")
  end
  return number(math.tointeger(node.value) or 0, 64)
end

local function sort_of(type)
  return type and terms.is_float(type) and ("(_ FloatingPoint %s)"):format(terms.format(type))
    or "(_ BitVec 64)"
end

-- What a function of constants gives: any function, the same wherever it is called.
local function helper(query, node)
  local args, sorts, defined, type = {}, {}, nil, type_of(query, node)
  for i, kid in ipairs(node) do
    local one
    args[i], one = (kid.kind == "data" and data or constant)(query, kid)
    sorts[i], defined = sort_of(type_of(query, kid)), both(defined, one)
  end
  local key = { table.concat(sorts, " "), sort_of(type) }
  local functions = query.functions[node.callback] or {}
  local name = functions[table.concat(key, "->")]
  if not name then
    query.fresh = query.fresh + 1
    name = "f." .. query.fresh
    table.insert(query.declared, ("(declare-fun %s (%s) %s)"):format(name, key[1], key[2]))
    query.functions[node.callback], functions[table.concat(key, "->")] = functions, name
  end
  local call = { callback = node.callback, name = name, args = {} }
  for i, arg in ipairs(args) do
    query.fresh = query.fresh + 1
    call.args[i] = "h." .. query.fresh
    table.insert(query.declared, ("(define-fun %s () %s %s)"):format(call.args[i], sorts[i], arg))
  end
  query.assumed = true
  table.insert(query.calls, call)
  local term = #args > 0 and ("(%s %s)"):format(name, table.concat(args, " ")) or name
  if type and terms.is_float(type) then return term, defined end
  return resize(resize(term, 64, bits_of(query, node)), bits_of(query, node), 64, true), defined
end

local function expression(query, node)
  local op = node.op
  if op == "and" or op == "or" or op == "not" or truths[op] or facts[op] or asks(node) then
    local term, defined = truth(query, node)
    return ("(ite %s %s %s)"):format(term, number(1, 64), number(0, 64)), defined
  end
  if op == "uses" then
    query.assumed = true
    return new_symbol(query, "(_ BitVec 64)")
  end
  if op == "zero_bits" then return known_zeros(query, node) end
  if op == "width" then return number(bits_of(query, node[1]), 64) end
  local bits = bits_of_float(query, node)
  if bits then return bits end
  local args, defined = arguments(query, node)
  local term, also
  if op == "log2" then
    term, also = log2(unsigned(query, node[1], args[1]))
  else
    term, also = (node.type and typed_step or plain_step)(query, node, args)
  end
  return term, both(defined, also)
end

function constant(query, node)
  local kind = node.kind
  if kind == "literal" then return literal(query, node) end
  if kind == "helper" then return helper(query, node) end
  if kind == "int_min" then return least(query, node) end
  if kind == "int_max" then return ("(bvnot %s)"):format(least(query, node)) end
  if kind == "expression" or kind == "callback" then return expression(query, node) end
  local term = variable(query, node)
  if terms.is_float(type_of(query, node)) then return term end
  return resize(term, bits_of(query, node), 64, true)
end

-- `and` and `or` do not look at the second side if the first one decides.
local function logical(query, node)
  local a, a_defined = truth(query, node[1])
  if node.op == "not" then return ("(not %s)"):format(a), a_defined end
  local b, b_defined = truth(query, node[2])
  local decides = node.op == "or" and a or ("(not %s)"):format(a)
  if b_defined then b_defined = ("(or %s %s)"):format(decides, b_defined) end
  return ("(%s %s %s)"):format(node.op, a, b), both(a_defined, b_defined)
end

function truth(query, node)
  local op = node.op
  if op == "and" or op == "or" or op == "not" then return logical(query, node) end
  if asks(node) then
    query.assumed = true
    return new_symbol(query, "Bool")
  end
  local term, defined
  if facts[op] then
    query.facts = true
    return ("(and %s %s)"):format(new_symbol(query, "Bool"),
      facts[op](variable(query, node[1]), bits_of(query, node[1])))
  end
  if truths[op] then
    term, defined = constant(query, node[1])
    return truths[op](unsigned(query, node[1], term)), defined
  end
  term, defined = constant(query, node)
  return is_true(term), defined
end

-- }== Values ===========================================================

local function assert_that(query, what)
  if what then table.insert(query.asserted, ("(assert %s)"):format(what)) end
end

local function any(query, node)
  local type = type_of(query, node)
  return typed(query, new_symbol(query, ("(_ BitVec %d)"):format(terms.width(type))), type)
end

local CONSTANT <const> = { literal = true, int_min = true, int_max = true, expression = true,
  helper = true }

local operand

local function instruction(query, node)
  local args = {}
  for i, kid in ipairs(node) do args[i] = operand(query, kid) end
  if node.data then
    args[#args + 1] = resize(data(query, node.data), 64, terms.width(type_of(query, node)))
    if not (node.own:smt() or ""):find("%$[-%%]?" .. string.char(96 + #args) .. "%f[%W]") then
      refuse(query, ("op '%s': smt does not say what its data do"):format(node.op))
    end
  end
  local first = node[node.op == "select" and 2 or 1]
  local from = first and type_of(query, first)
  local term, trap = compute(query, node.op, from, type_of(query, node), args, node.own)
  table.insert(query.traps, trap)
  if node.as then
    local named = typed(query, query.symbols[node.as], type_of(query, node))
    assert_that(query, ("(= %s %s)"):format(named, term))
    term = named
  end
  return term, trap
end

-- The term of a node; a second result says when an instruction itself traps.
function operand(query, node)
  local kind, type = node.kind, type_of(query, node)
  if kind == "value" or kind == "constant" then return variable(query, node) end
  if kind == "any" then return any(query, node) end
  if kind == "only" then return operand(query, node[1]) end
  if kind == "op" then return instruction(query, node) end
  if not CONSTANT[kind] then refuse(query, "its result is made by a function") return "" end
  local term, defined = constant(query, node)
  assert_that(query, defined)
  return terms.is_float(type) and term or resize(term, 64, terms.width(type))
end

-- }== Terminators ======================================================

-- Which label is taken.
local ends = {}

function ends.jump(query, node) return label(query, node[1]) end

function ends.branch(query, node)
  return compute(query, "select", nil, nil,
    { operand(query, node[1]), label(query, node[2]), label(query, node[3]) })
end

-- The value, the keys, then the label of none of them, and that of each. With equal keys it would
-- be as wrong as a trap.
function ends.switch(query, node)
  local half, of, keys = #node // 2, operand(query, node[1]), {}
  local taken = label(query, node[half + 1])
  for i = 2, half do
    keys[i - 1] = operand(query, node[i])
    taken = ("(ite (= %s %s) %s %s)"):format(of, keys[i - 1], label(query, node[half + i]), taken)
  end
  if #keys > 1 then
    table.insert(query.traps, ("(not (distinct %s))"):format(table.concat(keys, " ")))
  end
  return taken
end

-- The meaning of a pattern or result, and when it traps itself.
local function root(query, node)
  if node.kind == "op" and ends[node.op] then return ends[node.op](query, node) end
  return operand(query, node)
end

-- }== Questions ========================================================

-- Appends the question: traps of operands keep a rule from being reached.
local function ask(query, rule)
  local pattern, trap = root(query, rule.pattern)
  for _, other in ipairs(query.traps) do
    if other ~= trap then assert_that(query, ("(not %s)"):format(other)) end
  end
  query.traps = {}
  local result = root(query, rule.result)
  local traps = #query.traps > 0 and ("(or %s)"):format(table.concat(query.traps, " ")) or "false"
  trap = trap or "false"
  assert_that(query, ("(or (distinct %s %s) (and (not %s) (distinct %s %s)))"):format(
    trap, traps, trap, pattern, result))
end

--- The question whether a rule is wrong at these types.
---@param rule phial.rules.Rule
---@param types string[] one for each type of the rule
---@param multiplies? boolean shifts are products, complements differences, which solvers reorder
---@return phial.rules.Query
function M.query(rule, types, multiplies)
  local query = { rule = rule, types = types, multiplies = multiplies, declared = {},
    variables = {}, asserted = {}, traps = {}, symbols = {}, signs = {}, functions = {}, calls = {},
    fresh = 0 }
  declare_names(query, rule.pattern)
  if rule.guard then
    local term, defined = truth(query, rule.guard)
    assert_that(query, defined)
    assert_that(query, term)
  end
  ask(query, rule)
  return query
end

-- A declaration, or, if the low bits of the constant are given, a definition that has them.
local function declared_with(line, low)
  local symbol, bits = line:match "^%(declare%-const (%S+) %(_ BitVec (%d+)%)%)$"
  if not low[symbol] then return line end
  local of_low = math.floor(math.log(tonumber(bits), 2))
  return ("(declare-const %s.high (_ BitVec %d))\n(define-fun %s () (_ BitVec %s) "
    .. "(concat %s.high (_ bv%d %d)))"):format(symbol, bits - of_low, symbol, bits, symbol,
    low[symbol], of_low)
end

---@class phial.rules.Case part of what a question is about
---@field asserted string[] what holds in it
---@field low table<string, integer> by symbol: a constant modulo its width

-- A question as commands.
local function commands(query, case)
  local lines = {}
  for _, line in ipairs(query.declared) do
    lines[#lines + 1] = case and declared_with(line, case.low) or line
  end
  table.move(query.asserted, 1, #query.asserted, #lines + 1, lines)
  for _, more in ipairs(case and case.asserted or {}) do
    lines[#lines + 1] = ("(assert %s)"):format(more)
  end
  lines[#lines + 1] = "(check-sat)"
  return table.concat(lines, "\n") .. "\n"
end

-- What precedes commands. Of bits alone solvers decide much in a fifth of the time.
local function head(text)
  local has_more = text:find "Int%)" or text:find "declare%-fun" or text:find "[Ff]loat"
    or text:find "fp"
  return ("(reset)\n(set-logic %s)\n"):format(has_more and "ALL" or "QF_BV")
end

--- A question as commands. Satisfiable: the rule is wrong.
---@param query phial.rules.Query
---@param case? phial.rules.Case
---@return string
function M.text(query, case)
  local text = commands(query, case)
  return head(text) .. text
end

--- The same for many: a text for each, which are asked together. Solvers start few of them anew,
--- which is fast for what is simple.
---@param first integer
---@param last integer
---@param get fun(k: integer): phial.rules.Query, phial.rules.Case?
---@return string[]
function M.texts(first, last, get)
  local texts, before = {}, nil
  for k = first, last do
    local text = commands(get(k))
    local its = head(text)
    texts[#texts + 1] = ("%s(push)\n%s(pop)\n"):format(its ~= before and its or "", text)
    before = its
  end
  return texts
end

return M
