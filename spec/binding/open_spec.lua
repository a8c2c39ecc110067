-- Opening the C module, in a state of its own, with the stack that a C function has
-- without asking for more.
local state = require "spec.support.state"

-- LUA_MINSTACK
local GUARANTEED = 20

describe("luaopen_phial_core", function()
  -- The collector runs at each allocation; a finalizer counts the slots that the
  -- interrupted function uses: the opener, or the one that it lets make the module.
  it("uses no more stack than it has", function()
    local why = state.run(([[
      local path = package.searchpath("phial.core", package.cpath)
      local open = assert(package.loadlib(path, "luaopen_phial_core"))
      local most, made, over = 0, 0, false
      local function slots(level)
        local n = 0
        while debug.getlocal(level + 1, n + 1) do n = n + 1 end
        return n
      end
      local function trap()
        setmetatable({}, { __gc = function()
          if over then return end
          for level = 2, 8 do
            local at = debug.getinfo(level, "f")
            if at and at.func == open then
              most = math.max(most, slots(level))
              if level > 2 then made = math.max(made, slots(level - 1)) end
            end
          end
          trap()
        end })
      end
      return function()
        trap()
        open()
      end, function(ok, why)
        over = true
        assert(ok, why)
        assert(most > 0 and made > 4, "it was not seen at work")
        most = math.max(most, made)
        if most > %d then error("it uses " .. most .. " slots", 0) end
      end]]):format(GUARANTEED), "incremental", 1, math.maxinteger)
    assert.is_nil(why)
  end)
end)
