-- The paper's figures and classic problems of SSA construction. Each golden file
-- is a frontend's code and the text of the resulting function.
local golden = require "spec.support.golden"
local phial = require "phial"
local variants = require "spec.support.variants"

describe("construction of", function()
  for name, check in golden.each("construct/figures", golden.built) do it(name, check) end
end)

describe("the variants", function()
  for _, path in ipairs(golden.files "construct/figures") do
    it("agree on " .. path:match("([^/]+)%.phial$"), function()
      local source = golden.input(path)
      local function dense(construction)
        local with = setmetatable({}, { __index = phial })
        function with.fn(name, params, result, opts)
          opts = opts or {}
          opts.construction = construction
          return phial.fn(name, params, result, opts)
        end
        return assert(load(source))(with):text { ids = "dense" }
      end
      local first = dense(variants[1])
      for _, construction in ipairs(variants) do assert.equal(first, dense(construction)) end
    end)
  end
end)
