-- rediscovery.lua: how many of the built-in rules R:find finds anew from an empty set, by terms
-- that it enumerates.
--
-- usage: lua5.4 bench/suites/rediscovery.lua [-v] [SECONDS]       (default: 600)
--
-- The rules are those of integers of one width with patterns of one to three ops. One is found anew
-- if the rules that were found leave of its pattern, with constants that its guard accepts, no more
-- than it does itself, by the weights of ops. What is found does not depend on time, unless SECONDS
-- of processor, of all processes, end the searches early. -v lists the rules that are missed, and
-- those that were found.

package.path = "./?.lua;" .. package.path

local phial = require "phial"
local shapes = require "phial.rules.find.shapes"
local terms = require "phial.rules.find.term"
local EMPTY <const> = phial.rules()

local is_verbose = arg[1] == "-v"
local SECONDS <const> = tonumber(arg[is_verbose and 2 or 1] or 600)

-- {== Searches ===========================================================

local COMPARE <const>, ENDS <const> = "eq ne slt ult sle ule", "0 -1 INT_MIN INT_MAX"

-- What z3 may take for a question, and where rotations are by a variable: about half a second, and
-- two.
local STEPS <const>, MANY <const> = 2000000, 16000000

local SEARCHES <const> = {
  { size = 1, vars = 2 },
  { size = 1, vars = 1, literals = "2 3 4" },
  { size = 2, vars = 2, literals = "0", ops = "add sub neg bnot bxor " .. COMPARE },
  { size = 2, vars = 2, literals = "0", ops = "band bor bxor bnot " .. COMPARE },
  { size = 2, vars = 2, literals = "", ops = "shl shr sar neg mul ult ule" },
  { size = 2, vars = 2, literals = "", ops = "rotl rotr", steps = MANY },
  { size = 2, vars = 2, literals = "0 1", ops = "select band bor bxor neg bnot add sub" },
  { size = 2, vars = 3, literals = "", ops = "select smin smax umin umax " .. COMPARE },
  { size = 2, vars = 1, literals = ENDS, ops = "add sub neg bnot band bor bxor " .. COMPARE },
  { size = 2, vars = 1, literals = "0 -1", ops = "clz ctz popcnt eq ne slt" },
  { size = 2, vars = 1, literals = "1 3 5 6 7", ops = "band bor bxor" },
  { size = 2, vars = 1, literals = "1 3 5 -3 -4", ops = "add bor band" },
  { size = 2, vars = 1, literals = "3 5 -3 -5 15", ops = "mul neg" },
  { size = 2, vars = 1, literals = "1 2 3 5 6 8 -2 -3 -5", ops = "add sub neg bnot bxor eq ne" },
  { size = 2, vars = 1, literals = "0 3 5", ops = "mul eq ne" },
  { size = 2, vars = 1, literals = "0 1 2 3 4 6 63 -8", ops = "shl shr sar band neg" },
  { size = 2, vars = 1, literals = "1 2 3 6", ops = "rotl mul shl eq ne" },
  { size = 2, vars = 1, literals = "3 5", ops = "smin smax umin umax" },
  { size = 3, vars = 1, literals = "3 5", ops = "band bor eq ne slt ult" },
  { size = 3, vars = 1, literals = "-6 0 3", ops = "band bor slt ult" },
  { size = 3, vars = 2, literals = "", ops = "neg bnot mul " .. COMPARE },
  { size = 3, vars = 2, literals = "", ops = "add sub neg bnot band bor bxor" },
  { size = 3, vars = 2, literals = "", ops = "band bor bxor " .. COMPARE },
  { size = 3, vars = 2, literals = "", ops = "smin smax umin umax add bnot" },
  { size = 3, vars = 2, literals = "", ops = "select bor ne" },
  { size = 3, vars = 2, literals = "", ops = "select band eq" },
  { size = 3, vars = 3, literals = "", ops = "add sub mul" },
  { size = 3, vars = 3, literals = "", ops = "band bor bxor" },
  { size = 3, vars = 3, literals = "", ops = "add sub bxor eq ne" },
  { size = 3, vars = 3, literals = "", ops = "shl add sub band bor bxor" },
  { size = 3, vars = 3, literals = "", ops = "shr sar band bor bxor" },
  { size = 3, vars = 3, literals = "", ops = "rotl band bor bxor", steps = MANY },
  { size = 3, vars = 2, literals = ENDS, ops = "band bor eq ne slt ult" },
  { size = 3, vars = 2, literals = ENDS, ops = "band bor eq ne sle ule" },
  { size = 3, vars = 1, literals = "0 -1", ops = "select neg slt smin smax" },
  { size = 1, vars = 1, literals = "4 -2", ops = "umulh shr" },
  { size = 3, vars = 2, literals = "", ops = "select bor eq" },
  { size = 3, vars = 2, literals = "", ops = "select band ne" },
  { size = 3, vars = 3, literals = "", ops = "shl shr band" },
  { size = 3, vars = 3, literals = "", ops = "rotl eq", steps = MANY },
}

-- What this process and those that it has waited for took.
local function processor()
  local file <close> = assert(io.open "/proc/self/stat")
  local sum, i = 0, 2
  for field in file:read "a":match "%) (.*)":gmatch "%S+" do
    i = i + 1
    if i >= 14 and i <= 17 then sum = sum + tonumber(field) end
  end
  return sum / 100
end

local function search()
  local R, texts = phial.rules(), {}
  for _, it in ipairs(SEARCHES) do
    local how = { size = it.size, vars = it.vars, literals = it.literals, ops = it.ops }
    local found = R:find {
      limit = math.max(0, SECONDS - processor()), steps = it.steps or STEPS, enumerate = how,
    }
    for _, rule in ipairs(found) do
      if rule.verdict == "proved" then
        R:add(rule.rule)
        texts[#texts + 1] = rule.rule
      end
    end
  end
  return R, texts
end

-- }== Rules ==============================================================

local VALUES <const> = { 3, 5, -3, 8, 1, -1, 0, 63, 2, 32, -8, 7, -4, 6, 31, 62, 61 }

-- The pattern of a rule as a node for shapes.lua, with values of its constants; the number of ops
-- is added to that of `count`. Raises where terms have no such thing.
local function node_of(rule, tree, constants, count)
  local list = table.concat(rule.types[tree.type], " ")
  local node = { text = "", type = assert(list:match "i64" or list:match "i1", "other types") }
  if tree.kind == "op" or tree.kind == "expression" then
    assert(terms.has(tree.op), "no such op")
    node.op = tree.op
    count[1] = count[1] + (tree.kind == "op" and 1 or 0)
    for i, kid in ipairs(tree) do node[i] = node_of(rule, kid, constants, count) end
  elseif tree.kind == "constant" then
    if not constants[tree.name] then
      constants[#constants + 1], constants[tree.name] = tree.name, VALUES[1]
    end
    node.value = constants[tree.name]
  elseif tree.kind:find "^int_" then
    node.value = terms.ends[tree.kind:upper()]
  elseif tree.kind == "literal" then
    node.value = tree.value
  else
    node.name = tree.name or "_"
  end
  if node.value and node.type == "i1" then node.value = node.value == true or node.value == 1 end
  return node
end

-- Calls visit(node, left) with instances of the pattern that the rule applies to, and what it
-- leaves, until it returns false; at most two.
local function each_instance(rule, alone, constants, visit)
  local n = 0
  local function choose(k)
    if k <= #constants then
      for _, value in ipairs(VALUES) do
        constants[constants[k]] = value
        if not choose(k + 1) then return false end
      end
      return true
    end
    local node = node_of(rule, rule.pattern, constants, { 0 })
    local without = shapes.left(EMPTY, node)
    local done, left = pcall(shapes.left, alone, node)
    if not done or left >= without then return true end
    n = n + 1
    return visit(node, left) and n < 2
  end
  choose(1)
  return n
end

-- The number of rules within size, and the texts of those that a set misses.
local function missed(R)
  local all, texts = 0, {}
  for _, rule in ipairs(phial.rules "int":rules()) do
    local constants, count = {}, { 0 }
    local is_term = pcall(node_of, rule, rule.pattern, constants, count)
    if is_term and count[1] <= 3 and not rule.late then
      local is_found = true
      local n = each_instance(rule, phial.rules(rule.text), constants, function(node, left)
        is_found = is_found and shapes.left(R, node) <= left
        return is_found
      end)
      all = all + (n > 0 and 1 or 0)
      if n > 0 and not is_found then
        texts[#texts + 1] = ("%s/%d: %s"):format(rule.name, rule.alternative or 1, rule.text)
      end
    end
  end
  return all, texts
end

-- }========================================================================

local R, found = search()
local all, texts = missed(R)
print(("%d rules found, %.0f s of processor; anew are %d of %d built-in ones (%.0f %%)"):format(
  #found, processor(), all - #texts, all, 100 * (all - #texts) / all))
if is_verbose then print(table.concat(texts, "\n"), "\n", table.concat(found, "\n")) end
