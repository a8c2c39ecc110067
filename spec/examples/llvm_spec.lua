-- The example llvm: what it makes of LLVM IR, that LLVM accepts it and runs it alike, its
-- messages, and its command.
local command_of = require "spec.support.command"
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local llvm = require "spec.support.llvm"
local phial = require "phial"

package.path = "examples/?.lua;" .. package.path
local Stats = require "llvm.stats"
local problems = require "llvm.problems"
local translate = require("llvm.module").translate

local FOLDER = "examples/llvm"
local RULES = phial.rules "int"

local function plain(text) return translate("a.ll", text, false, Stats.new()) end
local function with_rules(text) return translate("a.ll", text, RULES, Stats.new()) end

-- What is wrong with a text; nil if it is accepted.
local function problem(text)
  local done, why = pcall(plain, text)
  if done then return nil end
  if not problems.is(why) then error(why, 0) end
  return tostring(why)
end

describe("of LLVM IR", function()
  for name, check in golden.each(FOLDER, function(text)
    return plain(text) .. "\n; with rules\n" .. with_rules(text)
  end) do it(name, check) end
end)

describe("a constant", function()
  it("keeps the sign of zero", function()
    local text = "define double @f(i1 %c) {\n"
      .. "  %r = select i1 %c, double -0.000000e+00, double 0.000000e+00\n  ret double %r\n}\n"
    for _, way in ipairs { plain, with_rules } do
      assert.matches("double 0x8000000000000000, double 0x0000000000000000\n", way(text))
    end
  end)
end)

-- {== LLVM ==============================================================

-- Calls check(tools, input) for each golden file whose pointers an installed LLVM reads.
local function each_input(check)
  for _, path in ipairs(golden.files(FOLDER)) do
    local text = golden.input(path)
    local tools = llvm.tools[text:find "%f[%w]ptr%f[%W]" and "opaque" or "typed"]
    if tools then check(tools, text) end
  end
end

local function run(text, command)
  local path = os.tmpname()
  file.write(path, text)
  local out, why = llvm.run(("%s '%s'"):format(command, path))
  os.remove(path)
  return out, why
end

describe("LLVM", function()
  it("accepts what is written", function()
    if not next(llvm.tools) then return pending "not installed" end
    each_input(function(tools, text)
      for _, way in ipairs { plain, with_rules } do
        assert(run(way(text), tools.opt .. " -passes=verify -disable-output"))
      end
    end)
  end)

  it("runs it with the same result", function()
    if not next(llvm.tools) then return pending "not installed" end
    each_input(function(tools, text)
      if not text:find "@main%(" then return end
      for _, way in ipairs { plain, with_rules } do assert(run(way(text), tools.lli)) end
    end)
  end)

  it("promotes the same allocas, by as many phis or more", function()
    if not next(llvm.tools) then return pending "not installed" end
    local function count(text, what) return select(2, text:gsub(" = " .. what .. " ", "")) end
    each_input(function(tools, text)
      local theirs, ours = assert(run(text, tools.opt .. " -passes=mem2reg -S")), plain(text)
      for _, what in ipairs { "load", "alloca" } do
        assert.equal(count(theirs, what), count(ours, what), ours)
      end
      assert.is_true(count(theirs, "phi") >= count(ours, "phi"), ours)
    end)
  end)
end)

-- }== Mistakes ==========================================================

local function in_function(body)
  return "define i32 @f(i32 %a, i1 %c) {\n" .. body .. "}\n"
end

local MISTAKES = {
  { "", "a.ll:1:1: the file is empty" },
  { "int main() { return 0; }\n", "a.ll:1:1: this is not LLVM IR as clang writes it" },
  { "BC\xC0\xDE\x35", "a.ll:1:1: this is bitcode: llvm-dis makes text of it" },
  { "\x7fELF\2", "a.ll:1:1: this is not text" },
  { "; nothing\n", "a.ll:1:1: the file defines and declares nothing" },
  { "@x = external global i32\n@y = glob", "a.ll:2:1: the file ends in this line" },
  { "define void @f() {\n  ret void\n", "a.ll:1:1: the file ends in this function" },
  { in_function "  ret i32 %b\n", "a.ll:2:11: value '%b' is not defined" },
  { in_function "  br label %b\n", "a.ll:2:12: block '%b' is not defined" },
  { in_function "  %b = add i32 %a, 1\n", "a.ll:2:3: block '%0' has no terminator" },
  { in_function "  %a = add i32 %a, 1\n  ret i32 %a\n", "a.ll:2:3: '%a' is defined twice" },
  { in_function "  %b = load i32* %a\n  ret i32 %b\n",
    "a.ll:2:8: 'load' is not as LLVM 14 to 16 write it" },
  { in_function "  frob i32 %a\n  ret i32 %a\n", "a.ll:2:3: unknown instruction 'frob'" },
  { in_function "  ret i32 %a, !note !3\n", "a.ll:2:21: metadata '!3' is not defined" },
  { in_function "  %b = call i32 @g() #1\n  ret i32 %b\n",
    "a.ll:2:17: symbol '@g' is not defined" },
  { in_function "  %b = zext i1 %a to i32\n  ret i32 %b\n",
    "a.ll:2:3: this is not valid: bad argument #2 to 'zext' (an integer type wider than i32 "
      .. "expected, got i32)" },
}

describe("a file that is none", function()
  for _, row in ipairs(MISTAKES) do
    it("is refused: " .. row[2]:match "%d: (.*)", function()
      assert.equal(row[2], problem(row[1]))
    end)
  end

  it("is refused wherever it is cut off", function()
    for _, path in ipairs(golden.files(FOLDER)) do
      local text = golden.input(path)
      local body = text:find("\n}", 1, true)
      for i = 1, #text // 97 do
        local cut = text:sub(1, i * 97)
        if #cut > body and cut:find("!0", 1, true) and not cut:find("\n!0 =", 1, true) then
          assert(problem(cut), cut)
        else
          problem(cut)
        end
      end
    end
  end)
end)

-- }== The command =======================================================

describe("the command", function()
  local command = command_of "examples/llvm/main.lua"
  local input = golden.input(golden.files(FOLDER)[1])
  local path

  setup(function()
    path = os.tmpname()
    file.write(path, input)
  end)
  teardown(function() os.remove(path) end)

  it("writes LLVM IR", function()
    local out, err, status = command(path)
    assert.same({ plain(input), "", 0 }, { out, err, status })
    assert.equal(with_rules(input), (command("--rules - <" .. path)))
  end)

  it("tells counts and times", function()
    local _, err = command("--stats " .. path)
    local keys = {}
    for line in err:gmatch "[^\n]+" do keys[#keys + 1] = line:match "^([%w_]+) %S+$" end
    assert.same({ "functions", "instructions", "allocas", "promoted", "phis", "nodes",
      "seconds_read", "seconds_construct", "seconds_write", "events", "events_per_second",
      "seconds_total", "peak_kib" }, keys)
  end)

  it("writes nothing if something is wrong", function()
    file.write(path, input:sub(1, -30))
    local out, err, status = command(path)
    assert.same({ "", 1 }, { out, status })
    assert.truthy(err:find("^" .. path:gsub("%p", "%%%0") .. ":%d+:%d+: "))
    file.write(path, input)
  end)

  it("explains itself", function()
    local _, err, status = command "--what"
    assert.equal(1, status)
    assert.truthy(err:find("--what: no such option\nusage: ", 1, true))
    assert.truthy(select(2, command ""):find("no file given\nusage: ", 1, true))
    assert.truthy(select(2, command "nowhere.ll"):find("nowhere.ll: ", 1, true))
  end)
end)

-- }======================================================================
