-- The paper's figures and classic problems of SSA construction. A golden file is
-- a frontend's code, its expected text that of the resulting function.
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local phial = require "phial"
local variants = require "spec.support.variants"

local FIGURES <const> = "spec/golden/construct/figures"

describe("construction of", function()
  for name, check in golden.each(FIGURES, golden.built) do it(name, check) end
end)

describe("the variants", function()
  for name, path in golden.programs(FIGURES) do
    it("agree on " .. name, function()
      local source = file.read(path)
      local function dense(construction)
        local with = setmetatable({}, { __index = phial })
        function with.fn(fn, params, result, opts)
          opts = opts or {}
          opts.construction = construction
          return phial.fn(fn, params, result, opts)
        end
        return assert(load(source))(with):text { ids = "dense" }
      end
      local first = dense(variants[1])
      for _, construction in ipairs(variants) do assert.equal(first, dense(construction)) end
    end)
  end
end)
