-- map: writes the map of src into ARCHITECTURE.md, between its markers: the
-- folders with what they are for, drawn as they include and call one another.
--
-- usage: lua5.4 tools/map.lua [--check]
--
-- --check only compares.
package.path = "./?.lua;" .. package.path
local file = require "tools.file"
local rooms = require "tools.rooms"

local PATH <const> = "ARCHITECTURE.md"
local BEGIN <const>, END <const> = "<!-- map: by `make map` -->\n", "<!-- end of map -->"

local house = rooms.read()

-- Which rooms the files of a room include.
local function used_by(room)
  local used = {}
  for _, path in ipairs(rooms.output(("ls src/%s/*.[ch]"):format(room.name))) do
    for line in io.lines(path) do
      local other = rooms.of(line:match '^%s*#%s*include%s*"([^"]+)"' or "")
      if house[other] and other ~= room.name then used[other] = true end
    end
  end
  return used
end

local function reaches(uses, from, to)
  if from == to then return true end
  for other in pairs(uses[from]) do
    if reaches(uses, other, to) then return true end
  end
  return false
end

-- Whether an arrow says nothing new: another room that is used leads there, too.
local function is_implied(uses, from, to)
  for other in pairs(uses[from]) do
    if other ~= to and reaches(uses, other, to) then return true end
  end
  return false
end

local function id(name) return (name:gsub("/", "_")) end

local function draw(uses)
  local lines = { "```mermaid", "flowchart TD" }
  for _, room in ipairs(house) do
    lines[#lines + 1] = ("  %s[%q]"):format(id(room.name), room.name)
  end
  for _, room in ipairs(house) do
    for _, other in ipairs(house) do
      if uses[room.name][other.name] and not is_implied(uses, room.name, other.name) then
        lines[#lines + 1] = ("  %s --> %s"):format(id(room.name), id(other.name))
      end
    end
  end
  lines[#lines + 1] = '  binding_state --> header{{"src/phial/*.h"}}'
  lines[#lines + 1] = "  header --> core_rulecheck & core_verify"
  lines[#lines + 1] = "```"
  return lines
end

-- The table reads as a house: the top floor first.
local function tabulate()
  local lines = { "| folder | what it is for | files, bottom-up |", "|---|---|---|" }
  for i = #house, 1, -1 do
    local room = house[i]
    lines[#lines + 1] = ("| [%s](src/%s) | %s | %s |")
      :format(room.name, room.name, room.purpose, table.concat(room.files, " "))
  end
  return lines
end

local function map()
  local uses = {}
  for _, room in ipairs(house) do uses[room.name] = used_by(room) end
  return table.concat(tabulate(), "\n") .. "\n\n" .. table.concat(draw(uses), "\n") .. "\n"
end

local old = file.read(PATH)
local _, from = old:find(BEGIN, 1, true)
local to = old:find(END, from, true)
local new = old:sub(1, from) .. map() .. old:sub(to)
if arg[1] == "--check" then
  if new ~= old then print(PATH .. ": the map is out of date: run 'make map'") end
  os.exit(new == old)
end
file.write(PATH, new)
