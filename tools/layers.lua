-- layers: checks that src keeps its layers, which src/layers lists.
--
-- usage: lua5.4 tools/layers.lua BUILD
--
-- BUILD holds the objects: a file may call what it may include, no matter which
-- header declares it. What inline functions and macros of a header call, the header
-- calls, and not the files that include it. A header in src/phial belongs to the first
-- folder that implements part of it. A folder that is listed for another one is one that
-- this one uses. Prints each offence as file: what.
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

local used = {} -- [room][other]: a file of room uses one of the other
for _, room in ipairs(house) do used[room.name] = {} end

-- Why file a may not use file b, both "room", "file"; nil when it may.
local function refusal(room_a, a, room_b, b)
  if room_a == room_b then
    local rank = house[room_a].rank
    if a ~= b and rank[b] > rank[a] then return "is listed after it" end
  elseif not house[room_a].sees[room_b] then
    return room_a .. " may not use " .. room_b
  end
  used[room_a][room_b] = true
end

local function listed(path)
  local room, file = rooms.of(path)
  return house[room] and house[room].rank[file] and room, file
end

-- ------------------------------------------------------------------ definitions

local home = {} -- of a name that objects export or headers define: the path of the source
local wants = {} -- of a path: the names that its object imports

local function read_object(path)
  local object = ("%s/%s.o"):format(build, path:match "^(.*)%.c$")
  local wanted, symbols = {}, 0
  for _, line in ipairs(rooms.output((os.getenv "NM" or "nm") .. " -P '" .. object .. "'")) do
    local name, kind = line:match "^(%S+) (%S)"
    symbols = symbols + (name and 1 or 0)
    if kind == "U" then
      wanted[#wanted + 1] = name
    elseif kind:find "%u" then
      home[name] = path
    end
  end
  assert(symbols > 0, object .. ": no symbols")
  wants[path] = wanted
end

-- The C text of a file, without comments and strings.
local function code(path)
  local file <close> = assert(io.open(path))
  return "\n" .. file:read("a"):gsub("/%*.-%*/", " "):gsub('"[^"\n]*"', '""')
end

local function each_word(text, call)
  for word in text:gmatch "%f[%w_][%a_][%w_]*" do call(word) end
end

-- The names in what a file contains besides declarations: bodies, initializers, macros.
local function names_used(path)
  local text, names = code(path):gsub("\\\n", " "), {}
  local function note(word) names[word] = true end
  for body in text:gmatch "%b{}" do each_word(body, note) end
  for body in text:gmatch "\n%s*#%s*define%s+[%w_]+([^\n]*)" do each_word(body, note) end
  return names
end

local function read_header(path)
  local text = code(path)
  for name in text:gmatch "\nstatic inline [^(]-([%w_]+)%(" do home[name] = path end
  for name in text:gmatch "\n%s*#%s*define%s+(%l[%w_]*)" do home[name] = path end
end

-- The place in the house of the first folder that defines what a public header declares.
local function owner(path)
  local first = math.huge
  each_word(code(path), function(word)
    local room = rooms.of(home[word] or "")
    if room then first = math.min(first, house[room].place) end
  end)
  return house[first] and house[first].name
end

-- --------------------------------------------------------------------- includes

local PUBLIC <const> = "^phial%f[./]"
local LUA <const> = { ["lua.h"] = true, ["lauxlib.h"] = true, ["lualib.h"] = true }

local function check_public(path, room, included)
  local other = room:find "^core/" and owner("src/" .. included)
  if other and other ~= room and not house[room].sees[other] then
    offence(path, "includes %s: %s may not use %s", included, room, other)
  end
end

-- Public headers include one another as the folders do to which they belong.
local function check_public_file(path)
  local room = owner(path)
  for line in io.lines(path) do
    local included = line:match '^#include "(phial/[^"]+%.h)"'
    if room and included then check_public(path, room, included) end
  end
end

local function check_include(path, room, file, included)
  if included == "phial.h" and room:find "^core/" then
    offence(path, "includes all of phial.h: phial/*.h has what it needs")
  end
  if included:find(PUBLIC) then return check_public(path, room, included) end
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

local function check_call(path, name)
  local room, file = rooms.of(path)
  local other, callee = rooms.of(home[name] or "")
  if not other then return end
  if room:match "^%w+" ~= other:match "^%w+" then -- phial.h says what the binding may call
    if room:find "^core/" then offence(path, "calls %s of the binding", name) end
    return
  end
  local why = refusal(room, file, other, callee)
  if why then offence(path, "calls %s of %s: %s", name, home[name], why) end
end

local function check_calls(paths)
  local inline = {} -- names that headers use
  for _, path in ipairs(paths) do
    for name in pairs(names_used(path)) do
      if path:find "%.h$" then inline[name] = true end
      check_call(path, name)
    end
  end
  for path, names in pairs(wants) do -- also those that macros make
    for _, name in ipairs(names) do
      if not inline[name] then check_call(path, name) end
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
    for other in pairs(room.sees) do
      if not used[room.name][other] then
        offence("src/layers", "%s does not use %s", room.name, other)
      end
    end
    for _, file in ipairs(room.files) do
      if #rooms.output(("ls src/%s/%s.[chd]* 2>/dev/null"):format(room.name, file)) == 0 then
        offence("src/layers", "%s/%s does not exist", room.name, file)
      end
    end
  end
end

local files = rooms.output "find src/core src/binding -name '*.[ch]' | LC_ALL=C sort"
for _, path in ipairs(rooms.sources()) do read_object(path) end
for _, path in ipairs(files) do
  if path:find "%.h$" then read_header(path) end
end
for _, path in ipairs(files) do check_file(path) end
for _, path in ipairs(rooms.output "ls src/phial/*.h") do check_public_file(path) end
for _, path in ipairs(files) do
  if path:find "%.h$" and not needed[path] then offence(path, "is included by no other file") end
end
check_headers(rooms.output "find src -name '*.h' | LC_ALL=C sort")
check_calls(files)
check_list()
check_constant(build .. "/phial/core.so")
os.exit(offences == 0)
