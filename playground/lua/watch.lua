--- Watches which functions a program makes: notes their steps, for the explorer, and which
--- of them is shown last. To be loaded before phial, which takes these functions as they are.
--
-- Its frames belong to phial: errors are positioned at the program's.
local core = require "phial.core"

local M = {}

-- The most functions that are kept, and the most steps that are noted of all together.
local MOST <const>, STEPS <const> = 100, 100000

---@class playground.Watched
---@field fn phial.Function
---@field log? phial.trace.Log

---@type playground.Watched[] the latest last
local watched = {}
local last_shown
local steps = 0

local function noted(fn)
  local log = require("phial.trace.log").new(fn)
  local it = { fn = fn, log = log }
  fn:log { function(event)
    steps = steps + 1
    if steps <= STEPS then log:note(event) else it.log = nil end
  end, detail = true }
  return it
end

local function keep(it)
  watched[#watched + 1] = it
  if #watched > MOST then table.remove(watched, 1) end
end

-- The options of functions whose program does not name them.
local chosen = {}

--- Chooses how functions are constructed whose program does not say it.
---@param construction string "": as usual
---@param rules string "none", "int"; "": as usual
function M.choose(construction, rules)
  chosen.construction = construction ~= "" and construction or nil
  if rules == "none" then chosen.rules = false end
  if rules == "int" then chosen.rules = require("phial").rules "int" end
end

-- phial itself makes functions without a name, to check options.
local function making(make)
  return function(name, params, result, opts)
    if name == "" then return make(name, params, result, opts) end
    if opts == nil or type(opts) == "table" then
      opts = require("phial.options").union(chosen, opts or {})
    end
    local fn = make(name, params, result, opts)
    keep(noted(fn))
    return fn
  end
end

local function parsing(parse)
  return function(...)
    local fn, after = parse(...)
    keep { fn = fn }
    return fn, after
  end
end

local function showing(method)
  return function(fn, ...)
    last_shown = fn
    return method(fn, ...)
  end
end

core.fn = making(core.fn)
core.parse, core.parse_part = parsing(core.parse), parsing(core.parse_part)
core.Function.__tostring = showing(core.Function.__tostring)
core.Function.__index.text = showing(core.Function.__index.text)

local function is_there(fn) return core.is_usable(fn) and not fn:is_declaration() end

--- A log for phial.emit.html.
---@param log phial.trace.Log
---@param detail boolean false: without what look-ups do on their way
---@return phial.Log
function M.shown(log, detail)
  local logs, out = require "phial.trace.log", setmetatable({ notes = {} }, getmetatable(log))
  if detail then return logs.handle(log) end
  for name, field in pairs(log) do out[name] = out[name] or field end
  for _, note in ipairs(log.notes) do
    if not logs.DETAILS[note.event] then table.insert(out.notes, note) end
  end
  return logs.handle(out)
end

--- The functions that are there, in the order in which they were made.
---@param wanted? table<phial.Function, true> only these
---@return playground.Watched[]
function M.functions(wanted)
  local list = {}
  for _, it in ipairs(watched) do
    if is_there(it.fn) and (not wanted or wanted[it.fn]) then list[#list + 1] = it end
  end
  return list
end

--- The place in a list of a function, or of that which was shown last, or else made last.
---@param list playground.Watched[]
---@param wanted? phial.Function
---@return integer
function M.place(list, wanted)
  wanted = wanted or last_shown
  for i, it in ipairs(list) do
    if it.fn == wanted then return i end
  end
  return #list
end

return M
