-- lines.lua REPORTS LUACHECK: on how many lines the reports of unused variables and
-- values differ from those of luacheck, and these reports.  A report is compared with
-- all that luacheck says of that name in the file.
local function read(path, pattern, visit)
  for line in io.lines(path) do
    local file, number, message = line:match(pattern)
    if file then visit(file, tonumber(number), message) end
  end
end

-- Whether luacheck names something on a line of a file, by "file name line"; and
-- whether it names it anywhere, by "file name".
local named = {}
read(arg[2], "^(.-):(%d+):%d+: %(W[23]%d%d%) (.*)", function(file, line, message)
  for name in message:gmatch "[%a_][%w_]*" do
    local key = file .. " " .. name
    named[key], named[key .. " " .. line] = true, true
  end
end)

local count, other, missing = 0, {}, {}
read(arg[1], "^(.-):(%d+): (.* is never used)$", function(file, line, message)
  local key = file .. " " .. message:match "'(.-)'"
  count = count + 1
  if named[key .. " " .. line] then return end
  local list = named[key] and other or missing
  list[#list + 1] = ("%s:%d: %s"):format(file, line, message)
end)

print(("%d of %d reports are on another line than luacheck's, %d are not luacheck's"):format(
  #other, count, #missing))
for _, list in ipairs { other, missing } do
  for _, report in ipairs(list) do print(report) end
end
