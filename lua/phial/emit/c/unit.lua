-- What is emitted together: functions with all that they call, and their names.
local Code = require "phial.emit.c.code"
local core = require "phial.core"
local errors = require "phial.errors"
local func = require "phial.emit.c.function"
local names = require "phial.emit.c.names"
local prelude = require "phial.emit.c.prelude"
local strongly = require "phial.emit.c.strongly"
local types = require "phial.emit.c.types"
local wrappers = require "phial.emit.c.wrappers"

local Unit = {}
Unit.__index = Unit

---@class phial.emit.c.Unit
---@field opts table
---@field functions phial.Function[] those given
---@field needed table<string, true> helpers
---@field scope phial.emit.c.Scope
---@field programs phial.emit.lua.Program[] the functions in order, those given first
---@field program table<phial.Function, phial.emit.lua.Program>
---@field roots table<string, phial.Function> those given, by name
---@field externs string[] prototypes of what lies elsewhere
---@field extern_names table<string, string> by prototype
---@field declared string[] lines of dialects
---@field component table<phial.Function, integer>? of the graph of calls

local function check_finished(fn)
  if not fn:is_finished() then
    errors.raise("function '%s' is not finished: call fn:finish() before it can be written in C",
      fn:name())
  end
end

local function each_call(program, f)
  for _, block in ipairs(program.blocks) do
    for _, v in ipairs(block.insts) do
      if v.op == "call" then f(v, v.v:data()) end
    end
  end
end

local function read(self, fn)
  if self.program[fn] then return end
  check_finished(fn)
  local program = func.read(fn)
  self.program[fn] = program
  self.programs[#self.programs + 1] = program
  program.c_name = self.scope:take(program.name, true)
end

-- Reads what functions call, in the order of the calls.
local function read_callees(self)
  local i = 1
  while self.programs[i] do
    each_call(self.programs[i], function(_, callee)
      if errors.class(callee) == "phial.Function" and core.is_usable(callee) then
        read(self, callee)
      end
    end)
    i = i + 1
  end
end

--- Makes a unit of functions.
---@param functions phial.Function[]
---@param opts table
---@return phial.emit.c.Unit
function Unit.new(functions, opts)
  local self = setmetatable({
    opts = opts, functions = functions, needed = { stdint = true }, scope = names.scope(),
    programs = {}, program = {}, roots = {}, externs = {}, extern_names = {}, declared = {},
    is_declared = {},
  }, Unit)
  for _, fn in ipairs(functions) do
    self.roots[fn:name()] = self.roots[fn:name()] or fn
    read(self, fn)
  end
  read_callees(self)
  return self
end

--- The function given that has a name; nil: none.
---@param name string
---@return phial.Function?
function Unit:named(name) return self.roots[name] end

--- The C name of a function.
---@param fn phial.Function
---@return string
function Unit:name_of(fn) return self.program[fn].c_name end

--- The C name of a function that lies elsewhere, which is declared.
---@param name string
---@param result string in C
---@param params string in C
---@return string
function Unit:extern(name, result, params)
  local key = ("%s %s(%s)"):format(result, name, params)
  local known = self.extern_names[key]
  if known then return known end
  local c_name = self.scope:take(name, true)
  local text = ("extern %s %s(%s)"):format(result, c_name, params)
  if c_name ~= name then
    self.needed.PHIAL_SYMBOL = true
    text = ("%s PHIAL_SYMBOL(%s)"):format(text, Code.quote(name))
  end
  self.externs[#self.externs + 1] = text .. ";"
  self.extern_names[key] = c_name
  return c_name
end

--- Adds a line of a dialect, once.
---@param line string
function Unit:declare(line)
  if self.is_declared[line] then return end
  self.is_declared[line] = true
  self.declared[#self.declared + 1] = line
end

--- True if a call can lead back to its caller, and native code has to check that.
---@param caller phial.Function
---@param callee phial.Function|string
---@return boolean
function Unit:is_recursive(caller, callee)
  if not self.opts.native then return false end
  if type(callee) == "string" then callee = self.roots[callee] end
  if not callee then return false end
  self.component = self.component or strongly.components(self.programs, function(program, f)
    each_call(program, function(_, other)
      if type(other) == "string" then other = self.roots[other] end
      if self.program[other] then f(self.program[other]) end
    end)
  end)
  return self.component[self.program[caller]] == self.component[self.program[callee]]
end

-- Takes the names of all functions elsewhere before values are named.
local function take_externs(self)
  for _, program in ipairs(self.programs) do
    each_call(program, function(v, callee)
      if type(callee) ~= "string" or self.roots[callee] then return end
      local params = {}
      for i, arg in ipairs(v.args) do params[i] = types.name(arg.type) end
      v.extern = self:extern(callee, v.type and types.name(v.type) or "void",
        #params > 0 and table.concat(params, ", ") or "void")
    end)
  end
end

local function prototypes(self, out)
  if #self.programs < 2 then return end
  for _, program in ipairs(self.programs) do
    out[#out + 1] = ("%s%s;"):format(self.opts.static and "static " or "",
      func.head(program, program.c_name))
  end
  out[#out + 1] = ""
end

-- Appends lines; texts of several lines are split.
local function append(out, lines)
  for _, text in ipairs(lines) do
    for line in (text .. "\n"):gmatch "([^\n]*)\n" do out[#out + 1] = line end
  end
end

-- Replaces marks by directives that give lines their own numbers again.
local function number(out, file)
  for i, line in ipairs(out) do
    if not line then out[i] = ("#line %d %s"):format(i + 1, Code.quote(file)) end
  end
end

--- Writes the unit.
---@return string
function Unit:write()
  take_externs(self)
  local bodies = {}
  for i, program in ipairs(self.programs) do
    bodies[i] = func.write(self, program, program.c_name)
  end
  if self.opts.native then wrappers.add(self, bodies) end
  local out = { "/* Written by phial. */" }
  append(out, prelude.sources(self.needed))
  append(out, self.declared)
  out[#out + 1] = ""
  append(out, self.externs)
  if #self.externs > 0 then out[#out + 1] = "" end
  prototypes(self, out)
  for i, lines in ipairs(bodies) do
    if i > 1 then out[#out + 1] = "" end
    table.move(lines, 1, #lines, #out + 1, out)
  end
  number(out, self.opts.file)
  out[#out + 1] = ""
  return table.concat(out, "\n")
end

return Unit
