-- Generated code: its lines, the names that it uses, and what it needs from
-- outside.
local Writer = require "phial.code.writer"
local core = require "phial.core"
local numbers = require "phial.emit.lua.numbers"
local where = require "phial.where"

local Code = setmetatable({}, { __index = Writer })
Code.__index = Code

--
-- {== Making ==========================================================
--

---@class phial.emit.lua.Code: phial.code.Writer
---@field needed table<string, true> names of functions of phial.run.runtime
---@field hosted table what generated code finds in `host`
---@field callees table<integer, string> where the phial functions in `hosted` are called
---@field sites string[] a line for each call by name
---@field calls boolean? it calls functions of phial, maybe, or evals
---@field evals boolean? it calls the eval of an op
---@field leaves boolean? it calls functions of the host
---@field memory boolean? it needs a space
---@field frees boolean it frees its allocas when it returns
---@field varargs boolean? it is variadic: `va` says where the further arguments are
---@field marks {where: string, eval: boolean?}[]? what is marked in the source, if it is
---@field in_frame boolean values that cross blocks are kept in the frame
---@field block phial.code.Block? the block that is being written
---@field declared table<string, true> names of locals of that block
---@field fixed table<string, true> names of locals of the function
---@field returns boolean? the block ends the function
---@field continuations phial.emit.lua.Continuations? blocks are functions that tail-call others
---@field direct string? what it calls instead of itself
---@field calls_itself boolean?

---@class phial.emit.lua.Continuations
---@field call fun(code: phial.emit.lua.Code, edge: phial.code.Edge): string takes an edge
---@field ret fun(code: phial.emit.lua.Code, text: string?): string passes the result on

--- Makes empty code.
---@param program phial.code.Program
---@param in_frame boolean
---@return phial.emit.lua.Code
function Code.new(program, in_frame)
  return setmetatable({
    program = program, in_frame = in_frame, lines = {}, indent = "",
    needed = {}, hosted = {}, index = {}, called = {}, callees = {}, declared = {}, fixed = {},
    sites = {},
  }, Code)
end

-- }== Lines ===========================================================

--- Appends a line.
---@param text string
function Code:add(text)
  local lines = self.lines
  lines[#lines + 1] = self.indent .. text
end

--- Appends a formatted line.
---@param format string
function Code:line(format, ...) self:add(format:format(...)) end

-- }== From outside ====================================================

--- Notes that a function of phial.run.runtime is needed; returns its name.
---@param name string
---@return string
function Code:need(name)
  self.needed[name] = true
  return name
end

--- Puts a value into the table `host`; returns the expression for it.
---@param value any
---@return string
function Code:host(value)
  local key = value == value and value or "nan"
  local i = self.index[key]
  if not i or key == "nan" then
    i = #self.hosted + 1
    self.hosted[i], self.index[key] = value, i
  end
  return ("host[%d]"):format(i)
end

--- Notes that v calls a function of phial, maybe, or an eval; returns what marks the
--- place in the source, if it is generated to be searched.
---@param v phial.code.Value
---@param is_eval boolean?
---@return string
function Code:mark(v, is_eval)
  self.calls, self.evals = true, self.evals or is_eval
  local marks = self.marks
  if not marks then return "" end
  marks[#marks + 1] = { where = self:where(v), eval = is_eval }
  return ("--[[@%d]]"):format(#marks)
end

--- Adds a site of a call by name, with arguments of by_name; returns its number.
---@param by_name string
---@return integer
function Code:add_site(by_name, ...)
  local site = #self.sites + 1
  self.sites[site] = ("%s(%d, %s)"):format(by_name, site, table.concat({ ... }, ", "))
  return site
end

--- The expression for a phial function that v calls.
---@param v phial.code.Value
---@param fn phial.Function
---@return string
function Code:callee(v, fn)
  if fn == self.program.fn then
    if v.op == "tail_call" then return self.program.local_name end
    self.calls_itself = true
    return self.direct or self.program.local_name
  end
  local i = self.called[fn]
  if not i then -- not by `host`: the field will be what is to be called
    i = #self.hosted + 1
    self.hosted[i], self.called[fn], self.callees[i] = fn, i, self:where(v)
  end
  return ("host[%d]"):format(i)
end

-- }== Places in the source ============================================

--- A block as errors name it, with the first source location in it.
---@param block phial.code.Block
---@return string
function Code:where_block(block)
  local first
  for _, v in ipairs(block.insts) do
    first = first or self:handle(v):loc() and self:handle(v)
  end
  return where.block(self.program.name, core.block(self.program.fn, block.id), first)
end

--- Writes that entering a block takes fuel.
---@param block phial.code.Block
function Code:burn(block)
  self:line("%s.left = fuel.left - 1", self:need "fuel")
  self:line("if fuel.left < 0 then %s(%s, \"out of fuel\") end", self:need "trap",
    numbers.quote(self:where_block(block)))
end

--- Writes a trap for the case that a test holds.
---@param v phial.code.Value
---@param test string an expression
---@param why string the message, or an expression for it
---@param is_code boolean? why is an expression
function Code:trap(v, test, why, is_code)
  local call = ("%s(%s, %s)"):format(self:need "trap", numbers.quote(self:where(v)),
    is_code and why or numbers.quote(why))
  self:add(test == "true" and call or ("if %s then %s end"):format(test, call))
end

-- }== Values ==========================================================

--- The place of a value, a local or a slot of the frame; nil if it is not kept.
---@param v phial.code.Value
---@return string?
function Code:place(v)
  if v.name and not (self.in_frame and v.block ~= self.block) then return v.name end
  return v.slot
end

-- A constant; one without a literal is in `host`.
local function constant(self, v)
  if v.text == nil then
    local value = v.value
    if v.op == "undef" then value = numbers.undef(v.type) end
    v.text = numbers.literal(value) or false
  end
  return v.text or self:host(v.value)
end

-- An operand of v.
local function operand(self, v, i)
  local arg = v.args[i]
  if arg == nil then return nil end
  if arg.inline and v.row.loose and arg.row.raw then
    return "(" .. self:expression(arg, arg.row.raw) .. ")"
  end
  return self:text(arg)
end

--- The expression that computes a value.
---@param v phial.code.Value
---@param as function? writes it, default: the row's expr
---@return string
function Code:expression(v, as)
  local write = as or v.row.expr
  return write(self, v, operand(self, v, 1), operand(self, v, 2), operand(self, v, 3))
end

--- A value as an operand.
---@param v phial.code.Value
---@return string
function Code:text(v)
  if not v.block then return constant(self, v) end
  return v.inline and "(" .. self:expression(v) .. ")" or self:place(v)
end

--- Appends the places that the text of a value reads.
---@param v phial.code.Value
---@param list string[]
---@return string[] list
function Code:reads(v, list)
  if v.inline then
    for _, arg in ipairs(v.args) do self:reads(arg, list) end
  elseif v.block then
    list[#list + 1] = self:place(v)
  end
  return list
end

--- Declares the place of a value, if it is not declared yet; returns the place.
---@param v phial.code.Value
---@return string?
function Code:declare(v)
  local place = self:place(v)
  return place and self:declare_local(place)
end

-- True for a local of the block that is not declared; declares it.
function Code:is_new(place)
  if self.declared[place] or self.fixed[place] or place:find("[", 1, true) then return false end
  self.declared[place] = true
  return true
end

--- Declares a local of the block other than for a value, once; returns its name.
---@param name string
---@return string
function Code:declare_local(name)
  if self:is_new(name) then self:line("local %s", name) end
  return name
end

--- Writes a call as a statement. A leading parenthesis would continue the line
--- before.
---@param text string
function Code:call(text)
  self:add(text:sub(1, 1) == "(" and ";" .. text or text)
end

--- Writes an assignment to the place of a value; returns the place.
---@param v phial.code.Value
---@param text string
---@return string?
function Code:set(v, text)
  local place = self:place(v)
  if place == text then return place end -- of a copy
  if place then
    self:add((self:is_new(place) and "local " or "") .. place .. " = " .. text)
  else
    self:call(text)
  end
  return place
end

--- Stores a value that has been computed in the frame, if it has a slot there.
---@param v phial.code.Value
function Code:store(v)
  if v.name and v.slot then self:add(v.slot .. " = " .. v.name) end
end

-- }== Instructions ====================================================

--- Writes an instruction other than a terminator.
---@param v phial.code.Value
function Code:instruction(v)
  if v.inline then return end
  local row = v.row
  if row.expr then
    self:set(v, self:expression(v))
  elseif row.stmt then
    row.stmt(self, v, operand(self, v, 1), operand(self, v, 2), operand(self, v, 3))
  else
    row.run(self, v)
  end
  self:store(v)
  if v.results then
    for _, result in ipairs(v.results) do self:store(result) end
  end
end

--- Writes what a block does, before its terminator.
---@param block phial.code.Block
---@param fuel boolean? entering it takes fuel
function Code:instructions(block, fuel)
  self.block, self.declared, self.returns = block, {}, false
  if fuel then self:burn(block) end
  local insts = block.insts
  for i = 1, #insts - 1 do self:instruction(insts[i]) end
end

-- }====================================================================

return Code
