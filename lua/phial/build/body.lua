-- The builder that a body gets as b: the structures, and the methods of the
-- current block.
local core = require "phial.core"
local errors = require "phial.errors"
local flow = require "phial.build.flow"
local label = require "phial.build.label"
local loop = require "phial.build.loop"
local portable = require "phial.portable"
local scope = require "phial.build.scope"

local M = {}

-- The sites of builders.
---@type table<phial.Builder, phial.build.Site>
local sites = setmetatable({}, { __mode = "k" })

-- types/phial.lua says what they take and return.
local own = {
  var = scope.var, has = scope.has, find = scope.find, scope = label.scope,
  if_ = flow.if_, switch_ = flow.switch_, and_ = flow.and_, or_ = flow.or_, not_ = flow.not_,
  while_ = loop.while_, loop = loop.loop, repeat_ = loop.repeat_, for_ = loop.for_,
  break_ = loop.break_, continue_ = loop.continue_, label = label.label, goto_ = label.goto_,
  ret = flow.ret, tail_call = flow.tail_call, unreachable = flow.unreachable,
  trap = flow.trap,
}

-- Methods of the function that bodies often need.
for _, name in ipairs { "current", "loc", "node", "const", "undef", "arg" } do
  own[name] = function(site, ...) return site.fn[name](site.fn, ...) end
end

local builder_mt = { __name = "phial.Builder" }

-- Raises why the method cannot be used now.
local function refuse(b, name)
  local site = sites[b]
  if not site then errors.self(name, "phial.Builder", b, " (use ':'?)") end
  errors.raise("'%s' of function '%s', in whose body '%s' is being built: "
    .. "use the builder of that one", name, site.fn:name(), site.inner)
end

local function method(name, run)
  return function(b, ...)
    local site = sites[b]
    if not site or site.inner then refuse(b, name) end
    return run(site, ...)
  end
end

-- A method of the function, which acts on the current block.
local function of_function(name, run)
  return function(b, ...)
    local site = sites[b]
    if not site or site.inner then refuse(b, name) end
    return run(site.fn, ...)
  end
end

-- A setter of the function.
local function setter(name)
  return function(b, ...)
    local site = sites[b]
    if not site or site.inner then refuse(b, name) end
    site.fn[name](site.fn, ...)
    return b
  end
end

-- A method of blocks, applied to the current one.
local function of_block(name, run)
  return method(name, function(site, ...)
    local block = site.fn:current()
    if not block then errors.raise("function '%s' has no current block", site.fn:name()) end
    return run(block, ...)
  end)
end

local methods = {}
for _, name in ipairs { "set_current", "set_loc", "set_node" } do methods[name] = setter(name) end
builder_mt.__index = methods
for name, run in pairs(own) do methods[name] = method(name, run) end

setmetatable(methods, { __index = function(_, name)
  name = portable.tostring(name)
  local meant = core.alias(name)
  errors.raise("a builder has no method '%s'%s", name, errors.now("phial.Builder", name)
    or meant and (" (did you mean %s?)"):format(meant) or errors.near(name, methods))
end })

function builder_mt.__newindex(_, name)
  errors.raise("a builder has no field '%s': variables are fields of the body's second argument, "
    .. "v.%s = value", portable.tostring(name), portable.tostring(name))
end

--- Returns the builder of a site.
---@return phial.Builder
function M.new(site)
  if not rawget(methods, "read") then -- once: those of blocks, which functions have if they emit
    local of_functions = getmetatable(site.fn).__index
    for name, run in pairs(getmetatable(site.fn:entry()).__index) do
      local make = rawget(of_functions, name) == run and of_function or of_block
      methods[name] = rawget(methods, name) or make(name, run)
    end
  end
  local b = setmetatable({ fn = site.fn }, builder_mt)
  sites[b] = site
  return b
end

return M
