-- rediscovery.lua: how many of the built-in rules R:find finds anew from an empty set, by terms
-- that it enumerates.
--
-- usage: lua5.4 bench/suites/rediscovery.lua [-v] [SECONDS]       (default: 600)
--
-- The rules are those of integers of one width with patterns of one to three ops. One is found anew
-- if the rules that were found leave of its pattern, with constants that its guard accepts, no more
-- than it does itself, by the weights of ops. SECONDS are of processor, of all processes, about. -v
-- lists the rules that are missed, and those that were found.

package.path = "./?.lua;" .. package.path

local harvest = require "phial.rules.find.harvest"
local phial = require "phial"
local terms = require "phial.rules.find.term"
local EMPTY <const> = phial.rules()

local is_verbose = arg[1] == "-v"
local SECONDS <const> = tonumber(arg[is_verbose and 2 or 1] or 600)

-- {== Searches ===========================================================

local SUMS <const>, COMPARE <const> = "add sub neg bnot band bor bxor", " eq ne slt ult sle ule"

-- Two literals, and what ops make of them.
local KNOWN <const> = "3 5 8 15 -2 2 1 7 6"

-- In this order, with the share of the time that each may take at most.
local SEARCHES <const> = {
  { 0.04, size = 1, vars = 2 },
  { 0.1, size = 2, vars = 2, literals = "" },
  { 0.06, size = 2, vars = 1, literals = "0 -1 INT_MIN" },
  { 0.08, size = 2, vars = 1, literals = KNOWN, ops = "add sub mul band bor bxor" },
  { 0.06, size = 2, vars = 1, literals = "1 2 3", ops = "shl shr sar rotl rotr" },
  { 0.06, size = 2, vars = 1, literals = KNOWN, ops = "add sub neg bnot bxor eq ne" },
  { 0.08, size = 3, vars = 1, literals = "3 5", ops = "band bor eq ne slt ult" },
  { 0.12, size = 3, vars = 2, literals = "", ops = SUMS },
  { 0.12, size = 3, vars = 3, literals = "", ops = "add sub mul band bor bxor shl shr sar rotl" },
  { 0.08, size = 3, vars = 3, literals = "", ops = "add sub neg bnot bxor eq ne" },
  { 0.14, size = 3, vars = 2, literals = "", ops = "band bor bxor bnot" .. COMPARE },
  { 0.08, size = 3, vars = 2, literals = "", ops = "select neg sub bor band" .. COMPARE },
  { 0.06, size = 3, vars = 2, literals = "", ops = "smin smax umin umax add bnot" .. COMPARE },
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

-- R:find's limit is on this process alone, so that the solver's share is guessed from before.
local function search()
  local R, texts, share = phial.rules(), {}, 1
  for _, it in ipairs(SEARCHES) do
    local found = R:find {
      limit = it[1] * SECONDS * share, seconds = 1,
      enumerate = { size = it.size, vars = it.vars, ops = it.ops, literals = it.literals },
    }
    for _, rule in ipairs(found) do
      if rule.verdict == "proved" then
        R:add(rule.rule)
        texts[#texts + 1] = rule.rule
      end
    end
    share = os.clock() / processor()
  end
  return R, texts
end

-- }== Rules ==============================================================

local VALUES <const> = { 3, 5, -3, 8, 1, -1, 0, 63, 2, 32, -8, 7, -4, 6, 31, 62, 61 }

-- The pattern of a rule as a node for harvest.lua, with values of its constants; the number of ops
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
    node.value = terms.ends[tree.kind:upper()](64)
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
    local done, left = pcall(harvest.left, alone, node)
    if not done or left >= harvest.left(EMPTY, node) then return true end
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
        is_found = is_found and harvest.left(R, node) <= left
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
