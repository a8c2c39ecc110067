-- Discharges the lemmas that the checker has used (check --lemmas), from its output: each is a rule
-- with constants filled in, which R:prove asks a solver about; or it has no variables, and the
-- oracle of the specs computes it; or it says of a terminator where it goes, or of an op that it
-- has the types of its operands or cannot trap, which is read off.  Counts the rules of the default
-- set that make both sides of an equation one.
--
-- usage: lua5.4 proof/lemmas.lua FILE [OUT]; the exit status is 1 if one is wrong.  OUT gets each
-- lemma with what is said of it, and its rules
package.path = "./?.lua;" .. package.path
local phial = require "phial"
local semantics = require "spec.oracle.semantics"

-- {== Reading ===========================================================

-- "x2", "5:i32", "-0.0", or an op with its types and operands: { op = , types = , ... }.
local function term(s)
  local op, types, data, args = s:match "^([%w_.]+):?([%w_.:]*)({.*})%((.*)%)$"
  if not op then op, types, args = s:match "^([%w_.]+):?([%w_.:]*)%((.*)%)$" end
  if not op then return s end
  local it = { op = op, data = data, types = {} }
  for type in types:gmatch "[^:]+" do it.types[#it.types + 1] = type end
  for arg in args:gmatch "[^, ]+" do it[#it + 1] = arg end
  return it
end

local function is_name(s) return s:find "^x%d+$" ~= nil end
local function type_of(literal)
  local type = literal:match ":([%w_.]+)$"
  if type then return type end
  if literal == "true" or literal == "false" then return "i1" end
  return math.type(tonumber(literal)) == "integer" and "i64" or "f64" -- also inf and nan
end

local function read(line)
  local before, after = line:match "^(.-) ?=> (.*)$"
  local defs, types = {}, {}
  for premise in before:gmatch "[^;]+" do
    local name, it = premise:match "^ ?(x%d+) = (.*)$"
    defs[name] = term(it)
    types[name] = defs[name].types[1]
    for i, arg in ipairs(defs[name]) do
      if is_name(arg) then types[arg] = types[arg] or defs[name].types[i + 1] end
    end
  end
  return defs, types, after
end

-- }== Equations =========================================================

local function has_names(it)
  if type(it) == "string" then return is_name(it) end
  for _, arg in ipairs(it) do if has_names(arg) then return true end end
  return false
end

-- The tree that a name, or a term, is computed by.
local function tree(it, defs)
  if type(it) == "string" then return defs[it] and tree(defs[it], defs) or it end
  local types = it.op == "bitcast" and table.concat(it.types, " ") or ""
  local is_same = types == "i64 ptr" or types == "ptr i64" or types == "ptr ptr"
    or types == "i64 i64"
  if it.op == "copy" or is_same then return tree(it[1], defs) end
  local kids = { op = it.op, types = it.types }
  for i, arg in ipairs(it) do kids[i] = tree(arg, defs) end
  return kids
end

local function names_in(t, found)
  if type(t) == "string" then found[t] = is_name(t) or nil
  else for _, kid in ipairs(t) do names_in(kid, found) end end
  return found
end

-- What the oracle computes of a term without names, "trap", or the literal.
local function computed(t)
  local lines, n = {}, 0
  local function put(it)
    if type(it) == "string" then return it end
    local args = {}
    for i, kid in ipairs(it) do args[i] = put(kid) end
    n = n + 1
    lines[n] = ("  %%%d: %s = %s %s"):format(n, it.types[1], it.op, table.concat(args, ", "))
    return "%" .. n
  end
  local result = put(t)
  local type = #lines > 0 and lines[#lines]:match ": (%S+) =" or type_of(result)
  local fn = assert(phial.parse(("fn f() -> %s {\nentry:\n%s\n  ret %s\n}\n"):format(type,
    table.concat(lines, "\n"), result)))
  local ok, it = pcall(semantics.run, fn, { fuel = 9 })
  fn:close()
  if ok then return it end
  return "trap"
end

-- Floats as rules write them: with a point, those of f32 exactly.
local function float(x, type)
  if type == "f32" then x = string.unpack("f", string.pack("f", x)) end
  local text = ("%.17g"):format(x)
  return (text:find "[.en]" and text or text .. ".0") .. ":" .. type
end

local function word_of(value, type)
  if type:sub(1, 1) == "f" then return float(value, type) end
  return ("%s:%s"):format(value, type)
end

-- As rules write it; they have no operations of constants alone.
local function written(t, types)
  if type(t) == "string" then
    if is_name(t) then return t .. ":" .. types[t] end
    local minus, word = t:match "^(%-?)(%l+)"        -- rules have no names for these
    if word == "inf" or word == "nan" then
      local type = type_of(t)
      local over = minus .. (word == "inf" and "1.0" or "0.0")
      return ("fdiv(%s:%s, 0.0:%s):%s"):format(over, type, type, type)
    end
    if type_of(t) == "f32" then return float(tonumber(t:match "[^:]*"), "f32") end
    return t:find ":" and t or (t == "true" or t == "false") and t or t .. ":" .. type_of(t)
  end
  if not has_names(t) then return written(word_of(computed(t), t.types[1]), types) end
  local kids = {}
  for i, kid in ipairs(t) do kids[i] = written(kid, types) end
  return ("%s(%s):%s"):format(t.op, table.concat(kids, ", "), t.types[1])
end

local function sign(x) return 1 / (x == 0 and x or 1) end
local function same(a, b)
  if type(a) ~= "number" or type(b) ~= "number" then return a == b and a ~= "trap" end
  return a == b and sign(a) == sign(b) or a ~= a and b ~= b
end

-- The trace of a function of these parameters that returns the value of a tree.
local function trace_of(t, params, types)
  local lines, words = { "" }, {}
  for i, name in ipairs(params) do
    lines[1] = ("%s %s:%s"):format(lines[1], name, types[name])
    words[name] = "%" .. i
  end
  local function put(it)
    if type(it) == "string" then return words[it] or it end
    local args = {}
    for i, kid in ipairs(it) do args[i] = put(kid) end
    local id = "%" .. #params + #lines
    lines[#lines + 1] = ("i %s %s %s %s"):format(id, it.types[1], it.op, table.concat(args, " "))
    return id
  end
  local result = put(t)
  lines[#lines + 1] = "x " .. result
  return ("F f 1 0 %s%s\nb entry\n%s\nE\n"):format(type(t) == "string" and types[t] or t.types[1],
    lines[1], table.concat(lines, "\n", 2))
end

-- The names of the rules that make one text of both trees; nil if they are not one by rules.
local function rules_of(a, b, types)
  local found, params = {}, {}
  for _, t in ipairs { a, b } do
    for name in pairs(names_in(t, {})) do
      if not found[name] then params[#params + 1] = name end
      found[name] = true
    end
  end
  table.sort(params)
  local make, fired, list = phial.fn, {}, {}
  function phial.fn(name, its, result, opts)
    function opts.log(event) if event.rule then fired[event.rule] = true end end
    return make(name, its, result, opts)
  end
  local function form(t)
    local fn = assert(phial.replay(trace_of(t, params, types), { rules = true }))
    local ids, n = {}, 0
    local text = fn:text():gsub("%%%d+", function(id)
      if not ids[id] then ids[id], n = n, n + 1 end
      return ids[id]
    end)
    fn:close()
    return text
  end
  local ok, one = pcall(function() return form(a) == form(b) end)
  phial.fn = make
  if not (ok and one) then return nil end
  for name in pairs(fired) do list[#list + 1] = name end
  table.sort(list)
  return list
end

-- Questions that are asked together, since starting a solver takes longer than most of them: what
-- is not decided so is asked again.
local asked = { is_on = false }
local AT_ONCE <const> = 200

local function ask_again(rules, premises, by)
  local _, verdicts = rules:prove { solver = "z3", seconds = 10 }
  local said = verdicts[1]:gsub("^lemma: ", "")
  local is_vacuous = premises[1] and said:find "a trap %->"
    or premises[2] and said:find "%-> a trap"
  local is_wrong = said:find "^wrong" and not is_vacuous
  return said == "proved" and "proved" or is_wrong and "wrong" or "open", said, by
end

-- Where the premises trap, a lemma says nothing, while both sides of a rule must trap alike.
local function of_lemma(question, premises)
  local start = question:find("(assert (or (distinct ", 1, true)
  if not start then return question end
  local traps, at = {}, start + #"(assert (or (distinct "
  for side = 1, 2 do
    local trap = question:match("^%b()", at) or question:match("^%a+", at)
    at = at + #trap + 1
    if premises[side] then traps[#traps + 1] = ("(assert (not %s))\n"):format(trap) end
  end
  return question:sub(1, start - 1) .. table.concat(traps) .. question:sub(start)
end

-- premises: which sides are what the premises compute. Addresses are integers.
local function prove(text, premises, by)
  text = text:gsub(":ptr", ":i64"):gsub("ptradd", "add")
  local ok, rules = pcall(phial.rules, "lemma: " .. text .. " @ unoriented, always")
  if not ok then return "open", rules, by end
  local known, question = pcall(rules.smt, rules, "lemma")
  if not asked.is_on or not known then return ask_again(rules, premises, by) end
  asked[#asked + 1] = { rules = rules, question = of_lemma(question, premises), premises = premises,
    by = by }
  return "asked", asked[#asked], by
end

-- Gives what was asked its verdicts.
local function hear()
  local path = os.tmpname()
  for first = 1, #asked, AT_ONCE do
    local file = assert(io.open(path, "w"))
    local last = math.min(#asked, first + AT_ONCE - 1)
    for i = first, last do
      file:write('(echo "next")\n', (asked[i].question))
    end
    file:close()
    local pipe <close> = assert(io.popen("z3 -t:2000 " .. path))
    local i = first - 1
    for line in pipe:lines() do
      local it = asked[i]
      if line == "next" then
        i = i + 1
        asked[i].verdict = "none"
      elseif it then
        it.verdict = line == "unsat" and it.verdict ~= "undecided" and "proved" or "undecided"
      end
    end
    for j = first, last do
      local it = asked[j]
      if it.verdict ~= "proved" then it.verdict, it.why = ask_again(it.rules, it.premises) end
    end
  end
  os.remove(path)
end

-- Solvers do not decide this in time.
local function is_commuted(a, b)
  return (a.op == "fadd" or a.op == "fmul") and a.op == b.op and a[1] == b[2] and a[2] == b[1]
    and type(a[1]) == "string" and type(a[2]) == "string"
end

local function can_trap(op)
  return op:find "^[su]div$" or op:find "^[su]rem$" or op:find "^fto[iu]$"
end

-- True if all names in b are in a.
local function contains(a, b)
  local known = names_in(a, {})
  for name in pairs(names_in(b, {})) do if not known[name] then return false end end
  return true
end

local function equation(defs, types, left, right)
  if type(right) == "table" then
    types[left] = types[left] or right.types[1]
    for i, arg in ipairs(right) do
      if is_name(arg) then types[arg] = types[arg] or right.types[i + 1] end
    end
  end
  local a, b = tree(left, defs), tree(right, defs)
  if not has_names(a) and not has_names(b) then
    return same(computed(a), computed(b)) and "computed" or "wrong"
  end
  if a == b then return "read off" end
  local by = rules_of(a, b, types)
  if type(a) == "string" and a == b then return "read off" end
  if is_commuted(a, b) then return "by IEEE 754", nil, by end
  local premises = { true, not (type(right) == "table" and can_trap(right.op)) }
  local function swap() a, b, premises = b, a, { premises[2], premises[1] } end
  if type(a) == "string" or not has_names(a) then swap() end
  if not contains(a, b) then
    if not contains(b, a) then
      return prove(("eq(%s, %s) => true"):format(written(a, types), written(b, types)),
        { premises[1] and premises[2] }, by)
    end
    swap()
  end
  return prove(written(a, types) .. " => " .. written(b, types), premises, by)
end

-- }== What is read off ==================================================

local function integer(literal)
  if literal == "true" or literal == "false" then return literal == "true" and -1 or 0 end
  return math.tointeger(tonumber((literal:gsub(":.*", ""))))
end

local function cannot_trap(it)
  if it.op == "trap_if" then return it[1] == "false" and "computed" or "wrong" end
  if not has_names(it) then return computed(it) ~= "trap" and "computed" or "wrong" end
  local by = it[2] and not is_name(it[2]) and integer(it[2])
  local right = by and by ~= 0 and (it.op == "udiv" or it.op == "urem" or it.op == "srem"
    or it.op == "sdiv" and by ~= -1)
  return right and "by divisor" or "wrong"
end

local function traps(it)
  if it.op == "trap_if" then return it[1] == "true" and "computed" or "wrong" end
  return not has_names(it) and computed(it) == "trap" and "computed" or "wrong"
end

local function is_defined(it, types)
  for i, arg in ipairs(it) do
    if (is_name(arg) and types[arg] or not is_name(arg) and type_of(arg)) ~= it.types[i + 1] then
      return "wrong"
    end
  end
  return "by types"
end

-- The edge that a terminator takes where its operand is an integer, or none of its keys.
local function taken(it, x)
  if it.op == "jump" then return 0 end
  if it.op == "branch" then return x == "true" and 0 or 1 end
  for i = 2, #it do if integer(it[i]) == x then return i - 1 end end
  return 0
end

-- For each edge of the second terminator, those of the first that may be taken then.
local function goes(defs, a, b, edges)
  local from, to = term(a), term(b)
  local negated = defs[from[1]]
  if from.op == "branch" and to.op == "branch" then
    local right = negated and negated.op == "bnot" and negated[1] == to[1] and edges == "1; 0"
    return right and "read off" or "wrong"
  end
  if to.op ~= "jump" and (to.op ~= from.op or to[1] ~= from[1]) then return "wrong" end
  local given = {}
  for list in (edges .. "; "):gmatch "(.-); " do
    given[#given + 1] = {}
    for n in list:gmatch "%d+" do given[#given][tonumber(n)] = true end
  end
  local operands = { from[1] }
  if is_name(from[1]) then
    operands = from.op == "branch" and { "true", "false" } or { "other" }
    for _, it in ipairs(from.op == "branch" and {} or { from, to }) do
      for i = 2, #it do operands[#operands + 1] = it[i] end
    end
  end
  for _, x in ipairs(operands) do
    if from.op == "switch" then x = x == "other" and x or integer(x) end
    if not given[taken(to, x) + 1][taken(from, x)] then return "wrong" end
  end
  return "read off"
end

local function discharge(line)
  local defs, types, after = read(line)
  local kind, rest = after:match "^(%l+) (.*)$"
  if kind == "safe" then return cannot_trap(term(rest)) end
  if kind == "never" then return traps(term(rest)) end
  if kind == "defined" then return is_defined(term(rest), types) end
  if kind == "next" then return goes(defs, rest:match "^(.-) as (.-) %[(.*)%]$") end
  local left, right = after:match "^(%S+) = (.*)$"
  return equation(defs, types, left, term(right))
end

-- }=====================================================================

local seen, counts, by_rule, wrong = {}, {}, {}, false
local out <close> = arg[2] and assert(io.open(arg[2], "w")) or nil

local function count(table_, key) table_[key] = (table_[key] or 0) + 1 end

local function listed(of)
  local list = {}
  for key in pairs(of) do list[#list + 1] = key end
  table.sort(list, function(a, b) return of[a] > of[b] or of[a] == of[b] and a < b end)
  for i, key in ipairs(list) do list[i] = ("%s %d"):format(key, of[key]) end
  return table.concat(list, ", "), #list
end

local function say(line, verdict, why, by)
  count(counts, verdict)
  if verdict == "wrong" or verdict == "open" then
    print(("%s: %s%s"):format(verdict, line, why and " -- " .. tostring(why) or ""))
  end
  wrong = wrong or verdict == "wrong"
  for _, rule in ipairs(by or {}) do count(by_rule, rule) end
  if out then
    local rules = by and "; rules: " .. table.concat(by, " ") or ""
    out:write(("%s -- %s%s\n"):format(line, verdict, rules))
  end
end

for line in io.lines(arg[1]) do
  -- what a mutant that runs otherwise needs: not all of it holds
  local doubted, refuted = line:match "^doubt: (.*)$", false
  for lemma in ((doubted or "") .. " | "):gmatch "(.-) | " do
    local ok, verdict = pcall(discharge, lemma)
    refuted = refuted or doubted and ok and verdict == "wrong"
  end
  if doubted then
    count(counts, refuted and "mutants refuted" or "mutants wrong")
    wrong = wrong or not refuted
  end
  line = line:match "^lemma: (.*)$"
  if line and not seen[line] then
    seen[line], asked.is_on = true, true
    local ok, verdict, why, by = pcall(discharge, line)
    asked.is_on = false
    if ok and verdict == "asked" then
      why.line = line
    else
      say(line, ok and verdict or "open", ok and why or verdict, by)
    end
  end
end
hear()
for _, it in ipairs(asked) do say(it.line, it.verdict, it.why, it.by) end
print("lemmas: " .. listed(counts))
local rules, n = listed(by_rule)
print(("instances of %d rules: %s"):format(n, rules))
os.exit(not wrong)
