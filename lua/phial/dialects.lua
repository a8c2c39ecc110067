--- Dialects that are made up from how their ops and types are used: in a text, where
-- `phial.parse` is asked for it, and in a trace.
local core = require "phial.core"
local portable = require "phial.portable"
local types = require "phial.code.types"

local M = {}

---@class phial.dialects.Used
---@field ops table<string, phial.OpSpec> by name
---@field types table<string, true>

-- What is used of a dialect.
local function used_of(found, name)
  found[name] = found[name] or { ops = {}, types = {} }
  return found[name]
end

-- Notes a type, given without the dialect; true if it was not known yet. No dialect has types
-- of the names of phial's own.
local function add_type(found, name, type)
  if types.size(type) or type == "any" then return false end
  local known = used_of(found, name).types
  if known[type] then return false end
  known[type] = true
  return true
end

-- The dialects that are given, and made-up ones for the rest of what was found.
local function list_of(found, given)
  local list, is_given = {}, {}
  for i, dialect in ipairs(given) do list[i], is_given[tostring(dialect)] = dialect, true end
  for _, name in ipairs(portable.sorted(found)) do
    if not is_given[name] then
      list[#list + 1] = core.dialect(name, found[name].ops, portable.sorted(found[name].types))
    end
  end
  return list
end

-- {== A text ============================================================
--
-- Its lines are read by their shape only. What is wrong with the text is left to the core, which
-- reads it afterwards: the made-up ops take everything, so its errors are about the rest.

-- A reading of the lines of one text.
---@class phial.dialects.Uses
---@field found table<string, phial.dialects.Used> whose ops are phial.dialects.Shape for now
---@field known table<string, boolean>
---@field last phial.dialects.Shape|false the op of the latest line in the block, if it may end it
---@field ops integer how many more ops and types dialects can have
---@field types integer

-- How an op is used.
---@class phial.dialects.Shape
---@field result boolean? an instruction has a result
---@field targets boolean? one has targets
---@field inner boolean? one without targets is followed by another in its block
---@field ends boolean? one without targets is the last of its block

local DOTTED <const> = "([A-Za-z_][A-Za-z0-9_]*)%.([A-Za-z_][A-Za-z0-9_]*)"
local TYPE <const> = "[:>][ \t\r\v\f]*()" .. DOTTED
local OP <const> = "^[ \t\r\v\f]*()" .. DOTTED .. "()"
local RESULT <const> = "^[ \t\r\v\f]*%%[^:=]*:[^=]*=()"
local LABEL <const> = '^[ \t\r\v\f]*["A-Za-z_][A-Za-z0-9_."]*[ \t\r\v\f]*:'
local BRACE <const> = "^[ \t\r\v\f]*}"
local BLANK <const> = "^[ \t\r\v\f]*$"

local function filler(s) return '"' .. ("_"):rep(#s) .. '"' end

-- A line without what strings and comments contain; what remains is at the same column.
local function bare(line)
  if line:find('"', 1, true) then line = line:gsub("\\.", "__"):gsub('"([^"]*)"', filler) end
  local comment = line:find("--", 1, true)
  return comment and line:sub(1, comment - 1) or line
end

-- Raises a table, which M.of_text catches.
local function too_many(at, what)
  error { at = at, why = "too many " .. what .. ": all dialects together can have %d ops and "
    .. "%d types" }
end

local function note_types_in(uses, line, at)
  for column, dialect, type in line:gmatch(TYPE) do
    if not uses.known[dialect] and add_type(uses.found, dialect, type) then
      uses.types = uses.types - 1
      if uses.types < 0 then too_many(at + column - 1, "types") end
    end
  end
end

local function shape_of(uses, dialect, name, at)
  local ops = used_of(uses.found, dialect).ops
  if not ops[name] then
    ops[name] = {}
    uses.ops = uses.ops - 1
    if uses.ops < 0 then too_many(at, "ops") end
  end
  return ops[name]
end

-- Notes that the block goes on, or that it has ended, after its latest instruction.
local function follow(uses, how)
  if uses.last then uses.last[how] = true end
  uses.last = false
end

local function note_inst(uses, line, at)
  local start = line:match(RESULT)
  local column, dialect, name, rest = line:match(OP, start)
  follow(uses, "inner")
  if not dialect or uses.known[dialect] then return end
  local shape = shape_of(uses, dialect, name, at + column - 1)
  if start then
    shape.result = true
  elseif line:find("[", rest, true) then
    shape.targets = true
  else
    uses.last = shape
  end
end

local function note_line(uses, line, at)
  line = bare(line)
  if line:find(BLANK) then return end
  note_types_in(uses, line, at)
  if line:find(LABEL) or line:find(BRACE) then
    follow(uses, "ends")
  else
    note_inst(uses, line, at)
  end
end

-- The description of an op that is used like that.
local function spec_of(shape)
  if shape.targets or shape.ends and not shape.inner and not shape.result then
    return { args = "*", terminator = true, targets = "*" }
  elseif shape.result then
    return { args = "*", result = "*", results = "*" }
  end
  return { args = "*" }
end

local function uses_in(text, given)
  local uses = { found = {}, known = {}, last = false }
  uses.ops, uses.types = core.dialect_room(given)
  for _, dialect in ipairs(given) do uses.known[tostring(dialect)] = true end
  for at, line in text:gmatch "()([^\n]+)" do note_line(uses, line, at) end
  for _, used in pairs(uses.found) do
    for name, shape in pairs(used.ops) do used.ops[name] = spec_of(shape) end
  end
  return uses.found
end

--- The dialects that are given, and made-up ones for what else a text uses; or nil, the byte
--- of the text where these become too many, and why.
---@param text string
---@param given phial.Dialect[]
---@return phial.Dialect[]?
---@return integer? at
---@return string? why
function M.of_text(text, given)
  local ok, found = pcall(uses_in, text, given)
  if ok then return list_of(found, given) end
  if type(found) ~= "table" then error(found, 0) end
  return nil, found.at, found.why:format(core.dialect_room {})
end

-- }== A trace ===========================================================
--
-- Ops take any operands and have an effect; some of the dialect `trace` are known to do less.

-- The ops of plain traces.
local plain = {
  op2 = { args = 2, result = "any", pure = true },
  use = { args = 1 },
  br = { args = 1, terminator = true, targets = 2 },
  sw = { args = 1, terminator = true, targets = "*" },
}

-- Further ops of the dialect `trace`, a frontend's own instructions: what they do.
local effects = { pure = "none", read = "read", new = "new", value = "write" }

-- The one for a line without operands, by letter.
local plain_op = { w = "op2", m = "op2", u = "use", c = "br", s = "sw" }

local function note_type(found, type)
  local dialect, own = (type or ""):match "^([A-Za-z_][A-Za-z0-9_]*)%.([A-Za-z_][A-Za-z0-9_]*)$"
  if dialect then add_type(found, dialect, own) end
end

-- The type without the prefix of the dialect.
local function own_type(dialect, type)
  return type and type:match("^" .. dialect .. "%.(.*)$") or type
end

-- An op whose results differ from place to place says what they are.
local function widened(one, other)
  if one.result ~= other.result then one.result = "*" end
  if one.results ~= other.results then one.results = "*" end
  return one
end

local function made_up(dialect, name, step)
  if step.letter == "t" then return { args = "*", terminator = true, targets = "*" } end
  local differ = #step.results > 1 and #step.types > 1
  return { args = "*", result = differ and "*" or own_type(dialect, step.type),
    results = #step.results > 1 and (differ and "*" or #step.results) or nil,
    effect = dialect == "trace" and step.type and effects[name] or nil }
end

local function note_op(found, step)
  local dialect, name = (step.op or ""):match "^(.-)%.(.*)$"
  if not dialect then return end
  local ops = used_of(found, dialect).ops
  local spec = made_up(dialect, name, step)
  local other = ops[name]
  if other and (other.terminator ~= spec.terminator or not other.result ~= not spec.result) then
    error({ step = step, mistake = ("'%s' has other results elsewhere"):format(step.op) }, 0)
  end
  ops[name] = other and widened(other, spec) or spec
end

local function uses(func, found)
  for _, type in ipairs(func.results or {}) do note_type(found, type) end
  for _, param in ipairs(func.params or {}) do note_type(found, param:match "([^:]*)$") end
  for _, step in ipairs(func.steps) do
    note_type(found, step.type)
    for _, type in ipairs(step.types or {}) do note_type(found, type) end
    note_type(found, step.value and step.value.type)
    for _, arg in ipairs(step.args or {}) do note_type(found, arg.type) end
    note_op(found, step)
    local op = plain_op[step.letter]
    if op and not step.value then used_of(found, "trace").ops[op] = plain[op] end
  end
  return found
end

--- The dialects of a function: the given ones, and made-up ones for the rest.
---@param func phial.trace.Function
---@param given? phial.Dialect[]
---@return phial.Dialect[]
function M.of_trace(func, given)
  return list_of(uses(func, {}), given or {})
end

-- }======================================================================

return M
