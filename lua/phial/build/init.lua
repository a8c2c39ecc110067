--- phial.build: functions written as structured programs, in Lua.
-- The body gets a builder, with the structures as methods, and a table whose
-- fields are the variables; docs/builder.md tells how to use them. All of it
-- goes through phial's public interface: this is a frontend among others.
local builder = require "phial.build.body"
local errors = require "phial.errors"
local flow = require "phial.build.flow"
local label = require "phial.build.label"
local scope = require "phial.build.scope"

-- The sites that are being built, innermost last, of each coroutine: their
-- functions do not see each other's variables, and say so.
local building = setmetatable({}, { __mode = "k" })

-- What is known of a function while it is built.
---@class phial.build.Site
---@field fn phial.Function
---@field default string the type of variables that tell none
---@field scope table the innermost scope of names
---@field top table the outermost one
---@field ended table<string, string> places of variables that have ended
---@field labels phial.build.Labels
---@field ended_labels table<string, string>
---@field gotos integer how many went to a label that was to come
---@field loops phial.build.Loop[] those around the present place
---@field outer phial.build.Site? the function in whose body this one is built
---@field inner string? the function that is built in this one's body
local function new_site(fn, default)
  local site = {
    fn = fn, default = default, ended = {}, ended_labels = {}, gotos = 0, loops = {},
  }
  scope.open(site)
  site.top = site.scope
  label.open(site)
  fn:at(fn:entry())
  local here = errors.place()
  for _, var in ipairs { fn:params() } do
    site.top.names[var:name()] = { var = var, type = var:type(), place = here }
  end
  return site
end

local leave_mt = {}

function leave_mt.__close(left)
  if left.outer then left.outer.inner = nil end
  building[left.thread] = left.outer
end

-- Makes the site the innermost one for as long as the result is open.
local function enter(site)
  local thread = coroutine.running()
  site.outer = building[thread]
  if site.outer then site.outer.inner = site.fn:name() end
  building[thread] = site
  return setmetatable({ thread = thread, outer = site.outer }, leave_mt)
end

local function is_reached(fn, block)
  for _, it in ipairs(fn:rpo()) do
    if it == block then return true end
  end
  return false
end

-- Blocks that nothing leads to, which somebody went on from elsewhere, have no
-- end of their own.
local function end_dead_blocks(fn)
  for block in fn:blocks() do
    if block:is_open() and flow.is_dead(fn, block) then block:unreachable() end
  end
end

-- The end of the body: return, unless a value is wanted.
local function finish_body(site, body)
  local fn, block = site.fn, site.fn:at()
  label.close(site)
  end_dead_blocks(fn)
  if block:is_filled() then return end
  if not fn:result() then
    block:ret()
  elseif is_reached(fn, block) then
    local at = debug.getinfo(body, "S")
    errors.raise("function '%s' returns %s, but the end of its body (at %s:%d) can be reached, "
      .. "in block '%s': b:ret is missing", fn:name(), fn:result(), at.short_src,
      at.lastlinedefined, block)
  else
    block:unreachable()
  end
end

---@param name string
---@param params string[]?
---@param result string?
---@param opts phial.Options?
---@param body fun(b: phial.Builder, v: table)
---@return phial.Function fn finished
return function(name, params, result, opts, body)
  if body == nil and type(opts) == "function" then opts, body = nil, opts end
  if type(body) ~= "function" then errors.arg("phial.build", 5, "function", body) end
  local fn = require("phial").fn(name, params, result, opts)
  local site = new_site(fn, opts and rawget(opts, "type") or "i64")
  local _ <close> = enter(site)
  body(builder.new(site), scope.fields(site))
  finish_body(site, body)
  return fn:finish()
end
