-- The things that calls are made with, kept by the function that they belong to, so that most
-- calls get what fits together.  Everything is in lists, whose order does not depend on
-- addresses: one seed makes the same calls each time.
local declared = require "fuzz.attack.declared"
local random = require "fuzz.attack.random"

local chance, pick = random.chance, random.pick

---@class attack.Family: { [string]: any[] } things by class; of values also by "Value TYPE"
---@field fn phial.Function?
---@field edited boolean? it may be ill-formed

---@class attack.World
---@field families attack.Family[]
---@field shared attack.Family what belongs to no function
---@field focus attack.Family that of the present call
local M = {}

local MOST <const>, KEPT <const> = 10, 24

local owners, classes

--- Forgets everything.
function M.clear()
  M.families, M.shared = {}, {}
  M.focus = M.shared
  owners, classes = setmetatable({}, { __mode = "k" }), setmetatable({}, { __mode = "k" })
end

-- That of its metatable.
local function named_class(it)
  local meta = (type(it) == "userdata" or type(it) == "table") and debug.getmetatable(it)
  local name = meta and rawget(meta, "__name")
  return not (meta and meta.evil) and type(name) == "string" and name:match "^phial%.(%w+)" or nil
end

local function put(family, class, it)
  local list = family[class] or {}
  family[class] = list
  list[#list < KEPT and #list + 1 or math.random(#list)] = it
end

local function new_family(fn)
  local family = { fn = fn }
  local at = #M.families < MOST and #M.families + 1 or math.random(#M.families)
  M.families[at] = family
  return family
end

local OF_FUNCTIONS <const> = {}
for _, class in ipairs { "Block", "Value", "Variable", "Group", "Access", "Cursor", "Repair",
  "Leaving", "Solution", "Event", "Log", "Builder", "Variables", "Loop", "Actor", "Site",
  "LoopOfBlocks" } do
  OF_FUNCTIONS[class] = true
end

--- The class of a thing, without "phial."; nil if it is not phial's.
---@param it any
---@return string?
function M.class(it) return it ~= nil and (named_class(it) or classes[it]) or nil end

--- Keeps a thing for later calls.
---@param it any
---@param class string? of what has no metatable
function M.keep(it, class)
  if type(it) ~= "userdata" and type(it) ~= "table" then return end
  local meta = debug.getmetatable(it)
  class = M.class(it) or not (meta and meta.evil) and class
  if not class then return end
  classes[it] = class
  local family = owners[it] or class == "Function" and new_family(it) or
    OF_FUNCTIONS[class] and M.focus or M.shared
  owners[it] = family
  put(family, class, it)
  if class == "Value" or class == "Variable" then
    local ok, type_name = pcall(it.type, it)
    if ok and type_name then put(family, class .. " " .. type_name, it) end
  end
end

--- A thing of a class, mostly of the function in focus; nil if none is kept.
---@param class string "Value", "Value i64", "Point"
---@return any
function M.of(class)
  local family = chance(12) and #M.families > 0 and pick(M.families) or M.focus
  local kinds = declared.kinds(class)
  local from = math.random(#kinds)
  for i = 0, #kinds - 1 do
    local kind = kinds[(from + i - 1) % #kinds + 1]
    local list = family[kind] or M.shared[kind]
    if list then return pick(list) end
  end
end

--- Whether a function is finished; nil if it is closed.
---@param fn phial.Function?
---@return boolean?
function M.is_finished(fn)
  local ok, finished = pcall(function() return fn:is_finished() end)
  if ok then return finished end
end

local function has_kind(family, class)
  for _, kind in ipairs(declared.kinds(class)) do
    if family[kind] or M.shared[kind] then return true end
  end
  return false
end

--- Turns to a function, mostly one that has things of a class, and is finished or not as is wanted.
---@param class string?
---@param wanted boolean? whether it is finished
function M.turn(class, wanted)
  for _ = 1, #M.families do
    M.focus = pick(M.families)
    local finished = M.is_finished(M.focus.fn)
    if (finished == wanted or finished ~= nil and wanted == nil) and
      (not class or has_kind(M.focus, class)) then return end
  end
end

--- Marks the functions of things as edited: they may be ill-formed.
---@param things any[] from 0 on
---@param n integer
function M.mark(things, n)
  for i = 0, n do
    local family = things[i] ~= nil and owners[things[i]]
    if family then family.edited = true end
  end
  M.focus.edited = true
end

local OF_MODULES <const> = { Module = true, Instance = true }

--- True if a thing belongs to a function that was edited, or to a module, whose functions may be.
---@param things any[] from 0 on
---@param n integer
---@return boolean
function M.is_edited(things, n)
  for i = 0, n do
    local family = things[i] ~= nil and owners[things[i]]
    if family and family.edited or OF_MODULES[M.class(things[i])] then return true end
  end
  return false
end

--- Keeps the parts of a function.
---@param fn phial.Function
function M.keep_parts(fn)
  local focus = M.focus
  M.keep(fn)
  M.focus = owners[fn]
  for b in fn:blocks() do M.keep(b) end
  for v in fn:values() do M.keep(v) end
  for i, p in ipairs(fn:params()) do M.keep(p) M.keep(fn:arg(i)) end
  M.focus = focus
end

--- Drops all references to a function and its parts, except those of one class, and collects;
--- what is kept is asked for the rest.
function M.collect()
  local family = pick(M.families)
  local present = {}
  for _, class in ipairs(declared.classes) do
    if family[class] then present[#present + 1] = class end
  end
  local kept = pick(present)
  for key in pairs(family) do
    if key ~= kept and key ~= "edited" then family[key] = nil end
  end
  collectgarbage()
  M.focus = family
  if kept == "Function" then family.fn = family.Function[1] end
  for _, it in ipairs(table.move(family[kept], 1, #family[kept], 1, {})) do
    for _, name in ipairs(declared.routes(kept)) do
      local ok, r = pcall(function() return it[name](it) end)
      if ok then for _, found in ipairs(M.class(r) and { r } or type(r) == "table" and r or {}) do
        M.keep(found)
      end end
    end
  end
end

M.clear()
return M
