-- Construction shown by its text: the paper's figures and the cases that SSA
-- construction is known to get wrong. Each golden file is a frontend's code
-- and the function that comes out.
local golden = require "spec.support.golden"
local phial = require "phial"

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
      assert.equal(dense "marker", dense "simple")
    end)
  end
end)
