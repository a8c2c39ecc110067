local a, _unused = 1, 2
local function rec() return rec() end
local b
b = 3
local c
print(c)
local d
print(d)
d = 2
print(d)
for i, n in ipairs(arg) do end
local x = 1
x = 2
print(x)
x = 3
local function f(self, ...)
  self = 1
  do return 1 end
  print "dead"
  return 2
end
f(4)
local s = "abc"
s()
local n = tonumber(arg[1])
if type(n) == "string" then print(n) end
local t = {}
if t then print(t) end
local DEBUG = false
if DEBUG then print "on" end

-- What a function of the file writes is known, also by what it calls.
local count, longest = 0, nil
local function add(n) for _ in ipairs(arg) do count = count + n end end
local function note(name) add(1) if not longest then longest = name end end
note(arg[1])
if longest == nil then add(count) print("nothing is longer than " .. longest) end
