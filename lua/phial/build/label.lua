-- Labels and goto, forward and backward, into bodies and out of them.
--
-- A label can be gone to from everywhere in the function, so its block is
-- sealed when the function ends; inside b:scope a label belongs to that scope
-- and is sealed with it. A goto means the nearest label of its name that
-- already stands around it, else the next one to come.
local errors = require "phial.errors"
local flow = require "phial.build.flow"

local M = {}

---@class phial.build.Goto
---@field name string
---@field block phial.Block where its label will stand
---@field place string
---@field number integer counts the gotos of the function

---@class phial.build.Labels
---@field standing table<string, {block: phial.Block, place: string}>
---@field order string[] the names that stand, in order
---@field awaited table<string, phial.build.Goto[]> by names whose label is to come

--- Opens a range in which labels stand.
function M.open(site)
  site.labels = { standing = {}, order = {}, awaited = {}, up = site.labels }
end

local function seal_standing(labels)
  for _, name in ipairs(labels.order) do
    local block = labels.standing[name].block
    if not block:is_sealed() then block:seal() end
  end
end

local function standing_around(site, name)
  local labels = site.labels
  while labels do
    if labels.standing[name] then return labels.standing[name] end
    labels = labels.up
  end
end

local function check_name(method, name)
  if type(name) ~= "string" then errors.arg(method, 1, "name", name) end
end

-- The gotos that waited for the name: their blocks come to be one.
local function arrive(site, name)
  local gotos = site.labels.awaited[name]
  site.labels.awaited[name] = nil
  if not gotos then return end
  for i = 2, #gotos do
    gotos[i].block:seal()
    gotos[i].block:jump(gotos[1].block)
  end
  return gotos[1].block
end

--- A place to go to.
function M.label(site, name)
  check_name("label", name)
  local labels = site.labels
  local other = labels.standing[name]
  if other then errors.raise("label '%s' stands already at %s", name, other.place) end
  local block = arrive(site, name) or site.fn:block(name)
  labels.standing[name] = { block = block, place = errors.place() }
  table.insert(labels.order, name)
  site.fn:at():jump_if_open(block)
  site.fn:at(block)
  return block
end

local function await(site, name)
  local awaited = site.labels.awaited
  if not awaited[name] then
    site.gotos = site.gotos + 1
    awaited[name] = {
      { name = name, block = site.fn:block(name), place = errors.place(), number = site.gotos },
    }
  end
  return awaited[name][1].block
end

--- Goes to a label that stands, or will.
function M.goto_(site, name)
  check_name("goto_", name)
  local label = standing_around(site, name)
  site.fn:at():jump(label and label.block or await(site, name))
  flow.die(site)
end

-- What an inner range could not tell, the outer one may.
local function pass_on(inner, outer)
  for name, gotos in pairs(inner.awaited) do
    local waiting = outer.awaited[name] or {}
    outer.awaited[name] = table.move(gotos, 1, #gotos, #waiting + 1, waiting)
  end
end

--- A body with names and labels of its own.
function M.scope(site, body)
  errors.check_function("scope", 1, body)
  local outer = site.labels
  M.open(site)
  local value = flow.body(site, body)
  local inner = site.labels
  seal_standing(inner)
  for name, label in pairs(inner.standing) do site.ended_labels[name] = label.place end
  pass_on(inner, outer)
  site.labels = outer
  return value
end

local function say(site, goto_)
  local ended = site.ended_labels[goto_.name]
  local hint = ended and (": the one at %s belongs to a scope not around it"):format(ended)
    or errors.near(goto_.name, site.labels.standing)
  return ("\n  goto '%s' (at %s)%s"):format(goto_.name, goto_.place, hint)
end

--- The function's end: every goto must have found its label.
function M.close(site)
  local lost = {}
  for _, gotos in pairs(site.labels.awaited) do table.move(gotos, 1, #gotos, #lost + 1, lost) end
  table.sort(lost, function(a, b) return a.number < b.number end)
  for i, goto_ in ipairs(lost) do lost[i] = say(site, goto_) end
  if #lost > 0 then
    errors.raise("function '%s' cannot be finished: these gotos have no label%s", site.fn:name(),
      table.concat(lost))
  end
  seal_standing(site.labels)
end

return M
