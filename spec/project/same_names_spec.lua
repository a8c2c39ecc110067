-- Lists of the same names in several places: each names all that the others do, and no other.
local algorithms = require "phial.trace.algorithms"
local command = require "phial.command"
local declared = require "fuzz.attack.declared"
local file = require "spec.support.file"
local format = require "phial.trace.format"
local json = require "spec.support.json"
local lfs = require "lfs"
local log = require "phial.trace.log"
local options = require "phial.options"
local phial = require "phial"
local source = require "phial.source"
local tables = require "tools.tables"

local types = file.read "types/phial.lua"

-- Adds what a pattern captures in a text to a set.
local function names_in(text, pattern, set)
  set = set or {}
  for name in assert(text, pattern):gmatch(pattern) do set[name] = true end
  return set
end

local function set_of(list)
  local set = {}
  for _, name in ipairs(list) do set[name] = true end
  return set
end

local function without(set, ...)
  set = options.union(set)
  for _, name in ipairs { ... } do
    assert(set[name], name)
    set[name] = nil
  end
  return set
end

-- {== Events ============================================================

describe("events", function()
  local alias = types:match "%-%-%-@alias phial%.EventName\n(.-)\n\n"
  local NAMES <const> = names_in(alias, '"([%l_]+)"')
  local usual, detailed = types:match("\n(%-%-%- %- block, var: .-)\n%-%-%- With the option "
    .. "`detail` only:\n(.-)\n%-%-%-@alias")

  -- Those that a comment describes, as "- block, var: ...".
  local function described(text)
    local set = {}
    for list in text:gmatch "%-%-%- %- ([%l_, ]+):" do names_in(list, "[%l_]+", set) end
    return set
  end

  it("are described in types/phial.lua, and those that `detail` adds", function()
    assert.same(log.DETAILS, described(detailed))
    assert.same(options.union(described(usual), described(detailed)), NAMES)
  end)

  it("are those of C", function()
    local kinds = file.read "src/binding/methods/log.c":match "\n} kinds%[%] = {(.-)\n};"
    assert.same(NAMES, names_in(kinds, '%] = {"([%l_]+)", '))
    local enum, found = file.read "src/phial/events.h":match "typedef enum(.-)} ph_eventkind;", {}
    for name in enum:gsub("/%*.-%*/", ""):gmatch "PH_EV_(%u+)" do found[name:lower()] = true end
    local wanted = {}
    for name in pairs(NAMES) do wanted[name:gsub("_", "")] = true end
    assert.same(wanted, found)
  end)

  it("are told by the page, and so is how a function leaves SSA form", function()
    local say = file.read "lua/phial/emit/html/viewer/text.js":match "\n  const say = {(.-)\n  };"
    local found = names_in(say, "\n    ([%l_]+): %(")
    names_in(say, "\n    ([%l_]+)%(", found)
    assert.same(options.union(NAMES, { location = true, move = true }), found)
  end)

  it("have the fields that types/phial.lua declares", function()
    local class = types:match "\n%-%-%-@class phial%.Event\n(.-)\n\n"
    assert.same(names_in(class, "%-%-%-@field ([%w_]+)"),
      names_in(file.read "src/binding/methods/log.c", "\n  FIELD%(([%w_]+), "))
  end)
end)

-- }== JSON ==============================================================

describe("what phial.emit.json writes", function()
  local schema = json.read(file.read "docs/json.schema.json")["$defs"]
  local doc = file.read "docs/json.md"

  for _, what in ipairs { "function", "block", "value", "event" } do
    it("has the same fields in docs/json.md and its schema: " .. what, function()
      local rows, found = doc:match("\n| of an? " .. what .. " | |\n|%-%-%-|%-%-%-|\n(.-)\n\n"), {}
      for first in rows:gmatch "| (`.-) | " do names_in(first, "`([%l_]+)`", found) end
      local wanted = {}
      for name in pairs(schema[what].properties) do wanted[name] = true end
      assert.same(wanted, found)
    end)
  end

  it("leaves out those events that docs/json.md says", function()
    local silent = file.read "lua/phial/emit/json/choose.lua":match "SILENT <const> = {(.-)\n}"
    assert.same(names_in(silent, "(%l+) = true"),
      names_in(doc:match "change nothing %((.-), details%)", "`(%l+)`"))
  end)

  it("has all fields of phial.Event that are no ids", function()
    local row = doc:match "\n| (`event`.-) | as those of `phial.Event` |"
    local class = types:match "\n%-%-%-@class phial%.Event\n(.-)\n\n"
    local fields = names_in(class, "@field ([%w_]+)")
    for name in pairs(fields) do
      if name:find "_id$" then fields[name] = nil end
    end
    assert.same(without(fields, "args", "new_args", "place", "loc"), names_in(row, "`([%l_]+)`"))
  end)
end)

-- }== Traces ============================================================

describe("the letters of traces", function()
  local doc = file.read "docs/trace.md"

  -- Those of the table of a section.
  local function letters_of(title)
    local found = {}
    local rows = doc:match("\n## " .. title
      .. "\n.-\n| line | means |\n|%-%-%-|%-%-%-|\n(.-)\n\n")
    for first in rows:gmatch "| (`.-) | " do
      names_in(first, "`([%a@])[ %]`]", found)
      names_in(first, "`([%a@])$", found)
    end
    return found
  end

  -- As a sentence has them.
  local function said(pattern) return names_in(doc:match(pattern), "%a") end

  local function of_c(path)
    return names_in(file.read(path):match "\n} letters%[%] = {(.-)\n};", "{'(%a)', [^N]")
  end

  it("are in docs/trace.md", function()
    local known = { F = true }
    for letter in pairs(format.readers) do known[letter] = true end
    assert.same(known, options.union(letters_of "Lines", letters_of "Plain traces"))
    local played = names_in(file.read "lua/phial/trace/player.lua", "\nfunction play[:.](%a)%(")
    assert.same(known, options.union(played, { ["@"] = true, F = true }))
  end)

  it("have the options of docs/trace.md", function()
    local code, found = file.read "lua/phial/trace/format.lua", {}
    for _, table in ipairs { "OPTIONS", "PASSINGS" } do
      names_in(code:match("local " .. table .. " <const> = {\n(.-)\n}"), "([%l_]+) = ", found)
    end
    assert.same(found, names_in(doc, "`O ([%l_]+) "))
  end)

  it("of plain and of typed traces are those that bench/replay reads", function()
    local plain, typed = of_c "bench/tools/trace.c", of_c "bench/tools/typed.c"
    assert.same(options.union(plain, { F = true }), said "They use only the letters `(.-)`")
    local both = without(options.union(plain, typed, { F = true }), "m", "u")
    assert.same(both, said "\n%- The letters are `(.-)`")
  end)
end)

-- }== Algorithms ========================================================

describe("the algorithms", function()
  it("are those of C", function()
    local code = file.read "src/binding/methods/finish.c"
    local names = code:match "int l_classical%(.-names%[%] = {(.-)}"
    assert.same(set_of(algorithms.classical), names_in(names, '"(%l+)"'))
  end)

  it("are in docs/classical.md and docs/variants.md", function()
    local classical, variants = file.read "docs/classical.md", file.read "docs/variants.md"
    assert.same(set_of(algorithms.classical), names_in(classical, '\n| `"(%l+)"`'))
    assert.same(set_of(algorithms.variants), names_in(variants, '\n| `"(%l+)"`'))
  end)
end)

-- }== Ops ===============================================================

describe("ops", function()
  local ops, functions = {}, { once = true } -- which is no function, but is written as one
  for _, row in ipairs(phial.ops()) do ops[row.name] = row end
  for _, row in ipairs(tables.functions()) do functions[row.name] = true end

  it("and functions of rules are not among the names that other languages have for them", function()
    local aliases = file.read "src/core/ir/op.c":match "} aliases%[%] = {(.-)\n};"
    for name in pairs(names_in(aliases, '{"(%w+)", ')) do assert.falsy(ops[name], name) end
    local foreign = file.read "src/core/rules/language/rule_parse.c":match "} foreign%[%] = {(.-)};"
    for name, here in foreign:gmatch '{"([%w_]+)", *"([%w_]+)"}' do
      assert.falsy(functions[name] or ops[name], name)
      assert.truthy(functions[here], here)
    end
  end)
end)

-- }== The command =======================================================

describe("the subcommands", function()
  -- The modules of the folder that are none.
  local PARTS <const> = set_of { "excerpt", "failure", "file", "help", "init", "input", "options" }
  local names = {}
  for i, it in ipairs(command.subcommands()) do names[i] = it[1] end

  it("are modules of lua/phial/command", function()
    local found = {}
    for name in lfs.dir "lua/phial/command" do
      name = name:gsub("%.lua$", "")
      if name:find "^%l" and not PARTS[name] then found[name] = true end
    end
    assert.same(found, set_of(names))
  end)

  it("are listed by docs/command.md in their order, with what they do and take", function()
    local found = {}
    local doc = file.read "docs/command.md"
    for name, rest in doc:gmatch "\n    phial (%l+) +%[options%] ([^\n]+)" do
      local takes, summary = rest:match "^(.-)  +(.*)$"
      found[#found + 1] = { name, takes, summary }
    end
    local wanted = {}
    for i, it in ipairs(command.subcommands()) do
      wanted[i] = { it[1], it[2].takes, it[2].summary }
    end
    assert.same(wanted, found)
  end)

  it("have each option in docs/command.md", function()
    local doc = file.read "docs/command.md"
    local known, missing = { ["--help"] = true }, {}
    for _, it in ipairs(command.subcommands()) do
      for _, row in ipairs(it[2].options) do
        local name = row[1]:match "^%S+"
        known[name] = true
        if not doc:find("[`%s]" .. name:gsub("%-", "%%-") .. "[`%s]") then
          missing[#missing + 1] = ("%s %s"):format(it[1], name)
        end
      end
    end
    assert.same({}, missing)
    for name in doc:gmatch "`(%-%-%l[%l-]*)" do assert.truthy(known[name], name) end
  end)
end)

-- }== Options ===========================================================

describe("tables of options in documents have those of types/phial.lua:", function()
  -- By document: the classes of its tables, in their order.
  local CLASSES <const> = {
    native = { "NativeOptions", "COptions" }, exporting = { "LlvmOptions" },
    json = { "JsonOptions" }, explorer = { "HtmlOptions" }, trace = { "StepOptions" },
    running = { "RunOptions" }, analysis = { "Problem" },
  }

  -- The options of the rows of each table of a document, as sets.
  local function tables_of(name)
    local sets = {}
    local doc = file.read(("docs/%s.md"):format(name)) .. "\n"
    for rows in doc:gmatch "\n| option | |\n|%-%-%-|%-%-%-|(\n.-)\n\n" do
      local set = {}
      for first in rows:gmatch "\n| (`.-) | " do names_in(first, "`([%l_]+)[`(]", set) end
      sets[#sets + 1] = set
    end
    return sets
  end

  for name, classes in pairs(CLASSES) do
    it(("docs/%s.md"):format(name), function()
      local wanted = {}
      for i, class in ipairs(classes) do
        wanted[i] = {}
        for _, field in ipairs(declared.fields(class)) do wanted[i][field.name] = true end
      end
      assert.same(wanted, tables_of(name))
    end)
  end

  it("docs/source.md, and of the module phial.source", function()
    local known = file.read "lua/phial/source/init.lua":match "KNOWN <const> = {\n(.-)\n}"
    assert.same({ names_in(known, "([%l]+) = ") }, tables_of "source")
    local methods = {}
    for method, it in pairs(getmetatable(source.parse "").__index) do
      methods[method] = type(it) == "function" or nil
    end
    assert.same(methods, names_in(file.read "docs/source.md", "\n| `program:([%l_]+)%("))
  end)
end)

-- }== Documents =========================================================

describe("the document about", function()
  -- The entries of a folder that are not among these.
  local function entries(folder, ...)
    local found = {}
    for name in lfs.dir(folder) do
      if not name:find "^%." then found[name] = true end
    end
    return without(found, ...)
  end

  it("examples has a row for each", function()
    local rows = names_in(file.read "examples/README.md", "\n| %[[%w_]+%]%(([%w_]+)%) |")
    assert.same(entries("examples", "README.md", "command.lua", "demo.lua", "spec"), rows)
  end)

  it("bench names each suite", function()
    local row = file.read("docs/performance.md"):match "NAME%.lua is ([^|]+)"
    local found = names_in(row, "([%l_]+%.lua)")
    assert.same(entries("bench/suites", "pace.lua"), found) -- that is `make pace`
  end)

  local makefile = file.read "Makefile"

  it("trust has a row for each hunter", function()
    local rows = file.read "docs/trust.md":match "\n| `make %.%.%.` | |\n|%-%-%-|%-%-%-|\n(.-)\n\n"
    assert.same(names_in(makefile:match "\nHUNTERS = ([^\n]+)", "%l+"),
      names_in("\n" .. rows, "\n| `(%l+)` |"))
  end)

  it("contributing has a row for each step of `make check`", function()
    local recipe = makefile:match "\ncheck:\n(.-)\n#"
    local wanted = names_in(recipe, "check%-(%l+)")
    names_in(makefile:match "\nLONGER = ([^\n]+)", "%l+", wanted)
    names_in(makefile:match "\ncheck%-test: BEFORE = ([^\n]+)", "%l+", wanted)
    local rows = file.read "CONTRIBUTING.md":match "\n| step | .-\n|%-[^\n]+\n(.-)\n\n"
    local found = {}
    for first in ("\n" .. rows):gmatch "\n| ([%l, ]+) |" do names_in(first, "%l+", found) end
    assert.same(wanted, found)
  end)
end)

-- }======================================================================
