-- An output handler of busted (`busted -o spec/support/per_file.lua`): a line per
-- spec file, with its number of tests and its time. busted's own handler prints
-- failures and the closing line; told to defer printing, it prints no signs.

-- "1 test", "2 tests".
local function counted(n, what) return ("%d %s%s"):format(n, what, n == 1 and "" or "s") end

-- busted keeps all tests to its end, and so what their functions share; without that the
-- collector of later files is several times as fast.
local function release(element, children)
  for _, child in ipairs(children(element)) do
    release(child, children)
    for key in pairs(child) do child[key] = nil end
  end
end

return function(options)
  local busted = require "busted"
  options.deferPrint = true
  local handler = require("busted.outputHandlers." .. options.defaultOutput)(options)
  local tests, before

  -- Failures and errors so far.
  local function failed() return handler.failuresCount + handler.errorsCount end

  -- The name comes first: it is the last line if the file crashes.
  busted.subscribe({ "file", "start" }, function(file)
    tests, before = 0, failed()
    io.write(("%-46s"):format(file.name))
    io.flush()
    return nil, true
  end)

  busted.subscribe({ "test", "end" }, function()
    tests = tests + 1
    return nil, true
  end)

  busted.subscribe({ "file", "end" }, function(file)
    local bad = failed() - before
    io.write((" %6.2f s  %s%s\n"):format(file.duration, counted(tests, "test"),
      bad > 0 and (", %d failed"):format(bad) or ""))
    io.flush()
    release(file, busted.children)
    handler.successes = {}
    collectgarbage()
    return nil, true
  end)

  return handler
end
