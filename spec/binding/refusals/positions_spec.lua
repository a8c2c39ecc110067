-- Where messages say that something is wrong: at the frontend's own position, in which rule.
local child = require "spec.support.child"
local here = require "spec.support.here"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"
local subject = require "spec.support.subject"

-- A function that values emit into, too.
local function start(opts)
  local fn, entry, n, c = subject(opts, "i64")
  fn:set_current(entry)
  return fn, entry, n, c
end

describe("the frontend's own position", function()
  it("is in errors about a function that something else is asked to write or to run", function()
    local fn = start()
    fn:set_loc(12, 5, "a.src")
    local unfinished = "function 'f' is not finished: call fn:finish() before it can %s @ a.src:12:5"
    refused(nil, unfinished:format "run", function() fn(1, true, 1.5, 1, 1) end)
    refused(nil, unfinished:format "be written in C", function() phial.emit.c(fn) end)
    fn:block()
    refused(nil, "function 'f' has blocks or instructions already: record it right after phial.fn"
      .. " @ a.src:12:5", function() phial.record(fn) end)
  end)

  it("is in every error that is raised while building", function()
    local fn, entry, n, c = start()
    local block = fn:block "b"
    block:seal() local sealed = here()
    fn:set_loc(12, 5, "a.src")
    local at = " @ a.src:12:5"
    refused(fn, "bad argument #2 to 'add' (i64 expected like argument #1, got i1 '%c')" .. at,
      function() entry:add(n, c) end)
    refused(fn, "bad argument #2 to 'add' (i64 expected like argument #1, got i1 '%c')" .. at,
      function() return n + c end)
    refused(fn, "block 'entry' is the entry: 'entry' cannot become a predecessor of it" .. at,
      function() entry:jump(entry) end)
    refused(fn, ("block 'b' is already sealed (at %s): seal it once, when no more predecessors "
      .. "will come"):format(sealed) .. at, function() block:seal() end)
    refused(fn, "bad argument #2 to 'write' (i64 expected by variable 'n', got i1 '%c')" .. at,
      function() entry:write(fn:param(1), c) end)
    refused(fn, "bad argument #1 to 'read' (phial.Variable expected, got nil)" .. at,
      function() entry:read(nil) end)
    refused(fn, "bad argument #1 to 'emit' (unknown op 'foo')" .. at,
      function() entry:emit "foo" end)
    refused(fn, "bad argument #1 to 'block' (string expected, got number)" .. at,
      function() fn:block(1) end)
    refused(fn, "bad argument #1 to 'const' (constant expected, got a table)" .. at,
      function() fn:const {} end)
    refused(fn, "wrong number of arguments to 'add' (2 expected, got 1)" .. at,
      function() entry:add(n) end)
    refused(fn, "values have no order in Lua, it would make a boolean of the result: "
      .. "use v:slt(w) for '<', v:sgt(w) for '>'" .. at, function() return n < n end)
    refused(fn, "function 'f' returns i64: 'ret' needs a value" .. at, function() entry:ret() end)
    fn:set_loc(13)
    refused(fn, "function 'f' returns i64: 'ret' needs a value @ 13", function() entry:ret() end)
    fn:set_loc()
    refused(fn, "function 'f' returns i64: 'ret' needs a value", function() entry:ret() end)
  end)

  it("is in errors of rules, too", function()
    local R = phial.rules("a: x * C => x if $g(C)", { g = function() error("no", 0) end }, "t")
    local fn, entry, n = start { rules = R }
    fn:set_loc(12, 5)
    refused(fn, "rule 'a' (t:1): no @ 12:5", function() entry:mul(n, 3) end)
  end)

  it("is in errors of the builder", function()
    local ok, why = pcall(phial.build, "f", { "n" }, nil, function(b, v)
      b:set_loc(12, 5, "a.src")
      v.n = "text"
    end)
    assert.is_false(ok)
    assert.matches(":%d+: variable 'n' of type i64 %(since [^)]*%) cannot be assigned \"text\" "
      .. "@ a%.src:12:5$", why)
  end)
end)

describe("an error in a function of a rule", function()
  local text = "inner: x - C => $inner(x, C) if C ~= 1\nouter: x * C => $outer(x, C)"

  it("has the place of the call that emits, and one rule, however deep", function()
    local R = phial.rules(text, {
      inner = function() error("deep", 0) end,
      outer = function(b, x, C) return b:add(b:sub(x, C), x) end,
    }, "t")
    local fn, entry, n = start { rules = R }
    refused(fn, "rule 'inner' (t:1): deep", function() entry:mul(n, 4) end)
    refused(fn, "rule 'inner' (t:1): deep", function() return n * 4 end)
  end)

  it("keeps its own place afterwards", function()
    local at
    local R = phial.rules("a: x * C => x if $g(C)", {
      g = function() at = here() error "no" end,
    }, "t")
    local _, entry, n = start { rules = R }
    local ok, why = pcall(function() entry:mul(n, 3) end) local called = here()
    assert.is_false(ok)
    assert.equal(("%s: rule 'a' (t:1): %s: no"):format(called, at), why)
  end)

  it("is passed on as it is when memory has run out, at any depth", function()
    local R = phial.rules(text, {
      inner = function() error("not enough memory", 0) end,
      outer = function(b, x, C) return b:add(b:sub(x, C), x) end,
    }, "t")
    local fn, entry, n = start { rules = R }
    fn:set_loc(12)
    assert.equal("not enough memory", select(2, pcall(entry.sub, entry, n, 3)))
    assert.equal("not enough memory", select(2, pcall(entry.mul, entry, n, 3)))
  end)

  it("is one rule's when the frontend's position is known, too", function()
    local R = phial.rules(text, {
      inner = function(b, x) return b:add(x, "text") end,
      outer = function(b, x, C) return b:add(b:sub(x, C), x) end,
    }, "t")
    local fn, entry, n = start { rules = R }
    fn:set_loc(12)
    raises.matching("^[^:]+:%d+: rule 'inner' %(t:1%): [^:]+:%d+: bad argument #2 to 'add' [^@]+ @ 12$",
      function() entry:mul(n, 4) end)
  end)

  it("is passed on as it is when it is not a text", function()
    local it_is = {}
    local R = phial.rules("a: x * C => x if $g(C)", { g = function() error(it_is) end }, "t")
    local _, entry, n = start { rules = R }
    assert.equal(it_is, select(2, pcall(entry.mul, entry, n, 3)))
  end)
end)

-- As where Lua's own separator is not that of LUA_PATH.
describe("the caller's position", function()
  it("is found where phial's files are named with separators of two kinds", function()
    assert.equal("script:2: wrong number of arguments to 'phial.parse' (1 to 2 expected, got 0)\n",
      (child [[
        table.insert(package.searchers, 2, function(name)
          local path = name:find "^phial%." and package.searchpath(name, package.path)
          if not path then return end
          local file <close> = assert(io.open(path))
          path = path:gsub(name:gsub("%.", "/"), (name:gsub("%.", "\\")))
          return load(file:read "a", "@" .. path)
        end)
        require "phial"
        print(select(2, pcall(load("\nphial = require 'phial' phial.parse()", "=script"))))]]))
  end)
end)
