-- Reaching definitions of a While program by the textbook: a flow graph, a bit set
-- of definitions per node, and IN = union of the predecessors' OUT,
-- OUT = gen | IN & ~kill, until nothing changes.  Slow, and independent of SSA form.
--
-- A node is { uses = names that it reads, def = its assignment, ... its successors }.
-- It reads before it assigns.
local M = {}

local flow, branch

local function names(node, list)
  if node.tag == "name" then list[#list + 1] = node end
  for _, part in ipairs(node) do
    if type(part) == "table" then names(part, list) end
  end
  return list
end

local function add(nodes, uses, def, ...)
  local node = { uses = uses, def = def, ... }
  nodes[#nodes + 1] = node
  return node
end

-- The first node of a statement that `next` follows.
flow = {
  skip = function(_, _, next) return next end,
  block = function(nodes, tree, next)
    for i = #tree, 1, -1 do next = flow[tree[i].tag](nodes, tree[i], next) end
    return next
  end,
  assign = function(nodes, tree, next)
    return add(nodes, names(tree[2], {}), tree, next)
  end,
  print = function(nodes, tree, next)
    return add(nodes, names(tree[1], {}), nil, next)
  end,
  ["if"] = function(nodes, tree, next)
    local no = tree[3] and flow[tree[3].tag](nodes, tree[3], next) or next
    return branch[tree[1].tag](nodes, tree[1], flow[tree[2].tag](nodes, tree[2], next), no)
  end,
  ["while"] = function(nodes, tree, next)
    local head = add(nodes, {})
    local body = flow[tree[2].tag](nodes, tree[2], head)
    head[1] = branch[tree[1].tag](nodes, tree[1], body, next)
    return head
  end,
}

-- The first node of a condition.
branch = {
  boolean = function(_, tree, yes, no) return tree[1] and yes or no end,
  comparison = function(nodes, tree, yes, no) return add(nodes, names(tree, {}), nil, yes, no) end,
  ["not"] = function(nodes, tree, yes, no) return branch[tree[1].tag](nodes, tree[1], no, yes) end,
  both = function(nodes, tree, yes, no)
    local second = branch[tree[2].tag](nodes, tree[2], yes, no)
    return branch[tree[1].tag](nodes, tree[1], second, no)
  end,
  either = function(nodes, tree, yes, no)
    local second = branch[tree[2].tag](nodes, tree[2], yes, no)
    return branch[tree[1].tag](nodes, tree[1], yes, second)
  end,
}

local function reached(entry)
  local seen, list = { [entry] = true }, { entry }
  for _, node in ipairs(list) do -- which grows
    for _, next in ipairs(node) do
      if not seen[next] then
        seen[next], list[#list + 1] = true, next
      end
    end
  end
  return list
end

-- Numbers the definitions: assignments, and for each variable one before the
-- program. Returns them, and their numbers by name.
local function number(nodes)
  local definitions, of = {}, {}
  local function define(name, definition)
    definitions[#definitions + 1] = definition
    table.insert(of[name], #definitions)
  end
  local function know(name)
    if not of[name] then
      of[name] = {}
      define(name, { before = name })
    end
  end
  for _, node in ipairs(nodes) do
    for _, use in ipairs(node.uses) do know(use[1]) end
    if node.def then
      know(node.def[1])
      node.number = #definitions + 1
      define(node.def[1], node.def)
    end
  end
  return definitions, of
end

local function has(set, n) return set[(n - 1) // 64 + 1] >> (n - 1) % 64 & 1 ~= 0 end

local function bits(numbers, words)
  local set = {}
  for w = 1, words do set[w] = 0 end
  for _, n in ipairs(numbers) do
    local w = (n - 1) // 64 + 1
    set[w] = set[w] | 1 << (n - 1) % 64
  end
  return set
end

local function solve(nodes, definitions, of)
  local words = #definitions // 64 + 1
  local before, preds = {}, {}
  for n, definition in ipairs(definitions) do
    if definition.before then before[#before + 1] = n end
  end
  for _, node in ipairs(nodes) do
    preds[node] = {}
    node.gen = bits({ node.number }, words)
    node.kill = bits(node.def and of[node.def[1]] or {}, words)
    node.out = bits({}, words)
  end
  for _, node in ipairs(nodes) do
    for _, next in ipairs(node) do table.insert(preds[next], node) end
  end
  local changed = true
  while changed do
    changed = false
    for i, node in ipairs(nodes) do
      node.comes = bits(i == 1 and before or {}, words)
      for w = 1, words do
        for _, pred in ipairs(preds[node]) do node.comes[w] = node.comes[w] | pred.out[w] end
        local out = node.gen[w] | node.comes[w] & ~node.kill[w]
        changed, node.out[w] = changed or out ~= node.out[w], out
      end
    end
  end
end

--- The definitions that reach the reads of a program: by the node of a name a list
--- of assignments' nodes and { before = name }; and the assignments. Unreachable
--- code is left out.
---@param tree table of while.grammar
---@return table<table, table[]> reads
---@return table[] assignments
function M.of(tree)
  local all = {}
  local nodes = reached(add(all, {}, nil, flow.block(all, tree, add(all, {}))))
  local definitions, of = number(nodes)
  solve(nodes, definitions, of)
  local reads, assignments = {}, {}
  for _, node in ipairs(nodes) do
    assignments[#assignments + 1] = node.def
    for _, use in ipairs(node.uses) do
      reads[use] = {}
      for _, n in ipairs(of[use[1]]) do
        if has(node.comes, n) then table.insert(reads[use], definitions[n]) end
      end
    end
  end
  return reads, assignments
end

return M
