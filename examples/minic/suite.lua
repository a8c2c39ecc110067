-- suite.lua FOLDER [NAME ...]: compiles and runs tests, those of the folder or those named: NAME.c
-- has to end with status 0, and to write NAME.c.expected, if that is there. As C, as C after memory
-- was promoted, as LLVM IR and in the interpreter; prints which fail, and how many pass.
local exists = require("bench.lib.tree").exists
local file = require "spec.support.file"
local ways = require "examples.minic.spec.ways"

local WAYS <const> = { "c", "promoted", "lli", "interpreter" }

local folder = arg[1] or error("a folder is missing", 0)
local names = table.move(arg, 2, #arg, 1, {})
if #names == 0 then
  for path in io.popen(("ls '%s'"):format(folder)):lines() do
    names[#names + 1] = path:match "^(.*)%.c$"
  end
end

-- True if the test does what it is to do.
local function passes(way, name)
  local path = ("%s/%s.c"):format(folder, name)
  local out, status = ways[way](path, "")
  local expected = exists(path .. ".expected") and file.read(path .. ".expected")
  if status == 0 and (not expected or out == expected) then return true end
  print(name, way, status, (out:match "[^\n]*"))
end

local failed = false
for _, way in ipairs(WAYS) do
  if ways[way] then
    local passed = 0
    for _, name in ipairs(names) do passed = passed + (passes(way, name) and 1 or 0) end
    print(("%s: %d of %d passed"):format(way, passed, #names))
    failed = failed or passed < #names
  end
end
os.exit(not failed)
