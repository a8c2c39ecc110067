-- Handles of other functions, of what is gone and of closed functions are refused.
local bad_argument = require "spec.support.bad_argument"
local phial = require "phial"
local handles_of = require "spec.support.handles"
local here = require "spec.support.here"
local refused = require "spec.support.refused"
local subject = require "spec.support.subject"

describe("handles are refused", function()
  it("that belong to another function", function()
    local fn, entry, n = subject()
    local other = phial.fn("g", { "n:i64" })
    local m, block, d = other:arg(1), other:block "b", fn:block "d"
    local bad = bad_argument(fn, entry)
    bad("add", 2, "i64 '%n' belongs to function 'g', not to 'f'", n, m)
    bad("add", 2, "i64 '7' belongs to function 'g', not to 'f'", n, other:const(7))
    bad("jump", 1, "block 'b' belongs to function 'g', not to 'f'", block)
    bad("read", 1, "variable 'n' belongs to function 'g', not to 'f'", other:param(1))
    bad("read", 2, "variable 'n' belongs to function 'g', not to 'f'", fn:param(1), other:param(1))
    bad("write", 1, "variable 'n' belongs to function 'g', not to 'f'", other:param(1), n)
    bad("write", 2, "i64 '%n' belongs to function 'g', not to 'f'", fn:param(1), m)
    refused(fn, "bad argument #1 to 'set_current' (block 'b' belongs to function 'g', not to 'f')",
      function() fn:set_current(block) end)
    bad("switch", 3, "block 'b' belongs to function 'g', not to 'f'", n, d, { [1] = block })
    bad("dominates", 1, "block 'b' belongs to function 'g', not to 'f'", block)
    fn:set_current(entry)
    refused(fn, "bad argument #2 to '+' (i64 '%n' belongs to function 'g', not to 'f')",
      function() return n + m end)
    other:close()
    bad("add", 2, "it belongs to function 'g', which is closed", n, m)
  end)

  it("that belong to a function of the same name: with both places", function()
    local fn = phial.fn("f", { "n" }) local made = here()
    local other = phial.fn("f", { "n" }) local made_other = here()
    refused(fn, ("bad argument #2 to 'add' (i64 '%%n' belongs to function 'f' (at %s), not to 'f' (at %s))")
      :format(made_other, made), function() fn:entry():add(fn:arg(1), other:arg(1)) end)
    local quiet = phial.fn("f", { "n" }, nil, { where = false }) local made_quiet = here()
    refused(quiet, ("bad argument #2 to 'add' (i64 '%%n' belongs to function 'f' (at %s), not to 'f' (at %s))")
      :format(made, made_quiet), function() quiet:entry():add(quiet:arg(1), fn:arg(1)) end)
  end)

  it("that belong to a function of the same name, made at the same place or nowhere", function()
    local message = "bad argument #2 to 'add' (i64 '%n' belongs to another function 'f')"
    local fns = {}
    for i = 1, 2 do fns[i] = phial.fn("f", { "n" }) end
    local fn, other, parsed = fns[1], fns[2], phial.parse "fn f(%n: i64) {\nentry:\n  ret\n}\n"
    refused(fn, message, function() fn:entry():add(fn:arg(1), other:arg(1)) end)
    refused(fn, message, function() fn:entry():add(fn:arg(1), parsed:arg(1)) end)
  end)

  it("of erased values", function()
    local fn = phial.fn("f", {}, nil, { rules = false })
    local dead = fn:block("dead", 0)
    local v = dead:add(1, 2)
    dead:ret()
    fn:entry():ret()
    fn:finish()
    refused(fn, "value '%3' is gone: it was erased or dropped", function() v:op() end)
    fn:reopen()
    local new = fn:block "new"
    refused(fn, "bad argument #1 to 'add' (value '%3' is gone: it was erased or dropped)",
      function() new:add(v, 2) end)
  end)

  it("of an erased value, by any method, and leave its function as it is", function()
    local fn = phial.fn("f", { "n" }, "i64", { accesses = true, rules = false })
    local dead = fn:block("dead", 0)
    local gone = dead:add(1, 2)
    dead:ret(gone)
    fn:entry():ret(fn:entry():read(fn:param(1)))
    fn:finish()
    local before = fn:text()
    for _, method in pairs(debug.getmetatable(gone).__index) do
      pcall(method, gone)
      pcall(method, gone, 1)
      assert.equal(before, fn:text())
    end
  end)

  it("of a closed function", function()
    local fn, entry, n = subject()
    fn:close()
    fn:close()
    refused(nil, "calling 'seal': function 'f' is closed", function() entry:seal() end)
    refused(nil, "calling '+': function 'f' is closed", function() return n + 1 end)
    refused(nil, "function 'f' is closed", function() fn() end)
    assert.equal("phial.Function (closed)", tostring(fn))
    assert.equal("phial.Value (closed)", tostring(n))
    assert.is_true(n == n) -- luacheck: ignore 411
  end)
end)

-- Of Op, Rules and Library no function is the owner.
local NO_FUNCTION <const> = {
  ["phial.Op"] = true, ["phial.Rules"] = true, ["phial.Library"] = true,
}

-- What a closed function allows; its events can be read, too.
local ALLOWED <const> = {
  close = true, __gc = true, __close = true, __eq = true, __lt = true, __le = true,
  __tostring = true,
}

-- Why calls are refused without a look at the arguments; the last one is of an action's builder.
local REFUSALS <const> = { "is closed", "wrong number of arguments", "this builder works only" }

-- By the class of handles, its methods by name. All C functions of phial have the metatables
-- as upvalues.
local function methods_by_class()
  local classes, i = {}, 1
  local _, mt = debug.getupvalue(phial.fn, i)
  while type(mt) == "table" do
    local methods = {}
    for _, from in ipairs { mt, type(mt.__index) == "table" and mt.__index or {} } do
      for name, f in pairs(from) do
        if type(f) == "function" and not ALLOWED[name] then methods[name] = f end
      end
    end
    if mt.__name then classes[mt.__name] = methods end
    i = i + 1
    _, mt = debug.getupvalue(phial.fn, i)
  end
  return classes
end

-- Handles, alone and in tables.
local function arguments(handles)
  local list = { false, 1, 1.5, "i64", "add", print, {}, { [handles.Value] = handles.Value },
    { refine = { handles.Variable } }, { handles.Block, handles.Value } }
  for _, it in pairs(handles) do list[#list + 1] = it end
  return list
end

-- The same argument n times, or nils.
local function times(n, it)
  local list = {}
  for i = 1, n do list[i] = it end
  return table.unpack(list, 1, n)
end

describe("a closed function", function()
  local classes = methods_by_class()
  for class in pairs(NO_FUNCTION) do classes[class] = nil end

  -- Calls f(class, name, method) for all methods.
  local function each_method(f)
    for class, methods in pairs(classes) do
      for name, method in pairs(methods) do f(class:match "%.(%w+)", name, method) end
    end
  end

  it("is refused before any argument, by every method of all of its handles", function()
    for line = 0, 1 do
      local handles, close = handles_of("f", line > 0 and line or nil)
      local list = arguments(handles)
      close()
      each_method(function(class, name, method)
        local function check(n, it)
          local ok, why = pcall(method, handles[class], times(n, it))
          for _, expected in ipairs(ok and {} or REFUSALS) do
            if why:find(expected, 1, true) then return end
          end
          error(("%s:%s with %d times %s: %s"):format(class, name, n, tostring(it), tostring(why)))
        end
        if class == "Event" then return end
        check(0)
        for n = 1, 5 do
          for _, it in ipairs(list) do check(n, it) end
        end
      end)
    end
  end)

  it("is refused wherever an argument of another function's method is a handle of it", function()
    local closed, close = handles_of("g", 1)
    local list = arguments(closed)
    close()
    each_method(function(class, name, method)
      local handles = handles_of("f", 1)
      local own = arguments(handles)
      for n = 1, 5 do
        for _ = 1, 4 do
          local args = {}
          for i = 1, n do
            local from = math.random(2) == 1 and list or own
            args[i] = from[math.random(#from)]
          end
          local ok, why = pcall(method, handles[class], table.unpack(args, 1, n))
          assert(ok or type(why) == "string" and not why:find "attempt to",
            ("%s:%s: %s"):format(class, name, why))
        end
      end
    end)
  end)
end)
