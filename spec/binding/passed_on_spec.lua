-- Errors that are none of phial's pass unchanged: no memory, an error of a user's
-- function, an error that a debug hook raises.
local phial = require "phial"
local raises = require "spec.support.raises"
local state = require "spec.support.state"
local under = require "spec.support.under"

-- Runs a script without memory for allocations k and k + 1 (Lua tries twice), for
-- each k of the first 60, or of the last: it succeeds or says that memory is out.
-- (Under valgrind, and by `make test`, for some.)
local function only_memory(script, last)
  local why, count = state.run(script, nil, math.maxinteger, math.maxinteger)
  assert.is_nil(why)
  local from = last and math.max(1, count - 60) or 1
  for k = from, math.min(count, from + 60), under.valgrind and 7 or under.brief and 3 or 1 do
    assert.is_nil((state.run(script, nil, k, k + 1)), ("at allocation %d of %d"):format(k, count))
  end
end

-- A script that runs `work` up to its pause(), then in trouble.
local function from_pause(work)
  return [[
    local phial = require "phial"
    local pause = coroutine.yield
    local co = coroutine.create(function() ]] .. work .. [[ end)
    assert(coroutine.resume(co))
    return function()
      local ok, why = coroutine.resume(co)
      if not ok then error(why, 0) end
    end, function(ok, why)
      if not ok then assert(why == "not enough memory", why) end
    end]]
end

describe("the end of memory is raised as that by", function()
  it("the builder, when a variable is assigned", function()
    for _, assigned in ipairs { "v.y = 12345", "v.x = 12345", "b:var('z', 'i64', 12345)",
      "b:for_('i', 12345, 23456, 3, function() end)",
      "b:switch_(v.x, { [12345] = function() end })" } do
      only_memory(from_pause([[
        phial.build("f", { "x" }, nil, function(b, v)
          collectgarbage "stop"
          pause()
          ]] .. assigned .. [[
          pause()
        end)]]))
    end
  end)

  it("phial.steps", function()
    only_memory(from_pause [[
      local step = assert(phial.steps "F f 1 0 i64\nb entry\ni %8 i64 add 12345 23456\nx %8\n")
      step() step()
      pause()
      local it = step()
      if it.problem then error(it.problem, 0) end
      pause()]])
  end)

  it("phial.replay", function()
    only_memory([[
      local phial = require "phial"
      local text = "F f 1 0 i64\nb entry\nx 12345\nE\n"
      assert(phial.replay(text))
      collectgarbage()
      return function() assert(phial.replay(text)) end, function(ok, why)
        if not ok then assert(why == "not enough memory", why) end
      end]], true)
  end)

  it("a record, which is whole or not made", function()
    only_memory [[
      local phial = require "phial"
      local fn = phial.fn("f", { "x" }, nil, { rules = false })
      local record = phial.record(fn)
      local v = {}
      for i = 1, 5 do v[i] = fn:entry():add(fn:arg(1), i) end
      for i = 1, 5 do v[i]:set_name("named" .. i) end
      local text
      return function() text = record:text() end, function(ok, why)
        if not ok then assert(why == "not enough memory", why) end
        if ok then assert(select(2, text:gsub("\nN ", "")) == 5, text) end
      end]]
  end)

  -- The line of an op of a dialect is open until the next event: there may be
  -- further results.
  it("a record, which is asked again", function()
    only_memory [[
      local phial = require "phial"
      local d = phial.dialect("d", { two = { args = { "i64" }, result = "i64", results = 2 } })
      local fn = phial.fn("f", { "x:i64" }, nil, { rules = false, dialects = { d } })
      local record = phial.record(fn)
      fn:entry():emit("d.two", fn:arg(1))
      return function() record:text() end, function(ok, why)
        if not ok then assert(why == "not enough memory", why) end
        assert(record:text():find("\ni %2 %3 i64 d.two %1\n", 1, true), record:text())
      end]]
  end)

  it("questions about rules, which can be asked again", function()
    for _, question in ipairs { "R:lint()", "R:explain(fn, 'add', fn:arg(1), 0)" } do
      only_memory(([[
        local phial = require "phial"
        local R = phial.rules():add "a: x + 0 => x\nb: (x + A) + B => x + (A + B) if A < 7"
        local fn = phial.fn("f", { "x:i64" }, "i64", { rules = R })
        local function ask() return QUESTION end
        return ask, function(ok, why)
          if not ok then assert(why == "not enough memory", why) end
          ask()
          assert(fn:entry():add(fn:arg(1), 0) == fn:arg(1))
        end]]):gsub("QUESTION", question))
    end
  end)

  it("running", function()
    only_memory [[
      local phial = require "phial"
      local function added(n)
        local fn = phial.fn("f", { "x" }, "i64")
        fn:entry():ret(fn:entry():add(fn:arg(1), n))
        return fn:finish()
      end
      assert(added(1)(3) == 4) -- modules are loaded
      local fn = added(2)
      return function() fn(3) end, function(ok, why)
        if not ok then assert(why == "not enough memory", why) end
        assert(fn(3) == 5)
      end]]
  end)
end)

local TRACE = "F f 1 0 i64\nb entry\nx 4\nE\n"

describe("an error of the user is passed on by", function()
  -- Raises `it` from within f, wherever f makes a constant.
  local function interrupted(it, f)
    local methods = getmetatable(phial.fn "f").__index
    local const, inner = methods.const, nil
    function methods.const() -- luacheck: ignore 122
      inner = true
      error(it, 0)
    end
    local ok, why = pcall(f)
    methods.const = const
    assert.is_true(inner)
    assert.is_false(ok)
    -- coroutine.wrap puts its place before a text
    assert.equal(it, type(it) == "string" and tostring(why):gsub("^[^ ]*:%d+: ", "") or why)
  end

  for _, it_is in ipairs { { "a table", {} }, { "a text", "interrupted!" } } do
    local what, thrown = it_is[1], it_is[2]

    it("the builder: " .. what, function()
      interrupted(thrown, function()
        phial.build("f", { "x" }, nil, function(_, v) v.y = true end)
      end)
    end)

    it("phial.replay: " .. what, function()
      interrupted(thrown, function() return assert(phial.replay(TRACE)) end)
      raises.equal(thrown, phial.replay, "F f 1 0\nb entry\ni %1 i64 call {host 1}\n", {
        host = function() error(thrown, 0) end,
      })
    end)

    it("phial.steps: " .. what, function()
      interrupted(thrown, function()
        for step in phial.steps(TRACE) do assert(not step.problem, step.problem) end
      end)
    end)

    it("a record: " .. what, function()
      local fn = phial.fn("f", { "x" })
      local record = phial.record(fn)
      fn:entry():ret()
      local methods = getmetatable(fn).__index
      local values = methods.values
      function methods.values() error(thrown, 0) end -- luacheck: ignore 122
      local ok, why = pcall(record.text, record)
      methods.values = values
      assert.is_false(ok)
      assert.equal(thrown, why)
    end)
  end
end)
