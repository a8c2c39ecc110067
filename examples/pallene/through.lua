-- Pallene's compiler with the code of all functions in SSA form and back:
--   lua examples/pallene/through.lua OPTIONS FILE.pln
-- where `pallene` and `phial` can be required. With PHIAL_RULES=1, equal commands become one.
package.path = package.path .. ";" .. arg[0]:gsub("pallene/through%.lua$", "?.lua")
local construct = require("pallene.construct").construct
local driver = require "pallene.driver"
local flat = require "pallene.flat"
local phial = require "phial"
local write = require "pallene.write"

local RULES <const> = os.getenv "PHIAL_RULES" == "1" and phial.rules()
local compile = driver.compile_internal

function driver.compile_internal(name, input, stop_after, level)
  local module, problems = compile(name, input, stop_after, level)
  for _, func in ipairs(module and not stop_after and module.functions or {}) do
    local it = flat.func(func)
    local fn = construct(it, { rules = RULES })
    flat.restore(func, it, write(fn, func.name))
  end
  return module, problems
end

require("pallene.pallenec").main()
