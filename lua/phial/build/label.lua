-- Labels and goto, forward and backward, into bodies and out of them.
--
-- Any goto in the function may target a label, so its block is sealed when the
-- function ends; a label inside b:scope belongs to that scope and is sealed with
-- it. A goto targets the nearest enclosing label of its name that is already set,
-- else the next one that will be.
local core = require "phial.core"
local errors = require "phial.errors"
local flow = require "phial.build.flow"

local M = {}

---@class phial.build.Goto
---@field name string
---@field block phial.Block becomes that of its label
---@field place string "file:line"
---@field number integer counts the forward gotos of the function

---@class phial.build.Labels
---@field set table<string, {block: phial.Block, place: string}> by name
---@field order string[] the names in the order of setting
---@field awaited table<string, phial.build.Goto[]> forward gotos by name
---@field up phial.build.Labels? of the enclosing scope

--- Opens a scope of labels.
function M.open(site)
  site.labels = { set = {}, order = {}, awaited = {}, up = site.labels }
end

local function seal_all(labels)
  for _, name in ipairs(labels.order) do
    local block = labels.set[name].block
    if not block:is_sealed() then block:seal() end
  end
end

local function check_name(method, name)
  if type(name) ~= "string" then errors.arg(method, 1, "name", name) end
end

-- Joins the blocks of the gotos that wait for the name; returns the block.
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

--- Sets a label at the current block; returns the label's block.
function M.label(site, name)
  check_name("label", name)
  local labels = site.labels
  local other = labels.set[name]
  if other then errors.raise("label '%s' is already set at %s", name, other.place) end
  core.start(site.fn, true)
  local block = arrive(site, name) or site.fn:block(name)
  labels.set[name] = { block = block, place = errors.place() }
  table.insert(labels.order, name)
  site.fn:jump_if_open(block)
  site.fn:set_current(block)
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

--- Jumps to a label that is set, or will be.
function M.goto_(site, name)
  check_name("goto_", name)
  local labels = site.labels
  while labels and not labels.set[name] do labels = labels.up end
  core.start(site.fn)
  site.fn:jump(labels and labels.set[name].block or await(site, name))
  flow.die(site)
end

--- Calls a body with names and labels of its own. Gotos without a label in it may find one outside.
function M.scope(site, body)
  errors.check_function("scope", 1, body)
  core.start(site.fn, true)
  local outer = site.labels
  M.open(site)
  local value = flow.body(site, body)
  local inner = site.labels
  seal_all(inner)
  for name, label in pairs(inner.set) do site.ended_labels[name] = label.place end
  for name, gotos in pairs(inner.awaited) do
    local waiting = outer.awaited[name] or {}
    outer.awaited[name] = table.move(gotos, 1, #gotos, #waiting + 1, waiting)
  end
  site.labels = outer
  return value
end

local function say(site, goto_)
  local ended = site.ended_labels[goto_.name]
  local hint = ended and (": the one at %s is in a scope that does not enclose it"):format(ended)
    or errors.near(goto_.name, site.labels.set)
  return ("\n  goto '%s' (at %s)%s"):format(goto_.name, goto_.place, hint)
end

--- Ends the function: raises if a goto has no label.
function M.close(site)
  local lost = {}
  for _, gotos in pairs(site.labels.awaited) do table.move(gotos, 1, #gotos, #lost + 1, lost) end
  table.sort(lost, function(a, b) return a.number < b.number end)
  for i, goto_ in ipairs(lost) do lost[i] = say(site, goto_) end
  if #lost > 0 then
    core.raise(("function '%s' cannot be finished: these gotos have no label%s")
      :format(site.fn:name(), table.concat(lost)))
  end
  seal_all(site.labels)
end

return M
