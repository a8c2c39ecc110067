--- phial: SSA construction on the fly.
-- The functions of the C module and those written in Lua. types/phial.lua
-- describes them, and handles with their methods.

-- Any Lua can read this file; an older one can neither read the others nor load the core.
if _VERSION < "Lua 5.4" then
  error("phial needs Lua 5.4 or later, and this is " .. _VERSION, 0)
end

local core = require "phial.core"

-- Errors are positioned at the first frame outside this folder.
local source = debug.getinfo(1, "S").source
core.rock(source:match("^(.*)init%.lua$") or source)

local errors = require "phial.errors"
local run = require "phial.run"
core.Function.__index.run = run.call
core.Function.__call = run.call

-- Few programs need it: it is loaded when it is first called.
function core.Function.__index.compile(fn, opts)
  return require("phial.native").compile(fn, opts)
end

-- The option `log = {detail = true}` of phial.fn names no listener: this makes one.
local log = require "phial.trace.log"
core.keep_log(log.listen)

-- Raises from the eval of a dialect's op; what runs it adds the instruction and its place.
local function trap(message)
  if type(message) ~= "string" then errors.arg("phial.trap", 1, "string", message) end
  error(message, 0)
end

local M = {
  _VERSION = "phial 0.2.0",
  fn = core.fn,
  build = require("phial.build").build,
  dialect = core.dialect,
  rules = core.rules,
  module = require("phial.module").new,
  parse = require("phial.module.parse").parse,
  ops = core.ops,
  trap = trap,
  emit = require "phial.emit",
  record = require "phial.trace.record",
  log = log.listen,
  replay = require("phial.trace.replay").replay,
  steps = require("phial.trace.replay").steps,
  construct = require("phial.trace.construct").construct,
}

return M
