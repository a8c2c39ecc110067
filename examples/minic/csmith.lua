-- csmith.lua BUILD [MINUTES [promotion]]: random C programs of csmith by all ways, compared with
-- the C compiler alone, and with memory and without (spec/promotion.lua), or only that: a few, or
-- as many as can be tried in that time, from the one after the last, which is kept in BUILD/csmith.
-- A program that fails stays in BUILD/csmith-SEED.c.
local file = require "spec.support.file"
local promotion = require "examples.minic.spec.promotion"
local ways = require "examples.minic.spec.ways"

local HEADERS <const> = "/usr/include/csmith"
local KINDS <const> = { "c", "promoted", "lli", "interpreter" }
local FEW <const> = 3

local build, minutes = arg[1], tonumber(arg[2])
if not (ways.cc and os.execute "command -v csmith >/dev/null" and io.open(HEADERS .. "/csmith.h"))
then
  print "csmith: not installed"
  os.exit(true)
end
ways.limit = 20

-- {== Checks: each returns a list of what is wrong ====================

local run = 0

-- The ways that do not do what the C compiler's program does, if both end.
local function by_all_ways(path)
  local out, status = ways.cc(path, "", HEADERS)
  if status == 124 then return {} end
  local list = {}
  for _, kind in ipairs(KINDS) do
    local its_out, its_status = out, status
    if ways[kind] then its_out, its_status = ways[kind](path, "", HEADERS) end
    if its_status ~= 124 and (its_out ~= out or its_status ~= status) then
      list[#list + 1] = ("%s: %s"):format(kind, its_out:sub(1, 300))
    end
  end
  run = run + 1
  return list
end

local compared = { functions = 0, phis = 0, instructions = 0, fewer = 0, longer = 0 }

local function by_promotion(path)
  local its = promotion(path, HEADERS)
  for what, n in pairs(compared) do compared[what] = n + its[what] end
  return its.wrong
end

local checks = arg[3] == "promotion" and { by_promotion } or { by_promotion, by_all_ways }

-- }== Programs ========================================================

local function try(seed)
  local path = ("%s/csmith-%d.c"):format(build, seed)
  assert(os.execute(("csmith --seed %d --no-packed-struct >%s"):format(seed, path)))
  for _, check in ipairs(checks) do
    local wrong = check(path)
    if wrong[1] then
      io.stderr:write(("csmith: seed %d, %s\n%s\n"):format(seed, path, table.concat(wrong, "\n")))
      os.exit(false)
    end
  end
  os.remove(path)
end

local kept = build .. "/csmith"
local first = minutes and io.open(kept) and tonumber(file.read(kept)) or 1
local seed, stop = first, minutes and os.time() + minutes * 60
while stop and os.time() < stop or not stop and seed < first + FEW do
  try(seed)
  seed = seed + 1
  if minutes then file.write(kept, tostring(seed)) end
end
print(("seeds %d to %d: %d programs run"):format(first, seed - 1, run))
print(("promoted: %d functions with the same %d phis; of %d instructions with rules, %d fewer; "
  .. "%d functions have more"):format(compared.functions, compared.phis, compared.instructions,
  compared.fewer, compared.longer))

-- }=====================================================================
