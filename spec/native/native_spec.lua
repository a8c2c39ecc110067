-- Native code: calls from Lua, traps, recursion, the life of libraries, refusals.
local child = require "spec.support.child"
local compilers = require "spec.support.compilers"
local core = require "phial.core"
local native = require "phial.native"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"

local function half()
  local fn = phial.fn("half", { "n:i64", "d:i64" }, "i64")
  fn:set_loc(12, 5, "mean.x")
  fn:entry():ret(fn:entry():sdiv(fn:arg(1), fn:arg(2)))
  return fn:finish()
end

-- A function that returns its argument.
local function identity(type)
  local fn = phial.fn(type, { "x:" .. type }, type)
  fn:entry():ret(fn:arg(1))
  return fn:finish()
end

local NAN32 = string.unpack("<d", string.pack("<i8", 0x7ff0000000000000 | 1 << 29))

--
-- {== Calls ===========================================================
--

describe("a native function", function()
  local types = { "i1", "i8", "i16", "i32", "i64", "f32", "f64" }
  local functions, lib = {}, nil
  for i, type in ipairs(types) do functions[i] = identity(type) end

  setup(function() lib = native.compile(functions, { flags = "-O0" }) end)
  teardown(function() lib:close() end)

  it("takes and returns what the function does", function()
    local values = { true, false, 0, 1, -1, 127, 128, -128, -129, 255, 256, 65535, -32768,
      1 << 31, 0xffffffff, 1 << 32, -1 << 31, math.maxinteger, math.mininteger, 2^24 + 1, 0x1000001,
      1.5, 0.1, -0.0, 1e300, 1 / 0, "1", "x", {}, print, nil }
    for i, type in ipairs(types) do
      local f = lib:get(type)
      for k = 1, 32 do
        local value = values[k]
        local expected, got = table.pack(pcall(functions[i], value)), table.pack(pcall(f, value))
        assert.equal(expected[1], got[1], type .. " " .. tostring(value))
        if not expected[1] then
          expected, got = { raises.message(functions[i], value) }, { raises.message(f, value) }
        end
        assert.same(expected, got)
        assert.equal(math.type(expected[2]), math.type(got[2]))
      end
    end
  end)

  it("moves the bits of nans", function()
    for _, type in ipairs { "f32", "f64" } do
      local got = lib:call(type, NAN32)
      assert.equal(string.pack("<d", NAN32), string.pack("<d", got))
    end
  end)

  it("is refused arguments at the caller's line, as the function refuses them", function()
    local f = lib:get "i8"
    refused(nil, "bad argument #1 'x' to 'i8' (300 does not fit i8)", function() f(300) end)
    refused(nil, 'bad argument #1 \'x\' to \'i8\' (i8 expected, got "1")', function() f "1" end)
    refused(nil, "wrong number of arguments to 'i8' (1 expected, got 0)", function() f() end)
    refused(nil, "wrong number of arguments to 'i8' (1 expected, got 2)",
      function() lib:call("i8", 1, 2) end)
    assert.equal(1, f(1, nil))
  end)

  it("is looked up by its name", function()
    assert.equal(lib:get "i8", lib:get "i8")
    refused(nil, "the library has no function 'i9'", function() lib:get "i9" end)
    refused(nil, "the library has no function 'i9'", function() lib:call("i9", 1) end)
    refused(nil, "bad argument #1 to 'get' (string expected, got number)",
      function() lib:get(8) end)
    refused(nil, "wrong number of arguments to 'call' (at least 1 expected, got 0)",
      function() lib:call() end)
    refused(nil, "a phial.Library has no method 'i8'", function() lib.i8() end)
  end)
end)

it("a native function of 40 parameters, with results or without, is called", function()
  local params = {}
  for i = 1, 40 do params[i] = ("x%d:%s"):format(i, i % 2 == 0 and "f64" or "i64") end
  local many, none = phial.fn("many", params, "i64"), phial.fn "none"
  local b, sum = many:entry(), many:const(0)
  for i = 1, 40 do
    local v = many:arg(i)
    sum = b:add(sum, b:mul(i, i % 2 == 0 and b:ftoi(v, "i64") or v))
  end
  b:ret(sum)
  none:entry():ret()
  local args, expected = {}, 0
  for i = 1, 40 do args[i], expected = i % 2 == 0 and i + 0.0 or i, expected + i * i end
  local lib <close> = native.compile { many:finish(), none:finish() }
  assert.equal(expected, lib:call("many", table.unpack(args)))
  assert.equal(0, select("#", lib:call "none"))
end)

-- }== Traps and recursion =============================================

it("a trap is the error of fn(...)", function()
  local fn = half()
  local lib <close> = fn:compile()
  assert.equal(3, lib:call("half", 7, 2))
  local _, expected = pcall(fn, 1, 0)
  for _ = 1, 3 do assert.same({ false, expected }, { pcall(lib:get "half", 1, 0) }) end
  assert.equal("half: 'sdiv %n, %d' in block 'entry' (mean.x:12:5): division by zero", expected)
  assert.equal(-3, lib:call("half", -7, 2))
end)

it("the message of a trap is whole, also after a zero byte", function()
  local fn = phial.fn("a\0b", { "d:i64" }, "i64")
  fn:set_loc(1, 2, "c\0d")
  fn:entry():ret(fn:entry():sdiv(1, fn:arg(1)))
  fn:finish()
  local lib <close> = fn:compile()
  local expected = raises.matching("^a%z.*c%z.*division by zero$", fn, 0)
  assert.same({ false, expected }, { pcall(lib:get "a\0b", 0) })
  refused(nil, "wrong number of arguments to 'a\0b' (1 expected, got 0)",
    function() lib:call "a\0b" end)
end)

-- A call in a function as errors name it.
local function call_in(fn)
  for v in fn:values() do
    if v:op() == "call" then return core.where(fn, v:id()) end
  end
end

local function deep()
  return phial.build("sum", { "n" }, "i64", function(b, v)
    b:if_(v.n:eq(0), function() b:ret(0) end)
    b:ret(b:call("sum", "i64", v.n - 1) * 3 + v.n)
  end)
end

it("an endless recursion ends with the call that is too deep", function()
  local lib <close> = deep():compile { flags = "-O1" }
  local small <close> = deep():compile { flags = "-O1", stack = 4096 }
  local most <close> = deep():compile { flags = "-O1", stack = math.maxinteger }
  local expected = 0
  for n = 1, 10000 do expected = expected * 3 + n end
  assert.equal(expected, lib:call("sum", 10000))
  local why = call_in(deep()) .. ": stack overflow"
  assert.matches("^sum: 'call .*' in block 'if_done': stack overflow$", why)
  assert.same({ false, why }, { pcall(lib:get "sum", -1) })
  assert.same({ false, why }, { pcall(most:get "sum", -1) }) -- no more than there is
  assert.same({ false, why }, { pcall(small:get "sum", 10000) })
  assert.equal(58, small:call("sum", 4))
end)

-- A function with an alloca, whose bytes C sets, so that they are on the stack.
local function with_alloca(size)
  local m = phial.module "m"
  m:declare("memset", { "p:ptr", "c:i32", "n:i64" }, "ptr")
  local fn = m:fn("f", { "n" }, "i8")
  local b = fn:entry()
  local p = b:alloca(size)
  b:call("memset", nil, p, 7, fn:arg(1))
  b:ret(b:load(p, "i8"))
  local outer = m:fn("outer", { "n" }, "i8")
  outer:entry():ret(outer:entry():call("f", nil, outer:arg(1)))
  return m:finish()
end

it("allocas that do not fit the stack are a trap", function()
  for _, flags in ipairs { "-O0", "-O2" } do
    local large <close> = with_alloca(1 << 26):compile { flags = flags }
    assert.same({ false, "f: stack overflow" }, { pcall(large:get "f", 1 << 26) })
    assert.same({ false, "outer: 'call @f %n' in block 'entry': stack overflow" },
      { pcall(large:get "outer", 1 << 26) })
    local small <close> = with_alloca(1 << 20):compile { flags = flags }
    assert.equal(7, small:call("outer", 1 << 20))
  end
end)

it("functions that call one another are compiled together, in any order", function()
  local even, odd = phial.fn("even", { "n:i64" }, "i1"), phial.fn("odd", { "n:i64" }, "i1")
  for fn, other in pairs { [even] = odd, [odd] = even } do
    local b, zero, more = fn:entry(), fn:block "zero", fn:block "more"
    b:branch(b:eq(fn:arg(1), 0), zero, more)
    zero:ret(fn == even)
    more:ret(more:call(other, "i1", more:sub(fn:arg(1), 1)))
  end
  even:finish()
  odd:finish()
  local lib <close> = even:compile()
  assert.same({ true, false }, { lib:call("even", 10), lib:call("even", 11) })
  local both <close> = native.compile { odd, even }
  assert.same({ false, true }, { both:call("odd", 10), both:call("even", 1000) })
end)

-- }== Libraries =======================================================

describe("a library", function()
  it("is closed once, and its functions say that", function()
    local lib = half():compile()
    local f = lib:get "half"
    assert.matches("^phial.Library: ", tostring(lib))
    refused(nil, "a phial.Library has no method 'cal': did you mean 'call'?",
      function() lib:cal "half" end)
    lib:close()
    lib:close()
    assert.equal("phial.Library (closed)", tostring(lib))
    refused(nil, "function 'half': its library is closed", function() f(1, 2) end)
    refused(nil, "calling 'get': the library is closed", function() lib:get "half" end)
    refused(nil, "calling 'call': the library is closed", function() lib:call("half", 1, 2) end)
  end)

  it("closes at the end of its block", function()
    local f
    do
      local lib <close> = half():compile()
      f = lib:get "half"
      assert.equal(2, f(4, 2))
    end
    assert.is_false(pcall(f, 4, 2))
  end)

  it("lives as long as one of its functions", function()
    local lib = half():compile()
    local f, weak = lib:get "half", setmetatable({ lib }, { __mode = "v" })
    lib = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.equal(2, f(4, 2))
    assert.is_userdata(weak[1])
    f = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.is_nil(weak[1])
  end)

  it("can be called by a finalizer that runs after its own", function()
    local outcome
    do
      local lib = half():compile()
      local f = lib:get "half"
      setmetatable({}, { __gc = function() outcome = { pcall(f, 4, 2) } end })
    end
    collectgarbage()
    collectgarbage()
    assert.truthy(outcome[1] and outcome[2] == 2
      or outcome[2]:find("function 'half': its library is closed", 1, true))
  end)

  it("has its own code, also if another one was made of the same functions", function()
    local fn = half()
    local one, two = fn:compile(), fn:compile { traps = "undefined" }
    one:close()
    assert.equal(2, two:call("half", 4, 2))
    two:close()
  end)
end)

-- }== Refusals ========================================================

-- The files of a folder.
local function files(folder)
  local pipe <close> = assert(io.popen(("ls -A '%s'"):format(folder)))
  return pipe:read "a"
end

describe("compiling is refused", function()
  it("with what C does not have, or before finish", function()
    local fn = phial.fn("f", { "x:i64" }, "i64")
    refused(fn, "function 'f' is not finished: call fn:finish() before it can be written in C",
      function() fn:compile() end)
    local any = identity "any"
    refused(any, "function 'any': parameter 'x' is of type any, which C does not have",
      function() any:compile() end)
    local lua = phial.fn("lua", { "x:i64" }, "i64")
    lua:entry():ret(lua:entry():call(math.abs, "i64", lua:arg(1)))
    lua:finish()
    refused(lua, call_in(lua) .. ": its callee is a Lua function, which C cannot call",
      function() phial.emit.c(lua) end)
    local D = phial.dialect("d", { op = { args = { "i64" }, result = "i64" } })
    local op = phial.fn("op", { "x:i64" }, "i64")
    op:entry():ret(op:entry():emit(D.op, op:arg(1)))
    op:finish()
    refused(op, "op: 'd.op %x' in block 'entry': op 'd.op' has no c: it cannot be written in C",
      function() op:compile() end)
  end)

  it("with wrong options", function()
    local fn = half()
    for message, opts in pairs {
      ["bad argument #1 to 'compile' (table expected, got 1)"] = 1,
      ["option 'cc': string or list of strings expected, got 1"] = { cc = 1 },
      ["option 'cc': a command expected, got a list without words"] = { cc = {} },
      ["option 'cc': a command expected, got \"\""] = { cc = "" },
      ["option 'cc': a command expected, got a list that starts with \"\""] = { cc = { "" } },
      ["option 'flags': string or list of strings expected, got a table"] = { flags = { 1 } },
      ["option 'cc': words without NUL expected, got \"c\\x00c\""] = { cc = "c\0c" },
      ["option 'cc': words without NUL expected, got \"\\x00\""] = { cc = { "cc", "\0" } },
      ["option 'flags': words without NUL expected, got \"-O2 \\x00\""] = { flags = "-O2 \0" },
      ["option 'flags': words without NUL expected, got \"a\\x00\""] = { flags = { "b", "a\0" } },
      ["option 'stack': at least 4096 expected, got 1"] = { stack = 1 },
    } do
      refused(fn, message, function() fn:compile(opts) end)
    end
    refused(fn, "two functions are named 'half'", function() native.compile { fn, half() } end)
  end)

  it("without a compiler, with one that fails, without a function that it calls", function()
    local fn = half()
    refused(fn, "there is no C compiler 'no such; cc': set the option cc, or the variable CC",
      function() fn:compile { cc = "no such; cc" } end)
    refused(fn, "the C compiler 'sh' failed:\nit's wrong: $HOME\n",
      function() fn:compile { cc = { "sh", "-c", "echo \"it's wrong: \\$HOME\"; exit 3" } } end)
    refused(fn, "the C compiler 'cc' failed:\n",
      function() fn:compile { cc = "cc", flags = "-Dn=;" } end,
      function(f)
        local ok, err = pcall(f)
        assert(not ok and err:find "error: ", err)
        error(err:match "^(.-failed:\n)", 0)
      end)
    raises.matching("the native code cannot be loaded: .*",
      fn.compile, fn,
      { cc = { "sh", "-c", 'while [ "$1" != -o ]; do shift; done; echo >"$2"', "sh" } })
  end)

  local PIECE = [[
    local phial = require "phial"
    local fn = phial.fn("f", {}, "i64")
    fn:entry():ret(7)
    fn:finish()
    if arg[1] == "no dlopen" then
      local core = require "phial.core"
      core.folder = function() return nil, "this system does not load shared objects by dlopen" end
    end
    print(pcall(fn.compile, fn, { cc = arg[2] }))
    local ok, lib = pcall(fn.compile, fn)
    print(ok and lib:call "f")
  ]]

  it("and leaves no files behind", function()
    local folder = os.tmpname()
    os.remove(folder)
    assert(os.execute(("mkdir '%s'"):format(folder)))
    local function run(what, cc)
      return (child(PIECE, ("TMPDIR='%s'"):format(folder), what, cc):gsub(folder, "FOLDER"))
    end
    assert.matches("^false\t[^\n]*there is no C compiler 'nonesuch'[^\n]*\n7\n$",
      run("", "nonesuch"))
    assert.matches("^false\t[^\n]*the C compiler 'false' failed:\n\n7\n$", run("", "false"))
    assert.matches("^false\t[^\n]*the native code cannot be loaded: [^\n]*\n7\n$", run("", "true"))
    assert.equal("", files(folder))
    assert.matches("no folder can be made in 'FOLDER': this system does not load shared objects by "
      .. "dlopen\nfalse\n$", run("no dlopen", "cc"))
    os.remove(folder)
    assert.matches("no folder can be made in 'FOLDER': No such file or directory\nfalse\n$",
      run("", "cc"))
  end)
end)

-- }== Compilers =======================================================

describe("compiling with", function()
  compilers.each(pending, function(cc)
    it(cc .. ", named as a string or list, gives the same results", function()
      local fn = half()
      local command = compilers.command(cc)
      for _, opts in ipairs {
        { cc = command }, { cc = command, flags = "" }, { cc = command, flags = { "-g", "-O1" } },
        { cc = command, flags = " -g  -O1 ", lines = false },
      } do
        local lib <close> = fn:compile(opts)
        assert.equal(-3, lib:call("half", 7, -2))
      end
    end)
  end)
end)

-- }====================================================================
