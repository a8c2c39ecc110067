--- phial.emit.blockargs: the text form with parameters of blocks instead of phis.
-- Blocks and jumps are written as Cranelift does: a block lists its parameters with
-- their types, the entry's are those of the function, and a target is followed by the
-- arguments. (MLIR's is the same form: there, targets are ^bb1(%3 : i64).)
-- Instructions are as in phial's text form.
local errors = require "phial.errors"
local programs = require "phial.code.program"
local signature = require "phial.signature"

local M = {
  help = "the text form, with parameters of blocks in place of phis", joined = true,
}

-- A reader of the lines of the text form, which has one for each label, phi and
-- instruction.
local function lines_of(fn)
  local next_line = fn:text():gmatch "[^\n]*"
  return function()
    local line
    repeat line = next_line() until line ~= ""
    return line
  end
end

local function list(texts) return #texts > 0 and "(" .. table.concat(texts, ", ") .. ")" or "" end

-- The operands of a block's phis by edge, as text: by predecessor, a list for each of its
-- edges, in order.
local function arguments_of(block)
  local by_pred, phis = {}, {}
  for i, phi in ipairs(block:phis()) do phis[i] = phi:args() end
  for i, pred in ipairs(block:preds()) do
    local out = {}
    for k, args in ipairs(phis) do out[k] = tostring(args[i]) end
    by_pred[pred] = by_pred[pred] or { taken = 0 }
    table.insert(by_pred[pred], list(out))
  end
  return by_pred
end

-- The targets of a block without and with arguments; arguments: as arguments_of, by block.
local function targets(block, arguments)
  local plain, full = {}, {}
  for i, to in ipairs(block:succs()) do
    local own = arguments[to][block]
    own.taken = own.taken + 1
    plain[i] = tostring(to)
    full[i] = plain[i] .. own[own.taken]
  end
  return plain, full
end

-- How an op lists its targets.
local write = {}

function write.jump(_, to) return to[1] end

function write.branch(v, to)
  return ("%s, %s, %s"):format(v:args()[1], to[1], to[2])
end

function write.switch(v, to)
  local args, cases = v:args(), {}
  for i = 2, #args do cases[i - 1] = ("%s: %s"):format(args[i], to[i]) end
  return ("%s, %s [%s]"):format(args[1], to[1], table.concat(cases, ", "))
end

local function in_brackets(_, to) return "[" .. table.concat(to, ", ") .. "]" end

-- Where the operands of an instruction without result begin: after its op and data.
local function operands_at(line, op)
  local at = #"  " + #op + 2
  local _, last = line:gsub("\\.", "__"):find('^{"[^"]*"}', at)
  return last or at
end

-- The line of a terminator, whose targets get their arguments.
local function terminator(line, block, arguments)
  local v, plain, full = block:terminator(), targets(block, arguments)
  if #plain == 0 then return line end
  local listed = write[v:op()] or in_brackets
  local old = listed(v, plain)
  local at = assert(line:find(old, operands_at(line, v:op()), true))
  return line:sub(1, at - 1) .. listed(v, full) .. line:sub(at + #old)
end

-- The label of a block, with its parameters.
local function label(fn, block)
  local values, shown = block:phis(), {}
  for i in ipairs(block == fn:entry() and fn:params() or {}) do values[i] = fn:arg(i) end
  for i, v in ipairs(values) do shown[i] = ("%s: %s"):format(v, v:type()) end
  return ("%s%s:"):format(block, list(shown))
end

-- The first line, in which parameters have types only.
local function head(fn, line)
  local types, result = signature.passed(fn)
  local shown = {}
  for i, type in ipairs(types) do
    shown[i] = type == "..." and type or ("%s: %s"):format(fn:arg(i), type)
  end
  local old = signature.text(shown, result) .. " {"
  assert(line:sub(-#old) == old)
  return ("%s%s {"):format(line:sub(1, -#old - 1), signature.text(types, result))
end

-- The blocks, in the order of the text; without the unreachable ones if the function keeps
-- these: the text shows them last.
local function blocks_of(fn)
  local keeps, blocks = fn:keeps_unreachable(), {}
  for block in fn:blocks() do
    if not keeps or block:is_reachable() then blocks[#blocks + 1] = block end
  end
  return blocks
end

local function make(fn)
  local next_line, arguments, blocks = lines_of(fn), {}, blocks_of(fn)
  local out = { head(fn, next_line()) }
  for _, block in ipairs(blocks) do arguments[block] = arguments_of(block) end
  for _, block in ipairs(blocks) do
    next_line()
    out[#out + 1] = label(fn, block)
    for _ = 1, #block:phis() do next_line() end
    for _, v in ipairs(block:insts()) do
      local line = next_line()
      out[#out + 1] = v == block:terminator() and terminator(line, block, arguments) or line
    end
  end
  out[#out + 1] = "}\n"
  return table.concat(out, "\n")
end

--- The text of a finished function with parameters of blocks.
function M.func(fn)
  errors.check_finished(fn, "be written")
  return programs.reading({ [fn] = fn:version() }, make, fn)
end

return M
