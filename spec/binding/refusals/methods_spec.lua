-- What every method of the handles of a function refuses, as types/phial.lua declares it: another
-- number of arguments, something else as self, and a function that is closed.
local declared = require "fuzz.attack.declared"
local handles_of = require "spec.support.handles"
local phial = require "phial"
local raises = require "spec.support.raises"

-- By the parts of which blocks and values have the methods.
local OWNER <const> = { End = "Block", Point = "Block", Ops = "Block", Term = "Value" }

-- fn:close() takes anything, as __gc and __close do; fn:compile() is a function of phial.native;
-- block:call() asks for its callee.
local OTHERS <const> = { close = true, compile = true, call = true }

-- Their first argument may be nil, but has to be there.
local SAID <const> = { ["Function.const"] = true, ["Function.set_current"] = true }

-- Functions of the module that are written in Lua, some of which look at what they need.
local IN_LUA <const> = {
  build = true, exporter = true, module = true, bisect = true, trap = true, record = true,
  replay = true, steps = true,
}

local function new_handles()
  local handles, close = handles_of "f"
  handles.Function:set_current(handles.Function:entry())
  return handles, close
end

-- Calls f(name, method, class, its declaration) for each method.
local function each_method(handles, f)
  for _, it in ipairs(declared.methods) do
    local class = OWNER[it.class] or it.class
    if handles[class] and class ~= "Event" and not it.name:find "^__" and not OTHERS[it.name] then
      f(it.name, handles[class][it.name], class, it)
    end
  end
end

-- How many arguments are taken, in words; one less than the fewest, and one more than the most.
local function counts(it)
  local least, most, is_open = 0, 0, false
  for i, param in ipairs(it.params) do
    if param.name == "..." then
      is_open = true
    else
      most = i
      local is_optional = param.optional or param.type:find "%?$"
      if not is_optional or i == 1 and SAID[it.full] then least = i end
    end
  end
  local words = is_open and ("at least %d"):format(least)
    or least == most and ("%d"):format(most) or ("%d to %d"):format(least, most)
  return words, least - 1, is_open and -1 or most + 1
end

local function check_counts(name, it, call)
  local words, few, many = counts(it)
  for _, n in ipairs { few, many } do
    local args = {}
    for i = 1, n do args[i] = true end
    if n >= 0 then
      raises.with(("wrong number of arguments to '%s' (%s expected, got %d)"):format(name, words, n),
        call, table.unpack(args))
    end
  end
end

describe("each method refuses", function()
  it("another number of arguments, as functions of the module do", function()
    local handles = new_handles()
    each_method(handles, function(name, method, class, it)
      -- ops say what they want of each operand, an actor that it is late, and a group takes none
      if ("Ops Term Actor Group"):find(it.class) then return end
      check_counts(name, it, function(...) return method(handles[class], ...) end)
    end)
    for _, it in ipairs(declared.methods) do
      if not it.class and not IN_LUA[it.name] then
        check_counts("phial." .. it.name, it, phial[it.name])
      end
    end
  end)

  it("something else as self", function()
    local handles = new_handles()
    local of_blocks = getmetatable(handles.Block).__index
    each_method(handles, function(name, method, class)
      local expected = class == "Cursor" and rawget(of_blocks, name) and "Block" or class
      raises.with(("calling '%s' on bad self (phial.%s expected, got number) (use ':'?)")
        :format(name, expected), method, 3)
    end)
  end)

  it("a function that is closed", function()
    local handles, close = new_handles()
    close()
    each_method(handles, function(name, method, class, it)
      local args = {}
      for i, param in ipairs(it.params) do args[i] = param.name ~= "..." or nil end
      if class ~= "Actor" then -- it has no function outside of its action
        raises.with(("calling '%s': function 'f' is closed"):format(name), method, handles[class],
          table.unpack(args))
      end
    end)
  end)
end)
