-- layers: checks that src keeps its layers, which src/layers lists.
--
-- usage: lua5.4 tools/layers.lua BUILD
--
-- BUILD holds the objects: a file may call what it may include, no matter which
-- header declares it. Prints each offence as file: what.
package.path = "./?.lua;" .. package.path
local rooms = require "tools.rooms"

local build = arg[1] or "build"
local house = rooms.read()
local offences = 0

local function offence(path, format, ...)
  offences = offences + 1
  print(path .. ": " .. format:format(...))
end

-- ------------------------------------------------------------- who may use what

-- Why file a may not use file b, both "room", "file"; nil when it may.
local function refusal(room_a, a, room_b, b)
  if room_a == room_b then
    local rank = house[room_a].rank
    if a ~= b and rank[b] > rank[a] then return "is listed after it" end
  elseif not house[room_a].sees[room_b] then
    return room_a .. " may not use " .. room_b
  end
end

local function listed(path)
  local room, file = rooms.of(path)
  return house[room] and house[room].rank[file] and room, file
end

-- --------------------------------------------------------------------- includes

local PUBLIC <const> = "^phial%f[./]"
local LUA <const> = { ["lua.h"] = true, ["lauxlib.h"] = true, ["lualib.h"] = true }

local function check_include(path, room, file, included)
  if included == "phial.h" and room:find "^core/" then
    offence(path, "includes all of phial.h: phial/*.h has what it needs")
  end
  if included:find(PUBLIC) then return end
  if LUA[included] then
    if room:find "^core/" then offence(path, "includes %s: the core knows no Lua", included) end
    return
  end
  local other, name = listed(included)
  if not other then
    return offence(path, "includes %s, which src/layers does not list", included)
  end
  local is_table = room == other and included:find "%.def$" -- includes nothing itself
  local why = not is_table and refusal(room, file, other, name)
  if why then offence(path, "includes %s: %s", included, why) end
end

local needed = {} -- headers that a file besides their own .c includes

local function check_file(path)
  local room, file = listed(path)
  if not room then return offence(path, "is not listed in src/layers") end
  for line in io.lines(path) do
    local included = line:match '^%s*#%s*include%s*"([^"]+)"'
    if included then
      check_include(path, room, file, included)
      if included ~= room .. "/" .. file .. ".h" then needed["src/" .. included] = true end
    end
    if room:find "^core/" and line:find "%f[%w_]luaL?_" then offence(path, "Lua in the core") end
  end
end

-- ------------------------------------------------------------------------ calls

-- What each object defines and wants, by path of its source.
local function symbols(path)
  local object = ("%s/%s.o"):format(build, path:match "^(.*)%.c$")
  local defined, wanted = {}, {}
  for _, line in ipairs(rooms.output((os.getenv "NM" or "nm") .. " -P '" .. object .. "'")) do
    local name, kind = line:match "^(%S+) (%S)"
    if kind == "U" then
      wanted[#wanted + 1] = name
    elseif kind:find "%u" then
      defined[#defined + 1] = name
    end
  end
  assert(#defined + #wanted > 0, object .. ": no symbols")
  return defined, wanted
end

local function check_calls(paths)
  local home, wants = {}, {}
  for _, path in ipairs(paths) do
    local defined, wanted = symbols(path)
    for _, name in ipairs(defined) do home[name] = path end
    wants[path] = wanted
  end
  for _, path in ipairs(paths) do
    local room, file = rooms.of(path)
    for _, name in ipairs(wants[path]) do
      local other, callee = rooms.of(home[name] or "")
      local crosses = other and room:match "^%w+" ~= other:match "^%w+"
      if crosses then -- phial.h says what the binding may call
        if room:find "^core/" then offence(path, "calls %s of the binding", name) end
      elseif other then
        local why = refusal(room, file, other, callee)
        if why then offence(path, "calls %s of %s: %s", name, home[name], why) end
      end
    end
  end
end

-- ------------------------------------------------------------------------- data

local WRITABLE <const> = { [".data"] = true, [".bss"] = true, [".tdata"] = true, [".tbss"] = true }
-- What compilers put into each shared object.
local OTHERS <const> = { ["completed.0"] = true, __dso_handle = true, __TMC_END__ = true }

-- Threads, each with a Lua state, share what is static: so all of it is constant.
local function check_constant(object)
  for _, line in ipairs(rooms.output((os.getenv "NM" or "nm") .. " -f sysv '" .. object .. "'")) do
    local name, section = line:match "^(%S+)%s*|.*|(%.%S+)$"
    if WRITABLE[section] and not OTHERS[name] then offence(object, "%s can be written", name) end
  end
end

-- ---------------------------------------------------------------------- headers

local function check_headers(headers)
  local cc = os.getenv "CC" or "cc"
  local flags = rooms.output "sh tools/lua cflags"[1] or ""
  for _, header in ipairs(headers) do
    local text = ('#include "%s"\\nextern int alone;\\n'):format(header)
    local command = ("printf '%s' | %s %s %s -fsyntax-only -x c -")
      :format(text, cc, "-std=c11 -pedantic -Werror -I. -Isrc", flags)
    if not os.execute(command) then offence(header, "does not compile alone") end
  end
end

local function check_list()
  for _, room in ipairs(house) do
    for _, file in ipairs(room.files) do
      if #rooms.output(("ls src/%s/%s.[chd]* 2>/dev/null"):format(room.name, file)) == 0 then
        offence("src/layers", "%s/%s does not exist", room.name, file)
      end
    end
  end
end

local files = rooms.output "find src/core src/binding -name '*.[ch]' | LC_ALL=C sort"
for _, path in ipairs(files) do check_file(path) end
for _, path in ipairs(files) do
  if path:find "%.h$" and not needed[path] then offence(path, "is included by no other file") end
end
check_headers(rooms.output "find src -name '*.h' | LC_ALL=C sort")
check_list()
check_calls(rooms.sources())
check_constant(build .. "/phial/core.so")
os.exit(offences == 0)
