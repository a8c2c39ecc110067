-- Emitters: functions as text of other kinds.
local command = require "phial.command.emit"
local emitters = require "phial.emit"
local file = require "spec.support.file"
local input = require "phial.command.input"
local lfs = require "lfs"
local options = require "phial.options"
local phial = require "phial"
local portable = require "phial.portable"
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
    local message = "unknown emitter '%s'%s; there are: "
      .. table.concat(portable.sorted(emitters.BUNDLED), ", ")
    refused(nil, message:format("nosuch", ""), function() return phial.emit.nosuch end)
    refused(nil, message:format("lvm", " (did you mean 'llvm'?)"),
      function() return phial.emit.lvm end)
    refused(nil, message:format("lua.code", ""), function() return phial.emit["lua.code"] end)
    refused(nil, message:format("init", ""), function() return phial.emit.init end)
    refused(nil, message:format("1", ""), function() return phial.emit[1] end)
    refused(nil, "there is no emitter 'text' any more: use it:text(opts)",
      function() return phial.emit.text end)
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

-- The names that a text has where a pattern captures one, as a set.
local function names_in(text, pattern)
  local set = {}
  for name in text:gmatch(pattern) do set[name] = true end
  return set
end

-- All places that name the emitters that come with phial name each, and none that does not exist.
describe("an emitter", function()
  local BUNDLED <const> = emitters.BUNDLED
  local declared = file.read "types/phial.lua":match "\n%-%-%-@class phial%.Emitters\n(.-)\n\n"
  local formats = {}
  for _, row in ipairs(command.formats()) do formats[row[1]] = row[2] end

  it("is a module of lua/phial/emit", function()
    local found = {}
    for name in lfs.dir "lua/phial/emit" do
      if not name:find "^%." and name ~= "init.lua" then found[name:gsub("%.lua$", "")] = true end
    end
    assert.same(found, BUNDLED)
  end)

  it("is declared in types/phial.lua", function()
    assert.same(BUNDLED, names_in(declared, "%-%-%-@field (%w+)"))
  end)

  it("is in docs/interface.md", function()
    assert.same(BUNDLED, names_in(file.read "docs/interface.md", "phial%.emit%.(%w+)%("))
  end)

  it("is a format of the command, as the text form is, and in docs/command.md", function()
    local wanted = options.union(BUNDLED, { text = true })
    local sentence = file.read "docs/command.md":match "\n`emit` writes (.-), or what"
    assert.same(wanted, names_in(sentence, "`(%w+)`"))
    assert.same(portable.sorted(wanted), portable.sorted(formats))
  end)

  for name in pairs(BUNDLED) do
    local its = emitters.about(name)

    it("has the fields of phial.Emitter, and a line of help: " .. name, function()
      for field, kind in pairs { help = "string", func = "function", module = "function",
        trace = "function", joined = "boolean", lenient = "boolean" } do
        local is_needed = field == "help" or field == "func"
        assert.equal(is_needed and kind or its[field] ~= nil and kind or "nil", type(its[field]))
      end
      assert.equal(its.help, formats[name])
    end)

    it("takes what types/phial.lua says: " .. name, function()
      local takes = declared:match("@field " .. name .. " fun%(%w+: ([^,)]+)")
      assert.equal("phial.Function" .. (its.module and "|phial.Module" or "")
        .. (its.trace and "|phial.Record|string" or ""), takes)
    end)
  end
end)

-- The options of `phial emit` that show how a trace is constructed, or more of a page.
describe("phial emit", function()
  local TRACE <const> = "F f 1 0 -\nb entry\nx\nE\n"
  local VALUES <const> = { detail = true, leave = true, rules = "int", source = true,
    compare = "simple", steps = "1" }

  it("gives a user's emitter what it takes", function()
    package.preload["phial.emit.kinds"] = function()
      local function kind(name) return function() return name end end
      return { func = kind "function\n", module = kind "module", trace = kind "trace",
        joined = true }
    end
    local inputs = "spec/golden/command/inputs/"
    local function text(name) return command.text("kinds", input.open(inputs .. name), {}, {}) end
    assert.equal("function\n", text "gcd.phial")
    assert.equal("module", text "module.phial")
    assert.equal("trace", text "sum.trace")
  end)

  -- The emitters that take an option for a trace, as help lists them, and the refusal by others.
  local function takers(option)
    local names, why = {}, nil
    for _, name in ipairs(portable.sorted(emitters.BUNDLED)) do
      local it = { kind = "trace", name = "t", text = TRACE }
      local ok, err = pcall(command.text, name, it, {}, { [option] = VALUES[option] })
      local refusal = not ok and type(err) == "table" and err.usage and err.message
      if refusal then
        assert.equal(why or refusal, refusal)
        why = refusal
      else names[#names + 1] = name end
    end
    return table.concat(names, ", "), why
  end

  for _, row in ipairs(command.options) do
    local option = row[1]:match "^%-%-(%l+)"
    if VALUES[option] then
      it("says which formats take --" .. option, function()
        local names, why = takers(option)
        local of_trace = option ~= "source" and " of a trace" or ""
        assert.equal(("%s%s: "):format(names, of_trace), row[2]:match "^[%l, ]+: ")
        assert.equal(("--%s: only for %s%s"):format(option, names:gsub(", (%l+)$", " and %1"),
          of_trace), why)
      end)
    end
  end
end)

local function has_dot() return os.execute "command -v dot >/dev/null 2>&1" == true end

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
    local graphs = { phial.emit.dot(phial.fn "nothing") }
    for i = 2, #names do
      local fn = two_entries(names[i - 1], names[i])
      graphs[#graphs + 1] = phial.emit.dot(fn)
      graphs[#graphs + 1] = phial.emit.dot(fn:finish())
    end
    assert(accepted(table.concat(graphs, "\n")))
  end)
end)
