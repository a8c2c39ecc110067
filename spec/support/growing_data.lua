-- Data of any size for every emitter and parser: bytes, gaps, strings, lists of constants and of
-- addresses. Their time must be near-linear in it, as in spec/support/growing.lua.
local phial = require "phial"
local portable = require "phial.portable"
local under = require "spec.support.under"

package.path = "examples/?.lua;" .. package.path
local Stats = require "llvm.stats"
local minic = require "minic.compile"
local translate = require("llvm.module").translate

local cases = {}

local function case(name, n, make, call)
  cases[#cases + 1] = { name = name, n = n, make = make, call = call }
end

--
-- {== Data of modules =================================================
--

-- What fills a module with n of something; n is a small number of it.
local fill = {}

fill["bytes of a string"] = { 4000, function(m, n)
  m:global("g", n, ('a\0"\\\200?'):rep(n):sub(1, n))
end }

fill["zeros of a string"] = { 20000, function(m, n)
  m:global("g", n, "x" .. ("\0"):rep(n - 2) .. "x")
  m:global("h", n, "x" .. ("\0"):rep(n - 1))
end }

fill["gaps"] = { 250, function(m, n)
  local runs = {}
  for i = 1, n do runs[i] = { 100 * i, "i8", 7 } end
  m:global("g", 100 * n + 100, runs)
end }

fill["strings"] = { 400, function(m, n)
  for i = 1, n do m:global("g" .. i, 8, "s\0" .. i, { constant = true }) end
end }

fill["constants in a list"] = { 1000, function(m, n)
  local runs = {}
  for i = 1, n do runs[i] = { 4 * i, "i32", i - 5 } end
  m:global("g", 4 * n + 4, runs)
end }

fill["addresses in a list"] = { 400, function(m, n)
  local runs = {}
  for i = 1, n do runs[i] = { 8 * (i - 1), "ptr", i % 2 == 0 and "f" or m:ref("g", i) } end
  m:global("g", 8 * n, runs)
end }

fill["globals with addresses of one another"] = { 250, function(m, n)
  for i = 1, n do
    m:global("g" .. i, 24, { { 0, "i32", i }, { 8, "ptr", "g" .. i % n + 1 }, { 16, "ptr", "f" } })
  end
end }

local function module(kind, n)
  local m = phial.module "m"
  fill[kind][2](m, n)
  local fn = m:fn("f", {}, "ptr", { rules = false, where = false })
  local b = fn:entry()
  b:ret(b:address(m:globals()[1]:name()))
  return m:finish { verify = false }
end

local WRITTEN <const> = {
  { "phial.emit.c", phial.emit.c },
  { "phial.emit.llvm", phial.emit.llvm },
  { "phial.emit.llvm, typed", function(m) return phial.emit.llvm(m, { pointers = "typed" }) end },
  { "m:text", function(m) return m:text() end },
  { "m:instance", function(m) return m:instance() end },
}

local READ <const> = {
  { "phial.parse", function(m) return m:text() end, function(text)
    assert(phial.parse(text))
  end },
  { "examples/llvm", function(m) return phial.emit.llvm(m) end, function(text)
    translate("a.ll", text, false, Stats.new())
  end },
}

local kinds = {}
for kind in pairs(fill) do kinds[#kinds + 1] = kind end
table.sort(kinds)
for _, kind in ipairs(kinds) do
  local n = fill[kind][1]
  for _, it in ipairs(WRITTEN) do
    case(("%s: %s"):format(it[1], kind), n, function(size) return module(kind, size) end, it[2])
  end
  for _, it in ipairs(READ) do
    case(("%s: %s"):format(it[1], kind), n, function(size) return it[2](module(kind, size)) end,
      it[3])
  end
end

-- }== Data of functions ===============================================

local D <const> = phial.dialect("data", { op = {} })

-- Makes a function of that many of something; its recording, too, if it is a dialect's.
local made = {}

made["strings, data of instructions"] = { 500, function(_, b, n)
  for i = 1, n do b:emit(D.op, { data = "a\0 \200\\?" .. i }) end
end }

made["bytes of data of an instruction"] = { 8000, function(_, b, n)
  b:emit(D.op, { data = (' {}"\\ \200--'):rep(n):sub(1, n) })
end }

made["blanks of data of an instruction"] = { 8000, function(_, b, n)
  b:emit(D.op, { data = (" "):rep(n) })
end }

made["constants, operands of a call"] = { 400, function(fn, b, n)
  local list = {}
  for i = 1, n do list[i] = fn:const(i, "i64") end
  b:call("g", nil, table.unpack(list))
end }

made["constants, stored one by one"] = { 300, function(fn, b, n)
  for i = 1, n do b:store(fn:arg(1), i) end
end }

made["floats, stored one by one"] = { 300, function(fn, b, n)
  for i = 1, n do b:store(fn:arg(1), i / 7) end
end }

made["keys of a switch"] = { 300, function(fn, b, n)
  local one, other, keys = fn:block(), fn:block(), {}
  for i = 1, n do keys[i * i] = i % 2 == 0 and one or other end
  b:switch(fn:arg(2), one, keys)
  one:seal()
  one:ret()
  other:seal()
  return other
end }

made["names that are called, and addresses of others"] = { 300, function(_, b, n)
  for i = 1, n do b:call("g" .. i, nil, b:address("h" .. i)) end
end }

made["positions, in a file each"] = { 300, function(fn, b, n)
  for i = 1, n do
    fn:set_loc(1, 1, "f" .. i)
    b:store(fn:arg(1), 7)
  end
end }

local function func(kind, n)
  local fn = phial.fn("f", { "p:ptr", "x:i64" }, nil,
    { rules = false, where = false, dialects = { D } })
  local record = phial.record(fn)
  local last = made[kind][2](fn, fn:entry(), n) or fn:entry()
  last:ret()
  fn:finish { verify = false }
  return fn, record:text()
end

-- `make test` draws one picture: most of the time is that of dot, which is not measured.
local function is_tried(i, name) return name ~= "svg" or not under.brief or i == 1 end

-- Emitters that an op without code stops.
local NEEDS_CODE <const> = { cps = true, c = true, llvm = true, lua = true }

kinds = {}
for kind in pairs(made) do kinds[#kinds + 1] = kind end
table.sort(kinds)
for i, kind in ipairs(kinds) do
  local n = made[kind][1]
  local function make(size) return func(kind, size) end
  for _, name in ipairs(portable.sorted(require("phial.emit").BUNDLED)) do
    if is_tried(i, name) and not (NEEDS_CODE[name] and kind:find "data") then
      case(("phial.emit.%s: %s"):format(name, kind), n, make, function(fn) phial.emit[name](fn) end)
    end
  end
  case("fn:text: " .. kind, n, make, function(fn) fn:text() end)
  case("phial.parse: " .. kind, n, function(size) return func(kind, size):text() end,
    function(text) assert(phial.parse(text, { dialects = { D } })) end)
  case("phial.parse, of unknown dialects: " .. kind, n,
    function(size) return func(kind, size):text() end,
    function(text) assert(phial.parse(text, { dialects = "any" })) end)
  case("phial.replay: " .. kind, n, make, function(_, trace)
    assert(phial.replay(trace, { dialects = { D } }))
  end)
  case("phial.emit.json of a trace: " .. kind, n, make, function(_, trace)
    phial.emit.json(trace, { dialects = { D } })
  end)
  if not kind:find "data" then
    case("examples/llvm: " .. kind, n, function(size)
      return phial.emit.llvm((func(kind, size)))
    end, function(text) translate("a.ll", text, false, Stats.new()) end)
  end
end

-- }== Texts that others write =========================================

local function translated(text) translate("a.ll", text, false, Stats.new()) end

case("examples/llvm: cases of a switch, a line each, as clang writes them", 1000, function(n)
  local lines = { "define void @f(i64 %x) {\n  switch i64 %x, label %d [" }
  for i = 1, n do lines[i + 1] = ("    i64 %d, label %%d"):format(i) end
  lines[n + 2] = "  ]\nd:\n  ret void\n}\n"
  return table.concat(lines, "\n")
end, translated)

case("examples/llvm: blanks in a line", 8000, function(n)
  return ("define void @f(i64 %%x) {\n  %%y = add i64 %%x, %s1 %s; x \n  ret void\n}\n")
    :format((" "):rep(n), (" "):rep(n))
end, function(text) pcall(translated, text) end)

case("phial.parse: functions and declarations after data", 100, function(n)
  local lines = { "module m", ('global g: bytes %d = "%s"'):format(1000 * n, ("x"):rep(1000 * n)) }
  for i = 1, n do
    lines[#lines + 1] = ("declare g%d()\nfn f%d() {\nentry:\n  call @g%d\n  ret\n}"):format(i, i, i)
  end
  return table.concat(lines, "\n")
end, function(text) assert(phial.parse(text)) end)

case("phial.parse: digits, blanks and comments", 8000, function(n)
  return ("module m\nglobal f: f64 = 0.%s\nglobal i: i64 = %s1 %s-- %s\n%s"):format(("1"):rep(n),
    ("0"):rep(n), (" "):rep(n), (" -"):rep(n), ("-- x\n"):rep(n))
end, function(text) assert(phial.parse(text)) end)

case("examples/minic: a string, and a list with a designator each", 2000, function(n)
  local parts = {}
  for i = 1, n do parts[i] = ("[%d] = %d"):format(i, i) end
  return ('char t[] = "%s";\nint l[] = { %s };\n'):format(("\\0a"):rep(n),
    table.concat(parts, ", "))
end, function(text) minic.compile(text, "a.c") end)

case("m:global: runs, the last ones first", 2000, function(n)
  local runs = {}
  for i = n, 1, -1 do runs[#runs + 1] = { i, "i8", 1 } end
  return phial.module "m", n, runs
end, function(m, n, runs) m:global("g", n + 1, runs) end)

-- }====================================================================

return cases
