--- The pictures of the documents: which steps of which functions they show.
local document = require "spec.support.document"
local logged = require "spec.support.logged"
local phial = require "phial"

local M = {}

--- By picture: the golden program, or which program of a document, and the steps.
M.ALL = {
  { name = "power", example = { "docs/start/script.md", 1 } },
  { name = "sum", steps = { 13, 35, 40 }, example = { "docs/start/frontend.md", 4 } },
  { name = "figure2", steps = { 10, 23, 32, 38, 42, 45 } },
  { name = "figure3", steps = { 8, 21, 24, 26, 27, 32 } },
  { name = "figure5", steps = { 10, 19, 23, 28, 33, 37 } },
  { name = "figure6", steps = { 14, 32, 44, 55, 60, 68 } },
}
for _, it in ipairs(M.ALL) do it.path = ("docs/pictures/%s.svg"):format(it.name) end

-- What the n-th program of a document makes by phial.fn or phial.build, with a log.
local function example(path, n)
  local fn
  local function logging_of(make)
    return function(name, params, result, ...)
      fn = make(name, params, result, { log = true }, ...)
      return fn
    end
  end
  local made = { fn = logging_of(phial.fn), build = logging_of(phial.build) }
  local logging = setmetatable(made, { __index = phial })
  local env = { require = function() return logging end, print = function() end }
  assert(load(document.code(path, n), "=" .. path, "t", env))()
  return fn
end

--- A picture as SVG.
---@param it {name: string, steps: integer[]?, example: [string, integer]?}
---@return string
function M.draw(it)
  local fn, log
  if it.example then fn = example(table.unpack(it.example)) else fn, log = logged(it.name) end
  return phial.emit.svg(fn, { log = log, steps = it.steps })
end

return M
