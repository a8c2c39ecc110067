-- What the structured builder refuses: the whole message, at the caller's line,
-- however deep the builder is nested.
local phial = require "phial"
local refused_call = require "spec.support.refused"
local under = require "spec.support.under"

local here = debug.getinfo(1, "S").short_src

-- The line of the caller.
local function line() return debug.getinfo(2, "l").currentline end

-- Building f with that body, written on one line, is refused there.
local function refused(message, body, result)
  refused_call(nil, message, body, function()
    phial.build("f", { "n:i64", "c:i1" }, result, body)
  end)
end

local function nothing() end

describe("a variable is refused", function()
  it("that nobody has assigned to, with a name that is near", function()
    refused("function 'f' has no variable 'nn' (did you mean 'n'?): assign to it first, or declare it with b:var",
      function(_, v) v.s = v.nn end)
    refused("function 'f' has no variable 'm': assign to it first, or declare it with b:var",
      function(_, v) v.n = v.m end)
    refused("function 'f' has no variable 'cuonter' (did you mean 'counter'?): assign to it first, or declare it with b:var",
      function(_, v) v.counter = 1 v.s = v.cuonter end)
    refused("function 'f' has no variable 'other': assign to it first, or declare it with b:var",
      function(b, v) b:find "other" v.s = 1 end)
  end)

  it("whose body has ended", function()
    local at
    local message = "no variable 'x' here: the one declared at %s:%d was local to a body that has ended"
    local ok, err = pcall(phial.build, "f", { "c:i1" }, nil, function(b, v)
      b:if_(v.c, function() b:var("x", 1) at = line() end)
      v.y = v.x
    end)
    assert.is_false(ok)
    assert.equal(("%s:%d: " .. message):format(here, at + 1, here, at), err)
  end)

  it("whose body has ended, which had declared it twice", function()
    local at
    local ok, err = pcall(phial.build, "f", { "c:i1" }, nil, function(b, v)
      b:scope(function()
        b:var("x", 1)
        b:var("x", 2) at = line()
      end)
      v.y = v.x
    end)
    assert.is_false(ok)
    assert.equal(("%s:%d: no variable 'x' here: the one declared at %s:%d was local to a body that has ended")
      :format(here, at + 2, here, at), err)
  end)

  it("that gets a value of another type", function()
    local ok, err = pcall(phial.build, "f", { "c:i1" }, nil, function(_, v)
      v.x = 1
      v.x = v.c
    end)
    local at = line() - 3
    assert.is_false(ok)
    assert.equal(("%s:%d: variable 'x' of type i64 (since %s:%d) cannot be assigned i1 '%%c'")
      :format(here, at + 1, here, at), err)
    refused("variable 'x' of type i8 cannot be assigned 1000", function(b) b:var("x", "i8", 1000) end)
  end)

  it("that gets what is no value", function()
    refused("variable 's' cannot be assigned nil: b:const(nil) is the constant, b:undef(type) an undefined value",
      function(_, v) v.s = nil end)
    refused("variable 's' cannot be assigned a table", function(_, v) v.s = {} end)
    refused("variable 's' cannot be assigned a phial.Block", function(b, v) v.s = b:current() end)
    refused("variable 's' cannot be assigned a phial.Variable", function(b, v) v.s = b:find "n" end)
  end)

  it("that has no name, or no type", function()
    refused("the name of a variable must be a string, got 3", function(_, v) v[3] = 1 end)
    refused("the name of a variable must be a string, got a table", function(_, v) v.x = v[{}] end)
    refused("bad argument #1 to 'find' (string expected, got nil)", function(b) b:find() end)
    refused("bad argument #1 to 'has' (string expected, got 3)", function(b) b:has(3) end)
    refused("bad argument #1 to 'var' (string expected, got a table)", function(b) b:var {} end)
    refused("bad argument #2 to 'var' (unknown type 'i17'"
      .. "; there are: i1, i8, i16, i32, i64, f32, f64, ptr, any)", function(b) b:var("x", "i17") end)
  end)
end)

describe("a structure is refused", function()
  it("whose condition is no i1", function()
    refused("the condition of 'if_' must be a value of type i1, got false: Lua computes '==', 'not' and 'and' itself, write a:eq(b), b:not_(c), b:and_(c, f); the constant is b:const(false)",
      function(b, v) b:if_(v.n == 0, nothing) end)
    refused("the condition of 'if_' must be a value of type i1, got i64 '%n': compare it, as in v:ne(0)",
      function(b, v) b:if_(v.n, nothing) end)
    refused("the condition of 'while_' must be a value of type i1, got nil",
      function(b) b:while_(nothing, nothing) end)
    refused("an operand of 'or_' must be a value of type i1, got 1",
      function(b, v) b:or_(v.c, function() return 1 end) end)
    refused("the operand of 'not_' must be a value of type i1, got i64 '%n': compare it, as in v:ne(0)",
      function(b, v) b:not_(v.n) end)
  end)

  it("whose condition is computed too early", function()
    refused("bad argument #1 to 'while_' (function expected, got i1 '%c': it is computed anew in each iteration, function() return a:slt(b) end)",
      function(b, v) b:while_(v.c, nothing) end)
    refused("bad argument #3 to 'if_' (function expected, got i1 '%c': it is computed only when it is asked for, function() return a:slt(b) end)",
      function(b, v) b:if_(v.c, nothing, v.c, nothing) end)
    refused("bad argument #2 to 'and_' (function expected, got nil)",
      function(b, v) b:and_(v.c, nil, function() return v.c end) end)
    refused("bad argument #2 to 'and_' (function expected, got i1 '%c': what is computed already needs no short circuit, a & b, a | b)",
      function(b, v) b:and_(v.c, v.c) end)
  end)

  it("without its body", function()
    refused("bad argument #2 to 'if_' (function expected, got nil)", function(b, v) b:if_(v.c) end)
    refused("bad argument #2 to 'while_' (function expected, got nil)", function(b) b:while_(nothing) end)
    refused("bad argument #1 to 'loop' (function expected, got nil)", function(b) b:loop() end)
    refused("bad argument #2 to 'repeat_' (function expected, got nil)", function(b) b:repeat_(nothing) end)
    refused("bad argument #4 to 'for_' (function expected, got nil)", function(b) b:for_("i", 1, 2) end)
    refused("bad argument #1 to 'scope' (function expected, got 3)", function(b) b:scope(3) end)
  end)

  it("whose arms return values that differ in type", function()
    refused("the arms of 'if_' return values of different types: i64, and i1 '%c'",
      function(b, v) b:if_(v.c, function() return 1 end, function() return v.c end) end)
  end)

  it("that is a switch of something else", function()
    refused("bad argument #1 to 'switch_' (integer value expected, got 1.5)", function(b) b:switch_(1.5, {}) end)
    refused("bad argument #2 to 'switch_' ({[key] = function, ...} expected, got i64 '%n')",
      function(b, v) b:switch_(v.n, v.n) end)
    refused("bad argument #2 to 'switch_' (keys of type i64, or 'default', expected, got \"x\")",
      function(b, v) b:switch_(v.n, { x = nothing }) end)
    refused("bad argument #2 to 'switch_' (keys of type i1, or 'default', expected, got 2)",
      function(b, v) b:switch_(v.c, { [2] = nothing }) end)
    refused("bad argument #2 to 'switch_' (arm 1: function expected, got true)",
      function(b, v) b:switch_(v.n, { true }) end)
  end)

  it("that cannot count", function()
    refused("bad argument #1 to 'for_' (name expected, got 1)", function(b, v) b:for_(1, v.n, nothing) end)
    refused("bad argument #2 to 'for_' (number expected, got \"x\")", function(b) b:for_("i", "x", 3, nothing) end)
    refused("bad argument #3 to 'for_' (number expected, got i1 '%c')",
      function(b, v) b:for_("i", 1, v.c, nothing) end)
    refused("bad argument #3 to 'for_' (i64 like argument #2 expected, got i1 '%c')",
      function(b, v) b:for_("i", v.n, v.c, nothing) end)
    refused("bad argument #4 to 'for_' (Lua integer other than 0 expected, got 0.5)",
      function(b, v) b:for_("i", 1, v.n, 0.5, nothing) end)
    refused("bad argument #4 to 'for_' (Lua integer other than 0 expected, got i64 '%n': a loop whose direction is not known here is a while_)",
      function(b, v) b:for_("i", 1, v.n, v.n, nothing) end)
  end)
end)

describe("a way out is refused", function()
  it("of no loop, of too many, of one that is not around it", function()
    refused("'break_' is not inside a loop", function(b) b:break_() end)
    refused("'continue_' of 2 loops: it is inside 1 only",
      function(b) b:loop(function() b:continue_(2) end) end)
    refused("bad argument #1 to 'break_' (number of loops, or the loop that a body is given, expected, got \"outer\")",
      function(b) b:loop(function() b:break_ "outer" end) end)
    local loop
    local at
    local ok, err = pcall(phial.build, "f", {}, nil, function(b)
      b:loop(function(it) loop, at = it, line() - 1 b:break_() end)
      b:loop(function() b:break_(loop) end)
    end)
    assert.is_false(ok)
    assert.equal(("%s:%d: 'break_': the loop that starts at %s:%d does not enclose this, it has ended")
      :format(here, at + 2, here, at + 1), err)
  end)

  it("to a label that never comes; each goto is named", function()
    local ok, err = pcall(function()
      phial.build("f", { "c:i1" }, nil, function(b, v)
        b:if_(v.c, function() b:goto_ "oout" end)
        b:goto_ "inner"
        b:scope(function() b:label "inner" end)
        b:goto_ "xyzzy"
        b:label "out"
      end)
    end)
    local at = line() - 8
    assert.is_false(ok)
    assert.equal(([[
%s:%d: function 'f' cannot be finished: these gotos have no label
  goto 'oout' (at %s:%d) (did you mean 'out'?)
  goto 'inner' (at %s:%d): the one at %s:%d is in a scope that does not enclose it
  goto 'xyzzy' (at %s:%d)]]):format(here, at, here, at + 1, here, at + 2, here, at + 3, here, at + 4), err)
  end)

  it("to a label that stands twice", function()
    local ok, err = pcall(phial.build, "f", {}, nil, function(b)
      b:label "x"
      b:label "x"
    end)
    local at = line() - 2
    assert.is_false(ok)
    assert.equal(("%s:%d: label 'x' is already set at %s:%d"):format(here, at, here, at - 1), err)
    refused("bad argument #1 to 'goto_' (name expected, got nil)", function(b) b:goto_() end)
  end)
end)

describe("a function is refused", function()
  it("that forgets to return", function()
    local ok, err = pcall(function()
      phial.build("f", { "n:i64" }, "i64", function(b, v)
        b:while_(function() return v.n:slt(1) end, function()
          b:ret(1)
        end)
      end)
    end)
    local at = line() - 6
    assert.is_false(ok)
    assert.equal(("%s:%d: function 'f' returns i64, but the end of its body (at %s:%d) can be reached, in block 'while_done': b:ret is missing")
      :format(here, at, here, at + 4), err)
  end)

  it("but not where its end cannot be reached", function()
    local fn = phial.build("f", { "n:i64" }, "i64", function(b, v)
      b:loop(function()
        b:if_(v.n:eq(0), function() b:ret(v.n) end)
      end)
      b:while_(function() return v.n:eq(1) end, nothing)
    end)
    assert(fn:verify())
    assert.equal("i64", fn:result())
  end)

  it("that returns something else", function()
    refused("function 'f' returns i64: 'ret' needs a value", function(b) b:ret() end, "i64")
    refused("bad argument #1 to 'ret' (i64 expected, got i1 '%c')", function(b, v) b:ret(v.c) end, "i64")
  end)

  it("without a body", function()
    local ok, err = pcall(function() phial.build("f", {}, nil) end)
    assert.is_false(ok)
    assert.equal(("%s:%d: bad argument #5 to 'phial.build' (function expected, got nil)"):format(here, line() - 2), err)
  end)

  it("that uses variables of the function around it", function()
    local capture = "variable 'n' belongs to function 'f', in whose body 'g' is being built: pass it as a parameter"
    refused(capture, function(_, v) phial.build("g", {}, nil, function() v.x = v.n end) end)
    refused(capture, function(_, v) phial.build("g", {}, nil, function() v.n = 1 end) end)
    refused("'add' of function 'f', in whose body 'g' is being built: use the builder of that one",
      function(b) phial.build("g", {}, nil, function() b:add(1, 2) end) end)
    local at
    local ok, err = pcall(function()
      phial.build("f", { "n:i64" }, nil, function()
        at = line() - 1
        phial.build("g", {}, nil, function(_, w) w.x = w.n end)
      end)
    end)
    assert.is_false(ok)
    assert.equal(("%s:%d: function 'g' has no variable 'n': that of the enclosing function 'f' (declared at %s:%d) is not captured, pass it as a parameter")
      :format(here, at + 2, here, at), err)
  end)

  it("whose values are another function's", function()
    refused("bad argument #2 to 'write' (i64 '%n' belongs to function 'f', not to 'g')",
      function(_, v) local n = v.n phial.build("g", {}, nil, function(_, w) w.x = n end) end)
  end)

  it("that is nested too deeply", function()
    local nest = {
      if_ = function(b, v, go) b:if_(v.c, function() go(b, v) end) end,
      scope = function(b, v, go) b:scope(function() go(b, v) end) end,
      build = function(_, _, go) phial.build("f", { "n:i64", "c:i1" }, nil, go) end,
    }
    for _, how in pairs(under.brief and { nest.if_ } or nest) do
      local function go(b, v) how(b, v, go) end
      local ok, err = pcall(phial.build, "f", { "n:i64", "c:i1" }, nil, go)
      assert.is_false(ok)
      assert.equal(("%s:%d: the body of function 'f' is nested too deeply")
        :format(here, debug.getinfo(how, "S").linedefined), err)
    end
  end)

  it("but not if it is nested more deeply than C calls can be", function()
    local m = phial.module "m"
    local function go()
      if #m:functions() < 300 then m:build("f" .. #m:functions(), {}, nil, go) end
    end
    go()
    assert.equal(300, #m:functions())
  end)

  it("and leaves the one around it as it was", function()
    local fn = phial.build("f", { "n:i64" }, "i64", function(b, v)
      assert.is_false((pcall(phial.build, "g", {}, "i64", function() error "no" end)))
      assert.is_false((pcall(function() v.m = v.nn end)))
      assert.is_false((pcall(function() v.n = v.n:eq(3) end)))
      b:ret(v.n)
    end)
    assert.equal("ret %n", fn:text():match "ret %%n")
  end)
end)

describe("the builder", function()
  it("tells its methods from its variables", function()
    refused("a builder has no method 'whlie_' (did you mean 'while_'?)", function(b) b:whlie_(nothing, nothing) end)
    refused("a builder has no method 'div' (did you mean 'sdiv' or 'udiv'?)", function(b, v) b:div(v.n, 2) end)
    refused("a builder has no field 'x': variables are fields of the body's second argument, v.x = value",
      function(b) b.x = 3 end)
    refused("calling 'while_' on bad self (phial.Builder expected, got a function) (use ':'?)",
      function(b) b.while_(nothing, nothing) end)
  end)

  it("passes on what the current block refuses, at the user's line", function()
    refused("bad argument #2 to 'add' (i64 expected like argument #1, got i1 '%c')",
      function(b, v) b:add(v.n, v.c) end)
    refused("values have no order in Lua, it would make a boolean of the result: use v:slt(w) for '<', v:sgt(w) for '>'",
      function(b, v) b:while_(function() return v.n < v.n end, nothing) end)
  end)

  it("notes the user's line of blocks", function()
    local ok, err = pcall(function()
      phial.build("f", { "n:i64" }, nil, function(b, v)
        b:while_(function() return v.n:slt(1) end, function() b:set_current(b.fn:block "lost") end)
      end)
    end)
    local at = line() - 4
    assert.is_false(ok)
    assert.equal(([[
%s:%d: function 'f' cannot be finished: these blocks need a terminator (jump, branch, switch, ret or unreachable)
  block 'while_body' (at %s:%d): it is empty]]):format(here, at, here, at + 1), err)
  end)
end)
