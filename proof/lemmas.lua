-- Discharges the lemmas that the checker has used (check --lemmas), from its output: each is a rule
-- with constants filled in, which R:prove asks a solver about; or it has no variables, and the
-- oracle of the specs computes it; or it says of a terminator where it goes, or of an op that it
-- has the types of its operands or cannot trap, which is read off.
--
-- usage: lua5.4 proof/lemmas.lua FILE; the exit status is 1 if one is wrong
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
  return math.type(tonumber(literal)) == "integer" and "i64" or "f64"
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
  if it.op == "copy" then return tree(it[1], defs) end
  local kids = { op = it.op, types = it.types }
  for i, arg in ipairs(it) do kids[i] = tree(arg, defs) end
  return kids
end

local function written(t, types)
  if type(t) == "string" then
    if is_name(t) then return t .. ":" .. types[t] end
    return t:find ":" and t or (t == "true" or t == "false") and t or t .. ":" .. type_of(t)
  end
  local kids = {}
  for i, kid in ipairs(t) do kids[i] = written(kid, types) end
  return ("%s(%s):%s"):format(t.op, table.concat(kids, ", "), t.types[1])
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

local function sign(x) return 1 / (x == 0 and x or 1) end
local function same(a, b)
  if type(a) ~= "number" or type(b) ~= "number" then return a == b and a ~= "trap" end
  return a == b and sign(a) == sign(b) or a ~= a and b ~= b
end

local function prove(text)
  local ok, rules = pcall(phial.rules, "lemma: " .. text .. " @ unoriented, always")
  if not ok then return "open", rules end
  local _, verdicts = rules:prove { solver = "z3", seconds = 10 }
  local said = verdicts[1]:gsub("^lemma: ", "")
  return said == "proved" and "proved" or said:find "^wrong" and "wrong" or "open", said
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
  if type(a) == "string" or not has_names(a) then a, b = b, a end
  local known = names_in(a, {})
  for name in pairs(names_in(b, {})) do
    if not known[name] then
      local c = names_in(b, {})
      local within = type(b) == "table"
      for other in pairs(known) do within = within and c[other] end
      if not within then
        return prove(("eq(%s, %s) => true"):format(written(a, types), written(b, types)))
      end
      a, b = b, a
      break
    end
  end
  return prove(written(a, types) .. " => " .. written(b, types))
end

-- }== What is read off ==================================================

local function integer(literal) return math.tointeger(tonumber((literal:gsub(":.*", "")))) end

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

-- The edges of the first terminator that may be taken with each edge of the second.
local function goes(defs, a, b, edges)
  local from, to = term(a), term(b)
  local negated = defs[from[1]]
  if from.op == "branch" and to.op == "branch" then
    local right = negated and negated.op == "bnot" and negated[1] == to[1] and edges == "1; 0"
    return right and "read off" or "wrong"
  end
  if to.op ~= "jump" then return "wrong" end
  local taken = {}
  if is_name(from[1]) then
    for i = 1, from.op == "branch" and 2 or #from do taken[i] = i - 1 end
  elseif from.op == "branch" then taken[1] = from[1] == "true" and 0 or 1
  else
    taken[1] = 0
    for i = #from, 2, -1 do
      if integer(from[i]) == integer(from[1]) then taken[1] = i - 1 end
    end
  end
  local given = {}
  for n in edges:gmatch "%d+" do given[tonumber(n)] = true end
  for _, n in ipairs(taken) do if not given[n] then return "wrong" end end
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

local seen, counts, wrong = {}, {}, false
for line in io.lines(arg[1]) do
  -- what a mutant that runs otherwise needs: not all of it holds
  local doubted, refuted = line:match "^doubt: (.*)$", false
  for lemma in ((doubted or "") .. " | "):gmatch "(.-) | " do
    local ok, verdict = pcall(discharge, lemma)
    refuted = refuted or doubted and ok and verdict == "wrong"
  end
  if doubted then
    counts[refuted and "mutants refuted" or "mutants wrong"] =
      (counts[refuted and "mutants refuted" or "mutants wrong"] or 0) + 1
    wrong = wrong or not refuted
  end
  line = line:match "^lemma: (.*)$"
  if line and not seen[line] then
    seen[line] = true
    local ok, verdict, why = pcall(discharge, line)
    if not ok then verdict, why = "open", verdict end
    counts[verdict] = (counts[verdict] or 0) + 1
    if verdict == "wrong" or verdict == "open" then
      print(("%s: %s%s"):format(verdict, line, why and " -- " .. tostring(why) or ""))
    end
    wrong = wrong or verdict == "wrong"
  end
end
local list = {}
for verdict, n in pairs(counts) do list[#list + 1] = ("%s %d"):format(verdict, n) end
table.sort(list)
print("lemmas: " .. table.concat(list, ", "))
os.exit(not wrong)
