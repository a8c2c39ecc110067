-- Random programs over mutable variables, as frontends meet them: loops of any
-- shape, duplicate edges, unreachable parts, and variables that are undefined
-- on some paths. A program is built through phial in any order of sealing;
-- spec/oracle/programs.lua interprets it.
local flow = require "spec.support.control_flow"
local phial = require "phial"

local M = {}

--- What an undefined variable contains.
M.UNDEFINED = 0

local UNDEFINED = M.UNDEFINED

--- A mix of two values, different for different operands.
function M.mix(a, b)
  local h = (a * 0x9E3779B97F4A7C15 + b) ~ (a >> 29)
  h = h * 0xBF58476D1CE4E5B9
  return h ~ (h >> 32)
end

--- The target that a fork chooses, by its value and the number of forks so far.
function M.choice(value, step, targets)
  return (M.mix(value, step) >> 7) % targets + 1
end

-- What the evals of the dialect have shown since M.watch, and the number of forks.
local watched, forks

--- Starts a list of what evals show; returns it.
function M.watch()
  watched, forks = {}, 0
  return watched
end

-- The ops of the programs. The value of a write depends on its position and its
-- operands; `use` shows a value; `state` has all variables as operands. To run, a fork
-- has the number of its targets as data.
M.dialect = phial.dialect("rnd", {
  mix = { args = 2, result = "any", pure = true, eval = function(a, b)
    return M.mix(a or UNDEFINED, b or UNDEFINED)
  end },
  use = { args = 1, eval = function(a)
    watched[#watched + 1] = a or UNDEFINED
  end },
  state = { args = "*" },
  fork = { args = 1, terminator = true, targets = "*", eval = function(a, targets)
    forks = forks + 1
    return M.choice(a or UNDEFINED, forks, targets)
  end },
})

---@class rnd.Program
---@field vars integer
---@field blocks table[]

local function random_op(pick, vars)
  local kind = pick(4)
  if kind == 1 then return { op = "use", a = pick(vars) } end
  if kind == 2 then return { op = "copy", var = pick(vars), a = pick(vars) } end
  return { op = "write", var = pick(vars), a = pick(vars), b = pick(vars) }
end

local function random_block(pick, vars, blocks)
  local block = {}
  for i = 1, pick(4) - 1 do block[i] = random_op(pick, vars) end
  block.cond = pick(vars)
  block.targets = {}
  local kind = pick(8) -- one returns, three jump, three branch, one switches
  local count = kind == 1 and 0 or kind <= 4 and 1 or kind <= 7 and 2 or pick(3) + 1
  for i = 1, blocks > 1 and count or 0 do
    block.targets[i] = pick(blocks - 1) + 1 -- nothing leads to the entry
  end
  return block
end

local program_mt = {}

--- The same with variables that end here and there.
function M.generate_with_kills(pick)
  local program = M.generate(pick)
  for _, block in ipairs(program.blocks) do
    if pick(2) == 1 then
      local at = pick(#block + 1)
      table.insert(block, at, { op = "kill", var = pick(program.vars) })
    end
  end
  return program
end

--- A random program of at most `most` blocks. The entry writes some of the
--- variables.
function M.generate(pick, most)
  local program = { vars = pick(4), blocks = {} }
  local count = pick(most or 9)
  for i = 1, count do program.blocks[i] = random_block(pick, program.vars, count) end
  for var = 1, program.vars do
    if pick(3) > 1 then
      table.insert(program.blocks[1], 1, { op = "init", var = var })
    end
  end
  return setmetatable(program, program_mt)
end

function program_mt:__tostring()
  local out = {}
  for i, block in ipairs(self.blocks) do
    out[#out + 1] = ("b%d:"):format(i)
    for _, o in ipairs(block) do
      out[#out + 1] = ("  %s %s %s %s"):format(o.op, o.var or "", o.a or "", o.b or "")
    end
    out[#out + 1] = ("  go %s on %d"):format(table.concat(block.targets, " "), block.cond)
  end
  return table.concat(out, "\n")
end

local function targets_of(block) return block.targets end

--- A larger one, in which many variables have few values: most assignments copy, kill or
--- write what an undefined variable contains, or 1.
function M.generate_large(pick)
  local program = { vars = 4 + pick(24), blocks = {} }
  local count = 2 + pick(14)
  local kinds = { "write", "use", "copy", "copy", "const", "const", "const", "kill" }
  for i = 1, count do
    local block = random_block(pick, program.vars, count)
    for k = 1, pick(8) - 1 do
      block[k] = { op = kinds[pick(#kinds)], var = pick(program.vars), a = pick(program.vars),
        b = pick(program.vars) }
      block[k].a = block[k].op == "const" and pick(2) - 1 + UNDEFINED or block[k].a
    end
    for k = 1, #block.targets > 2 and pick(12) or 0 do block.targets[k] = pick(count - 1) + 1 end
    program.blocks[i] = block
  end
  return setmetatable(program, program_mt)
end

--- The blocks that the entry reaches, as a set.
function M.reached(program)
  return flow.reached(program.blocks, targets_of)
end

--- The program without the blocks that the entry does not reach.
function M.pruned(program)
  return setmetatable(
    { vars = program.vars, blocks = flow.pruned(program.blocks, targets_of) }, program_mt)
end

-- What the operations say, in the long form: each variable is read, each result
-- written.
local emit = {}

function emit.init(fn, block, vars, op, place)
  block:write(vars[op.var], block:emit("rnd.mix", fn:const(place), fn:const(0)))
end

function emit.write(fn, block, vars, op, place)
  local a, b = block:read(vars[op.a]), block:read(vars[op.b])
  local mixed = block:emit("rnd.mix", a, b)
  block:write(vars[op.var], block:emit("rnd.mix", fn:const(place), mixed))
end

function emit.copy(_, block, vars, op)
  block:write(vars[op.var], block:read(vars[op.a]))
end

function emit.const(fn, block, vars, op) block:write(vars[op.var], fn:const(op.a, "any")) end

function emit.kill(_, block, vars, op) block:kill(vars[op.var]) end

function emit.use(_, block, vars, op)
  block:emit("rnd.use", block:read(vars[op.a]))
end

function emit.fork(_, block, vars, op, targets)
  block:emit("rnd.fork", block:read(vars[op.cond]), targets)
end

-- The same in the short form: variables are operands.
local short = {}

function short.init(fn, block, vars, op, place)
  block:let(vars[op.var], "rnd.mix", fn:const(place), fn:const(0))
end

function short.write(fn, block, vars, op, place)
  local mixed = block:emit("rnd.mix", vars[op.a], vars[op.b])
  block:let(vars[op.var], "rnd.mix", fn:const(place), mixed)
end

function short.copy(_, block, vars, op) block:write(vars[op.var], vars[op.a]) end

short.const, short.kill = emit.const, emit.kill

function short.use(_, block, vars, op) block:emit("rnd.use", vars[op.a]) end

function short.fork(_, block, vars, op, targets)
  block:emit("rnd.fork", vars[op.cond], targets)
end

-- Ways of sealing: called with the blocks, the number of edges still to come into
-- each, and the block that was just filled.
local sealing = {}

function sealing.early(blocks, left, filled, targets)
  if filled == 1 then
    for i, n in ipairs(left) do
      if i > 1 and n == 0 and not blocks[i]:is_sealed() then blocks[i]:seal() end
    end
  end
  for _, target in ipairs(targets) do
    if left[target] == 0 and not blocks[target]:is_sealed() then blocks[target]:seal() end
  end
end

function sealing.finish() end

function sealing.random(blocks, left)
  for i = 2, #blocks do
    if left[i] == 0 and not blocks[i]:is_sealed() and math.random(4) == 1 then
      blocks[i]:seal()
    end
  end
end

--- Builds the program, unfinished. opts.seal: "early", "finish", "random" or "count"
--- (blocks know their number of predecessors); runs: it can run by its evals; form:
--- "long" or "short", the same said by other calls; current: the function's methods say it, of
--- its current block; states: all variables are read at the start of a block and after each
--- operation; started: called with the new function; filled: with all blocks, when one has been
--- filled; other options are those of phial.fn (rules:
--- none by default).
function M.build(program, opts)
  opts = opts or {}
  local seal = opts.seal or "early"
  local say = opts.form == "short" and short or emit
  local fn = phial.fn("random", {}, nil, {
    rules = opts.rules or false, type = "any", dialects = { M.dialect },
    construction = opts.construction, copies = opts.copies, accesses = opts.accesses,
    undef = opts.undef, log = opts.log,
    keep_unreachable = opts.keep_unreachable,
  })
  if opts.started then opts.started(fn) end
  local left, blocks, vars = flow.edges_into(program.blocks, targets_of), { fn:entry() }, {}
  for v = 1, program.vars do vars[v] = fn:var("v" .. v) end
  for i = 2, #program.blocks do
    blocks[i] = fn:block(nil, seal == "count" and left[i] or nil)
  end
  for i, source in ipairs(program.blocks) do
    local block = opts.current and fn:set_current(blocks[i]) or blocks[i]
    local function state()
      if opts.states then block:emit("rnd.state", block:read(table.unpack(vars))) end
    end
    state()
    for k, op in ipairs(source) do
      say[op.op](fn, block, vars, op, i * 100 + k)
      state()
    end
    if #source.targets == 0 then
      say.use(fn, block, vars, { a = source.cond })
      block:ret()
    else
      local targets = { data = opts.runs and #source.targets or nil }
      for k, target in ipairs(source.targets) do
        targets[k] = blocks[target]
        left[target] = left[target] - 1
      end
      say.fork(fn, block, vars, source, targets)
    end
    if seal ~= "count" then sealing[seal](blocks, left, i, source.targets) end
    if opts.filled then opts.filled(blocks) end
  end
  return fn, vars, blocks
end

return M
