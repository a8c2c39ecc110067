-- Each lesson opens its page at the step before the one that it asks about first.
local file = require "spec.support.file"
local phial = require "phial"

-- What comes next: its kind, and its block.
local NEXT <const> = {
  ["if-and-loop"] = "lookup join",
  ["unsealed-block"] = "lookup head",
  ["trivial-phis"] = "operand inner",
  ["irreducible-loops"] = "phi right",
}

-- The events of the only function that a text of Lua makes.
local function events_of(code, path)
  local events, env = {}, { print = function() end }
  function env.require()
    return { fn = function(name, params, result, opts)
      opts.log = function(e) events[#events + 1] = e end
      return phial.fn(name, params, result, opts)
    end }
  end
  assert(load(code, "=" .. path, "t", env))()
  return events
end

describe("the lesson", function()
  for name, expected in pairs(NEXT) do
    it(name, function()
      local path = ("docs/lessons/%s.md"):format(name)
      local text = file.read(path)
      local page, step = text:match "<!%-%- site: play (%S+) (%d+)&ask %-%->"
      assert.equal(name, page)
      local next = events_of(text:match "```lua\n(.-)```", path)[step + 1]
      assert.equal(expected, ("%s %s"):format(next.event, next.block))
    end)
  end
end)
