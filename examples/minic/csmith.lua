-- csmith.lua BUILD [MINUTES]: random C programs of csmith by all ways, compared with the C compiler
-- alone: a few, or as many as can be tried in that time, from the one after the last, which is kept
-- in BUILD/csmith. A program that fails stays in BUILD/csmith-SEED.c.
local file = require "spec.support.file"
local ways = require "examples.minic.spec.ways"

local HEADERS <const> = "/usr/include/csmith"
local KINDS <const> = { "c", "memory", "lli", "interpreter" }
local FEW <const> = 3

local build, minutes = arg[1], tonumber(arg[2])
if not (ways.cc and os.execute "command -v csmith >/dev/null" and file.read(HEADERS .. "/csmith.h"))
then
  print "csmith: not installed"
  os.exit(true)
end
ways.limit = 20

-- The ways that do not do what the C compiler's program does; nil if that does not end.
local function differing(path)
  local out, status = ways.cc(path, "", HEADERS)
  if status == 124 then return nil end
  local list = {}
  for _, kind in ipairs(KINDS) do
    local its_out, its_status = out, status
    if ways[kind] then its_out, its_status = ways[kind](path, "", HEADERS) end
    if its_status ~= 124 and (its_out ~= out or its_status ~= status) then
      list[#list + 1] = ("%s: %s"):format(kind, its_out:sub(1, 300))
    end
  end
  return list
end

local kept = build .. "/csmith"
local first = minutes and tonumber(file.read(kept) or "") or 1
local seed, stop, done = first, minutes and os.time() + minutes * 60, 0
while stop and os.time() < stop or not stop and done < FEW do
  local path = ("%s/csmith-%d.c"):format(build, seed)
  assert(os.execute(("csmith --seed %d --no-packed-struct >%s"):format(seed, path)))
  local wrong = differing(path)
  if wrong and wrong[1] then
    io.stderr:write(("csmith: seed %d, %s\n%s\n"):format(seed, path, table.concat(wrong, "\n")))
    os.exit(false)
  end
  os.remove(path)
  seed, done = seed + 1, done + (wrong and 1 or 0)
  if minutes then file.write(kept, tostring(seed)) end
end
print(("%d programs, seeds %d to %d"):format(done, first, seed - 1))
