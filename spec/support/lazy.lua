-- Random programs with refinements and may-writes, for the properties of lazy
-- definitions. The entry has no predecessors. The oracle
-- spec/oracle/facts.lua analyses the same programs.
local flow = require "spec.support.control_flow"
local phial = require "phial"

local M = {}

-- `def` makes a definition, whose number is its datum; `use` is a read with its number;
-- conditions are opaque, and have the number of their block as datum.
M.dialect = phial.dialect("lz", {
  def = { args = 0, result = "any" },
  use = { args = 1 },
  cond = { args = 1, result = "i1" },
  key = { args = 1, result = "i64" },
})

local function random_list(pick, vars)
  local list = {}
  for var = 1, vars do
    if pick(2) == 1 then list[#list + 1] = var end
  end
  return list
end

local function random_op(pick, program, kills)
  local kind, var = pick(kills and 8 or 7), pick(program.vars)
  if kind == 8 then return { op = "kill", var } end
  if kind <= 2 then return { op = "use", var } end
  if kind == 3 then return { op = "copy", var, pick(program.vars) } end
  if kind == 4 then return { op = "write", var } end
  if kind == 5 then return { op = "may", random_list(pick, program.vars) } end
  if kind == 6 then return { op = "may_group", pick(#program.groups) } end
  return { op = "may_copy", random_list(pick, program.vars), var }
end

local function random_end(pick, program, count)
  local kinds = { "ret", "jump", "jump", "branch", "branch", "branch", "branch", "switch" }
  local kind = count > 1 and kinds[pick(#kinds)] or "ret"
  local targets = {}
  local n = ({ ret = 0, jump = 1, branch = 2, switch = 2 })[kind]
  if kind == "switch" then n = n + pick(2) end
  for i = 1, n do targets[i] = pick(count - 1) + 1 end
  return { kind = kind, var = pick(program.vars), targets = targets,
    refine = random_list(pick, program.vars) }
end

local function targets_of(block) return block.last.targets end

local program_mt = {}

--- A random program of at most `most` blocks, all of which are reached unless `dead`; kills:
--- variables may end, too, which the oracle of facts does not know.
function M.generate(pick, most, kills, dead)
  local program = setmetatable({ vars = pick(4), groups = {}, blocks = {} }, program_mt)
  for i = 1, pick(2) do program.groups[i] = random_list(pick, program.vars) end
  local count = pick(most or 10)
  for i = 1, count do
    local block = { last = random_end(pick, program, count) }
    for k = 1, pick(5) - 1 do block[k] = random_op(pick, program, kills) end
    program.blocks[i] = block
  end
  for var = program.vars, 1, -1 do
    if pick(3) > 1 then table.insert(program.blocks[1], 1, { op = "write", var }) end
  end
  if not dead then program.blocks = flow.pruned(program.blocks, targets_of) end
  return program
end

function program_mt:__tostring()
  local out = {}
  for i, group in ipairs(self.groups) do
    out[i] = ("group %d: %s"):format(i, table.concat(group, " "))
  end
  for i, block in ipairs(self.blocks) do
    out[#out + 1] = ("b%d:"):format(i)
    for _, op in ipairs(block) do
      local what = type(op[1]) == "table" and table.concat(op[1], " ") or op[1]
      out[#out + 1] = ("  %s %s %s"):format(op.op, what, op[2] or "")
    end
    out[#out + 1] = ("  %s %s on %d, refine %s"):format(block.last.kind,
      table.concat(block.last.targets, " "), block.last.var, table.concat(block.last.refine, " "))
  end
  return table.concat(out, "\n")
end

local function handles(list, vars)
  local found = {}
  for i, var in ipairs(list) do found[i] = vars[var] end
  return found
end

local emit = {}

function emit.use(b, block, op)
  block:emit("lz.use", block:read(b.vars[op[1]]), { data = b.place })
end
function emit.copy(b, block, op) block:write(b.vars[op[1]], block:read(b.vars[op[2]])) end
local function def(b, block) return block:emit("lz.def", { data = b.place }) end
function emit.write(b, block, op) block:write(b.vars[op[1]], def(b, block)) end
function emit.may(b, block, op) block:may_write(handles(op[1], b.vars), def(b, block)) end
function emit.may_group(b, block, op) block:may_write(b.groups[op[1]], def(b, block)) end
function emit.may_copy(b, block, op)
  block:may_write(handles(op[1], b.vars), block:read(b.vars[op[2]]))
end

function emit.kill(b, block, op) block:kill(b.vars[op[1]]) end

local terminate = {}

function terminate.ret(_, block) block:ret() end
function terminate.jump(b, block, last) block:jump(b.blocks[last.targets[1]]) end

function terminate.branch(b, block, last, opts)
  local cond = block:emit("lz.cond", block:read(b.vars[last.var]), { data = b.place })
  block:branch(cond, b.blocks[last.targets[1]], b.blocks[last.targets[2]], opts)
end

function terminate.switch(b, block, last, opts)
  local key, arms = block:emit("lz.key", block:read(b.vars[last.var]), { data = b.place }), {}
  for i = 2, #last.targets do arms[i] = b.blocks[last.targets[i]] end
  block:switch(key, b.blocks[last.targets[1]], arms, opts)
end

-- Ways of sealing: called with the builder and the edges still to come.
local sealing = {}

local function seal_all(b, left, chance)
  for i = 2, #b.blocks do
    if left[i] == 0 and not b.blocks[i]:is_sealed() and math.random(chance) == 1 then
      b.blocks[i]:seal()
    end
  end
end

function sealing.early(b, left) seal_all(b, left, 1) end
function sealing.random(b, left) seal_all(b, left, 4) end
function sealing.finish() end
function sealing.count() end

M.seals = { "early", "finish", "random", "count" }

local function make_blocks(b, program, seal)
  local left = flow.edges_into(program.blocks, targets_of)
  for i = 2, #program.blocks do
    b.blocks[i] = b.fn:block("b" .. i, seal == "count" and left[i] or nil)
  end
  return left
end

--- Builds the program, unfinished. opts.seal: one of M.seals; opts.refine = false: without
--- refinements; opts.rules: with the standard rules; others are those of phial.fn.
function M.build(program, opts)
  local options = { type = "any", dialects = { M.dialect }, construction = opts.construction,
    log = opts.log, copies = opts.copies, split = opts.split,
    accesses = opts.accesses, keep_unreachable = opts.keep_unreachable }
  if not opts.rules then options.rules = false end
  local fn = phial.fn("lazy", {}, nil, options)
  local b = { fn = fn, vars = {}, groups = {}, blocks = { fn:entry() } }
  for var = 1, program.vars do b.vars[var] = fn:var("v" .. var) end
  for i, group in ipairs(program.groups) do b.groups[i] = fn:group(handles(group, b.vars)) end
  local left = make_blocks(b, program, opts.seal)
  for i, source in ipairs(program.blocks) do
    for k, op in ipairs(source) do
      b.place = i * 100 + k
      emit[op.op](b, b.blocks[i], op)
    end
    local refine = opts.refine ~= false and { refine = handles(source.last.refine, b.vars) } or nil
    b.place = i
    terminate[source.last.kind](b, b.blocks[i], source.last, refine)
    for _, to in ipairs(source.last.targets) do left[to] = left[to] - 1 end
    sealing[opts.seal](b, left)
  end
  return fn, b
end

return M
