-- fn:promote() beside LLVM: the functions of a small program of the corpus, all variables in
-- memory, have the same numbers of instructions and phis afterwards.
local corpus = require "bench.lib.corpus"
local shell = require "spec.support.shell"

local _, has_opt = shell.run "command -v opt-16"

describe("fn:promote() leaves as many phis and instructions", function()
  it("as LLVM's sroa and mem2reg", has_opt and function()
    local folder = os.tmpname()
    os.remove(folder)
    shell.output(("mkdir %s && cp %s/bzip2.* %s"):format(folder, corpus.folder, folder))
    local text, good = shell.run("lua5.4 bench/suites/promote.lua " .. folder)
    shell.output("rm -r " .. folder)
    assert(good, text)
    local ours, theirs, phis, their_phis = text:match(
      "bzip2 +| +74 +| +%d+ +| +(%d+) +| +(%d+) +| +(%d+) +| +(%d+) ")
    assert.equal(theirs, ours)
    assert.equal(their_phis, phis)
  end or nil)
end)
