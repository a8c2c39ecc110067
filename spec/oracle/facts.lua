-- Which definitions reach a read, and what is known of each there: by plain data flow
-- over the program (spec/support/lazy.lua), and over the values of the function that was
-- made of it. Both are maps from a definition's number ("undef": none) to a set of facts,
-- those that are known on every path from it. Slow, and independent of SSA form.
local M = {}

local function join(into, from)
  for def, facts in pairs(from) do
    local mine = into[def]
    if not mine then
      into[def] = {}
      for fact in pairs(facts) do into[def][fact] = true end
    else
      for fact in pairs(mine) do
        if not facts[fact] then mine[fact] = nil end
      end
    end
  end
  return into
end

local function with_fact(set, fact)
  local more = join({}, set)
  for _, facts in pairs(more) do facts[fact] = true end
  return more
end

--- A set as text.
function M.text(set)
  local out = {}
  for def, facts in pairs(set) do
    local list = {}
    for fact in pairs(facts) do list[#list + 1] = fact end
    table.sort(list)
    out[#out + 1] = ("%s{%s}"):format(def, table.concat(list, " "))
  end
  table.sort(out)
  return table.concat(out, " ")
end

--
-- {== Over the program ================================================
--

local step = {}

function step.use() end
function step.copy(state, op) state[op[1]] = join({}, state[op[2]]) end
function step.write(state, op, place) state[op[1]] = { [place] = {} } end

function step.may(state, op, place)
  for _, var in ipairs(op[1]) do state[var] = join(join({}, state[var]), { [place] = {} }) end
end

function step.may_group(state, op, place, program)
  step.may(state, { program.groups[op[1]] }, place)
end

function step.may_copy(state, op)
  local written = join({}, state[op[2]])
  for _, var in ipairs(op[1]) do state[var] = join(join({}, state[var]), written) end
end

local function copy_state(state)
  local new = {}
  for var, set in ipairs(state) do new[var] = join({}, set) end
  return new
end

-- The edges of the program, by target: the block that each comes from, and the variables
-- that it refines. Unless edges are split, only edges that are the only one into their
-- target do.
local function edges_of(program, split)
  local into = {}
  for i in ipairs(program.blocks) do into[i] = {} end
  for i, block in ipairs(program.blocks) do
    for k, to in ipairs(block.last.targets) do
      local says = block.last.kind == "branch" or (block.last.kind == "switch" and k > 1)
      table.insert(into[to], { from = i, refine = says and block.last.refine or {},
        side = block.last.kind == "branch" and k == 1 and "true" or "false" })
      if block.last.kind == "switch" then into[to][#into[to]].side = k end
    end
  end
  for _, edges in ipairs(into) do
    if #edges > 1 and not split then
      for _, edge in ipairs(edges) do edge.refine = {} end
    end
  end
  return into
end

-- What a variable is at the end of an edge.
local function over(edge, set, var)
  for _, refined in ipairs(edge.refine) do
    if refined == var then
      return with_fact(set, ("%d:%s:v%d"):format(edge.from, edge.side, var))
    end
  end
  return set
end

local function at_start(program, into, outs, i)
  local state = {}
  for var = 1, program.vars do
    state[var] = i == 1 and { undef = {} } or {}
    for _, edge in ipairs(into[i]) do
      if outs[edge.from] then join(state[var], over(edge, outs[edge.from][var], var)) end
    end
  end
  return state
end

local function state_text(state)
  local out = {}
  for var, set in ipairs(state) do out[var] = M.text(set) end
  return table.concat(out, "|")
end

--- By the number of each read, its set as text. split: edges are split for refinements.
function M.of_program(program, split)
  local into, outs, reads, changed = edges_of(program, split), {}, {}, true
  while changed do
    changed = false
    for i, block in ipairs(program.blocks) do
      local state = at_start(program, into, outs, i)
      for k, op in ipairs(block) do
        if op.op == "use" then reads[i * 100 + k] = M.text(state[op[1]]) end
        step[op.op](state, op, i * 100 + k, program)
      end
      if not outs[i] or state_text(outs[i]) ~= state_text(state) then
        outs[i], changed = copy_state(state), true
      end
    end
  end
  return reads
end

-- }== Over the function ================================================

local transfer = {}

function transfer.phi(set, v)
  local into = {}
  for _, arg in ipairs(v:args()) do join(into, set(arg)) end
  return into
end

-- The datum of a condition is the number of its block.
function transfer.refine(set, v)
  local of, condition, side = table.unpack(v:args())
  return with_fact(set(of), ("%d:%s:%s"):format(condition:data(), side, v:var():name()))
end

function transfer.may(set, v)
  return join(join({}, set(v:args()[1])), set(v:args()[2]))
end

transfer["lz.def"] = function(_, v) return { [v:data()] = {} } end
transfer["undef"] = function() return { undef = {} } end

--- The same, by the operands of what the reads were given to.
function M.of_function(fn)
  local sets, reads, changed = {}, {}, true
  local function set(v)
    if v:op() == "undef" then return { undef = {} } end
    return sets[v] or {}
  end
  while changed do
    changed = false
    for v in fn:values() do
      local f = transfer[v:op()]
      local new = f and f(set, v) or {}
      if M.text(new) ~= M.text(sets[v] or {}) then sets[v], changed = new, true end
    end
  end
  for v in fn:values() do
    if v:op() == "lz.use" then reads[v:data()] = M.text(set(v:args()[1])) end
  end
  return reads
end

-- }====================================================================

return M
