-- What is emitted together: functions and globals with all that they reach.
local Symbols = require "phial.emit.c.symbols"
local boundary = require "phial.emit.c.boundary"
local callees = require "phial.code.callees"
local core = require "phial.core"
local errors = require "phial.errors"
local func = require "phial.emit.c.function"
local global = require "phial.module.global"
local hosts = require "phial.emit.c.hosts"
local names = require "phial.emit.c.names"
local prelude = require "phial.emit.c.prelude"
local strongly = require "phial.strongly"
local structs = require "phial.code.structs"

local Unit = {}
Unit.__index = Unit

---@class phial.emit.c.Unit
---@field opts table
---@field flags table<string, boolean> of rows
---@field extends table<string, boolean> theirs in functions whose result has a sign
---@field entries phial.Function[] the functions given
---@field needed table<string, true> helpers
---@field symbols phial.emit.c.Symbols
---@field programs phial.emit.c.Program[] the functions in order, those given first
---@field program table<phial.Function, phial.emit.c.Program>
---@field declared string[] lines of dialects
---@field globals string[] their declarations, then their definitions
---@field has_dialects boolean? some op is of a dialect
---@field component table<phial.emit.c.Program, integer>? of the graph of calls
---@field addresses string? the function that tells those of `exported`
---@field exported (phial.Function|phial.Global)[] whose addresses native code tells, in order

--
-- {== Reading =========================================================
--

-- Notes that an instruction calls a function of Lua; false if C lacks one of the types.
local function read_host(self, program, id, op, f, name)
  local symbols, fn, is_tail = self.symbols, program.fn, op == "tail_call"
  local result, _, arg_types = core.instruction(fn, id)
  local at = core.where(fn, id)
  if is_tail and symbols:several(fn) then
    errors.raise("%s: %s is a function of Lua, which gives native code one result", at, name)
  end
  local write = is_tail and hosts.pointer or hosts.call
  local text = write(symbols, f, name, at, is_tail and program.result or result, arg_types)
  if not text then return false end
  program.symbol[id], symbols.is_host[name] = name, true
  program.callee[id], program.is_host[id] = text, not is_tail
  return true
end

-- Finds what an instruction refers to: a function, a global, a name or anything of Lua. It gets its
-- C name before values get theirs, and so does what C needs to call at an address; what is wrong is
-- told when the instruction is written.
local function read_symbol(self, program, id, op, data)
  local symbols, fn, alike, it = self.symbols, program.fn, program.alike, data
  if type(data) == "string" or symbols.env and data ~= nil then
    it = alike.symbols[data] or symbols:found(fn, data)
    alike.symbols[data] = it
  end
  if op == "call_indirect" then
    program.through[id] = callees.is_usable(it) and boundary.is_needed(symbols, it)
      and symbols:through(it) or nil
    return
  end
  local f, name = hosts.lua_function(symbols, it)
  if f and op == "address" and type(it) == "string" then
    errors.raise("%s: %s is a function of Lua: it must be declared, since it has an address",
      core.where(fn, id), name)
  elseif f and op ~= "address" and read_host(self, program, id, op, f, name) then return end
  program.symbol[id] = it
  if op == "address" then
    if not alike.texts[data] and (callees.is_usable(it) or global.is(it) or type(it) == "string"
      or math.type(it) == "integer") then
      alike.texts[data] = symbols:address(it)
    end
  elseif type(it) == "string" then
    local type, _, arg_types = core.instruction(fn, id)
    program.callee[id] = symbols:outer_name(it,
      symbols.type_of_call(symbols:wanted(fn, op, type), arg_types))
  elseif callees.is_usable(it) then
    if it == fn and op == "call" then self.needed.recursions = true end
    symbols:of(it)
    if not f then alike.callees[data] = it end
  end
end

-- The bytes of the allocas of a function, which are in its entry, and of structs.
local function frame(self, program)
  local bytes, fn, of = 0, program.fn, self.symbols:interface(program.fn)
  for i in ipairs(of.types) do
    local struct = structs.copied(of.passings[i])
    bytes = bytes + (struct and struct.size or 0)
  end
  for i, id in ipairs(program.ids) do
    if program.ops[i] == "alloca" then
      local args = core.value(fn, id):args()
      bytes = bytes + args[1]:const() + args[2]:const()
    end
  end
  return bytes
end

local function read(self, fn)
  local program, recurs = func.read(self.symbols, fn, self.opts.native)
  if self.opts.native then program.frame = frame(self, program) end
  if program.has_dialects then self.symbols.calls_out, self.has_dialects = true, true end
  if recurs then self.needed.recursions = true end
  self.program[fn] = program
  self.programs[#self.programs + 1] = program
  for i, id in ipairs(program.ids) do
    local op = program.ops[i]
    if op ~= "alloca" and op ~= "tail_call_indirect" then
      read_symbol(self, program, id, op, program.data[i])
    end
  end
end

-- Gives a name to what a function calls instead of itself, and is passed the limit of the stack,
-- if that is faster: if a call of itself comes last, of which compilers can make a loop. Tail calls
-- of others need their signature.
local function name_again(self, program)
  local fn, is_last = program.fn, false
  local of = self.symbols:interface(fn)
  if #of.types == 0 or of.variadic then return end
  for i, id in ipairs(program.ids) do
    local op, is_own = program.ops[i], program.symbol[id] == fn
    if op:find "^tail_call" and not is_own then return end
    if op == "call" and is_own and program.last[i] then is_last = true end
  end
  if not is_last then return end
  program.again = self.scope:take(self.symbols:of(fn) .. "_again")
  self.needed.phial_floor = true
end

-- Reads all functions that are reached, and the initial values of globals.
local function read_all(self)
  local declared, defined = {}, {}
  self.symbols:each(function(fn) read(self, fn) end, function(g)
    defined[#defined + 1], declared[#declared + 1] = self.symbols:define_global(g)
  end)
  -- initial values can be addresses of globals that follow
  self.globals = table.move(defined, 1, #defined, #declared + 1, declared)
end

-- The addresses of what can be called from Lua, and of all globals, as a table of C.
local function export(self)
  local texts, symbols = {}, self.symbols
  self.exported = table.move(symbols.globals, 1, #symbols.globals, #self.entries + 1,
    table.move(self.entries, 1, #self.entries, 1, {}))
  for _, it in ipairs(symbols.growing) do table.insert(self.exported, it.global) end
  for _, fn in ipairs(self.opts.declarations or {}) do
    local is_host = hosts.lua_function(symbols, fn) and symbols:can_point(fn)
    if is_host then table.insert(self.exported, fn) end
  end
  for i, it in ipairs(self.exported) do texts[i] = symbols:address(it) .. "," end
  texts[#texts + 1] = "0" -- C has no arrays without elements
  return ("void *const *phial_symbols(void) {\n  static void *const list[] = { %s };\n"
    .. "  return list;\n}\n"):format(table.concat(texts, " "))
end

--- Makes a unit.
---@param functions phial.Function[]
---@param list phial.Global[]
---@param opts table
---@return phial.emit.c.Unit
function Unit.new(functions, list, opts)
  local self = setmetatable({
    opts = opts, entries = functions, needed = { stdint = true },
    flags = { traps = opts.traps ~= "undefined" },
    extends = { traps = opts.traps ~= "undefined", extends = true },
    programs = {}, program = {}, declared = {},
  }, Unit)
  self.symbols = Symbols.new(functions, list, opts.native == true, self.needed, opts.env)
  self.scope = self.symbols.scope
  read_all(self)
  if opts.native then self.addresses = export(self) end
  if opts.native and opts.traps ~= "undefined" then
    for _, program in ipairs(self.programs) do name_again(self, program) end
  end
  return self
end

-- }== Calls ===========================================================

--- True if a call can lead back to its caller, and native code has to check that. What lies
--- elsewhere can call what it has the address of.
---@param caller phial.emit.c.Program
---@param callee any nil: the function at an address
---@return boolean
function Unit:is_recursive(caller, callee)
  if not self.opts.native then return false end
  if callee == nil then return true end
  if self.symbols.is_host[callee] then return false end -- the core checks these calls
  if not self.program[callee] then return self.symbols.takes_address == true end
  self.component = self.component or strongly.components(self.programs, function(program, f)
    for _, it in pairs(program.symbol) do
      if self.program[it] then f(self.program[it]) end
    end
  end)
  return self.component[caller] == self.component[self.program[callee]]
end

-- The bytes of allocas from which on the stack is checked before a function is entered.
local LARGE = 1024

--- The bytes of allocas of what is called; of a callee that is not known, the most that any
--- function has.
---@param callee any
---@return integer
function Unit:frame_of(callee)
  if not self.opts.native then return 0 end
  local program = self.program[callee]
  if callee then return program and program.frame or 0 end
  local most = 0
  for _, it in ipairs(self.programs) do most = math.max(most, it.frame) end
  return most
end

--- True if native code must check the stack before it enters a function with such allocas,
--- which then must not be made part of its callers.
---@param bytes integer
---@return boolean
function Unit:is_large(bytes) return self.opts.native ~= nil and bytes >= LARGE end

-- }== Wrappers ========================================================

-- Native code is called through wrappers over words: word i holds argument i, and word 0 then the
-- result.

local function wrapper(self, program)
  local texts = {}
  for i, type in ipairs(self.symbols:interface(program.fn).types) do
    texts[i] = hosts.from_word(self.needed, type, ("w[%d]"):format(i - 1))
  end
  local c_name = self.symbols:of(program.fn)
  local text = ("%s(%s)"):format(c_name, table.concat(texts, ", "))
  local result, several = program.result, self.symbols:several(program.fn)
  program.entry = self.scope:take(c_name .. "_words")
  local lines = { ("void %s(uint64_t *w) {"):format(program.entry) }
  if not result and #texts == 0 then lines[2] = "  (void)w;" end
  local bytes = self:frame_of(program.fn)
  if self:is_large(bytes) then
    self.needed.phial_is_deep, self.needed.native_trap = true, true
    lines[#lines + 1] = ("  if (phial_is_deep(phial_now.limit, %d)) PHIAL_TRAP(%s);"):format(bytes,
      names.quoted(program.name .. ": stack overflow"))
  end
  if several then
    lines[#lines + 1] = ("  %s r = %s;"):format(several, text)
    for i, type in ipairs(program.fn:results()) do
      local word = hosts.to_word(self.needed, type, "r.m" .. i)
      lines[#lines + 1] = ("  w[%d] = %s;"):format(i - 1, word)
    end
  else
    lines[#lines + 1] = result and ("  w[0] = %s;"):format(hosts.to_word(self.needed, result, text))
      or ("  %s;"):format(text)
  end
  lines[#lines + 1] = "}"
  return lines
end

-- }== Writing =========================================================

--- Adds a line of a dialect.
---@param line string
function Unit:declare(line) table.insert(self.declared, line) end

local function prototypes(self)
  local lines, is_needed = {}, #self.programs > 1 or #self.globals > 0
  for i, program in ipairs(self.programs) do
    local label, again = self.symbols:label(program.fn), program.again
    local attribute = self:is_large(program.frame) and "__attribute__((noinline)) " or ""
    is_needed = is_needed or label ~= "" or attribute ~= "" or again
    lines[i] = attribute .. self.symbols:storage(program.fn) .. program.head .. label .. ";"
      .. (again and ("\n%sstatic %s;"):format(attribute, func.head(self, program, again)) or "")
  end
  return is_needed and lines or {}
end

-- Adds functions that C calls instead of others, and their declarations.
local function write_outer(self, declared, bodies)
  local symbols = self.symbols
  for _, program in ipairs(self.programs) do
    local fn = program.fn
    local name = symbols.outer[fn]
    if name then
      local lines = boundary.outward(symbols, fn, name)
      lines[1] = symbols:storage(fn, name) .. lines[1]
      declared[#declared + 1] = lines[1]:sub(1, -3) .. symbols:label(fn, name) .. ";"
      bodies[#bodies + 1] = table.concat(lines, "\n") .. "\n"
    end
  end
end

-- Types without room for alignment. (tcc does not know the attribute.)
local function packed(lines)
  if #lines == 0 then return lines end
  return { "#pragma pack(push, 1)", table.concat(lines, "\n"), "#pragma pack(pop)" }
end

-- Notes that texts of dialects trap by themselves.
local function look_for_traps(self, bodies)
  for _, list in ipairs { bodies, self.declared } do
    for _, text in ipairs(list) do
      if text:find("PHIAL_TRAP", 1, true) then self.needed.trap = true end
    end
  end
end

--- Writes the unit.
---@return string
function Unit:write()
  local bodies, code = {}, func.code(self)
  for _, program in ipairs(self.programs) do
    func.write(code, program, bodies)
    if program.again then bodies[#bodies + 1] = func.first(self, program) end
  end
  if self.opts.native then
    self.needed.native = true
    for _, fn in ipairs(self.entries) do
      bodies[#bodies + 1] = table.concat(wrapper(self, self.program[fn]), "\n") .. "\n"
    end
    bodies[#bodies + 1] = self.addresses
  end
  local declared = prototypes(self)
  write_outer(self, declared, bodies)
  if self.has_dialects then look_for_traps(self, bodies) end
  if self.needed.trap then
    self.needed.trap, self.needed[self.opts.native and "native_trap" or "PHIAL_TRAP"] = nil, true
  end
  for _, line in ipairs(self.declared) do self.needed[line] = nil end -- is not a helper
  local out = { "/* Written by phial. */" }
  local lists = { prelude:sources(self.needed), self.declared, self.symbols.structs,
    self.symbols.outside, declared, packed(self.symbols.data), self.globals }
  table.move(self.symbols.inward, 1, #self.symbols.inward, #lists + 1, lists)
  for _, lines in ipairs(lists) do
    table.move(lines, 1, #lines, #out + 1, out)
    if #lines > 0 then out[#out + 1] = "" end
  end
  table.move(bodies, 1, #bodies, #out + 1, out)
  return core.joined(out, self.opts.lines and names.quoted(self.opts.file) or nil)
end

-- }====================================================================

return Unit
