-- A function that is being written: its names, what it needs from outside, and what rows that are
-- functions are called with.
local Body = require "phial.code.body"
local core = require "phial.core"
local numbers = require "phial.emit.lua.numbers"

local Code = Body.class()

--
-- {== Making ==========================================================
--

---@class phial.emit.lua.Code: phial.code.Body
---@field many integer operands, results or arguments of a block at once; more are in a table
---@field results string[]
---@field local_name string
---@field form "goto"|"blocks"|"nested"|"flat"
---@field room integer locals that a function may have
---@field most integer operators of an expression
---@field flags table<string, boolean> `frame`: values that cross blocks are in slots of the frame;
--- `traps`
---@field texts table
---@field head string[] lines outside the function
---@field out string[] what is written around blocks
---@field temps integer further locals of an op of a dialect
---@field hosted table what generated code finds in `host`
---@field callees table<integer, string> where the phial functions in `hosted` are called
---@field sites string[] a line for each call by name
---@field calls boolean? it calls functions of phial, maybe, or evals
---@field evals boolean? it calls the eval of an op
---@field leaves boolean? it calls functions of the host
---@field frees boolean it frees its allocas when it returns
---@field varargs boolean? it is variadic: `va` says where the further arguments are
---@field marks {where: string, eval: boolean?}[]? what is marked in the source, if it is
---@field declared table<string, true> names of further locals of the block
---@field returns boolean? the block ends the function
---@field passes string? what gets the result, in continuation-passing style
---@field direct string? what it calls instead of itself
---@field calls_itself boolean?

Code.many, Code.most = 40, 10

--- Begins to write a function.
---@param fn phial.Function
---@param local_name string
---@return phial.emit.lua.Code
function Code.new(fn, local_name)
  return setmetatable({
    fn = fn, name = fn:name(), result = fn:result(), results = fn:results(),
    local_name = local_name, texts = {},
    head = {}, out = {}, needed = {}, hosted = {}, index = {}, called = {}, callees = {},
    declared = {}, sites = {},
  }, Code)
end

--- Chooses a form, and reads the function for it.
---@param language phial.core.Language
---@param form "goto"|"blocks"|"nested"|"flat"
---@param room integer
---@return phial.core.Writing
function Code:open(language, form, room)
  if self.w then self.w:close() end
  self.form, self.room, self.index, self.hosted = form, room, {}, {}
  self.flags = { frame = form == "blocks" or form == "flat", traps = true }
  self.w = core.writing(language, self.fn, self)
  return self.w
end

-- }== Lines ===========================================================

--- Values as a list of Lua: of more than it can have at once, the elements of a table.
---@param texts string[]
---@return string
function Code:listed(texts)
  local text = table.concat(texts, ", ")
  if #texts <= self.many then return text end
  return ("%s({ %s }, 1, %d)"):format(self:need "spread", text, #texts)
end

--- Appends a line to what is around blocks.
---@param format string
function Code:add(format, ...) self.out[#self.out + 1] = format:format(...) end


--- Writes a block, or a part of it; returns its text, and whether that has locals or returns.
---@param number integer
---@param part "instructions"|"end"|nil
---@return string
---@return boolean
function Code:block(number, part)
  if part ~= "end" then self.declared, self.returns = {}, false end
  local text, declares = self.w:block(number, part)
  return text, declares or self.returns or next(self.declared) ~= nil
end

-- }== Values ==========================================================

function Code:data(v) return self:handle(v):data() end

--- What is a local, or an element of the frame.
---@param name string
---@return string
function Code:of_frame(name) return self.flags.frame and "F." .. name or name end

--- The place of a value; nil if it is not kept.
---@param v integer
---@return string?
function Code:place(v) return (select(3, self.w:about(v))) end

--- Declares the place of a value, if it is not declared yet; returns the place.
---@param v integer
---@return string?
function Code:place_declared(v)
  local place = self:place(v)
  if place then self.w:declare(v) end
  return place
end

--- Adds a line outside the function, for texts of dialects.
---@param line string
function Code:declare(line) self.head[#self.head + 1] = line end

--- Declares a local of the block other than for a value, once; returns its name.
---@param name string
---@return string
function Code:declare_local(name)
  if not self.declared[name] then
    self.declared[name] = true
    self:line("local %s", name)
  end
  return name
end

--- For ops of dialects: Lua has no types.
function Code:type(v) self:refuse(v, "Lua has no types") end

function Code:temp(_, text)
  self.temps = self.temps + 1
  local name = self:declare_local("temp" .. self.temps)
  if text then self:line("%s = %s", name, text) end
  return name
end

function Code:nowhere() return self:declare_local "_" end

function Code.reads(_, text, place) return place ~= "_" and text:find(place, 1, true) end

function Code:trapping(v, why)
  return ("%s(%s, %s)"):format(self:need "trap", numbers.quote(self:where(v)), numbers.quote(why))
end

--- Writes a call as a statement. A leading parenthesis would continue the line
--- before.
---@param text string
function Code:call(text) self.w:line(text:sub(1, 1) == "(" and ";" .. text or text) end

--- Writes an assignment to the place of a value, if it has one.
---@param v integer
---@param text string
function Code:set(v, text)
  if self:place(v) then self.w:set(v, text) else self:call(text) end
end

-- }== From outside ====================================================

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

--- The address of a global or function.
---@param v integer
---@return string
function Code:address(v)
  local data = self:data(v)
  return ("%s(%s, %s)"):format(self:need "address", numbers.literal(data) or self:host(data),
    numbers.quote(self:where(v)))
end

--- Notes that v calls a function of phial, maybe, or an eval; returns what marks the
--- place in the source, if it is generated to be searched.
---@param v integer
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
---@param v phial.code.Call
---@param fn phial.Function
---@return string
function Code:callee(v, fn)
  if fn == self.fn then
    if v.op == "tail_call" then return self.local_name end
    self.calls_itself = true
    return self.direct or self.local_name
  end
  local i = self.called[fn]
  if not i then -- not by `host`: the field will be what is to be called
    i = #self.hosted + 1
    self.hosted[i], self.called[fn], self.callees[i] = fn, i, self:where(v.id)
  end
  return ("host[%d]"):format(i)
end

-- }== Places in the source ============================================

--- A block as errors name it, with the first source location in it.
---@param block phial.Block
---@return string
function Code:where_block(block)
  local line, col, file
  for _, v in ipairs(block:insts()) do
    if not line then line, col, file = v:loc() end
  end
  return ("%s: block '%s'%s"):format(self.name, block, line and (" (%s%d%s)"):format(
    file and file .. ":" or "", line, col and ":" .. col or "") or "")
end

-- }====================================================================

return Code
