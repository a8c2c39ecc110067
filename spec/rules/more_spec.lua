-- phial.rules.more: the rules that were found are right, go with the built-in ones, and do more.
local assert = require "spec.support.assert"
local more = require "phial.rules.more"
local phial = require "phial"

local both = phial.rules "int":add(more)

describe("phial.rules.more", function()
  it("is right", function()
    local ok, verdicts = phial.rules(more):check { cases = 1000 }
    assert.truthy(ok, table.concat(verdicts, "\n"))
  end)

  it("has no rule that the built-in ones make useless, or that undoes them", function()
    assert.is_true((both:lint()))
    assert.is_nil(both:text():find "@[^\n]*late") -- then finish looks at all values
  end)

  local prove = os.getenv "LONG" and os.execute "command -v z3 >/dev/null" and it or pending
  prove("is proved at 8 bits, as far as it applies there", function()
    local _, verdicts = phial.rules(more):prove { widths = { 8 } }
    for _, it in ipairs(verdicts) do assert(it:find ": proved$" or it:find "no integers of", it) end
  end)

  it("does more", function()
    local texts = {}
    for i, rules in ipairs { phial.rules "int", both } do
      local fn = phial.fn("f", { "x" }, "i1", { rules = rules })
      local b = fn:entry()
      b:ret(b:ne(b:band(b:shr(fn:arg(1), 5), 1), 0))
      fn:finish():clean { dead = true }
      texts[i] = tostring(fn)
    end
    assert.truthy(texts[1]:find "shr")
    assert.truthy(texts[2]:find "band %%x, 32\n" and not texts[2]:find "shr")
  end)
end)
