-- The properties that Ullrich proves of constructed SSA form (Verified Construction of
-- Static Single Assignment Form; Isabelle/HOL), each a function with the theorem's name:
-- returns true, or false and what is wrong. Slow and plainly right: paths are searched,
-- dominance is the lack of a path.
--
-- A node of the thesis defines a variable at most once and reads before it defines. A
-- block does not, so the properties are about positions in it: its start, with the phis,
-- and each instruction. `M.graph` reads a function with a copy for each write (the option
-- `copies`), which tells the variable `var` of each definition.
local search = require "spec.support.search"
local variants = require "spec.support.variants"

local M = {}

---@class thesis.Def
---@field value any
---@field var string?
---@field args any[]

---@class thesis.Node
---@field name string
---@field preds thesis.Node[] one for each edge
---@field succs thesis.Node[]
---@field phis thesis.Def[]
---@field insts thesis.Def[]

---@class thesis.Graph
---@field nodes thesis.Node[] the entry first
---@field undef table<any, boolean> values that no instruction defines

local UNDEFINED = { const = true, undef = true, param = true }

local function definitions(graph, list)
  for i, v in ipairs(list) do
    local args, var = v:args(), v:var()
    for k, arg in ipairs(args) do
      args[k] = arg:now()
      if UNDEFINED[args[k]:op()] then graph.undef[args[k]] = true end
    end
    list[i] = { value = v, var = var and var:name(), args = args }
  end
  return list
end

--- The graph of a function, as plain tables.
---@param fn phial.Function
---@return thesis.Graph
function M.graph(fn)
  local graph, of = { nodes = {}, undef = {} }, {}
  for block in fn:blocks() do
    local node = {
      name = tostring(block), phis = definitions(graph, block:phis()),
      insts = definitions(graph, block:insts()),
    }
    of[block] = node
    table.insert(graph.nodes, block == fn:entry() and 1 or #graph.nodes + 1, node)
  end
  for block, node in pairs(of) do
    node.preds, node.succs = block:preds(), block:succs()
    for i, pred in ipairs(node.preds) do node.preds[i] = of[pred] end
    for i, succ in ipairs(node.succs) do node.succs[i] = of[succ] end
  end
  return graph
end

local function wrong(format, ...) return false, format:format(...) end

-- {== Paths =============================================================

-- The nodes on paths from `from` along `edges` that avoid a node.
local function reached(from, edges, avoided)
  return search({ from }, function(node) return node[edges] end, avoided)
end

-- True if all paths from the entry to `node` lead through `over`.
local function dominates(graph, over, node)
  return over == node or not reached(graph.nodes[1], "succs", over)[node]
end

--- True if each cycle has a node that dominates all others.
---@param graph thesis.Graph
function M.reducible(graph)
  local state = {}
  local function is_acyclic(node) -- without edges back to a dominator
    state[node] = "open"
    for _, succ in ipairs(node.succs) do
      if not dominates(graph, succ, node) then
        if state[succ] == "open" then return false end
        if not state[succ] and not is_acyclic(succ) then return false end
      end
    end
    state[node] = "done"
    return true
  end
  return is_acyclic(graph.nodes[1])
end

-- }== Well-formed SSA form ==============================================

--- Each phi has as many operands as its node has predecessors.
function M.phis_wf(graph)
  for _, node in ipairs(graph.nodes) do
    for _, phi in ipairs(node.phis) do
      if #phi.args ~= #node.preds then
        return wrong("%s in %s has %d operands", phi.value, node.name, #phi.args)
      end
    end
  end
  return true
end

--- The entry has no phis.
function M.Entry_no_phis(graph)
  return #graph.nodes[1].phis == 0, "the entry has phis"
end

-- Adds what a list defines; the first value that is defined already, or nil.
local function defined_twice(seen, list)
  for _, def in ipairs(list) do
    if seen[def.value] then return def.value end
    seen[def.value] = true
  end
end

--- No value is defined by an instruction and a phi of one node, nor twice in it.
function M.simpleDefs_phiDefs_disjoint(graph)
  for _, node in ipairs(graph.nodes) do
    local seen = {}
    local twice = defined_twice(seen, node.phis) or defined_twice(seen, node.insts)
    if twice then return wrong("%s is defined twice in %s", twice, node.name) end
  end
  return true
end

--- No value is defined in two nodes.
function M.allDefs_disjoint(graph)
  local seen = {}
  for _, node in ipairs(graph.nodes) do
    local twice = defined_twice(seen, node.phis) or defined_twice(seen, node.insts)
    if twice then return wrong("%s is defined again in %s", twice, node.name) end
  end
  return true
end

-- Calls f(value, node, position) for each use; the use of a phi is at the end of the
-- predecessor.
local function each_use(graph, f)
  for _, node in ipairs(graph.nodes) do
    for _, phi in ipairs(node.phis) do
      for i, arg in ipairs(phi.args) do
        local pred = node.preds[i]
        if pred then f(arg, pred, #pred.insts + 1) end
      end
    end
    for at, inst in ipairs(node.insts) do
      for _, arg in ipairs(inst.args) do f(arg, node, at) end
    end
  end
end

-- Where each value is defined: { node =, at =, var = }; a phi at 0.
local function places(graph)
  local of = {}
  for _, node in ipairs(graph.nodes) do
    for _, phi in ipairs(node.phis) do of[phi.value] = { node = node, at = 0, var = phi.var } end
    for at, inst in ipairs(node.insts) do
      of[inst.value] = { node = node, at = at, var = inst.var }
    end
  end
  return of
end

--- Each path from the entry to a use passes the definition: it dominates its uses.
function M.allUses_def_ass(graph)
  local of, problem = places(graph), nil
  each_use(graph, function(value, node, at)
    local place = of[value]
    local is_assigned
    if not place then
      is_assigned = graph.undef[value]
    elseif place.node == node then
      is_assigned = place.at < at
    else
      is_assigned = dominates(graph, place.node, node)
    end
    if not is_assigned then problem = { value, node.name } end
  end)
  if problem then return wrong("%s is used in %s before its definition", table.unpack(problem)) end
  return true
end

-- }== Naming ============================================================

--- The operands of a phi have its variable. What no instruction defines has none.
function M.phis_same_var(graph)
  local of = places(graph)
  for _, node in ipairs(graph.nodes) do
    for _, phi in ipairs(node.phis) do
      for _, arg in ipairs(phi.args) do
        if of[arg] and of[arg].var ~= phi.var then
          return wrong("%s of %s has the operand %s of %s", phi.value, phi.var, arg, of[arg].var)
        end
      end
    end
  end
  return true
end

--- No position has two definitions of a variable.
function M.allDefs_var_disjoint(graph)
  for _, node in ipairs(graph.nodes) do
    local seen = {}
    for _, phi in ipairs(node.phis) do
      if seen[phi.var] then return wrong("%s has two phis of %s", node.name, phi.var) end
      seen[phi.var] = true
    end
  end
  return true
end

-- Goes back from a use of a value to its definition, on all paths; the definition of the
-- same variable that it meets, or nil.
local function between(value, var, node, at)
  local seen, work = {}, { { node, at } }
  local function met(list, from)
    for i = from, 1, -1 do
      if list[i].value == value then return true end
      if list[i].var == var then return true, list[i].value end
    end
  end
  while #work > 0 do
    local here, from = table.unpack(table.remove(work))
    local stop, other = met(here.insts, from - 1)
    if not stop then stop, other = met(here.phis, #here.phis) end
    if other then return other end
    for _, pred in ipairs(stop and {} or here.preds) do
      if not seen[pred] then
        seen[pred] = true
        work[#work + 1] = { pred, #pred.insts + 1 }
      end
    end
  end
end

--- On no path from a definition to its use is there another definition of its variable.
function M.conventional(graph)
  local of, problem = places(graph), nil
  each_use(graph, function(value, node, at)
    local var = of[value] and of[value].var
    local other = var and between(value, var, node, at)
    if other then problem = { var, value, node.name, other } end
  end)
  if problem then
    return wrong("%s: the use of %s in %s is after %s", table.unpack(problem))
  end
  return true
end

-- }== Pruned and minimal ================================================

--- Each phi is live: an instruction uses it, or a live phi does.
function M.pruned(graph)
  local phis, live, work = {}, {}, {}
  local function use(value)
    if live[value] then return end
    live[value] = true
    work[#work + 1] = phis[value]
  end
  for _, node in ipairs(graph.nodes) do
    for _, phi in ipairs(node.phis) do phis[phi.value] = phi end
  end
  for _, node in ipairs(graph.nodes) do
    for _, inst in ipairs(node.insts) do
      for _, arg in ipairs(inst.args) do use(arg) end
    end
  end
  while #work > 0 do
    for _, arg in ipairs(table.remove(work).args) do use(arg) end
  end
  for value in pairs(phis) do
    if not live[value] then return wrong("%s is not live", value) end
  end
  return true
end

--- No phi is trivial: each has two operands that differ from it and from each other.
function M.not_redundant(graph)
  for _, node in ipairs(graph.nodes) do
    for _, phi in ipairs(node.phis) do
      local only, differ
      for _, arg in ipairs(phi.args) do
        if arg ~= phi.value then
          differ = differ or only ~= nil and only ~= arg
          only = arg
        end
      end
      if not differ then return wrong("%s is trivial", phi.value) end
    end
  end
  return true
end

-- True if disjoint paths from two of the starts converge at `target`. If they do not, one
-- node is on all paths (Menger): so there must be a path without each node. The starts are
-- positions: `target` itself can be one, if the path leads around a cycle.
local function paths_converge(graph, starts, target)
  local function is_separator(banned)
    for node in pairs(search(target.preds, function(node)
      return node ~= target and node.preds or {}
    end, banned)) do
      if starts[node] then return false end
    end
    return true
  end
  for _, node in ipairs(graph.nodes) do
    if is_separator(node) then return false end
  end
  return true
end

--- Each phi is where paths from two definitions of its variable converge. The entry is
--- one of them: before, a variable is undefined.
function M.cytronMinimal(graph)
  local writers = setmetatable({}, { __index = function(writers, var)
    writers[var] = { [graph.nodes[1]] = true }
    return writers[var]
  end })
  for _, node in ipairs(graph.nodes) do
    for _, inst in ipairs(node.insts) do
      if inst.var then writers[inst.var][node] = true end
    end
  end
  for _, node in ipairs(graph.nodes) do
    for _, phi in ipairs(node.phis) do
      if not paths_converge(graph, writers[phi.var], node) then
        return wrong("%s in %s is not necessary", phi.value, node.name)
      end
    end
  end
  return true
end

--- Theorem 1 of the paper: without trivial phis, reducible programs are in minimal SSA
--- form.
function M.reducible_nonredundant_imp_minimal(graph)
  if not M.reducible(graph) or not M.not_redundant(graph) then return true end
  return M.cytronMinimal(graph)
end

-- }== Which hold =======================================================

--- The theorems that hold of any construction.
M.ALWAYS = {
  "phis_wf", "Entry_no_phis", "simpleDefs_phiDefs_disjoint", "allDefs_disjoint",
  "allUses_def_ass", "phis_same_var", "allDefs_var_disjoint", "conventional",
  "reducible_nonredundant_imp_minimal",
}

local FINISHED = { "pruned", "not_redundant", "cytronMinimal" }

--- Those that hold of some only: Cytron's form is not pruned, Aycock's not minimal where
--- control flow is irreducible.
M.FURTHER = {
  cytron = { "not_redundant", "cytronMinimal" }, djgraph = { "not_redundant", "cytronMinimal" },
  briggs = { "not_redundant", "cytronMinimal" }, choi = FINISHED, aycock = { "not_redundant" },
  brandis = { "not_redundant", "cytronMinimal" },
}
for _, construction in ipairs(variants) do M.FURTHER[construction] = FINISHED end

--- Raises an error unless theorems hold of a function.
---@param fn phial.Function
---@param theorems string[]
---@param of string how it was constructed
---@return table graph
function M.check(fn, theorems, of)
  local graph = M.graph(fn)
  for _, name in ipairs(theorems) do
    local holds, why = M[name](graph)
    if not holds then error(("%s, %s: %s\n%s"):format(of, name, why, fn:text()), 0) end
  end
  return graph
end

-- }======================================================================

return M
