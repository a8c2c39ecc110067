-- Names of methods: setters and getters, and answers to names that are gone.
local file = require "spec.support.file"
local handles_of = require "spec.support.handles"
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"

-- Calls f with one thing of each kind that has methods, by its class.
local function with_things(f)
  local things, close = handles_of "f"
  things.Instance = phial.module("m"):instance()
  phial.build("g", { "n" }, nil, function(b)
    things.Builder = b
    f(things)
  end)
  close()
end

describe("a setter", function()
  local ARGUMENTS <const> = {
    set_loc = function() return 3, 4 end, set_name = function() return "name" end,
    set_data = function() return "g" end,
    set_current = function(it) return (type(it) == "table" and it.fn or it):entry() end,
    set_bytes = function(it) return it:address "bytes", "x" end,
  }

  it("returns what it was called on, and the getter has no arguments", function()
    local found = 0
    with_things(function(things)
      local m = phial.module "m"
      m:global("bytes", 3)
      things.Memory = m:instance()
      things.Value = things.Function:entry():call("g", "i64", 1, 2)
      for class, noun in file.read("types/phial.lua"):gmatch "\nfunction (%w+):set_(%w+)%(" do
        local it, name = things[class], "set_" .. noun
        if ARGUMENTS[name] then -- set_arg is for finished functions: spec/edit
          assert.equal(it, it[name](it, ARGUMENTS[name](it)), class .. " " .. name)
          found = found + 1
        end
        if noun ~= "arg" and noun ~= "bytes" then
          assert.equal(("wrong number of arguments to '%s' (0 expected, got 1): 'set_%s' sets it")
            :format(noun, noun), (raises.message(it[noun], it, 7):gsub(" @ 3:4$", "")))
        end
      end
    end)
    assert.equal(11, found)
  end)

  it("of the position: fn:set_loc sets what fn:loc gets", function()
    local fn = phial.fn "f"
    assert.is_nil(fn:loc())
    assert.same({ 3, 4, "f.src", 5, 6 }, { fn:set_loc(3, 4, "f.src", 5, 6):loc() })
    assert.same({ 7 }, { fn:set_loc(7):loc() })
    assert.is_nil(fn:set_loc():loc())
    refused(fn, "wrong number of arguments to 'loc' (0 expected, got 1): 'set_loc' sets it @ 7",
      function() fn:set_loc(7):loc(8) end)
    refused(fn, "wrong number of arguments to 'name' (0 expected, got 1) @ 7",
      function() fn:name "g" end) -- has no setter
  end)
end)

describe("a name that is gone", function()
  local CLASSES <const> = {
    fn = "Function", it = "Function", block = "Block", a = "Block", from = "Block", b = "Builder",
    value = "Value", cursor = "Cursor", solution = "Solution", leaving = "Leaving",
    instance = "Instance",
  }

  it("is answered with the name that replaces it, which exists", function()
    local rows = file.read("src/binding/state/old_names.def")
      :gmatch 'OLD_NAME%("([^"]+)", "([^"]+)",%s+"([^"]+)"%)'
    local found = 0
    with_things(function(things)
      for class, name, now in rows do
        local it = class == "phial" and phial or class == "phial.emit" and phial.emit
          or things[class:match "^phial%.(%w+)$"]
        local says = ({ phial = "there is no phial.%s", ["phial.emit"] = "there is no emitter '%s'",
          ["phial.Builder"] = "a builder has no method '%s'" })[class]
          or "a " .. class .. " has no method '%s'"
        assert.equal((says .. " any more: use %s"):format(name, now),
          raises.message(function() it[name](it) end))
        for receiver, method in now:gmatch "(%l+):([%l_]+)" do
          assert.equal("function", type(things[CLASSES[receiver]][method]), now)
        end
        for method in now:gmatch "phial%.(%l+)" do assert.truthy(phial[method], now) end
        found = found + 1
      end
    end)
    assert.truthy(found > 30)
  end)

  it("of another library is answered so, by whatever it is looked for in", function()
    local found = 0
    with_things(function(things)
      for name, now in file.read("src/binding/state/old_names.def")
        :gmatch 'OLD_NAME%("", "([^"]+)", "([^"]+)"%)' do
        for _, it in ipairs { things.Function, things.Block, things.Builder, phial } do
          assert.equal((": use %s"):format(now),
            raises.message(function() it[name](it) end):match ": use .*")
        end
        for receiver, method in now:gmatch "(%l+):([%l_]+)" do
          assert.equal("function", type(things[CLASSES[receiver]][method]), now)
        end
        found = found + 1
      end
    end)
    assert.truthy(found > 12)
  end)
end)

it("a type that does not exist is answered with those that do", function()
  for _, name in ipairs { "int", "double", "u32" } do
    local says = raises.message(phial.fn, "f", { "x:" .. name })
    local types = says:match("unknown type '" .. name .. "'; there are: ([^)]*)")
    for type in types:gmatch "%w+" do assert(phial.fn("f", { "x:" .. type })) end
    assert.equal("i1, i8, i16, i32, i64, f32, f64, ptr, any", types)
  end
end)
