-- phial.source: which writes reads see, by the forms of Lua; its options, and mistakes.
local raises = require "spec.support.raises"
local source = require "phial.source"

-- The names of a tree that are read, or written, in order.
local function names(program, method)
  local list, seen = {}, {}
  local function walk(node)
    local is_name = node.tag == "Id" or node.tag == "Dots"
    if is_name and not seen[node] and pcall(program[method], program, node) then
      seen[node], list[#list + 1] = true, node
    end
    for _, part in ipairs(node) do
      if type(part) == "table" then walk(part) end
    end
  end
  walk(program:functions()[1].node)
  table.sort(list, function(a, b) return a.offset < b.offset end)
  return list
end

local function shown(list)
  local lines = {}
  for i, node in ipairs(list) do lines[i] = node.line or 0 end
  table.sort(lines)
  return table.concat(lines, " ")
end

-- What the reads of a source see, "x2: 1" for the line 1 where line 2 reads x; the same with all
-- options.
local function seen(text, opts)
  local all
  for _, values in ipairs { false, true } do
    local o = { values = values, refine = values }
    for key, it in pairs(opts or {}) do o[key] = it end
    local program, list = assert(source.parse(text, o)), {}
    for _, read in ipairs(names(program, "writes")) do
      list[#list + 1] = ("%s%d: %s"):format(read[1], read.line, shown(program:writes(read)))
    end
    local text_of = table.concat(list, ", ")
    assert(all == nil or all == text_of, text_of)
    all = text_of
    for _, f in ipairs(program:functions()) do assert(f.fn:verify()) end
  end
  return all
end

-- Statements, separated by `|`, are on lines of their own.
local FORMS <const> = {
  ["local x | x = 1 | print(x)"] = "x3: 2",
  ["local x = 1 | if c then | x = 2 | end | print(x)"] = "x5: 1 3",
  ["local x = 1 | while true do | if x then break end | x = 2 | end | print(x)"]
    = "x3: 1 4, x6: 1 4",
  ["local x = 1 | repeat local x = 2 | until x | print(x)"] = "x3: 2, x4: 1",
  ["local x = 1 | repeat | if c then break end | x = 2 | until x | print(x)"] = "x5: 4, x6: 1 4",
  ["for i = 1, 2 do | print(i) | i = 3 | print(i) | end"] = "i2: 1, i4: 3",
  ["for k, v in pairs(t) do | print(v, k) | end"] = "v2: 1, k2: 1",
  ["local x = 1 | goto done | x = 2 | ::done:: | print(x)"] = "x5: 1",
  ["local x = 1 | ::again:: | print(x) | x = 2 | goto again"] = "x3: 1 4",
  ["local x = 1 | do goto l | ::l:: | x = 2 | end | print(x)"] = "x6: 4",
  ["local x <const> = 1 | print(x)"] = "x2: 1",
  ["local x <close> = f() | print(x)"] = "x1: 1, x2: 1",
  ["print(...)"] = "...1: 0",
  ["local a, b = 1, 2 | a, b = b, a | print(a, b)"] = "b2: 1, a2: 1, a3: 2, b3: 2",
  ["local x | x, | x = 1, 2 | print(x)"] = "x4: 2",
  ["local t = {} | t[1], t = 1, 2 | print(t)"] = "t2: 1, t3: 2",
  ["local x = 1 | local x = x | print(x)"] = "x2: 1, x3: 2",
  ["local function f() | return f | end"] = "f2: 1",
  ["local x = 1 | x = c and x or 2 | print(x)"] = "x2: 1, x3: 2",
  ["local x = 1 | if false then | x = 2 | end | print(x)"] = "x5: 1",
  ["local x = 1 | while (true) do | x = 2 | if c then break end | end | print(x)"] = "x6: 3",
  ["local x = 1 | if not (nil) then | x = 2 | end | print(x)"] = "x5: 3",
  ["local x = 1 | if c and false then | x = 2 | end | print(x)"] = "x5: 1",
  ["local x = 1 | if not c or true then | x = 2 | end | print(x)"] = "x5: 3",
  ["local x = 1 | if c() and {} then | x = 2 | end | print(x)"] = "x5: 1 3",
  ["local x = 1 | do return end | print(x)"] = "x3: ",
  ["local x = 1 | local _ENV = {} | print(x)"] = "print3: 2, x3: 1",
  ["function M:f(a) | return self, a | end"] = "self2: 1, a2: 1",
  ["local x = 1 | x += 1 | print(x)"] = "x2: 1, x3: 2",
  ["local x = 'nil' | if not (x == nil or x) then | print(x) | else | print(x) | end"]
    = "x2: 1, x2: 1, x3: 1, x5: 1",
}

-- By the models "calls" and "creation".
local CLOSURES <const> = {
  ["local x = 1 | x = 2 | local function f() return x end | x = 3"] = { "x3: 2 4", "x3: 2 4" },
  ["local x = 1 | local function f() x = 2 end | print(x)"] = { "x3: 1", "x3: 1 2" },
  ["local x = 1 | local function f() x = 2 end | f() | print(x)"]
    = { "f3: 2, x4: 1 2", "f3: 2, x4: 1 2" },
  ["local x = 1 | local function f() x = 2 end | f() | x = 3 | print(x)"]
    = { "f3: 2, x5: 4", "f3: 2, x5: 2 4" },
  ["local x = 1 | while g() do | print(x) | h(function() x = 2 end) | end"]
    = { "x3: 1 4", "x3: 1 4" },
  ["while g() do | local x = 1 | print(x) | h(function() x = 2 end) | end"]
    = { "x3: 2", "x3: 2 4" },
  ["local x = 1 | local function f() | x = 2 | return x | end"] = { "x4: 3", "x4: 1 3" },
  ["local x = 1 | local function f() | x = 2 | f() | return x | end"]
    = { "f4: 2, x5: 1 3", "f4: 2, x5: 1 3" },
  ["local x = 1 | f(function() return x end) | f(function() x = 3 end)"]
    = { "x2: 1 3", "x2: 1 3" },
  ["local x = 1 | f(function() | return function() return x end | end) | x = 4"]
    = { "x3: 1 5", "x3: 1 5" },
}

local function lines(text) return (text:gsub(" | ", "\n")) end

describe("phial.source", function()
  it("knows what reads see in every form of Lua", function()
    for text, expected in pairs(FORMS) do assert.equal(expected, seen(lines(text)), text) end
  end)

  it("has two models of what closures write", function()
    for text, expected in pairs(CLOSURES) do
      assert.equal(expected[1], seen(lines(text)), text)
      assert.equal(expected[2], seen(lines(text), { closures = "creation" }), text)
    end
  end)

  it("lets unreachable code reach other code where that is asked", function()
    local text = lines "local x = 1 | if c then | do return end | x = 2 | end | print(x)"
    assert.equal("x6: 1", seen(text))
    assert.equal("x6: 1 4", seen(text, { unreachable = "joined" }))
    text = lines "local function f(x) | do return end | print(x) | end"
    assert.equal("x3: ", seen(text, { unreachable = "joined" }))
  end)

  it("knows which reads would see what unreachable code writes", function()
    local function stops(_, node) return node[1][1] == "stop" and { returns = "never" } or nil end
    local text = "local x, f = 1, g | while c do | if d then | stop() | x = 2 | f = x | end | "
      .. "print(x) | end | x() | f()"
    local program = assert(source.parse(lines(text), { values = true, calls = stops }))
    local seen_by = {}
    for _, write in ipairs(names(program, "reads")) do
      seen_by[write[1] .. write.line] = shown(program:reads(write))
    end
    assert.same({ x1 = "8 10", x5 = "6 8 10", f1 = "11", f6 = "11" }, seen_by)
    for _, read in ipairs(names(program, "writes")) do
      assert.equal(read.line == 6 and "5" or "1", shown(program:writes(read)))
    end
    for v in program:functions()[1].fn:values() do
      assert(v:op() ~= "phi" or not v:block():is_reachable())
    end
  end)

  it("refines what conditions name, also through copies and other names", function()
    local function refined(text)
      local program, list = assert(source.parse(text, { values = true, refine = true })), {}
      for v in program:functions()[1].fn:values() do
        if v:op() == "refine" then list[#list + 1] = v:var():name() end
      end
      return table.concat(list, " ")
    end
    assert.equal("x", refined "local x = ... if x ~= nil then print(x) end")
    assert.equal("x x", refined "local x = ... if type(x) == 'table' then print(x) else x() end")
    assert.equal("x", refined "local x = ... local ok = x ~= nil if ok then print(x) end")
    assert.equal("", refined "local x = ... local ok = x ~= nil x = 1 if ok then print(x) end")
    assert.equal("x", refined "local x = ... local y = x if y then print(x) end")
    assert.equal("x", refined "local x = ... print(x and x.y)")
  end)

  it("has variables for paths that are tested or assigned", function()
    local function paths(text)
      local program = assert(source.parse(text, {
        values = true, refine = true, fields = true,
        calls = function(_, node) return node[1][1] == "pure" and { writes = false } or nil end,
      }))
      local list = {}
      for v in program:functions()[1].fn:values() do
        local what = v:op() == "refine" and "test" or v:op() == "may" and "may" or nil
        if what then list[#list + 1] = what .. " " .. v:var():name() end
      end
      return table.concat(list, ", ")
    end
    assert.equal("test x", paths "local t = ... if t.x then pure(t.x) end")
    assert.equal("test x", paths "if t.x then pure(t.x) end")
    assert.equal("test y", paths "local t = ... if t.x.y then pure(t.x.y) end")
    assert.equal("test x", paths "local t = ... local ok = t.x ~= nil if ok then pure(t.x) end")
    assert.equal("test x, may x", paths "local t = ... if t.x then f() pure(t.x) end")
    assert.equal("test x, may x", paths "local t, u = ... if t.x then u.x = 1 pure(t.x) end")
    assert.equal("test x", paths "local t, u = ... if t.x then u.y = 1 pure(t.x) end")
    assert.equal("test x, may x", paths "local t, k = ... if t.x then t[k] = 1 pure(t.x) end")
    assert.equal("", paths "local t = ... if t.x then t = pure() pure(t.x) end")
    assert.equal("", paths "local t = ... if t.x then pure(t.y) end")
  end)

  it("has may-writes of what a call is known to write", function()
    local text = "local x, y = 1, 2 local function f() x, y = y, x end f() return x, y"
    local function written(wanted)
      local program = assert(source.parse(text, { values = true, calls = function(program)
        local list = {}
        for _, v in ipairs(program:variables()) do
          if wanted:find(v.name) then list[#list + 1] = v end
        end
        return { writes = list }
      end }))
      local list = {}
      for v in program:functions()[1].fn:values() do
        local name = v:op() == "may" and v:var():name() or " "
        if not name:find " " then list[#list + 1] = name end
      end
      return table.concat(list, " ")
    end
    assert.equal("y", written "y")
    assert.equal("", written "f")
    assert.equal("x y", written "xy")
  end)

  it("has variables for paths in the order in which they are mentioned", function()
    local tests, expected = {}, {}
    for i = 1, 30 do
      local name = ("x%d"):format(i * 7 % 31)
      tests[i], expected[i] = ("if t.%s then f(t.%s) end"):format(name, name), name
    end
    local program = assert(source.parse("local t = ... " .. table.concat(tests, " "),
      { values = true, fields = true }))
    local made, is_made = {}, {}
    for _, write in ipairs(program:functions()[1].fn:write_accesses()) do
      local var = write:var()
      local name = var and var:name()
      if name and name:find "^x" and not is_made[name] then
        is_made[name], made[#made + 1] = true, name
      end
    end
    assert.same(expected, made)
  end)

  it("is told of calls that do not return, and knows what follows them", function()
    local ends = { stop = { returns = "never" }, check = { returns = "if true", writes = false } }
    local program = assert(source.parse([[
      local x = ...
      check(x ~= nil)
      local y = x or stop()
      check(f())
      if y then stop() print(y) else return y end
      print(x)
    ]], {
      values = true, refine = true, calls = function(_, node) return ends[node[1][1]] end,
    }))
    local main, dead, ops = program:functions()[1], {}, {}
    for _, node in ipairs(main.dead) do dead[#dead + 1] = program:range(node) end
    for _, block in ipairs(main.fn:rpo()) do
      local op = block:terminator():op()
      ops[op] = (ops[op] or 0) + 1
    end
    assert.same({ 5 }, dead)
    assert.equal(4, ops.unreachable)
    assert.equal(1, ops["lua.return"])
  end)

  it("knows what calls call, as far as names tell", function()
    local program = assert(source.parse([[
      local function f() end
      local g, format, h = f, string.format, function() end
      h = nil
      local m = require "m"
      local calls = { f(), g(), format(), print(), g.x(), h(), (f)(), m.f() }
    ]], { values = true }))
    local list = {}
    for v in program:functions()[1].fn:values() do
      if v:op():find "^lua.call" then
        local callee, name = program:callee(v:nodes()[1])
        list[#list + 1] = callee and callee.name or name or "?"
      end
    end
    assert.equal("require f f string.format print ? ? f m.f", table.concat(list, " "))
  end)

  it("names functions, and says what they capture", function()
    local program = assert(source.parse [[
      local a, b
      function M.x.f() a = 1 end
      local function g() return function() return a, b end end
      local h = function() end
      return function() end
    ]])
    local list = {}
    for i, f in ipairs(program:functions()) do
      list[i] = f.name .. ":"
      for _, captured in ipairs(f.captured) do
        list[i] = ("%s %s %d/%d"):format(list[i], captured.variable.name, #captured.reads,
          #captured.writes)
      end
    end
    assert.same({ "main chunk:", "M.x.f: a 0/1", "g: a 1/0 b 1/0", "anonymous: a 1/0 b 1/0", "h:",
      "anonymous:" }, list)
  end)

  it("knows which writes end others on all paths", function()
    local function overwritten(text)
      local program = assert(source.parse(lines(text)))
      local by = program:overwritten_by(program:variables()[2].node)
      return by and shown(by)
    end
    assert.equal("2", overwritten "local x = 1 | x = 2")
    assert.equal("3 5", overwritten "local x | if c then | x = 1 | else | x = 2 | end")
    assert.equal("3", overwritten "local x | while c do end | x = 2")
    assert.is_nil(overwritten "local x | if c then | x = 1 | end")
    assert.is_nil(overwritten "local x | x = x")
    assert.is_nil(overwritten "local x | f(function() return x end) | x = 1")
    assert.is_nil(overwritten "while c do | local x | if d then x = 1 end | end")
    assert.is_nil(overwritten "local x | if c then return end | x = 1")
    assert.is_nil(overwritten "local x | while true do end")
  end)

  it("gives the accesses of a name and of a closure", function()
    local program = assert(source.parse "local x = 1 x = f(function() return x end)")
    local f = program:functions()[2]
    assert.equal(1, #program:accesses(f.captured[1].reads[1]))
    local roles = {}
    for i, access in ipairs(program:accesses(f.node)) do
      roles[i] = ("%s %s"):format(access:var(), access:is_write())
    end
    assert.same({ "x false", "x's readers true" }, roles)
    assert.same({}, program:accesses {})
  end)

  it("asks for no more than a limit", function()
    local program = assert(source.parse(lines
      "local x = 1 | local f = function() x = 2 end | if f() then | x = 4 | end | print(x)"))
    for _, node in ipairs(names(program, "writes")) do
      if node.line == 6 then
        assert.equal(3, #program:writes(node))
        assert.equal(2, #program:writes(node, 2))
      end
    end
  end)

  it("tells where unreachable code begins: not at labels that jumps reach", function()
    for text, expected in pairs {
      ["goto a ::a:: f()"] = "", ["repeat return until x"] = "21",
      ["goto b ::a:: f() do return end ::b:: goto a"] = "", ["do return end ::a:: f()"] = "15",
      ["goto b ::a:: f() goto a ::b::"] = "8", ["goto b f() ::a:: ::b:: f()"] = "8",
      ["repeat break until f() g()"] = "20",
    } do
      for _, unreachable in ipairs { "apart", "joined" } do
        local program, cols = assert(source.parse(text, { unreachable = unreachable })), {}
        for _, node in ipairs(program:functions()[1].dead) do
          cols[#cols + 1] = select(2, program:range(node))
        end
        assert.equal(expected, table.concat(cols, " "), text)
      end
    end
  end)

  it("names what is called, also as a method", function()
    local program = assert(source.parse
      "local m = require 'm' m.f() m:g() h:i(); (x or y):z() f()()")
    local called = {}
    for i, node in ipairs(program:functions()[1].node) do
      local f, name = program:callee(node)
      assert.is_nil(f)
      called[i] = name or "-"
    end
    assert.same({ "-", "m.f", "m.g", "h.i", "-", "-" }, called)
  end)

  it("takes long chains of operators", function()
    assert(source.parse("return a" .. (" + a"):rep(30000), { values = true }))
  end)

  it("gives nil and a message for what is not Lua", function()
    local function wrong(message, text)
      local program, problem = source.parse(text, { name = "a.lua" })
      assert.is_nil(program)
      assert.equal(message, problem)
    end
    wrong("a.lua:1:9: expected expression near <eof>", "local x=")
    wrong("a.lua:2:1: break outside loop at line 2", "\nbreak")
    wrong("a.lua:1:1: no visible label 'x' for <goto> at line 1", "goto x do ::x:: end")
    wrong("a.lua:1:7: label 'x' already defined on line 1", "::x:: ::x::")
    wrong("a.lua:1:20: attempt to assign to const variable 'x'", "local x<const> = 1 x = 2")
    wrong("a.lua:1:41: attempt to assign to const variable 'x'",
      "local x <close> = f() return function() x = 2 end")
    wrong("a.lua:1:26: cannot use '...' outside a vararg function near '...'",
      "return function() return ... end")
    local deep = {}
    for _ = 1, 200000 do deep = { { tag = "Do", line = 1, table.unpack(deep) } } end
    assert.same({ nil, "the source is nested too deeply" }, { source.tree { statements = deep } })
    assert(source.parse "\xef\xbb\xbf#! a file's byte order mark, and what follows\nreturn 1")
    assert.same({ nil, "nowhere.lua: No such file or directory" }, { source.load "nowhere.lua" })
  end)

  it("takes trees of other parsers", function()
    local id = { tag = "Id", line = 1, "x" }
    local read = { tag = "Id", line = 2, "x" }
    local tree = {
      statements = {
        { tag = "Local", line = 1, { id }, { { tag = "Number", "1" } } },
        { tag = "Return", line = 2, read },
      },
      range = function(node) return node.line, 1, node.line, 2 end,
    }
    local program = assert(source.parse("text", { parser = { parse = function(text)
      assert.equal("text", text)
      return tree
    end } }))
    assert.same({ id }, program:writes(read))
    assert.same({ 2, 1, 2, 2 }, { program:range(read) })
    local none, message = source.parse("text", {
      name = "a.lua", parser = { parse = function() return nil, "wrong", 3, 4 end },
    })
    assert.same({ nil, "a.lua:3:4: wrong" }, { none, message })
  end)

  -- Each use runs a metamethod that writes x, as a run shows; a read in the next line may see it.
  it("lets metamethods write, with an option", function()
    local uses = {
      "local _ = t.a", "t.a = 1", "local _ = t + 1", "local _ = -t", "local _ = #t", "local _ = ~t",
      "local _ = t .. ''", "local _ = t < t", "local _ = t >= t", "local _ = t == u",
      "if t ~= u then end",
      "local _ENV = t; local _ = a", "t:a()", "do local c <close> = t end",
    }
    for _, use in ipairs(uses) do
      local text = [[
local x = 1; local set = setmetatable; local f = function() x = 2 return function() end end
local m = { __index = f, __newindex = f, __add = f, __unm = f, __len = f, __bnot = f, __concat = f,
  __lt = f, __le = f, __eq = f, __close = f }; local t, u = set({}, m), set({}, m)
]] .. use .. "\nreturn x"
      assert.equal(2, assert(load(text))(), use)
      assert.truthy(seen(text, { metamethods = true }):find("x5: 1 1$"), use)
    end
    for _, use in ipairs { "local _ = t == 1", "local _ = not t", "local _ = t and u" } do
      local text = "local t, u, x local function f() x = 1 end\nx = 2\n" .. use .. "\nreturn x"
      assert.truthy(seen(text, { metamethods = true }):find("x4: 2$"), use)
    end
    local text = "local t, x local function f() x = 1 end\nx = 2\nlocal _ = t + 1\nreturn x"
    assert.truthy(seen(text):find("x4: 2$"))
  end)

  it("refuses wrong calls", function()
    local function refused(message, ...) assert.equal(message, raises.message(...)) end
    refused("bad argument #1 to 'phial.source.parse' (string expected, got nil)", source.parse)
    refused("bad argument #1 to 'phial.source.tree' (table expected, got 1)", source.tree, 1)
    refused("bad argument #2 to 'phial.source.load' (table expected, got 5)", source.load, "", 5)
    refused("'phial.source.parse': option 'refine' needs option 'values'", source.parse, "",
      { refine = true })
    refused("'phial.source.parse': unknown option 'value'; there are: calls, closures,"
      .. " fields, metamethods, name, parser, refine, unreachable, values", source.parse, "",
      { value = true })
    local program = assert(source.parse "local x = 1")
    local id = program:variables()[2].node
    refused("program:writes: the node is not a read of a variable", program.writes, program, id)
    refused("program:reads: the node is not a write of a variable", program.reads, program, {})
  end)
end)
