--- Reads src/layers: the folders of src with the files in each, bottom-up.
local M = {}

---@class Room
---@field name string "core/ir"
---@field purpose string what it is for
---@field place integer of the room, from 1
---@field sees table<string, true> rooms below that it may use
---@field files string[] "func", ..., bottom-up
---@field rank table<string, integer> place of a file in `files`

local function words(line)
  local list = {}
  for word in line:gmatch "%S+" do list[#list + 1] = word end
  return list
end

--- The rooms in their order, also by name.
---@return Room[]
function M.read()
  local rooms, purpose = {}, nil
  for line in io.lines "src/layers" do
    local name, seen = line:match "^([%w/_]+):(.*)$"
    purpose = line:match "^# (.*)$" or purpose
    if name then
      local room = { name = name, purpose = purpose, place = #rooms + 1, sees = {}, files = {},
        rank = {} }
      for _, other in ipairs(words(seen)) do
        assert(rooms[other], name .. " sees " .. other .. ", which does not precede it")
        room.sees[other] = true
      end
      rooms[#rooms + 1], rooms[name] = room, room
    elseif line:find "^%s+%S" then
      local room = rooms[#rooms]
      for _, file in ipairs(words(line)) do
        room.files[#room.files + 1] = file
        room.rank[file] = #room.files
      end
    end
  end
  return rooms
end

--- Room and file of a path: "src/core/ir/op.c" gives "core/ir", "op".
---@param path string
---@return string? room
---@return string? file
function M.of(path)
  return path:gsub("^src/", ""):match "^(.+)/([%w_]+)%.%w+$"
end

local function exists(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

--- The C files in the order of src/layers.
---@return string[] paths
function M.sources()
  local paths = {}
  for _, room in ipairs(M.read()) do
    for _, file in ipairs(room.files) do
      local path = ("src/%s/%s.c"):format(room.name, file)
      if exists(path) then paths[#paths + 1] = path end
    end
  end
  return paths
end

--- The lines that a command prints.
---@param command string
---@return string[]
function M.output(command)
  local lines = {}
  local pipe <close> = assert(io.popen(command))
  for line in pipe:lines() do lines[#lines + 1] = line end
  return lines
end

return M
