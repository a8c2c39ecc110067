--- phial.build: functions written as structured programs, in Lua.
-- The body gets a builder, whose methods are the structures, and a table whose
-- fields are the variables (docs/builder.md). This is a frontend like any other:
-- what it does can be done with phial's public methods. A few functions of
-- phial.core do in one call what it needs for every statement.
local builder = require "phial.build.body"
local core = require "phial.core"
local errors = require "phial.errors"
local label = require "phial.build.label"
local phial = require "phial"
local scope = require "phial.build.scope"
local signature = require "phial.signature"

-- The innermost site of each coroutine. Functions do not see each other's
-- variables; sites know one another to say so.
local building = setmetatable({}, { __mode = "k" })

function errors.under_construction()
  local site = building[coroutine.running()]
  return site and site.fn
end

-- The state of a function while it is built: `site` in all files of this folder.
---@class phial.build.Site
---@field fn phial.Function
---@field default string the type of variables declared without one
---@field names table<string, phial.build.Name> in scope
---@field locals phial.build.Name[] of the enclosing scopes, innermost last
---@field mark integer the number of locals outside the innermost scope
---@field ended table<string, string> where variables out of scope were declared
---@field labels phial.build.Labels
---@field ended_labels table<string, string> where labels out of scope were set
---@field gotos integer the number of forward gotos
---@field loops phial.build.Loop[] the enclosing loops, innermost last
---@field thread thread in which it is built
---@field outer phial.build.Site? the function in whose body this one is built
---@field inner string? the name of the function being built in this one's body
local function new_site(fn, default)
  local site = {
    fn = fn, default = default, names = {}, locals = {}, mark = 0, ended = {},
    ended_labels = {}, gotos = 0, loops = {},
  }
  label.open(site)
  fn:set_current(fn:entry())
  local here = errors.place()
  for _, var in ipairs(fn:params()) do scope.param(site, var, here) end
  return site
end

local site_mt = {}

function site_mt.__close(site)
  if site.outer then site.outer.inner = nil end
  building[site.thread] = site.outer
end

-- Makes the site the innermost one until it is closed.
local function enter_site(site)
  site.thread = coroutine.running()
  site.outer = building[site.thread]
  if site.outer then site.outer.inner = site.fn:name() end
  building[site.thread] = site
  return setmetatable(site, site_mt)
end

local function is_reached(fn, block)
  for _, it in ipairs(fn:rpo()) do
    if it == block then return true end
  end
  return false
end

-- Ends the body: with a return, unless a value must be returned.
local function finish_body(site, body)
  local fn, block = site.fn, site.fn:current()
  label.close(site)
  for _, open in ipairs(core.unfilled(fn)) do
    if not open:is_reachable() then open:unreachable() end
  end
  if not fn:current() then return end
  if not fn:result() then
    fn:ret()
  elseif is_reached(fn, block) then
    local at = debug.getinfo(body, "S")
    errors.raise("function '%s' returns %s, but the end of its body (at %s:%d) can be reached, "
      .. "in block '%s': b:ret is missing", fn:name(), signature.results(fn), at.short_src,
      at.lastlinedefined, block)
  else
    fn:unreachable()
  end
end

local M = {}

--- Builds a function from a body. The options may be left out.
---@param make fun(name, params, result, opts): phial.Function
---@param method string who is called, for messages
---@param name string
---@param params string[]?
---@param result string|string[]?
---@param opts phial.Options?
---@param body fun(b: phial.Builder, v: table)
---@return phial.Function fn finished
function M.with(make, method, name, params, result, opts, body)
  if body == nil and type(opts) == "function" then opts, body = nil, opts end
  if type(body) ~= "function" then errors.arg(method, 5, "function", body) end
  local fn = make(name, params, result, opts)
  core.refuse_unwritten(fn)
  local site = new_site(fn, opts and rawget(opts, "type") or "i64")
  local _ <close> = enter_site(site)
  core.start(fn)
  body(builder.new(site), scope.fields(site))
  finish_body(site, body)
  return fn:finish()
end

--- phial.build.
function M.build(...)
  local function make(...) return errors.new_function("phial.build", phial.fn, ...) end
  return M.with(make, "phial.build", ...)
end

return M
