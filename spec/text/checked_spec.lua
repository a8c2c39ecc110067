-- Foreign text, which no contract of the C interface binds, breaks none: what tries texts
-- of all kinds does so with the library's checks, too, which the module is built without.
local quoted = require("bench.lib.corpus").quoted
local shell = require "spec.support.shell"
local system = require "bench.lib.system"
local tree = require "bench.lib.tree"
local under = require "spec.support.under"

-- Builds for a sanitizer have the checks in the module.
if not under.slow then
  describe("with the checks of the C library, no text aborts:", function()
    for _, spec in ipairs { "text/parse", "rules/language_errors", "trace/replay",
      "command/hostile" } do
      it(spec, function()
        shell.output(('%s "$(command -v busted)" --cpath %s spec/%s_spec.lua'):format(
          quoted(system.interpreter()), quoted(tree.build .. "/checked/?.so"), spec))
      end)
    end
  end)
end
