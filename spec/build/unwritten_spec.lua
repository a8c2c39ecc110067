-- What a body reads and no path to the read has written: an error of finish, unless the
-- option undef is given.
local core = require "phial.core"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"

local here = debug.getinfo(1, "S").short_src

-- The line of the caller.
local function line() return debug.getinfo(2, "l").currentline end

local function build(opts, body)
  return phial.build("f", { "c:i1", "n:i64" }, "i64", opts, body)
end

-- y is written in one arm and read in the other one.
local function other_arm(b, v)
  b:if_(v.c, function() v.y = 1 end, function() v.n = v.y end)
  b:ret(v.n)
end

local REFUSED = "%s:%d: function '%s' cannot be finished: "
  .. "no path to these reads writes their variables\n"

describe("a read that no path writes for", function()
  it("is an error of finish, with its line", function()
    local at = line()
    local ok, err = pcall(function()
      build({}, function(b, v)
        b:var "x"
        b:if_(v.c, function() v.n = v.x + 1 end)
        b:while_(function() return v.n:sgt(v.x) end, function() b:call("f", nil, v.x) end)
        b:ret(v.x + v.n)
      end)
    end)
    assert.is_false(ok)
    local var = ("  variable 'x' (at %s:%d), read in block "):format(here, at + 3)
    assert.equal((REFUSED .. [[
%s'if_then' (at %s:%d)
%s'while_head' (at %s:%d)
%s'while_body' (at %s:%d)
%s'while_done' (at %s:%d)]]):format(here, at + 2, "f", var, here, at + 4, var, here, at + 5,
      var, here, at + 5, var, here, at + 6), err)
  end)

  it("is one in a module, and with a location of the frontend", function()
    local m = phial.module "m"
    local at = line()
    local ok, err = pcall(function()
      m:build("g", { "c:i1", "n:i64" }, "i64", function(b, v)
        b:set_loc(7, 3)
        other_arm(b, v)
      end)
    end)
    assert.is_false(ok)
    assert.equal((REFUSED .. "  variable 'y' (at %s:19), read in block 'if_else' (at %s:19) @ 7:3")
      :format(here, at + 2, "g", here, here), err)
    assert.is_nil(m:get "g")
  end)

  it("is one without places", function()
    local at
    local ok, err = pcall(function()
      at = line() + 1
      build({ where = false }, other_arm)
    end)
    assert.is_false(ok)
    assert.equal((REFUSED .. "  variable 'y', read in block 'if_else'"):format(here, at, "f"), err)
  end)

  it("is undef if the option says so, or a function, also one of the module", function()
    assert.truthy(build({ undef = "undef" }, other_arm))
    assert.equal(8, build({ undef = function() return 8 end }, other_arm)(false, 1))
    local m = phial.module("m", { undef = "undef" })
    local fn = m:build("f", { "c:i1", "n:i64" }, "i64", other_arm)
    assert.equal("y", fn:undefined_reads()[1].var:name())
  end)

  it("is undef in phial.fn", function()
    local fn = phial.fn("f", {}, "i64")
    fn:entry():ret(fn:entry():read(fn:var "x"))
    assert.equal(1, #fn:finish():undefined_reads())
  end)

  it("is undef when the function has been reopened", function()
    local fn = build({}, function(b, v) b:ret(v.n) end)
    fn:reopen()
    assert.equal("undef", fn:entry():read(fn:var "x"):op())
    assert.truthy(fn:finish())
  end)
end)

describe("a read that some path writes for", function()
  local function accepted(body)
    local fn = build({}, body)
    assert.equal(1, #fn:undefined_reads())
  end

  it("is left as undef, and told by fn:undefined_reads", function()
    accepted(function(b, v)
      b:if_(v.c, function() v.q = 1 end)
      b:if_(v.c, function() v.n = v.q end)
      b:ret(v.n)
    end)
  end)

  it("may be written by the iteration before", function()
    accepted(function(b, v)
      b:var "x"
      b:while_(function() return v.n:sgt(0) end, function()
        v.n = v.n - v.x
        v.x = 1
      end)
      b:ret(v.n)
    end)
  end)

  it("may be written undef", function()
    accepted(function(b, v)
      b:if_(v.c, function() v.y = b:undef "i64" end)
      b:ret(v.y)
    end)
  end)

  it("may be written by a may-write", function()
    accepted(function(b, v)
      local x = b:var "x"
      b:if_(v.c, function() b:may_write({ x }, 3) end)
      b:ret(v.x)
    end)
  end)

  it("is no error in dead code", function()
    assert.truthy(build({}, function(b, v)
      b:var "x"
      b:ret(v.n)
      v.n = v.x
    end))
  end)
end)

-- By data-flow analysis: the reads, as "block variable", of reached blocks to which no
-- path writes the variable.
local function unwritten_reads(p)
  local seen, written, changed = programs.reached(p), {}, true
  local found = {}
  for i = 1, #p.blocks do written[i] = {} end
  local function pass(i, block)
    local now = {}
    for v in pairs(written[i]) do now[v] = true end
    local function read(v)
      if v and not now[v] then found[i .. " v" .. v] = true end
    end
    for _, op in ipairs(block) do
      read(op.a)
      read(op.b)
      if op.op == "kill" then now[op.var] = nil elseif op.op ~= "use" then now[op.var] = true end
    end
    read(block.cond)
    for _, target in ipairs(block.targets) do
      for v in pairs(now) do
        if not written[target][v] then written[target][v] = true changed = true end
      end
    end
  end
  while changed do
    changed, found = false, {}
    for i, block in ipairs(p.blocks) do
      if seen[i] then pass(i, block) end
    end
  end
  return found
end

describe("of random programs", function()
  for _, kind in ipairs { "generate", "generate_with_kills" } do
    it("exactly the reads that no path writes for are refused: " .. kind, function()
      prop.forall(programs[kind], function(p)
        for _, seal in ipairs { "early", "random", "finish" } do
          local number = {}
          local fn, _, blocks = programs.build(p, { seal = seal, started = core.refuse_unwritten })
          for i, block in ipairs(blocks) do number[tostring(block)] = i end
          local ok, err = pcall(fn.finish, fn)
          local found = {}
          for var, block in (ok and "" or err):gmatch "variable '(v%d+)'.-read in block '(.-)'" do
            found[number[block] .. " " .. var] = true
          end
          assert.same(unwritten_reads(p), found)
        end
      end)
    end)
  end
end)
