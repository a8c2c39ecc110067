-- One function in C: blocks are labels, values are locals.
local Code = require "phial.emit.c.code"
local calls = require "phial.emit.c.calls"
local errors = require "phial.errors"
local expressions = require "phial.emit.c.expressions"
local flow = require "phial.emit.c.flow"
local names = require "phial.emit.c.names"
local ops = require "phial.emit.c.ops"
local programs = require "phial.code.program"
local structs = require "phial.code.structs"
local types = require "phial.emit.c.types"
local variables = require "phial.emit.c.variables"

local M = {}

-- The columns of a line of declarations.
local COLUMNS <const> = 80

--
-- {== Checking ========================================================
--

-- what: a format for the name of the value v.
local function check_type(program, type, what, v)
  if types.name(type) then return end
  local name = v and (v.op == "param" and v.var or tostring(programs.handle(program, v)))
  errors.raise("function '%s': %s is of type %s, which C does not have", program.name,
    what:format(name), type)
end

-- True if C has the types of all values and constants.
local function has_types(program)
  local seen, type_of = { [program.result or "i1"] = true }, program.columns.type
  for i = 1, #program.columns.id do seen[type_of[i] or "i1"] = true end
  for i = 1, #program.constants do seen[program.constants[i].type] = true end
  for type in pairs(seen) do
    if not types.name(type) then return false end
  end
  return true
end

local function check_values(program, list)
  for _, v in ipairs(list) do
    if v.type then check_type(program, v.type, "'%s'", v) end
    for _, arg in ipairs(v.args) do
      if not arg.block then check_type(program, arg.type, "an operand of '%s'", v) end
    end
    for _, result in ipairs(v.results or {}) do
      check_type(program, result.type, "a result of '%s'", v)
    end
  end
end

-- C finds further arguments by the last parameter.
local function check_last(program, param)
  local is_promoted = param and (param.type == "f32" or (types.width(param.type) or 32) < 32)
  local why = not param and "a parameter" or is_promoted and "none of type " .. param.type
  if why then
    errors.raise("function '%s' is variadic: before '...', C wants %s", program.name, why)
  end
end

-- Raises for the first value, in order, of a type that C does not have.
local function check_types(program)
  if has_types(program) then return end
  for _, param in ipairs(program.params) do
    check_type(program, param.type, "parameter '%s'", param)
  end
  if program.result then check_type(program, program.result, "the result") end
  for _, block in ipairs(program.blocks) do
    check_values(program, block.phis)
    check_values(program, block.insts)
  end
end

-- }== Preparing ========================================================

-- How ops are written; those that are not there are dialects'.
local ROWS <const> = setmetatable({}, { __index = function() return calls.row_of_dialects end })
for _, rows in ipairs { ops.rows, calls.rows, flow.rows } do
  for op, row in pairs(rows) do ROWS[op] = row end
end
local ROWS_OF_BITS <const> = setmetatable(ops.rows_of_bits, { __index = ROWS })

-- Chooses how each instruction is written.
local function choose_rows(program)
  for _, block in ipairs(program.blocks) do
    local insts = block.insts
    for i = 1, #insts do
      local v = insts[i]
      local first = v.args[1]
      local row = (first and first.type == "i1" and ROWS_OF_BITS or ROWS)[v.op]
      v.row = row
      if row.prepare then row.prepare(program, v) end
    end
  end
end

-- Notes which constants are integers or booleans that ops can look at.
local function read_constants(program)
  for _, it in ipairs(program.constants) do it.known = types.known(it) end
end

local function name_blocks(unit, program)
  local scope = names.scope(unit.labels)
  for _, block in ipairs(program.blocks) do
    block.label = scope:take(block.called or "b" .. block.id)
  end
end

-- }== Writing =========================================================

-- True unless compilers would warn of a parameter, also of one that calls of the function itself
-- only pass on.
local function is_used(param)
  return param.uses > (param.stays or 0) or param.variable.is_kept
end

-- Parameters that have a sign, and those that nothing uses, of which compilers warn.
local function take_params(code)
  for _, param in ipairs(code.program.params) do
    if param.given ~= param.name then
      code:line("%s = (%s)%s;", types.declared(param.type, param.name), types.name(param.type),
        param.given)
    end
    if not is_used(param) then code:line("(void)%s;", param.name) end
  end
end

-- Copies the structs that the function gets, also when it calls itself in its place.
local function copy_structs(code)
  local program = code.program
  for i, param in ipairs(program.params) do
    local struct = structs.copied(program.fn, i)
    if struct and is_used(param) then
      local copy = code.scope:take(param.name .. "_copy")
      table.insert(program.arrays, ("_Alignas(%d) char %s[%d]"):format(struct.align, copy,
        struct.size))
      code:need "string"
      code:line("%s = memmove(%s, %s, %d);", param.name, copy, param.name, struct.size)
    end
  end
end

local function write_block(code, block)
  code:start(block)
  if block.number == 1 then copy_structs(code) end
  local insts = block.insts
  for i = 1, #insts - 1 do
    local v = insts[i]
    if not v.inline or v.row.check then code:instruction(v) end
  end
  flow.finish(code)
end

-- A declaration starts with the name of a type. No label may precede it in C11.
local function is_declaration(line)
  local word = line and line:match "^%s*([a-z0-9_]+) %*?[A-Za-z_]"
  return word ~= nil and word ~= "goto" and word ~= "return"
end

-- The first statement of lines.
local function statement(lines, first, last)
  for i = first, last do
    local line = lines[i]
    if line and line:sub(1, 1) ~= "#" then return line end
  end
end

-- Appends the lines of all blocks, with labels where gotos lead, all of which are known now.
local function append_blocks(out, code)
  local blocks, lines, label = code.program.blocks, code.lines, nil
  for i = 1, #blocks do
    local block = blocks[i]
    local first, last = block.start, i < #blocks and blocks[i + 1].start - 1 or #lines
    if block.is_target then
      out[#out + 1] = block.label .. ":"
      label = #out
    end
    local next_one = label and statement(lines, first, last)
    if next_one then
      if is_declaration(next_one) then out[label] = out[label] .. ";" end
      label = nil
    end
    table.move(lines, first, last, #out + 1, out)
  end
end

-- Declarations of what crosses blocks, in lines of several.
local function declarations(program)
  local by_type, order, lines = {}, {}, {}
  for _, it in ipairs(program.declared) do
    if not by_type[it.type] then
      by_type[it.type] = {}
      order[#order + 1] = it.type
    end
    table.insert(by_type[it.type], it.name)
  end
  for _, type in ipairs(order) do
    local line
    local c_type = types.name(type):gsub(" %*$", "")
    for _, name in ipairs(by_type[type]) do
      if line and #line + #name + 3 > COLUMNS then
        lines[#lines + 1] = line .. ";"
        line = nil
      end
      if type == "ptr" then name = "*" .. name end
      line = line and line .. ", " .. name or ("  %s %s"):format(c_type, name)
    end
    lines[#lines + 1] = line .. ";"
  end
  for _, array in ipairs(program.arrays) do lines[#lines + 1] = ("  %s;"):format(array) end
  return lines
end

--- The head of a function: "uint64_t sum(uint64_t n)".
---@param unit phial.emit.c.Unit
---@param program phial.code.Program
---@param again string? the name of the one that is passed the limit of the stack
---@return string
function M.head(unit, program, again)
  local fn, params = program.fn, {}
  for i, param in ipairs(program.params) do
    params[i] = types.declaration(types.passed(param.type, fn:passing(i)), param.given)
  end
  if fn:is_variadic() then params[#params + 1] = "..." end
  if again then params[#params] = params[#params] .. " phial_floor_param" end
  local format = types.declared_function(types.passed(program.result, fn:passing()), params)
  return format:format(again or unit.symbols:of(fn))
end

--- Writes the function that calls the one that is passed the limit of the stack.
---@param unit phial.emit.c.Unit
---@param program phial.code.Program
---@return string[] lines
function M.first(unit, program)
  local args = {}
  for i, param in ipairs(program.params) do args[i] = param.given end
  return { ("%s%s {"):format(unit.symbols:storage(program.fn), M.head(unit, program)),
    ("  %s%s(%s phial_floor_first);"):format(program.result and "return " or "", program.again,
      table.concat(args, ", ")), "}" }
end

--- Reads a function. What blocks have is not kept twice: all functions of a unit are read first.
---@param fn phial.Function
---@return phial.code.Program
function M.read(fn)
  local program = programs.whole(fn)
  program.declared, program.arrays, program.symbolic = {}, {}, {}
  check_types(program)
  if fn:is_variadic() then check_last(program, program.params[#program.params]) end
  variables.read(program)
  read_constants(program)
  choose_rows(program)
  program.columns = { line = program.columns.line, file = program.columns.file }
  program.values = nil
  return program
end

--- Writes a function, and forgets its blocks.
---@param unit phial.emit.c.Unit
---@param program phial.code.Program
---@return (string|false)[] lines
function M.write(unit, program)
  program.scope = names.scope(unit.scope)
  local code = Code.new(unit, program, program.scope)
  expressions.choose(code)
  variables.name(program, program.scope)
  name_blocks(unit, program)
  for _, block in ipairs(program.blocks) do write_block(code, block) end
  local params = code:apart(function() take_params(code) end)
  local lines = declarations(program)
  table.move(params, 1, #params, #lines + 1, lines)
  if #lines > 0 then lines[#lines + 1] = "" end
  table.insert(lines, 1, ("%s%s {"):format(
    program.again and "static " or unit.symbols:storage(program.fn),
    M.head(unit, program, program.again)))
  append_blocks(lines, code)
  if code.at then lines[#lines + 1] = false end
  -- compilers want a return also where nothing returns
  if program.result and not code.returns then lines[#lines + 1] = "  return 0;" end
  lines[#lines + 1] = "}"
  program.blocks = nil
  return lines
end

-- }====================================================================

return M
