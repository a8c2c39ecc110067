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

-- phial.run, once loaded, replaces this by what it stands for: calls are frequent.
core.Function.__call = later("phial.run", "call")
core.Function.__index.compile = later("phial.native", "compile")
for _, name in ipairs { "best", "generalise", "shapes", "find" } do
  core.Rules.__index[name] = later("phial.rules.find", name)
end
core.Rules.__index.prove = later("phial.rules.prove", "prove")
core.Rules.__index.smt = later("phial.rules.prove", "smt")

-- fn:log(true) and the option `log` name no listener: this makes one.
core.keep_log(later("phial.trace.log", "listen"))

local M = {
  _VERSION = core._VERSION,
  fn = core.fn,
  build = later("phial.build", "build"),
  dialect = core.dialect,
  rules = core.rules,
  module = later("phial.module", "new"),
  parse = later("phial.module.parse", "parse"),
  ops = core.ops,
  trap = later("phial.errors", "trap"),
  bisect = later("phial.rules.bisect", "bisect"),
  exporter = later("phial.exporter", "new"),
  emit = setmetatable({}, { __index = later("phial.emit", "load") }),
  record = later("phial.trace.record", "record"),
  replay = later("phial.trace.replay", "replay"),
  steps = later("phial.trace.replay", "steps"),
}

return setmetatable(M, { __index = later("phial.errors", "old_field") })
