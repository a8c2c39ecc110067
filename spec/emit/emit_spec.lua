-- Emitters: functions as text of other kinds.
local file = require "spec.support.file"
local lfs = require "lfs"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"

describe("phial.emit", function()
  it("wants a function", function()
    refused(nil, "bad argument #1 to 'phial.emit.dot' (phial.Function expected, got nil)",
      function() phial.emit.dot() end)
    refused(nil,
      "bad argument #1 to 'phial.emit.c' (phial.Function or phial.Module expected, got string)",
      function() phial.emit.c "f" end)
    local fn = phial.fn "f"
    fn:close()
    refused(nil, "function 'f' is closed", function() local _ = phial.emit.dot(fn) end)
  end)

  it("wants a function, a record or a trace where an emitter takes them", function()
    local message = "bad argument #1 to 'phial.emit.json' (phial.Function, phial.Record or trace "
      .. "expected, got %s)"
    refused(nil, message:format "table", function() phial.emit.json {} end)
    refused(nil, message:format "phial.Module", function() phial.emit.json(phial.module "m") end)
    refused(nil, message:format "nil", function() phial.emit.json() end)
  end)

  it("lists the emitters when asked for another one", function()
    local NAMES <const> = "blockargs, c, cps, dot, html, json, llvm, lua, svg"
    local message = "unknown emitter '%s'%s; there are: " .. NAMES
    refused(nil, message:format("nosuch", ""), function() return phial.emit.nosuch end)
    refused(nil, message:format("lvm", " (did you mean 'llvm'?)"),
      function() return phial.emit.lvm end)
    refused(nil, message:format("lua.code", ""), function() return phial.emit["lua.code"] end)
    refused(nil, message:format("init", ""), function() return phial.emit.init end)
    refused(nil, message:format("1", ""), function() return phial.emit[1] end)
    refused(nil, "there is no emitter 'text' any more: use it:text(opts)",
      function() return phial.emit.text end)
    local listed = {}
    for name in NAMES:gmatch "%a+" do listed[name] = true end
    for name in lfs.dir "lua/phial/emit" do
      if not name:find "^%." and name ~= "init.lua" then
        assert(listed[name:gsub("%.lua$", "")], name)
      end
    end
  end)

  it("finds emitters wherever Lua finds modules", function()
    package.preload["phial.emit.names"] = function()
      return { func = function(fn, opts) return fn:name() .. opts, "more" end }
    end
    local name, more = phial.emit.names(phial.fn "f", "!")
    assert.equal("f! more", name .. " " .. more)
    refused(nil, "bad argument #1 to 'phial.emit.names' (phial.Function expected, got table)",
      function() phial.emit.names {} end)
    local m = phial.module "m"
    refused(nil,
      "bad argument #1 to 'phial.emit.names' (phial.Function expected, got phial.Module)",
      function() phial.emit.names(m) end)
    package.preload["phial.emit.both"] = function()
      return { func = function() return "function" end, module = function() return "module" end }
    end
    assert.equal("function", phial.emit.both(phial.fn "f"))
    assert.equal("module", phial.emit.both(m))
    refused(nil,
      "bad argument #1 to 'phial.emit.both' (phial.Function or phial.Module expected, got table)",
      function() phial.emit.both {} end)
    package.preload["phial.emit.broken"] = function() error("broken", 0) end
    raises.matching("broken", function() return phial.emit.broken end)
  end)
end)

local function has_dot()
  return os.execute "command -v dot >/dev/null 2>&1" == true
end

-- True if Graphviz accepts it without warnings.
local function accepted(source)
  local path = os.tmpname()
  file.write(path, source)
  local pipe = assert(io.popen(("LD_PRELOAD= dot -Tsvg '%s' 2>&1 >/dev/null"):format(path)))
  local complaint = pipe:read "a"
  local ok = pipe:close()
  os.remove(path)
  return ok and complaint == "", complaint
end

-- Two blocks that lead to each other, both with an edge from outside.
local function two_entries(left, right)
  local fn = phial.fn("f", { "c:i1" }, "i64")
  local x = fn:var "x"
  local a, b, out = fn:block(left), fn:block(right), fn:block "out"
  fn:entry():write(x, 1)
  fn:entry():branch(fn:arg(1), a, b)
  a:write(x, a:add(a:read(x), 1))
  a:jump(b)
  b:write(x, b:mul(b:read(x), 2))
  b:switch(b:read(x), out, { [7] = a, [-1] = out })
  out:ret(out:read(x))
  return fn
end

describe("phial.emit.dot", function()
  it("draws blocks as tables and edges with their meaning", function()
    local fn = phial.fn("f", { "n:i64" }, "i64")
    local i, head, body, done = fn:param(1), fn:block "head", fn:block "body", fn:block "done"
    fn:entry():jump(head)
    head:branch(head:sgt(head:read(i), 0), body, done)
    body:write(i, body:sub(body:read(i), 1))
    body:jump(head)
    done:ret(done:read(i))
    fn:finish()
    for name, v in pairs { i = head:phis()[1], test = head:insts()[1], less = body:insts()[1] } do
      v:set_name(name)
    end
    local dot = phial.emit.dot(fn)
    for _, part in ipairs {
      "<b>head</b>", "%i: i64 = phi n [entry: %n, body: %less]", "%test: i1 = sgt %i, 0",
      "b1 -> b2 [color=black];", "b2 -> b3 [label=<true>, color=black];",
      "b2 -> b4 [label=<false>, color=black];", "b3 -> b2 [color=blue];",
    } do
      assert.truthy(dot:find(part, 1, true), part .. "\n" .. dot)
    end
  end)

  it("marks the entries of an irreducible loop", function()
    local fn = two_entries("a", "b")
    assert.truthy(phial.emit.dot(fn):find("color=red", 1, true))
    fn:finish()
    local dot = phial.emit.dot(fn)
    assert.truthy(dot:find("[label=<7>, color=red]", 1, true) or
      dot:find("b2 -> b3 [color=red]", 1, true), dot)
  end)

  it("is accepted by Graphviz, whatever the names", function()
    if not has_dot() then return pending "Graphviz is not here" end
    local names = {
      "a<b>", 'q"q', "a&amp;b", "\\n\\", "new\nline", "\0\1\127", "\xff\xfe", "é", "]]>",
    }
    for i = 2, #names do
      local fn = two_entries(names[i - 1], names[i])
      fn:entry():name()
      assert(accepted(phial.emit.dot(fn)))
      assert(accepted(phial.emit.dot(fn:finish())))
    end
    assert(accepted(phial.emit.dot(phial.fn "nothing")))
  end)
end)
