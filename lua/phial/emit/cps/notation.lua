-- Continuation-passing style in the notation of Braun et al., Figure 8: a continuation
-- is bound by `let`, or by `letrec` if it is part of a cycle; ⊥ says that it does not
-- return. Instructions are bound by `let` as well. An edge to a continuation with
-- parameters is a call if it is the only one of its block, and otherwise a continuation
-- of its own, which makes the call.
local Names = require "phial.emit.llvm.names"
local callees = require "phial.code.callees"
local core = require "phial.core"
local errors = require "phial.errors"
local nesting = require "phial.emit.cps.nesting"
local portable = require "phial.portable"
local programs = require "phial.code.program"
local signature = require "phial.signature"

local M = {}

---@class phial.emit.cps.Text
---@field program phial.code.Program
---@field lines string[]
---@field names phial.emit.llvm.Names
---@field of table<table, string> the names of values and blocks
---@field host any[] values that have no text
---@field numbers table<any, integer> their numbers
---@field is_flat boolean all continuations are in one group, which `within` nests

-- {== Names ===========================================================

-- Words that mean something else.
local WORDS = { "let", "letrec", "in", "within", "ret", "branch", "switch", "unreachable", "_",
  "true", "false", "nil", "undef", "inf", "nan" }

-- A name, in backquotes unless it is an identifier, maybe numbered: "..." is a constant.
local function quoted(name)
  if name:find "^[A-Za-z_][A-Za-z_0-9]*$" or name:find "^[A-Za-z_][A-Za-z_0-9]*%.[0-9]+$" then
    return name
  end
  return "`" .. portable.quoted(name):sub(2, -2):gsub("`", "\\x60") .. "`"
end

-- A unique name, near one that is wanted.
local function take(text, wanted) return quoted(text.names:take(wanted)) end

-- A parameter and a phi have the name of their variable.
local function name_value(text, v)
  local name = (v.op == "phi" or v.op == "param") and v.var or v.called
  text.of[v] = take(text, name and name ~= "" and name or "v" .. v.id)
end

local function name_all(text)
  local program = text.program
  for _, word in ipairs(WORDS) do text.names:take(word) end
  for _, param in ipairs(program.params) do name_value(text, param) end
  for _, block in ipairs(program.blocks) do
    block.called = block.called or "b" .. block.id
    text.of[block] = take(text, block.called)
  end
  for _, block in ipairs(program.blocks) do
    for _, phi in ipairs(block.phis) do name_value(text, phi) end
    for _, v in ipairs(block.insts) do
      if v.type then name_value(text, v) end
      for _, result in ipairs(v.results or {}) do name_value(text, result) end
    end
  end
end

-- }== Values ==========================================================

local function operand(text, v)
  return text.of[v] or tostring(core.value(text.program.fn, v.id))
end

local function operands(text, values, first)
  local out = {}
  for i = first or 1, #values do out[#out + 1] = operand(text, values[i]) end
  return out
end

local function typed(text, v) return ("%s : %s"):format(text.of[v], v.type) end

local function parameters(text, values)
  local out = {}
  for i, v in ipairs(values) do out[i] = typed(text, v) end
  return out
end

-- A value that exists in the host only, as the text form writes it.
local function hosted(text, it)
  if not text.numbers[it] then
    text.host[#text.host + 1] = it
    text.numbers[it] = #text.host
  end
  return ("{host %d}"):format(text.numbers[it])
end

-- The name of what is called, or has an address, if it has one.
local function symbol_of(it)
  if type(it) == "string" then return it end
  if errors.class(it) == "phial.Function" then return core.is_usable(it) and it:name() end
  local mt = getmetatable(it)
  return type(mt) == "table" and mt.__symbol and mt.__symbol(it)
end

-- An op with its data.
local function op_text(text, v)
  local it = core.value(text.program.fn, v.id):data()
  if it == nil then return v.op end
  local shown
  if callees.SYMBOLIC[v.op] then
    local name = symbol_of(it)
    shown = name and "@" .. quoted(name)
  else
    local literal = portable.literal(it)
    shown = literal and "{" .. literal .. "}"
  end
  return v.op .. " " .. (shown or hosted(text, it))
end

local function apply(name, arguments)
  return ("%s(%s)"):format(name, table.concat(arguments, ", "))
end

-- The results of an instruction: (), one, or a tuple with _ for what is not used.
local function results(text, v)
  if not v.results then return v.type and typed(text, v) or "()" end
  local out, last = { typed(text, v) }, 1
  for _, result in ipairs(v.results) do
    for i = last + 1, result.index - 1 do out[i] = "_" end
    out[result.index], last = typed(text, result), result.index
  end
  return "(" .. table.concat(out, ", ") .. ")"
end

-- }== Edges ===========================================================

local function call(text, edge)
  return apply(text.of[edge.to], operands(text, edge.sources))
end

-- The continuation of an edge: that of its target, or one of its own in `own`, a list of
-- { name =, call = }, for its arguments.
local function continuation(text, edge, own)
  if #edge.to.phis == 0 then return text.of[edge.to] end
  local made = call(text, edge)
  if not own[made] then
    own[made] = take(text, edge.to.called)
    own[#own + 1] = { name = own[made], call = made }
  end
  return own[made]
end

local function continuations(text, edges, own)
  local out = {}
  for i, edge in ipairs(edges) do out[i] = continuation(text, edge, own) end
  return out
end

local ends = {}

function ends.jump(text, block) return call(text, block.edges[1]) end

function ends.branch(text, block, v, own)
  local to = continuations(text, block.edges, own)
  return apply("branch", { operand(text, v.args[1]), to[1], to[2] })
end

function ends.switch(text, block, v, own)
  local to = continuations(text, block.edges, own)
  local out = { operand(text, v.args[1]), to[1] }
  for i = 2, #to do out[#out + 1] = ("%s: %s"):format(operand(text, v.args[i]), to[i]) end
  return apply("switch", out)
end

function ends.ret(text, _, v) return apply("ret", operands(text, v.args)) end

-- The result of what is called is that of the function.
local function tail_call(text, _, v)
  local out = operands(text, v.args)
  out[#out + 1] = "ret"
  return apply(op_text(text, v), out)
end

ends.tail_call, ends.tail_call_indirect = tail_call, tail_call

-- A terminator of a dialect, and unreachable.
local function other_end(text, block, v, own)
  local out, to = operands(text, v.args), continuations(text, block.edges, own)
  if #to > 0 then out[#out + 1] = "[" .. table.concat(to, ", ") .. "]" end
  return apply(op_text(text, v), out)
end

-- }== Continuations ===================================================

local function line(text, indent, it) text.lines[#text.lines + 1] = indent .. it end

-- A continuation that is not written inside another one names it.
local function head(text, block)
  local within = text.is_flat and block.parent and " within " .. text.of[block.parent] or ""
  return ("%s%s := (%s) → ⊥"):format(text.of[block], within,
    table.concat(parameters(text, block.phis), ", "))
end

local write_block

-- Writes the continuations inside a block, and those of its edges.
local function write_group(text, children, own, loops, indent)
  local first = loops and "letrec " or "let "
  local rest = (" "):rep(#first)
  local inner = indent .. rest .. "  "
  for _, child in ipairs(children) do
    line(text, indent, first .. head(text, child))
    write_block(text, child, inner)
    first = rest
  end
  for _, it in ipairs(own) do
    line(text, indent, ("%s%s := () → ⊥"):format(first, it.name))
    line(text, inner, it.call)
    first = rest
  end
end

-- Writes what a block does.
function write_block(text, block, indent)
  for i = 1, #block.insts - 1 do
    local v = block.insts[i]
    line(text, indent, ("%s%s := %s"):format(i == 1 and "let " or "    ", results(text, v),
      apply(op_text(text, v), operands(text, v.args))))
  end
  local children, v, own = text.is_flat and {} or block.children, block.insts[#block.insts], {}
  local last = (ends[v.op] or other_end)(text, block, v, own)
  write_group(text, children, own, block.loops, indent)
  local is_let = #block.insts > 1 or #children > 0 or #own > 0
  line(text, indent, is_let and "in " .. last or last)
end

local function make(fn, opts)
  local program = programs.whole(fn)
  local text = { program = program, lines = {}, names = Names.new(), of = {}, host = {},
    numbers = {} }
  name_all(text)
  local params = parameters(text, program.params)
  local returned = signature.results(fn) or "()"
  params[#params + 1] = (fn:results()[2] and "ret : (%s) → ⊥" or "ret : %s → ⊥"):format(returned)
  line(text, "", ("%s → ⊥"):format(apply(quoted(program.name), params)))
  text.is_flat = nesting.nest(program) > opts.nesting
  if text.is_flat then
    write_group(text, program.blocks, {}, nesting.has_loop(program), "  ")
    line(text, "  ", "in " .. text.of[program.blocks[1]] .. "()")
  else
    nesting.find_loops(program)
    write_block(text, program.blocks[1], "  ")
  end
  text.lines[#text.lines + 1] = ""
  return { source = table.concat(text.lines, "\n"), host = text.host }
end

--- The text of a finished function.
---@param fn phial.Function
---@param opts {nesting: integer}
---@return string
---@return any[]? host the values that the text calls {host 1} and so on, if there are any
function M.func(fn, opts)
  local made = programs.reading({ [fn] = fn:version() }, make, fn, opts)
  if #made.host == 0 then return made.source end
  return made.source, made.host
end

-- }====================================================================

return M
