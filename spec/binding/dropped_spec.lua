-- What Lua drops without running its finalizer, and what is in use when a state is
-- closed, is freed when the state is closed. Lua states of their own tell what they
-- did not get back (spec/support/state.c).
local state = require "spec.support.state"

-- What owns memory.
local OWNERS = {
  ["a function"] = [[phial.fn("f", { "x" })]],
  ["a finished function"] = [[phial.parse "fn f(%x: i64) -> i64 {\nentry:\n  ret %x\n}\n"]],
  ["a set of rules"] = [[phial.rules "a: x + 0 => x"]],
  ["the standard set"] = [[phial.rules "int"]],
}

local function gives_all_back(script, from, until_)
  assert.is_nil((state.run(script, nil, from or math.maxinteger, until_ or math.maxinteger)))
end

local function each_owner(what, check)
  for name, made in pairs(OWNERS) do
    it(name .. " " .. what, function() check(made) end)
  end
end

describe("is given back in the end:", function()
  each_owner("collected at the limit of C calls", function(made)
    gives_all_back([[
      local phial = require "phial"
      local function deep(n, f)
        if n == 0 then f() return "" end
        return (string.gsub("a", "a", function() return deep(n - 1, f) end))
      end
      local most = 0
      while pcall(deep, most + 1, function() end) do most = most + 1 end
      return function()
        for depth = most - 8, most do
          collectgarbage "stop"
          local lost = ]] .. made .. [[
          lost = nil
          pcall(deep, depth, collectgarbage)
        end
      end, assert]])
  end)

  -- Lua needs memory to call the finalizer.
  each_owner("collected after failing allocations", function(made)
    gives_all_back([[
      local phial = require "phial"
      local kept = { ]] .. made .. [[ }
      local co = coroutine.create(function() coroutine.yield() collectgarbage() end)
      coroutine.resume(co)
      return function()
        kept[1] = nil
        coroutine.resume(co)
      end, function() end]], 1)
  end)

  each_owner("made by a finalizer while the state is closed", function(made)
    gives_all_back([[
      local phial = require "phial"
      return function()
        keep = setmetatable({}, { __gc = function() kept = ]] .. made .. [[ end })
      end, assert]])
  end)

  each_owner("made by one that is older than phial", function(made)
    gives_all_back([[
      keep = setmetatable({}, { __gc = function()
        local phial = require "phial"
        pcall(function() kept = ]] .. made .. [[ end)
      end })
      local phial = require "phial"
      return function() end, assert]])
  end)

  each_owner("used by one that is older than phial", function(made)
    gives_all_back([[
      local it
      keep = setmetatable({}, { __gc = function()
        pcall(function() it:add "b: x - 0 => x" end)
        pcall(function() for i = 1, 1000 do it:var("v" .. i) end it:reopen() end)
      end })
      local phial = require "phial"
      it = ]] .. made .. [[
      return function() end, assert]])
  end)
end)

describe("what is in use when the state is closed is given back:", function()
  for what, work in pairs {
    ["in a guard"] = [[fn:entry():add(fn:arg(1), 3)]],
    ["in an action"] = [[fn:entry():mul(fn:arg(1), 3)]],
    ["in an action within an action"] = [[fn:entry():sub(fn:arg(1), 3)]],
    ["in the undef function"] = [[fn:entry():read(fn:var "y")]],
    ["in the log"] = [[fn:log(quit) fn:entry():neg(fn:arg(1))]],
    ["in the log of a new function"] = [[phial.fn("g", { "x" }, nil, { log = quit }):block()]],
    ["in R:check"] = [[R:check()]],
    ["in R:explain"] = [[R:explain(fn, "add", fn:arg(1), 3)]],
    ["while it runs"] = [[
      local g = phial.fn("g", { "x" })
      g:entry():call(quit, nil)
      g:entry():ret()
      g:finish()(1)]],
    ["in a coroutine"] = [[coroutine.wrap(function() fn:entry():add(fn:arg(1), 3) end)()]],
    ["in phial.build"] = [[phial.build("b", {}, nil, function(b) b:if_(b:const(true), quit) end)]],
  } do
    it(what, function()
      gives_all_back([[
        local phial = require "phial"
        local text = "a: x + C => x if $quit(C)\nb: x * C => $quit(x)\nc: x - C => $twice(x)"
        local R = phial.rules(text, {
          quit = function() quit() end,
          twice = function(b, x) return b:mul(x, 7) end,
        })
        local fn = phial.fn("f", { "x" }, nil, { rules = R, undef = function() quit() end })
        return function() ]] .. work .. [[ error "it did not quit" end, assert]])
    end)
  end
end)
