--- Ops that functions of users write: what these get, and what is made of what they return.
local callees = require "phial.code.callees"
local core = require "phial.core"
local errors = require "phial.errors"
local programs = require "phial.code.program"

local M = {}

--
-- {== The site =========================================================
--

local Site = {}
Site.__index = Site

---@class phial.code.Site: phial.Site the third argument of a function
---@field code phial.code.Body
---@field call phial.code.Call the instruction
---@field places table<integer, string> of its results

function Site:type(type) return self.code:type(self.call.id, type) end

function Site:result(i)
  i = i or 1
  local code, call, places = self.code, self.call, self.places
  if not (call.type and math.type(i) == "integer" and i > 0) then
    code:refuse(call.id, "the op has no result %s", i)
  end
  places[i] = places[i] or code:nowhere(call.type)
  return places[i]
end

function Site:target(i)
  local code, v = self.code, self.call.id
  if math.type(i) == "integer" and i > 0 and i <= code.w:edges() and code:ends_block(v) then
    return code:target(code.w:jump(i))
  end
  return code:refuse(v, "the op has no target %s", i)
end

function Site:temp(type)
  if self.code.is_typed then self:type(type) end
  return self.code:temp(type)
end

function Site:label(hint)
  if hint ~= nil then errors.check_string("label", 1, hint) end
  return self.code.w:take(hint or "l")
end

function Site:declare(line)
  errors.check_string("declare", 1, line)
  local code = self.code
  if not code.needed[line] then code:declare(code:need(line)) end
end

function Site:trap(message)
  errors.check_string("trap", 1, message)
  return self.code:trapping(self.call.id, message)
end

-- A site that is kept has nothing to give when its op has been written.
local function close(site, op)
  for name in pairs(site) do site[name] = nil end
  setmetatable(site, { __index = function(_, name)
    return function() errors.raise("%s: op '%s' has been written", name, op) end
  end })
end

-- }== Lines ============================================================

-- The lines of a text.
local function lines_of(text)
  local list = {}
  for line in text:gmatch "[^\n]+" do list[#list + 1] = line end
  return list
end

-- The lines of a list of strings; nil, and what it is instead.
local function lines_in(list)
  local ok, taken = pcall(core.list, list, "a table")
  if not ok then return nil, core.refusal(taken) end
  for _, line in ipairs(taken) do
    if type(line) ~= "string" then return nil, "a list with " .. errors.got(line) end
  end
  return lines_of(table.concat(taken, "\n"))
end

-- Calls the function of an op, and returns the lines that it makes, a text or a list. Raises if it
-- makes neither, or changes the function that is read.
local function lines_by(f, key, operands, site)
  local code, call = site.code, site.call
  local fn = code.fn
  local version, made = fn:version(), f(code:handle(call.id), operands, site)
  close(site, call.op)
  local usable = core.is_usable(fn)
  if not usable or fn:version() ~= version then
    programs.blame(("the %s of op '%s' has %s function '%s'"):format(key, call.op,
      usable and "changed" or "closed", code.name))
  end
  if type(made) == "string" then return lines_of(made) end
  local list, why = nil, errors.got(made) .. ": lines expected"
  if type(made) == "table" then list, why = lines_in(made) end
  return list or code:refuse(call.id, "the %s of op '%s' returned %s", key, call.op, why)
end

-- }== Results and operands =============================================

-- The places of the results, which the lines assign, and projections of a result that has one:
-- these get its value.
local function places_of(code, call)
  local places, is_used, twins = {}, {}, {}
  local function add(id, i, type)
    local place = code:place_declared(id, is_used[i])
    if place and is_used[i] then
      twins[#twins + 1] = { id = id, place = places[i] }
    else
      places[i], is_used[i] = place or places[i] or code:nowhere(type, true), place ~= nil
    end
  end
  if call.type then add(call.id, 1, call.type) end
  for _, it in ipairs(code:further(call.id)) do add(it.id, it.index, it.type) end
  return places, twins
end

-- The operands. Lines may assign a result before they read all: none reads the place of a result.
local function operands_of(code, call, places)
  local texts = {}
  for i, arg in ipairs(call.args) do
    local text = code:text(arg.id)
    for _, place in pairs(places) do
      if code:reads(text, place) then text = code:temp(arg.type, text) end
    end
    texts[i] = text
  end
  return texts
end

--- Writes an instruction by a function, which is in this field of its op.
---@param code phial.code.Body
---@param v integer
---@param key string
---@param f fun(v: phial.Value, operands: string[], emit: phial.Site): string|string[]
function M.write(code, v, key, f)
  local call = callees.record(code.fn, v)
  local places, twins = (code.places_of or places_of)(code, call)
  local operands = operands_of(code, call, places)
  local site = setmetatable({ code = code, call = call, places = places }, Site)
  for _, line in ipairs(lines_by(f, key, operands, site)) do code:put(line) end
  for _, twin in ipairs(twins) do code.w:set(twin.id, twin.place) end
end

-- }=====================================================================

return M
