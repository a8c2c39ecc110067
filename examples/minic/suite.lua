-- suite.lua FOLDER [NAME ...]: compiles and runs the tests of c-testsuite, NAME.c and
-- NAME.c.expected in the folder (its tests/single-exec), or those named; prints which fail.
local file = require "spec.support.file"
local ways = require "examples.minic.spec.ways"

local folder = arg[1] or error("a folder is missing", 0)
local names = table.move(arg, 2, #arg, 1, {})
if #names == 0 then
  for path in io.popen(("ls '%s'"):format(folder)):lines() do
    names[#names + 1] = path:match "^(.*)%.c$"
  end
end

local passed = { c = 0, interpreter = 0 }
for _, name in ipairs(names) do
  local path = ("%s/%s.c"):format(folder, name)
  local expected = file.read(path .. ".expected")
  for way in pairs(passed) do
    local out, status = ways[way](path, "")
    local is_right = out == expected and status == 0
    if is_right then passed[way] = passed[way] + 1 end
    if not is_right then print(name, way, status, (out:match "[^\n]*")) end
  end
end
print(("%d tests: %d passed as C, %d in the interpreter"):format(#names, passed.c,
  passed.interpreter))
os.exit(passed.c == #names and passed.interpreter == #names)
