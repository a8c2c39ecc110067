-- The examples of rules: each runs alone, and prints what it printed.
local golden = require "spec.support.golden"

-- The interpreter that runs these specs.
local function interpreter()
  local i = 0
  while arg[i - 1] do i = i - 1 end
  return arg[i]
end

describe("examples/rules:", function()
  for _, path in ipairs(golden.files "spec/golden/rules") do
    it(path:match "([^/]+)%.phial$", function()
      golden.check(path, function(script)
        local paths = ("LUA_PATH='%s' LUA_CPATH='%s'"):format(package.path, package.cpath)
        local pipe = assert(io.popen(("%s %s %s 2>&1"):format(paths, interpreter(), script)))
        local text = pipe:read "a"
        assert(pipe:close(), text)
        return text
      end)
    end)
  end
end)
