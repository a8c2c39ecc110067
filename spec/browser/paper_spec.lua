-- The paper's algorithm, as the explorer's pages run and show it, in node: on the corpus it makes
-- the phis that phial makes, and its lines are found for phial's steps.
local corpus = require "bench.lib.corpus"
local file = require "spec.support.file"
local node = require "spec.support.node"
local phial = require "phial"

local LONG <const> = os.getenv "LONG" ~= nil
local FEW <const> = 12

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

  local function check(name, opts)
    local out, good = node.run("spec/browser/paper.js", document(name, opts))
    local found, changes = out:match "^%d+ functions, [1-9]%d* phis, (%d+) of ([1-9]%d*) changes\n$"
    assert(good and found, out)
    assert.equal(changes, found)
  end

  it("makes phial's phis, with its markers", function() check("bzip2", { detail = true }) end)

  it("makes them, simple", function() check("zlib", { construction = "simple" }) end)

  if LONG then
    it("makes them in Lua's own functions", function() check "lua" end)
  end
end)
