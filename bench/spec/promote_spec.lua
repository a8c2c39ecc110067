-- fn:promote() beside LLVM: the functions of a small program of the corpus, all variables in
-- memory, have the same numbers of instructions and phis afterwards.
local corpus = require "bench.lib.corpus"
local interpreter = require("bench.lib.system").interpreter
local shell = require "spec.support.shell"
local under = require "spec.support.under"

local _, has_opt = shell.run "command -v opt-16"

describe("fn:promote() leaves as many phis and instructions", function()
  it("as LLVM's sroa and mem2reg", has_opt and function()
    if under.slow then return pending "opt is not to be checked" end
    local folder = os.tmpname()
    os.remove(folder)
    shell.output(("mkdir %s && cp %s/bzip2.* %s"):format(folder, corpus.folder, folder))
    local text, good = shell.run(
      ("%s bench/suites/promote.lua %s"):format(corpus.quoted(interpreter()), folder))
    shell.output("rm -r " .. folder)
    assert(good, text)
    local ours, theirs, phis, their_phis = text:match(
      "bzip2 +| +74 +| +%d+ +| +(%d+) +| +(%d+) +| +(%d+) +| +(%d+) ")
    assert(ours, text)
    assert.equal(theirs, ours)
    assert.equal(their_phis, phis)
  end or nil)
end)
