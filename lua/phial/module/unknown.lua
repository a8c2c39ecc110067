--- Makes up the dialects that a text uses and nobody knows, for `phial.parse`.
-- Reads lines by their shape only. What is wrong with the text is left to the core, which
-- reads it afterwards: the made-up ops take everything, so its errors are about the rest.
local core = require "phial.core"
local dialects = require "phial.dialects"

local M = {}

-- A reading of the lines of one text.
---@class phial.module.Uses
---@field found table<string, phial.dialects.Used> whose ops are phial.module.Shape for now
---@field known table<string, boolean>
---@field last phial.module.Shape|false the op of the latest line in the block, if it may end it
---@field ops integer how many more ops and types dialects can have
---@field types integer

-- How an op is used.
---@class phial.module.Shape
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

-- Raises a table, which M.of catches.
local function too_many(at, what)
  error { at = at, why = "too many " .. what .. ": all dialects together can have %d ops and "
    .. "%d types" }
end

local function note_types(uses, line, at)
  for column, dialect, type in line:gmatch(TYPE) do
    if not uses.known[dialect] and dialects.note_type(uses.found, dialect, type) then
      uses.types = uses.types - 1
      if uses.types < 0 then too_many(at + column - 1, "types") end
    end
  end
end

local function shape_of(uses, dialect, name, at)
  local ops = dialects.used(uses.found, dialect).ops
  if not ops[name] then
    ops[name] = {}
    uses.ops = uses.ops - 1
    if uses.ops < 0 then too_many(at, "ops") end
  end
  return ops[name]
end

-- Notes that the block goes on, or that it has ended, behind its latest instruction.
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
  note_types(uses, line, at)
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

local function read(text, given)
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
function M.of(text, given)
  local ok, found = pcall(read, text, given)
  if ok then return dialects.list(found, given) end
  if type(found) ~= "table" then error(found, 0) end
  return nil, found.at, found.why:format(core.dialect_room {})
end

return M
