--- phial: SSA construction on the fly.
-- The functions of the C module and those written in Lua. types/phial.lua
-- describes them, and handles with their methods.

-- Any Lua can read this file; an older one can neither read the others nor load the core.
if _VERSION < "Lua 5.4" then
  error("phial needs Lua 5.4 or later, and this is " .. _VERSION, 0)
end

local core = require "phial.core"
local later = require "phial.later"

-- Errors are positioned at the first frame outside this folder.
local source = debug.getinfo(1, "S").source
core.rock(source:match("^(.*)init%.lua$") or source)

-- phial.run, once loaded, replaces these by what they stand for: calls are frequent.
core.Function.__index.run = later("phial.run", "call")
core.Function.__call = core.Function.__index.run
core.Function.__index.compile = later("phial.native", "compile")

-- The option `log = {detail = true}` of phial.fn names no listener: this makes one.
local log = later("phial.trace.log", "listen")
core.keep_log(log)

local M = {
  _VERSION = "phial 0.2.0",
  fn = core.fn,
  build = later("phial.build", "build"),
  dialect = core.dialect,
  rules = core.rules,
  module = later("phial.module", "new"),
  parse = later("phial.module.parse", "parse"),
  ops = core.ops,
  trap = later("phial.errors", "trap"),
  emit = setmetatable({}, { __index = later("phial.emit", "load") }),
  record = later("phial.trace.record", "record"),
  log = log,
  replay = later("phial.trace.replay", "replay"),
  steps = later("phial.trace.replay", "steps"),
  construct = later("phial.trace.replay", "construct"),
}

return M
