-- The paper's algorithm, as the explorer's pages run and show it, in node: on the corpus it makes
-- the phis that phial makes, and its lines are found for phial's steps.
local corpus = require "bench.lib.corpus"
local file = require "spec.support.file"
local node = require "spec.support.node"
local phial = require "phial"
local under = require "spec.support.under"

local LONG <const> = os.getenv "LONG" ~= nil
local FEW <const> = under.brief and 4 or 12

-- The document of a program, in one line: its functions and the steps of their construction;
-- only the first ones unless all specs are run at full size.
local function document(name, opts)
  local trace = file.read(corpus.unpacked(corpus.folder, name))
  local at = 0
  for _ = 1, LONG and 0 or FEW + 1 do at = trace:find("\nF ", at + 1, true) end
  if at > 0 then trace = trace:sub(1, at) end
  return (phial.emit.json(trace, opts):gsub("\n", " ")) .. "\n"
end

describe("the paper's algorithm", function()
  if not node.exists() then
    pending "node is not installed"
    return
  end

  local function check(text)
    local out, good = node.run("spec/browser/paper.js", text)
    local found, changes = out:match "^%d+ functions, [1-9]%d* phis, (%d+) of ([1-9]%d*) changes\n$"
    assert(good and found, out)
    assert.equal(changes, found)
  end

  it("makes phial's phis, with its markers", function()
    check(document("bzip2", { detail = true }))
  end)

  it("makes them, simple", function() check(document("zlib", { construction = "simple" })) end)

  it("makes them of variables that end", function()
    for _, construction in ipairs { "marker", "simple" } do
      check(phial.emit.json([[
F f 4 0 i64 c:i1
V x i64
b entry
w x 7
K x
j 1
b 1
r x %3
c 2 3 %1
b 2
w x 5
j 1
S 1
S 2
S 3
b 3
r x %9
x 1
E
]], { construction = construction, detail = true }):gsub("\n", " ") .. "\n")
    end
  end)

  if LONG then
    it("makes them in Lua's own functions", function() check(document "lua") end)
  end
end)
