-- The example without Lua: it prints the paper's Figure 2.
local golden = require "spec.support.golden"
local shell = require "spec.support.shell"
local under = require "spec.support.under"

it("figure2 prints the paper's Figure 2", function()
  golden.check("examples/c/golden/figure2.c", shell.output(under.built "examples/figure2"))
end)
