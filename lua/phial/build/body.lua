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

-- The key of a builder's site.
local SITE = {}

local builder_mt = { __name = "phial.Builder" }

local own = {
  var = scope.var, has = scope.has, find = scope.find, scope = label.scope,
  if_ = flow.if_, switch_ = flow.switch_, and_ = flow.and_, or_ = flow.or_, not_ = flow.not_,
  while_ = loop.while_, loop = loop.loop, repeat_ = loop.repeat_, for_ = loop.for_,
  break_ = loop.break_, continue_ = loop.continue_, label = label.label, goto_ = label.goto_,
  ret = flow.ret, unreachable = flow.unreachable,
}

-- The block that the next instruction goes into.
function own.block(site) return site.fn:at() end

-- Methods of the function that bodies often need.
for _, name in ipairs { "at", "loc", "const", "undef", "arg" } do
  own[name] = function(site, ...) return site.fn[name](site.fn, ...) end
end

-- A method of blocks, applied to the current one.
local function of_block(name)
  return function(site, ...)
    local block = site.fn:at()
    return block[name](block, ...)
  end
end

local function enter(b, name)
  local site = getmetatable(b) == builder_mt and b[SITE]
  if not site then
    errors.raise("calling '%s' on bad self (phial.Builder expected, got %s) (use ':'?)", name,
      errors.got(b))
  elseif site.inner then
    errors.raise("'%s' of function '%s', and '%s' is being built: use the builder of that one",
      name, site.fn:name(), site.inner)
  end
  return site
end

local function method(name, run)
  return function(b, ...) return run(enter(b, name), ...) end
end

local methods = {}
for name, run in pairs(own) do methods[name] = method(name, run) end

local function every_name(block_methods)
  local names = {}
  for name in pairs(methods) do names[name] = true end
  for name in pairs(block_methods) do names[name] = true end
  return names
end

-- Methods of blocks become methods of builders on first use.
function builder_mt.__index(b, name)
  if methods[name] then return methods[name] end
  local of_blocks = getmetatable(b[SITE].fn:entry()).__index
  if not rawget(of_blocks, name) then
    name = portable.tostring(name)
    local meant = core.alias(name)
    errors.raise("a builder has no method '%s'%s", name,
      meant and (" (did you mean %s?)"):format(meant) or errors.near(name, every_name(of_blocks)))
  end
  methods[name] = method(name, of_block(name))
  return methods[name]
end

function builder_mt.__newindex(_, name)
  errors.raise("a builder has no field '%s': variables are fields of the body's second argument, "
    .. "v.%s = value", portable.tostring(name), portable.tostring(name))
end

--- Returns the builder of a site.
---@param site phial.build.Site
---@return phial.Builder
function M.new(site)
  return setmetatable({ fn = site.fn, [SITE] = site }, builder_mt)
end

return M
