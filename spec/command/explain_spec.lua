-- phial explain, which tells why each phi exists.
local assert = require "spec.support.assert"
local command_of = require "spec.support.command"
local document = require "spec.support.document"
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local phial = require "phial"
local prop = require "spec.support.prop"
local programs = require "spec.support.programs"
local variants = require "spec.support.variants"

local story_of = require "phial.command.explain.story"
local wording = require "phial.command.explain.text"

-- The stories of the functions that f makes; whether it ended well, or what it raised.
local function during(f)
  local stories = {}
  local ok, err = story_of.watching(f, function(fn) story_of.listen(stories, fn) end)
  for _, story in ipairs(stories) do story:look() end
  return stories, ok, err
end

local function explained(source, path)
  local stories
  if path:find "%.trace$" then
    stories = assert(story_of.replayed(source, "trace"))
  else
    local chunk = assert(load(source, "=program"))
    local ok, err
    stories, ok, err = during(chunk)
    assert(ok, err)
  end
  return wording.summary(stories[1]) .. "\n" .. wording.steps(stories[1])
end

describe("explain tells of", function()
  for name, check in golden.each("spec/golden/command/explain", explained) do it(name, check) end
end)

it("docs/command.md shows what it tells of the example with primitives", function()
  local source = document.code("docs/start/frontend.md", 4):gsub("\nprint[^\n]*", "")
  local stories = during(assert(load(source, "=sum.lua")))
  local told = wording.summary(stories[1]) .. wording.steps(stories[1])
  local shown = 0
  for part in file.read "docs/command.md":gmatch "\n\n(    .-)\n\n%f[^\n ]" do
    if part:find "sum.lua:" then
      shown = shown + 1
      assert.truthy(told:find(part:gsub("^    ", ""):gsub("\n    ", "\n"), 1, true), part)
    end
  end
  assert.equal(2, shown)
end)

describe("explain's history", function()
  for _, construction in ipairs(variants) do
    it("is that of the phis that there are: " .. construction, function()
      prop.forall(programs.generate, function(p)
        local fn
        local seal = ({ "early", "finish", "random", "count" })[#p.blocks % 4 + 1]
        local stories = during(function()
          fn = programs.build(p, { construction = construction, seal = seal })
          fn:finish()
        end)
        local phis, by_id = story_of.phis(stories[1])
        local stats, gone = fn:stats(), { trivial = 0, redundant = 0, dropped = 0 }
        for _, phi in ipairs(phis) do
          if phi.gone then gone[phi.gone.kind] = gone[phi.gone.kind] + 1 end
          assert(phi.read or phi.by, "nobody asked")
        end
        assert.equal(stats.trivial_phis, gone.trivial)
        assert.equal(stats.redundant_phis, gone.redundant)
        assert.equal(stats.phis, #phis - gone.trivial - gone.redundant - gone.dropped)
        for block in fn:blocks() do
          for _, phi in ipairs(block:phis()) do
            local told, args = by_id[phi:id()], phi:args()
            assert.is_nil(told.gone)
            for _, operand in ipairs(told.operands) do
              assert(#operand.origins > 0, "an operand comes from nowhere")
            end
            assert(#told.operands >= #args)
          end
        end
        wording.summary(stories[1])
        wording.steps(stories[1])
      end)
    end)
  end

  it("finds each write that an operand comes from", function()
    local stories = during(function()
      local fn = phial.fn("f", { "c:i1" }, "i64")
      local x, e, a, b = fn:var "x", fn:entry(), fn:block("a", 1), fn:block("b", 1)
      local join, other, last = fn:block("join", 2), fn:block("other", 1), fn:block("last", 2)
      local fork = fn:block("fork", 1)
      e:branch(fn:arg(1), fork, other)
      fork:branch(fn:arg(1), a, b)
      a:write(x, 1); a:jump(join)
      b:write(x, 1); b:jump(join)
      join:jump(last)
      other:write(x, 2); other:jump(last)
      last:ret(last:read(x))
      fn:finish()
    end)
    local phi = story_of.phis(stories[1])[1]
    local blocks = {}
    for _, origin in ipairs(phi.operands[1].origins) do
      blocks[#blocks + 1] = stories[1].blocks[origin.block]
    end
    table.sort(blocks)
    assert.same({ "a", "b" }, blocks)
  end)
end)

-- {== The command ======================================================

local command = command_of "bin/phial"

-- The output and the status of the command; `{}` in the arguments is a file with
-- that text.
local function run(arguments, text)
  local path = os.tmpname()
  file.write(path, text or "")
  local out, err, status = command("explain " .. arguments:gsub("{}", path))
  os.remove(path)
  local name = path:gsub("%p", "%%%0")
  return out:gsub(name, "FILE"), err:gsub(name, "FILE"), status
end

describe("explain's command", function()
  local SCRIPT = [[
    local phial = require "phial"
    print(arg[0] == debug.getinfo(1, "S").short_src, ...)
    local fn = phial.fn("f", {}, nil)
    fn:entry():ret()
    phial.build("g", {}, nil, function() end)
    fn:finish()
    os.exit(3)
  ]]

  it("runs a script with its arguments, and ends as it does", function()
    local out, complaints, code = run("{} a --steps", SCRIPT)
    assert.equal("true\ta\t--steps\n\n=== f ===\n\nfn f() {\nentry:\n  ret\n}\n\n"
      .. "no phis were made\n\n=== g ===\n\nfn g() {\nentry:\n  ret\n}\n\nno phis were made\n", out)
    assert.equal("", complaints)
    assert.equal(3, code)
  end)

  it("tells of some functions only, step by step", function()
    local out = run("--function f --steps {}", SCRIPT)
    assert.equal("true\n\n=== f ===\n\nFILE:4  'entry' ends: ret\nFILE:6  finished\n", out)
  end)

  it("tells what went before an error", function()
    local out, complaints, code = run("{}", [[
      local phial = require "phial"
      local fn = phial.fn("f")
      phial.fn(1)
    ]])
    assert.equal("\n=== f ===\n\nfn f() {\nentry:\n}\n\nno phis were made\n", out)
    assert.truthy(complaints:find("^FILE:3: bad argument #1 to 'phial.fn'"), complaints)
    assert.equal(1, code)
  end)

  it("takes a trace, and tells where it is wrong", function()
    local out, complaints, code = run("--steps {}", "-- a trace\nF f 1 0\nb 0\nx\nu\n")
    assert.equal("\n=== f ===\n\nFILE:4  'entry' ends: ret nil\n", out)
    assert.truthy(complaints:find("^FILE:5:1: block 'entry' already ends.*\n  u\n  ^"), complaints)
    assert.equal(2, code)
    out, complaints, code = run("{}", "F f 1 0\nq")
    assert.same({ "", "FILE:2:1: unknown letter 'q'\n  q\n  ^\n", 2 }, { out, complaints, code })
  end)

  it("writes a page of all functions of a script", function()
    local page = os.tmpname()
    local out, complaints, code = run(("--html --detail -o %s {} a"):format(page), SCRIPT)
    assert.same({ "true\ta\n", "", 3 }, { out, complaints, code })
    local html = file.read(page)
    assert.truthy(html:find('"name": "f"', 1, true) and html:find('"name": "g"', 1, true))
    assert.truthy(html:find("fn:entry():ret()", 1, true), "the script is not shown")
    run(("--html --function g -o %s {}"):format(page), SCRIPT)
    assert.is_nil(file.read(page):find('"name": "f"', 1, true))
    os.remove(page)
    assert.truthy(run("--html {}", "F f 1 0\nb 0\nx\nE\n"):find "^<!DOCTYPE html>")
    out, complaints, code = run(("--html -o %s {}"):format(page), "os.exit(0)")
    assert.same({ "", "the script has made no function that is still there\n", 2 },
      { out, complaints, code })
  end)

  it("runs the other examples", function()
    local out, complaints, code = run "examples/while/main.lua examples/while/programs/gcd.while"
    assert.equal("", complaints)
    assert.truthy(out:find "=== gcd ===")
    assert.equal(0, code)
    out, complaints = run "--variable r2 examples/luac/main.lua examples/luac/golden/logic.lua"
    assert.equal("", complaints)
    assert.truthy(out:find "phi of r2 in 'pc")
    assert.is_nil(out:find "phi of r3 in 'pc")
  end)

  it("says how it is used", function()
    for arguments, why in pairs {
      [""] = "no file given", ["--detail {}"] = "--detail: only for --html",
      ["--html --steps {}"] = "--html and --steps: one at a time",
      ["spec/golden/command/inputs/sum.trace --steps"] =
        "--steps: only a script can be followed by words, its arguments",
      ["--html examples/demo.lua"] = "--html: of a script, which may print, with -o FILE",
    } do
      local out, complaints, code = run(arguments)
      assert.same({ "", 2 }, { out, code })
      assert.equal(("phial: %s\ntry 'phial explain --help'\n"):format(why), complaints)
    end
  end)
end)

-- }=====================================================================
