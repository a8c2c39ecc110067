-- A page of 821 blocks, the interpreter's loop of Lua, all unfolded, in a real browser.
local browser = require "spec.support.browser"
local corpus = require "bench.lib.corpus"
local file = require "spec.support.file"
local json = require "spec.support.json"
local phial = require "phial"
local under = require "spec.support.under"

-- What a step cost in ms before a step drew only what it changes, median and 95th percentile; the
-- same of a step that is not the next one, before the algorithm beside the picture had a journal.
local BEFORE <const> = { readable = { 70, 650 }, whole = { 78, 433 }, jumping = { 66, 439 } }

local function page()
  local trace = file.read(corpus.unpacked(corpus.folder, "lua"))
  local at = assert(trace:find "\nF luaV_execute ") + 1
  local path = os.tmpname() .. ".html"
  file.write(path, phial.emit.html(trace:sub(at, trace:find("\nE\n", at, true) + 2)))
  return path
end

if under.brief then return end

describe("a page of a large function", function()
  local executable, missing = browser.find()
  local dot = os.execute "command -v dot >/dev/null 2>&1"
  if not executable or not dot then
    pending((missing or "dot") .. " is not installed: no page is opened")
    return
  end

  it("takes at most 50 ms a step, 100 to any other, of twenty one at most 150", function()
    local path <const> = page()
    local results = browser.visit("spec/browser/large.js",
      ('{"executable":"%s","file":"%s"}'):format(executable, path))
    os.remove(path)
    os.remove((path:gsub("%.html$", "")))
    local it = assert(results.large.text, results.large.problem)
    local got = json.read(it)
    for _, view in ipairs { "readable", "whole", "jumping" } do
      local now, before = got[view], BEFORE[view]
      print(("    %s: median %.0f ms, 95th percentile %.0f; before %d and %d"):format(view,
        now.median, now.p95, before[1], before[2]))
      assert(now.median <= (view == "jumping" and 100 or 50) and now.p95 <= 150, it)
    end
    print(("    unfolding: %.0f ms, the step of the most lines: %.0f ms"):format(got.unfolding,
      got.heavy))
    assert(got.unfolding <= 300 and got.heavy <= 1000, it)
    print(("    %d crossings, of dot %d"):format(got.own, got.dot))
    assert(got.own <= got.dot, it)
    assert.equal(821, got.blocks)
    assert.equal(0, got.spilled)
  end)
end)
