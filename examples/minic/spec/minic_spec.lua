-- The example minic: its messages, its SSA form, and its command.
local command_of = require "spec.support.command"
local compilers = require "spec.support.compilers"
local file = require "spec.support.file"
local its = require "examples.spec.command"

package.path = "examples/?.lua;" .. package.path
local minic = require "minic.compile"
local phial = require "phial"

local compile = minic.compile

-- What is wrong with a text: each mistake and where it is reported.
local MISTAKES <const> = {
  ["int x = ;"] = "1:9: expected an expression, found ';'",
  ["int f(void) { return y; }"] = "1:22: 'y' is not declared",
  ["int x; char x;"] = "1:13: 'x' is declared already, as 'int'",
  ["int f(int a) { int a[2]; return 1; }"] = "1:20: 'a' is declared already",
  ["struct s { int a; } v; int f(void) { return v.b; }"] =
    "1:47: 'struct s' has no member 'b'",
  ["int f(int *p) { return p * 2; }"] = "1:26: '*' is not defined for 'int *' and 'int'",
  ["int f(void) { goto out; }"] = "1:20: the label 'out' is not defined",
  ["int f(void) { goto a; goto b; goto c; goto d; goto e; goto f; goto g; goto h; goto i; }"] =
    "1:20: the label 'a' is not defined",
  ["int f(int n) { int a[n]; return 0; }"] = "1:22: 'n' is not constant",
  ["int f(const int *p) { *p = 1; return 0; }"] =
    "1:26: this cannot be assigned to: its type is 'const int'",
  ["void f(void) { break; }"] = "1:16: nothing is here to break from",
  ["int f(int n) { switch (n) { case 1: case 1: return 2; } return 0; }"] =
    "1:37: this case occurs twice",
  ["int g(int); int f(void) { return g(1, 2); }"] = "1:35: 2 arguments, but 1 parameters",
  ["int *p = 5;"] = "1:10: a value of type 'int' cannot become 'int *' without a cast",
  ["int a = 08;"] = "1:9: '08' is not a number that a type has",
  ["int a @ 3;"] = "1:7: '@' does not begin a token",
  ["long double x;"] = "1:1: 'long double' has no type of phial",
  ["int f(void) { return (1; }"] = "1:24: expected ')', found ';'",
  ["_Static_assert(sizeof(int) == 8, \"int has four bytes\");"] = "1:1: int has four bytes",
  ["struct s x = {1};"] = "1:15: 'struct s' has no further member",
  ["union u { int a, b; } x = {1, 2};"] = "1:31: 'union u' has no further member",
  ["int a[2] = {.x = 1};"] = "1:14: 'int[2]' has no member 'x'",
  ["struct s f(void); int g(void) { f(); }"] = "1:36: 'struct s' is incomplete",
  ["struct s x;"] = "1:10: 'x' has an incomplete type, 'struct s'",
  ["int f(void) {"] = "2:1: expected an expression, found 'the end'",
  ["# 7 \"other.h\"\nint f(void) { return g.x; }"] = "other.h:7:22: 'g' is not declared",
}

describe("a mistake in C", function()
  for text, message in pairs(MISTAKES) do
    it("is reported: " .. message, function()
      local module, why = compile(text .. "\n", "a.c")
      assert.is_nil(module)
      assert.equal(message:find "^%d" and "a.c:" .. message or message, why)
    end)
  end
end)

describe("the SSA form of C", function()
  local LOOP = [[
int f(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += i;
  return sum;
}
int g(void) { int x = 1, *p = &x; return *p; }
]]

  local function loads(text, opts)
    local module = assert(compile(text, "a.c", opts))
    assert(module:verify())
    local n = {}
    for _, name in ipairs { "f", "g" } do
      n[name] = select(2, module:get(name):text():gsub("alloca", ""))
    end
    return n
  end

  it("has a local in memory only if its address is taken, or by the option", function()
    assert.same({ f = 0, g = 1 }, loads(LOOP))
    assert.same({ f = 3, g = 2 }, loads(LOOP, { memory = true }))
  end)

  it("calls what is declared by its calls alone", function()
    local module = assert(compile("int f(void) { return g(1); }\nint h(void) { return g(2); }\n"
      .. "int g(int n) { return n; }\n", "a.c"))
    assert.equal(2, module:instance():call("h"))
  end)

  it("is the same if locals were in memory, to the names of phis and what dead code leaves",
    function()
      local function promoted(memory)
        return assert(compile([[
int g(int);
int f(unsigned char k, int c) {
  if (k == 12) return 0;
  do c = g(c); while (c < 9);
  return c == 20 ? g(k) : g(k + 2);
}
]], "a.c", { memory = memory, promote = true })):get "f":text { ids = "dense" }
      end
      assert.equal(promoted(false), promoted(true))
    end)

  it("has nothing but volatile locals where a call may return twice", function()
    local function text(callee)
      return assert(compile(([[
int %s(long *), g(int);
int f(int n, long *p) {
  int x = n * 3, y = x, c = n && y;
  if (%s(p) == 0) for (;;) x = c ? g(x) : n || g(y);
  return y;
}
]]):format(callee, callee), "a.c", { promote = true })):get "f":text()
    end
    assert.matches(" phi ", text "other")
    assert.no.matches(" phi ", text "_setjmp")
    assert.no.matches(" load ", text "_setjmp")
  end)

  it("is the same without rules", function()
    local module = assert(compile(LOOP, "a.c", { phial = { rules = false } }))
    assert(module:verify())
    assert.equal(45, module:get "f"(10))
    assert.equal(1, module:get "g"())
  end)
end)

describe("a program", function()
  local PATH <const> = "examples/minic/programs/games.c"

  -- The seconds of the fastest of some calls of f.
  local function best(f)
    local least = math.huge
    for _ = 1, 5 do
      collectgarbage()
      local start = os.clock()
      f()
      least = math.min(least, os.clock() - start)
    end
    return least
  end

  it("is written in C in at most twice the time in which it is compiled", function()
    local text = minic.preprocess(PATH)
    if not text then return pending "no C compiler" end
    local module
    local compiling = best(function() module = assert(compile(text, PATH)) end)
    local writing = best(function() phial.emit.c(module) end)
    assert.is_true(writing < 2 * compiling, ("%g, %g"):format(writing, compiling))
  end)
end)

-- {== The command =======================================================

local command = command_of "examples/minic/main.lua"
local PROGRAMS <const> = "examples/minic/programs/"

describe("the command minic", function()
  if not compilers.has "cc" then return pending "no C compiler" end

  it("prints what its README says", function()
    its.shows("examples/minic/README.md",
      { (command(PROGRAMS .. "gcd.c --ssa")):match "\n(fn gcd.-\n}\n)" })
  end)

  it("prints C and LLVM IR", function()
    assert.matches("int32_t", (command(PROGRAMS .. "gcd.c --c")))
    assert.matches("define i32 @gcd%(i32 %%a, i32 %%b%)", (command(PROGRAMS .. "gcd.c --llvm")))
  end)

  it("runs programs: their output, exit status and traps", function()
    local out, err, status = command(PROGRAMS .. "gcd.c --run 1071 462")
    assert.same({ "21\n", "", 21 }, { out, err, status })
    out, err, status = command(PROGRAMS .. "gcd.c --run 1")
    assert.same({ "", "two numbers are needed\n", 1 }, { out, err, status })
  end)

  it("tells mistakes, and fails", function()
    local path = os.tmpname() .. ".c"
    file.write(path, "#define F(x) x +\nint f(void) {\n  return F(1) ;\n}\n")
    local out, err, status = command(path)
    os.remove(path)
    assert.equal("", out)
    assert.equal(1, status)
    assert.matches("%.c:3:%d+: expected an expression, found ';'\n$", err)
  end)

  it("explains itself", function()
    its.explains(command, { [""] = "no file given", ["--what x.c"] = "--what: no such option" })
  end)
end)

-- }=====================================================================
