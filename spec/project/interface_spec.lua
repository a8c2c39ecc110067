-- The rules of docs/interface.md, checked on types/phial.lua and on the headers of C.
local declarations = require "tools.site.declarations"
local file = require "spec.support.file"

local DOC <const> = file.read "docs/interface.md"

---@class spec.Method
---@field class string the local name of its class: "Function"; "M": phial itself
---@field name string
---@field at string "Function:name"
---@field params {name: string, type: string}[] "..." is not among them
---@field returns string[] their types, as they are written

local function read_methods()
  local methods, params, returns = {}, {}, {}
  for line in io.lines "types/phial.lua" do
    local class, name, list = line:match "^function (%w+)[:.]([%w_]+)%((.-)%) end$"
    if class then
      local named = {}
      for param in list:gmatch "[%w_]+" do
        table.insert(named, { name = param, type = params[param] or "" })
      end
      local at = ("%s:%s"):format(class, name)
      table.insert(methods,
        { class = class, name = name, at = at, params = named, returns = returns })
    end
    if line:sub(1, 3) ~= "---" then params, returns = {}, {} end
    local param, type = line:match "^%-%-%-@param ([%w_]+)%??%s+(.+)$"
    if param then params[param] = type end
    table.insert(returns, line:match "^%-%-%-@return (.+)$")
  end
  return methods
end

local METHODS <const> = read_methods()

-- Those that are not ops, which are named by op.def.
local function named()
  local list = {}
  for _, it in ipairs(METHODS) do
    if it.class ~= "Ops" and it.class ~= "Term" then table.insert(list, it) end
  end
  return list
end

-- The methods of a class by name.
local function of_class(class)
  local set = {}
  for _, it in ipairs(METHODS) do
    if it.class == class then set[it.name] = it end
  end
  return set
end

local function words(text)
  local set = {}
  for word in text:gmatch "[%l_]+" do set[word] = true end
  return set
end

local VERBS <const> = words(DOC:match "\n> (.-)\n\n")

-- Names that docs/interface.md excepts.
local NEITHER <const> = { before = true, after = true, now = true, unreachable = true }

-- Questions that begin with a verb in the third person, or are one.
local THIRD_PERSON <const> = {
  dominates = true, has = true, calls_unknown = true, keeps_unreachable = true,
  says_type = true, takes_env = true,
}

local function is_question(name)
  return THIRD_PERSON[name] or name:find "^is_" or name:find "^has_" or name:find "^can_"
end

local function is_structure(it) return it.class == "Builder" and it.name:sub(-1) == "_" end

describe("the interface", function()
  it("is read from types/phial.lua", function()
    assert.truthy(#METHODS > 300)
    assert.same({ "b", "extra" },
      { of_class("Term").add.params[1].name, of_class("Term").add.params[2].name })
  end)

  it("has setters named after getters, which return what they were called on", function()
    local found = 0
    for _, it in ipairs(named()) do
      local noun = it.name:match "^set_(.+)"
      if noun then
        local class = of_class(it.class)
        local getter = class[noun] or class[noun .. "s"]
        assert.truthy(getter, it.at .. " has no getter")
        local of_what = class[noun] and it.class ~= "Memory" and getter.params or {}
        for i, param in ipairs(of_what) do assert.equal(param.name, it.params[i].name, it.at) end
        assert.truthy(it.returns[1]:find " self$", it.at .. " does not return self")
        found = found + 1
      end
    end
    assert.truthy(found >= 10)
  end)

  it("has questions that answer true or false, and nothing else does", function()
    local acts = { jump_if_open = true }
    for _, it in ipairs(named()) do
      local answers = it.returns[1] and it.returns[1]:find "^boolean" ~= nil
      if not acts[it.name] then assert.equal(is_question(it.name) ~= nil
        and is_question(it.name) ~= false, answers or false, it.at) end
    end
  end)

  it("has no name that is neither a verb of docs/interface.md, a question, a setter, nor gives",
    function()
      for _, it in ipairs(named()) do
        local classified = VERBS[it.name] or NEITHER[it.name] or is_question(it.name)
          or it.name:find "^set_" or is_structure(it)
        if not classified then assert.truthy(it.returns[1], it.at .. " gives nothing") end
      end
    end)

  it("has all verbs that docs/interface.md names", function()
    local names = {}
    for _, it in ipairs(METHODS) do names[it.name] = true end
    for verb in pairs(VERBS) do assert.truthy(names[verb], verb) end
  end)

  it("iterates over blocks and values of a function only; all else is a list", function()
    local iterators = { ["Function:blocks"] = true, ["Function:values"] = true, ["M:steps"] = true }
    for _, it in ipairs(named()) do
      local iterates = (it.returns[1] or ""):find "^%(?fun%(" ~= nil
      if it.class ~= "Op" then assert.equal(iterators[it.at] or false, iterates, it.at) end
    end
  end)

  it("gives several results only for several things that a call makes or reads", function()
    local several = { ["End:read"] = true, ["End:write"] = true, ["Point:emit"] = true,
      ["Point:call"] = true, ["Function:copy_into"] = true }
    for _, it in ipairs(named()) do
      local many = (it.returns[#it.returns] or ""):find "%.%.%." ~= nil
      assert.equal(several[it.at] or false, many, it.at)
    end
  end)

  it("takes options last", function()
    local found = 0
    for _, it in ipairs(named()) do
      for i, param in ipairs(it.params) do
        local is_options = param.name == "opts" or param.type:find "^phial%.%w+Options"
        local last = i == #it.params or i == #it.params - 1 and it.params[i + 1].name == "body"
        if is_options then assert.truthy(last, it.at) end
        if is_options then found = found + 1 end
      end
    end
    assert.truthy(found > 15)
  end)

  it("asks one block or value about itself", function()
    -- What takes several, begins something, or sets the current block.
    local of_all = { repair = true, set_current = true }
    for _, it in ipairs(named()) do
      local first = it.params[1] and it.params[1].type or ""
      if it.class == "Function" and not of_all[it.name] then
        assert.falsy(first:find "^phial%.Block" or first:find "^phial%.Value", it.at)
      end
    end
  end)

  it("returns nil and a message for files and foreign texts only", function()
    local foreign = { ["M:parse"] = true, ["M:replay"] = true, ["M:steps"] = true,
      ["M:record"] = true, ["Record:save"] = true }
    for _, it in ipairs(named()) do
      local tells = #it.returns == 2 and it.returns[2]:find "^string%? [mw]" ~= nil
      assert.equal(foreign[it.at] or false, tells, it.at)
    end
  end)

  it("is told at a glance by names that exist", function()
    local names = {}
    for _, it in ipairs(METHODS) do names[it.name] = true end
    local glance = DOC:match "\n## At a glance\n(.*)"
    local found = 0
    for name in glance:gmatch "[%l)]:([%l_]+)" do
      found = found + 1
      assert.truthy(names[name], name)
    end
    assert.truthy(found > 50)
  end)
end)

describe("a tier", function()
  local all = declarations.read(file.read "types/phial.lua")
  local counts = declarations.count(all)
  local CLASSES <const> = {
    phial = { "M" }, fn = { "Function", "End", "Point", "Ops" }, a = { "Block" },
    block = { "Block", "End", "Point", "Ops" }, v = { "Value" }, m = { "Module" }, R = { "Rules" },
    p = { "Instance" },
  }

  it("is core for at most 120, and documents have the numbers", function()
    assert.truthy(counts.core <= 120)
    assert.equal(counts.all, counts.core + counts.stable + counts.experimental)
    for path, says in pairs {
      ["docs/interface.md"] = "Of the %d functions and methods, %d are *core*",
      ["docs/why.md"] = "%d functions and methods, of which %d are\n[core]",
    } do
      assert.truthy(file.read(path):find(says:format(counts.all, counts.core), 1, true), path)
    end
  end)

  it("is core for what is bold at a glance", function()
    local is_core, found = {}, 0
    for _, it in ipairs(all.methods) do is_core[it.owner .. it.name] = it.tier == "core" end
    for row in DOC:match "\n## At a glance\n(.*)":gmatch "\n| ([^|]*)|" do
      local receiver
      for stars, code in row:gmatch "(%*?%*?)`([^`]*)`" do
        receiver = code:match "^(%a+)[:.]" or receiver
        local name, core = code:match "^%a+[:.]([%l_]+)" or code:match "^([%l_]+)%(", false
        for _, class in ipairs(CLASSES[receiver] or {}) do
          core = core or name and is_core[class .. name] or false
        end
        assert.equal(core, stars == "**", code)
        found = found + (core and 1 or 0)
      end
    end
    assert.truthy(found > 40)
  end)
end)

describe("a name that is gone", function()
  local rows = {}
  for class, name, now in file.read("src/binding/state/old_names.def")
    :gmatch 'OLD_NAME%("([^"]+)", "([^"]+)",%s+"([^"]+)"%)' do
    table.insert(rows, { class = class, name = name, now = now })
  end

  it("is not the name of anything now, and is in the changelog", function()
    local changes = file.read "CHANGELOG.md"
    assert.truthy(#rows > 30)
    for _, row in ipairs(rows) do
      local class = row.class:match "^phial%.(%u%w+)$" or "M"
      local its = of_class(class)[row.name] or class == "Block" and of_class("End")[row.name]
      assert.falsy(its, row.class .. " " .. row.name)
      assert.truthy(changes:find("[:.]" .. row.name .. "[%(`%s]"), row.name)
    end
  end)
end)

describe("the interface of C", function()
  -- What tries something, and says whether it has done so.
  local TRIES <const> = {
    alias = true, check = true, ["do"] = true, explain = true, find = true, func = true,
    load = true, part = true, run = true, simplify = true, take = true,
  }

  it("has questions that begin with is, has or a verb", function()
    local found = 0
    for header in io.popen("ls src/phial/*.h"):lines() do
      for name in file.read(header):gmatch "\nbool ph_[%l_]*_(%l+)%(" do
        found = found + 1
        local asks = name:find "^is" or name:find "^has" or name:find "^can" or name:find "s$"
        local verb = name:find "^%l+s%l+$" -- addsnone, namesvar
        assert.truthy(asks or verb or TRIES[name], ("%s: %s"):format(header, name))
      end
    end
    assert.truthy(found > 30)
  end)
end)
