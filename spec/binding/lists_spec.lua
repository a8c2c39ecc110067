-- Every list, map and table of options that types/phial.lua declares is read strictly: what means
-- less than it says is refused at the call, and changes nothing. It declares all options, and all
-- words that one of them can be.
local declared = require "fuzz.attack.declared"
local native = require "phial.native"
local phial = require "phial"
local refused = require "spec.support.refused"

local TEXT <const> = "fn f() {\nentry:\n  ret\n}\n"
local TRACE <const> = "F f 1 0 -\nb entry\nx\nE\n"

--
-- {== What there is to call ===========================================
--

-- A function under construction, one that is finished, a module and rules.
local function new_world()
  local d = phial.dialect("d", { op = { args = 0 }, go = { terminator = true, targets = "*" },
    many = { result = "*", results = "*" } })
  local w = { d = d, m = phial.module "m", rules = phial.rules "a: x + 0 => x" }
  w.fn = phial.fn("f", { "x", "y", "c:i1", "p:ptr" }, "i64", { dialects = { d } })
  w.x, w.y, w.c, w.p = table.unpack(w.fn:params())
  w.entry, w.yes, w.no = w.fn:entry(), w.fn:block(), w.fn:block()
  w.done = phial.fn("g", { "a", "b" }, "i64", { accesses = true, log = true })
  local entry, tail = w.done:entry(), w.done:block "tail"
  entry:jump(tail)
  tail:seal()
  tail:ret(tail:add(tail:read(w.done:params()[1]), tail:read(w.done:param(2))))
  w.done:finish()
  w.cursor, w.tail, w.add = entry:back(), tail, tail
  return w
end

local function seen(w)
  return table.concat({ w.fn:text(), w.done:text(), w.m:text(), w.rules:text() }, "\n")
end

-- }== Lists ===========================================================
--
-- For each what its errors name, two elements, something that is none, and what takes it.

local function classes(call)
  return function(option)
    return function(w)
      return ("option '%s'"):format(option), "heap", "len", "all", function(list)
        return call(w, { [option] = list })
      end
    end
  end
end

local of_extra = classes(function(w, opts) return w.entry:call("g", nil, opts) end)
local of_declared = classes(function(w, opts) return w.m:declare("h", {}, nil, opts) end)

local function of_op(field, a, b, wrong)
  return function()
    return ("op 'o': %s"):format(field), a, b, wrong, function(list)
      return phial.dialect("e", { o = { [field] = list, traps = true } })
    end
  end
end

-- What an op of a dialect returns to be written.
local function lines(emitter)
  return function()
    return "of op 'e.o' returned", "", "", 1, function(list)
      local e = phial.dialect("e", { o = { [emitter] = function() return list end } })
      local fn = phial.fn("f")
      fn:entry():emit(e.o)
      fn:entry():ret()
      return phial.emit[emitter](fn:finish())
    end
  end
end

-- An exporter, with other fields.
local function exporter(more)
  local description = { name = "", types = {}, constant = tostring, frame = tostring, value = "$v",
    label = "$v", incoming = "$a",
    rows = { phi = "", jump = "do $>1", branch = "do $a $>1 $>2" } }
  for field, value in pairs(more) do description[field] = value end
  return phial.exporter(description)
end

local function exporter_map(field)
  return function()
    return ("'phial.exporter': option '%s'"):format(field), { "x" }, function(map)
      return exporter { [field] = map }
    end
  end
end

local function params(method, call)
  return function(w)
    return ("'%s'"):format(method), "a", "b:i32", 1, function(list) return call(w, list) end
  end
end

local function dialects(call)
  return function()
    return "option 'dialects'", phial.dialect("a", {}), phial.dialect("b", {}), 1,
      function(list) return call { dialects = list } end
  end
end

local function emitted(name, option)
  return function(w)
    return ("'phial.emit.%s': option '%s'"):format(name, option), 0, 1, "x", function(list)
      return phial.emit[name](w.done, { [option] = list })
    end
  end
end

local function replayed(name)
  return dialects(function(opts) return phial.emit[name](TRACE, opts) end)
end

local function compiled(option, first)
  return function(w)
    return ("option '%s'"):format(option), first, "-w", 1, function(list)
      return w.done:compile { [option] = list }
    end
  end
end

local function nothing() end

local function results(name, call)
  return function(w)
    return name, "i64", "i32", "int", function(list) return call(w, list) end
  end
end

local LISTS <const> = {
  ["M.fn.result"] = results("phial.fn", function(_, list) return phial.fn("h", {}, list) end),
  ["M.build.result"] = results("phial.build", function(_, list)
    return phial.build("h", {}, list, function(b) b:ret(1, 2) end)
  end),
  ["Module.fn.result"] = results("fn", function(w, list) return w.m:fn("h", {}, list) end),
  ["Module.build.result"] = results("build", function(w, list)
    return w.m:build("h", {}, list, function(b) b:ret(1, 2) end)
  end),
  ["Module.declare.result"] = results("declare", function(w, list)
    return w.m:declare("h", {}, list)
  end),
  ["Point.call.type"] = results("results", function(w, list) return w.entry:call("h", list) end),
  ["M.fn.params"] = params("phial.fn", function(_, list) return phial.fn("h", list) end),
  ["M.build.params"] = params("phial.build", function(_, list)
    return phial.build("h", list, nil, nothing)
  end),
  ["Module.fn.params"] = params("fn", function(w, list) return w.m:fn("h", list) end),
  ["Module.build.params"] = params("build", function(w, list)
    return w.m:build("h", list, nil, nothing)
  end),
  ["Module.declare.params"] = params("declare", function(w, list)
    return w.m:declare("h", list)
  end),
  ["Module.global.initial"] = function(w)
    return "global 'v'", { 0, "i8", 1 }, { 8, "i8", 1 }, { 1, "i8", 1, 2 }, function(list)
      return w.m:global("v", 16, list)
    end
  end,
  ["M.dialect.types"] = function()
    return "'phial.dialect'", "t", "u", 1, function(list) return phial.dialect("e", {}, list) end
  end,
  ["Function.group.vars"] = function(w)
    return "'group'", w.x, w.y, 1, function(list) return w.fn:group(list) end
  end,
  ["End.may_write.vars"] = function(w)
    return "'may_write'", w.x, w.y, 1, function(list) return w.entry:may_write(list, 1) end
  end,
  ["Function.defs_and_uses.list"] = function(w)
    local a, b = table.unpack(w.done:read_accesses())
    return "'defs_and_uses'", a, b, 1, function(list) return w.done:defs_and_uses(list) end
  end,
  ["Problem.values"] = function(w)
    return "option 'values'", w.done:arg(1), w.done:arg(2), 1, function(list)
      local transfer = { default = function() return 0 end }
      return w.done:solve { bottom = 0, join = nothing, transfer = transfer, values = list }
    end
  end,
  ["Function.copy_into.args"] = function(w)
    return "'copy_into'", 1, 2, "x", function(list) return w.done:copy_into(w.cursor, list) end
  end,
  ["Point.emit...."] = function(w)
    return "'emit'", w.yes, w.no, 1, function(list) return w.entry:emit(w.d.go, list) end
  end,
  ["Extra.results"] = function(w)
    return "results", "i64", "i32", "int", function(list)
      return w.entry:emit(w.d.many, { results = list })
    end
  end,
  ["Extra.reads"] = of_extra "reads", ["Extra.writes"] = of_extra "writes",
  ["CallOptions.reads"] = of_extra "reads", ["CallOptions.writes"] = of_extra "writes",
  ["DeclareOptions.reads"] = of_declared "reads",
  ["DeclareOptions.writes"] = of_declared "writes",
  ["OpSpec.args"] = of_op("args", "i64", "i32", "int"),
  ["OpSpec.results"] = of_op("results", "i64", "i32", "int"),
  ["OpSpec.reads"] = of_op("reads", "heap", "len", "all"),
  ["OpSpec.writes"] = of_op("writes", "heap", "len", "all"),
  ["OpSpec.llvm"] = lines "llvm", ["OpSpec.c"] = lines "c", ["OpSpec.lua"] = lines "lua",
  ["ExporterSpec.rows"] = function()
    return "the row of op 'ret' returned", "", "", 1, function(list)
      local fn = phial.fn("f")
      fn:entry():ret()
      local rows = { phi = "$t", jump = "do $>1", branch = "do $a $>1 $>2" }
      rows.ret = function() return list end
      return exporter { rows = rows, frame = function() return "" end }.func(fn:finish())
    end
  end,
  ["Options.dialects"] = dialects(function(opts) return phial.fn("h", {}, nil, opts) end),
  ["ParseOptions.dialects"] = dialects(function(opts) return phial.parse(TEXT, opts) end),
  ["TraceOptions.dialects"] = dialects(function(opts) return phial.replay(TRACE, opts) end),
  ["StepOptions.dialects"] = dialects(function(opts) return phial.steps(TRACE, opts) end),
  ["JsonOptions.dialects"] = replayed "json", ["HtmlOptions.dialects"] = replayed "html",
  ["SvgOptions.dialects"] = replayed "svg",
  ["JsonOptions.range"] = emitted("json", "range"),
  ["HtmlOptions.range"] = emitted("html", "range"),
  ["SvgOptions.range"] = emitted("svg", "range"),
  ["SvgOptions.steps"] = emitted("svg", "steps"),
  ["EdgeOptions.refine"] = function(w)
    return "option 'refine'", w.x, w.y, 1, function(list)
      return w.entry:branch(w.c, w.yes, w.no, { refine = list })
    end
  end,
  ["NativeOptions.cc"] = compiled("cc", "cc"), ["NativeOptions.flags"] = compiled("flags", "-O0"),
  ["Rules.smt.opts"] = function()
    return "option 'widths'", 8, 16, 7, function(list)
      return phial.rules("a: x + 0 => x"):smt(nil, { widths = list })
    end
  end,
  ["ProveOptions.widths"] = function(w)
    return "option 'widths'", 8, 16, 7, function(list) return w.rules:prove { widths = list } end
  end,
  ["ShapesOptions.functions"] = function(w)
    return "option 'functions'", w.done, phial.parse(TEXT), 7, function(list)
      return w.rules:shapes { functions = list }
    end
  end,
  ["FindOptions.functions"] = function(w)
    return "option 'functions'", w.done, phial.parse(TEXT), 7, function(list)
      return w.rules:find { functions = list }
    end
  end,
  -- of phial.native, which `compile` is a method of
  ["compile"] = function(w)
    return "'compile'", w.done, phial.parse(TEXT), 1, native.compile
  end,
}

-- }== Maps, and tables of options =====================================
--
-- For each map a table that it refuses, with what its errors name; for each table of options what
-- takes one.

local MAPS <const> = {
  ["M.dialect.ops"] = function()
    return "'phial.dialect'", { {} }, function(map) return phial.dialect("e", map) end
  end,
  ["Point.phi.values"] = function(w)
    w.entry:jump(w.yes)
    w.yes:seal()
    return "'phi'", { [w.entry] = 1, x = 1 }, function(map) return w.yes:phi(map) end
  end,
  ["End.switch.cases"] = function(w)
    return "'switch'", { [1] = w.yes, x = w.yes }, function(map)
      return w.entry:switch(w.x, w.no, map)
    end
  end,
  ["Cursor.switch.cases"] = function(w)
    return "'switch'", { [1] = w.tail, x = w.tail }, function(map)
      return w.cursor:switch(1, w.tail, map)
    end
  end,
  ["Builder.switch_.arms"] = function()
    return "'switch_'", { nothing, x = nothing }, function(map)
      return phial.build("h", { "x" }, nil, function(b, v) b:switch_(v.x, map) end)
    end
  end,
  ["Problem.transfer"] = function(w)
    return "option 'transfer'", { default = nothing, nothing }, function(map)
      return w.done:solve { bottom = 0, join = nothing, transfer = map }
    end
  end,
  ["CheckOptions.samples"] = function(w)
    return "option 'samples'", { i64 = { 1 } }, function(map)
      return w.rules:check { samples = map }
    end
  end,
  ["CheckOptions.facts"] = function(w)
    return "option 'facts'", { x = nothing }, function(map) return w.rules:check { facts = map } end
  end,
  ["ExporterSpec.rows"] = exporter_map "rows", ["ExporterSpec.types"] = exporter_map "types",
  ["HtmlOptions.source"] = function(w)
    return "option 'source'", { "text" }, function(map)
      return phial.emit.html(w.done, { source = map })
    end
  end,
}

for key, call in pairs {
  ["Block.retarget.phis"] = function(w, map) return w.done:entry():retarget(w.tail, w.new, map) end,
  ["Block.add_edge.phis"] = function(w, map) return w.done:entry():add_edge(w.new, true, map) end,
  ["Cursor.jump.phis"] = function(w, map) return w.cursor:jump(w.new, map) end,
  ["Cursor.branch.phis"] = function(w, map) return w.cursor:branch(true, w.new, w.tail, map) end,
  ["Cursor.switch.phis"] = function(w, map) return w.cursor:switch(1, w.tail, { w.new }, map) end,
} do
  MAPS[key] = function(w)
    w.new = w.done:block()
    return ("'%s'"):format(key:match "%.(.-)%."), { 1 }, function(map) return call(w, map) end
  end
end

-- What is called by the names in them, of which there may be more than are needed.
local OPEN <const> = {
  ["M.rules.functions"] = true, ["Rules.add.functions"] = true, ["RunOptions.env"] = true,
  ["NativeOptions.env"] = true,
  ["TraceOptions.host"] = true,
}

local function emit(name)
  return function(w, opts) return phial.emit[name](w.done, opts) end
end

local OPTIONS <const> = {
  ["op"] = function(_, opts) return phial.dialect("e", { o = opts }) end,
  ["run"] = function(w, opts) return w.done(1, 2, opts) end,
  ["phial.Extra"] = function(w, opts) return w.entry:emit(w.d.op, opts) end,
  ["phial.CallOptions"] = function(w, opts) return w.entry:call(w.p, nil, opts) end,
  ["M.exporter.spec"] = function(_, opts) return phial.exporter(opts) end,
  ["M.fn.opts"] = function(_, opts) return phial.fn("h", {}, nil, opts) end,
  ["M.build.opts"] = function(_, opts) return phial.build("h", {}, nil, opts, nothing) end,
  ["M.parse.opts"] = function(_, opts) return phial.parse(TEXT, opts) end,
  ["M.module.opts"] = function(_, opts) return phial.module("n", opts) end,
  ["M.replay.opts"] = function(_, opts) return phial.replay(TRACE, opts) end,
  ["M.steps.opts"] = function(_, opts) return phial.steps(TRACE, opts) end,
  ["Function.log.it"] = function(_, opts) return phial.fn "h":log(opts) end,
  ["Options.log"] = function(_, opts) return phial.fn("h", {}, nil, { log = opts }) end,
  ["Function.leave.opts"] = function(w, opts) return w.done:leave(opts) end,
  ["Function.text.opts"] = function(w, opts) return w.done:text(opts) end,
  ["Function.finish.opts"] = function(w, opts) return w.done:finish(opts) end,
  ["Function.clean.what"] = function(w, opts) return w.done:clean(opts) end,
  ["Function.solve.problem"] = function(w, opts) return w.done:solve(opts) end,
  ["Function.compile.opts"] = function(w, opts) return w.done:compile(opts) end,
  ["End.branch.opts"] = function(w, opts) return w.entry:branch(w.c, w.yes, w.no, opts) end,
  ["End.switch.opts"] = function(w, opts) return w.entry:switch(w.x, w.yes, {}, opts) end,
  ["Rules.check.opts"] = function(w, opts) return w.rules:check(opts) end,
  ["Rules.prove.opts"] = function(w, opts) return w.rules:prove(opts) end,
  ["Rules.best.opts"] = function(w, opts) return w.rules:best("x + y", opts) end,
  ["Rules.generalise.opts"] = function(w, opts) return w.rules:generalise("x & x => x", opts) end,
  ["Rules.shapes.opts"] = function(w, opts) return w.rules:shapes(opts) end,
  ["Rules.find.opts"] = function(w, opts) return w.rules:find(opts) end,
  ["FindOptions.enumerate"] = function(w, opts) return w.rules:find { enumerate = opts } end,
  ["Module.fn.opts"] = function(w, opts) return w.m:fn("h", {}, nil, opts) end,
  ["Module.build.opts"] = function(w, opts) return w.m:build("h", {}, nil, opts, nothing) end,
  ["Module.declare.opts"] = function(w, opts) return w.m:declare("h", {}, nil, opts) end,
  ["Module.global.opts"] = function(w, opts) return w.m:global("v", 8, nil, opts) end,
  ["Module.declare_global.opts"] = function(w, opts)
    return w.m:declare_global("v", 8, opts)
  end,
  ["Module.finish.opts"] = function(w, opts) return w.m:finish(opts) end,
  ["Module.text.opts"] = function(w, opts) return w.m:text(opts) end,
  ["Module.compile.opts"] = function(w, opts) return w.m:compile(opts) end,
  ["Module.instance.opts"] = function(w, opts) return w.m:instance(opts) end,
  ["HtmlOptions.compare"] = function(_, opts)
    return phial.emit.html(TRACE, { compare = opts })
  end,
  ["JsonOptions.leave"] = function(w, opts) return phial.emit.json(w.done, { leave = opts }) end,
  ["emit.lua.opts"] = emit "lua", ["emit.cps.opts"] = emit "cps", ["emit.c.opts"] = emit "c",
  ["emit.llvm.opts"] = emit "llvm", ["emit.json.opts"] = emit "json",
  ["emit.html.opts"] = emit "html", ["emit.svg.opts"] = emit "svg",
}

-- }== The walk ========================================================

-- What phial hands out, and callbacks that get tables.
local RESULTS <const> = {
  Event = true, Step = true, Stats = true, UndefinedRead = true, LoopOfBlocks = true,
  RuleTree = true, RuleNode = true, Emitters = true, Shape = true, Found = true,
}

local is_handle = {}
for _, method in ipairs(declared.methods) do is_handle[method.class or ""] = true end

-- Tables by their declared type: a list, a map, or options.
local function kind_of(type)
  if type:find "^fun%(" and not type:find "%[%]" then return nil end
  local class = type:match "phial%.(%w+)"
  if class and declared.aliases[class] and not type:find "%[%]" then
    type = declared.aliases[class]
  end
  if type:find "widths" or type:find("[]", 1, true) then return "list" end
  if type:find("table<", 1, true) then return "map" end
  if type:find "{%[?%w+%]?%??:" then return "options" end
  local fields = class and declared.fields(class)[1]
  return fields and not is_handle[class] and "options" or nil
end

-- Calls f with the name, kind and type of each table that is taken.
local function each(f)
  for _, method in ipairs(declared.methods) do
    for _, param in ipairs(method.params) do
      local is_extra = param.type == "phial.Extra" or param.type == "phial.CallOptions"
      local name = is_extra and param.type or ("%s.%s"):format(method.full, param.name)
      f(name, kind_of(param.type), param.type)
    end
  end
  for _, class in ipairs(declared.classes) do
    for _, field in ipairs(RESULTS[class] and {} or declared.own_fields(class)) do
      f(("%s.%s"):format(class, field.name), kind_of(field.type), field.type)
    end
  end
end

-- The error of a call, without its position, which is in this file.
local function refusal(w, call, it)
  local before = seen(w)
  local ok, why = pcall(call, it)
  assert.is_false(ok, "not refused")
  assert.equal(before, seen(w))
  local message = why:match "^spec/binding/lists_spec%.lua:%d+: (.*)$"
  return message or error("raised elsewhere: " .. why)
end

local function check(w, call, it, ...)
  local message = refusal(w, call, it)
  for _, part in ipairs { ... } do
    assert.truthy(message:find(part, 1, true), ("%s: no %s"):format(message, part))
  end
end

-- }====================================================================

describe("types/phial.lua declares no", function()
  it("list, map or table of options that is not tried here", function()
    local known = { list = LISTS, map = MAPS, options = OPTIONS }
    local missing = {}
    each(function(name, kind)
      if kind and not known[kind][name] and not OPEN[name] then
        missing[#missing + 1] = ("%s: %s"):format(kind, name)
      end
    end)
    assert.same({}, missing)
  end)
end)

describe("a list is refused", function()
  -- Wrong lists, made of two elements; and what errors say of them.
  local WRONG <const> = {
    ["with a hole"] = { function(a, b) return { a, nil, b } end, "position 2 is missing" },
    ["that begins with a hole"] = { function(a, b) return { [2] = a, [3] = b } end,
      "position 1 is missing" },
    ["of one that is far away"] = { function(a, b) return { a, [1 << 40] = b } end,
      "position 2 is missing" },
    ["with a name"] = { function(a) return { named = a } end, "'named' is a key of it" },
    ["with a name after elements"] = { function(a, b) return { a, named = b } end,
      "'named' is a key of it" },
    ["with a position 0"] = { function(a, b) return { [0] = a, b } end, "'0' is a key of it" },
    ["with a fraction as a key"] = { function(a, b) return { a, [1.5] = b } end,
      "'1.5' is a key of it" },
    ["with true as a key"] = { function(a, b) return { a, [true] = b } end,
      "'true' is a key of it" },
    ["that is a handle"] = { function() return phial.module "other":ref "a" end, "phial.Ref" },
    ["with a length of its own"] = {
      function(a) return setmetatable({}, { __len = function() return a end }) end, "__len" },
  }

  for name, case in pairs(LISTS) do
    for how, wrong in pairs(WRONG) do
      it(("%s: %s"):format(how, name), function()
        local w = new_world()
        local what, a, b, _, call = case(w)
        check(w, call, wrong[1](a, b), what, wrong[2])
      end)
    end

    it("with what is not an element: " .. name, function()
      local w = new_world()
      local what, a, _, no_element, call = case(w)
      check(w, call, { a, no_element }, what)
    end)

    it("that is not a table: " .. name, function()
      local w = new_world()
      local what, _, _, _, call = case(w)
      if name ~= "Point.emit...." then check(w, call, nothing, what) end -- an operand, if wrong
    end)

    it("no more if it is one: " .. name, function()
      local _, a, b, _, call = case(new_world())
      local ok, why = pcall(call, { a, b })
      -- programs can be missing, and C compilers fail where a sanitizer is loaded before them
      local is_theirs = not ok and (why:find "node" or why:find "z3" or
        os.getenv "LD_PRELOAD" and why:find "the C compiler")
      assert.truthy(ok or is_theirs, why)
    end)
  end
end)

it("a list is refused with the name of what it is for, also if that has a zero", function()
  local m = phial.module "m"
  refused(nil, "global 'a\0b': its runs: a list expected, but 'x' is a key of it",
    function() m:global("a\0b", 8, { x = 1 }) end)
end)

describe("a map is refused", function()
  for name, case in pairs(MAPS) do
    it("with a key of another kind: " .. name, function()
      local w = new_world()
      local what, wrong, call = case(w)
      check(w, call, wrong, what)
    end)

    it("that is not a table: " .. name, function()
      local w = new_world()
      local what, _, call = case(w)
      check(w, call, nothing, what)
    end)
  end
end)

describe("a table of options is refused", function()
  for name, call in pairs(OPTIONS) do
    it("with a name that means nothing, or an element: " .. name, function()
      local w = new_world()
      local function take(opts) return call(w, opts) end
      check(w, take, { nothing_such = 1 }, "nothing_such")
      if not name:find "log" then check(w, take, { "detail" }, "'1'") end
      check(w, take, { [2] = "detail" }, "'2'")
      check(w, take, w.m)
      if not name:find "^phial%." then check(w, take, 1) end
    end)
  end
end)

-- }== What is declared ================================================

-- By name: what a table of options is declared as; these are not parameters, are one of several
-- types, or of what fuzz.attack does not call. The one of a log has one option, in no list.
local types = {
  op = "phial.OpSpec", run = "phial.RunOptions", ["Rules.prove.opts"] = "phial.ProveOptions",
  ["Rules.best.opts"] = "phial.BestOptions",
  ["phial.Extra"] = "phial.Extra", ["phial.CallOptions"] = "phial.CallOptions",
}
each(function(name, kind, type) if kind == "options" then types[name] = type end end)

-- The options that a type has, and their types.
local function options_of(type)
  local options = {}
  if type:find "{" then
    for name, its in type:gmatch "([%w_]+)%??: ([^,}]+)" do options[name] = its end
  else
    local class = type:match "phial%.(%w+)"
    for _, it in ipairs(declared.fields(class)) do options[it.name] = it.type end
  end
  return options
end

-- Those that phial.emit.NAME takes of a trace only, beside those of functions.
local function call_with_trace(name)
  local emitter = name:match "^emit%.(%l+)%.opts$"
  return emitter and require("phial.emit").about(emitter).trace
    and function(_, opts) return phial.emit[emitter](TRACE, opts) end
end

local function words(text, pattern, set)
  for word in text:gmatch(pattern) do set[word] = true end
  return set
end

-- The options that the error lists for one that does not exist.
local function listed(call, set)
  local _, why = pcall(call, new_world(), { nothing_such = 1 })
  return words(why:match "there are: ([%l_, ]+)", "[%l_]+", set)
end

-- The words that a type has, or one that it names.
local function words_of(type)
  for _ = 1, 2 do type = type:gsub("phial%.(%w+)", declared.aliases) end
  return words(type, '"(%l+)"', {})
end

describe("types/phial.lua declares all options,", function()
  for name, its in pairs(types) do
    local options, call = options_of(its), OPTIONS[name]
    if name == "Module.declare_global.opts" then -- its comment says so
      options.linkage, options.reserve = nil, nil
    end

    it("and no other: " .. name, function()
      local found, with_trace = listed(call, {}), call_with_trace(name)
      if with_trace then listed(with_trace, found) end
      for option in pairs(options) do assert.truthy(found[option], "not taken: " .. option) end
      for option in pairs(found) do assert.truthy(options[option], "not declared: " .. option) end
    end)

    for option, type in pairs(options) do
      if next(words_of(type)) then
        it(("and what can be %s of %s"):format(option, name), function()
          local of_trace = not listed(call, {})[option]
          local _, why = pcall(of_trace and call_with_trace(name) or call, new_world(),
            { [option] = "nosuch" })
          local expected = why:match(option .. "'?: (.-),? expected")
          local found = words(expected, '"(%l+)"', {})
          if not next(found) then found = words(expected:gsub(" or ", ","), "%l+", {}) end
          assert.same(words_of(type), found)
        end)
      end
    end
  end
end)
