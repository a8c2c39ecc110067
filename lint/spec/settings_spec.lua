-- What authors tell luacheck holds here: comments and .luacheckrc, compared with luacheck itself;
-- and reports as JSON and SARIF.
local assert = require "spec.support.assert"
local command_of = require "spec.support.command"
local file = require "spec.support.file"
local lfs = require "lfs"
local lint = require "phial_lint"
local luacheck = require("phial.source.luacheck").require
local new_settings = require "phial_lint.settings"

local has_json, json = pcall(require, "dkjson")

-- {== Comments =========================================================

local TEXT <const> = [[
-- luacheck: ignore 213
local a, b = f() -- luacheck: no unused
local c, d = f()
print(c)
for i = 1, 2 do print() end
local T = {}
function T:m() return 1 end
-- luacheck: push ignore 211
local x1 = 1
-- luacheck: pop
local x2 = 1
local x3 = 1 -- luacheck: nonsense
local x4, x5 = f() print(x5) -- luacheck: no unused secondaries
local x6 = 1
x6 = 2
local y = 1 -- luacheck: ignore y
local function g(p)
  -- luacheck: no unused args
  if T then elseif x6 then else print() end
  return 1, 2
end
local z, z2 = g(1), 2, 3
while z do print(z2) break end
do end
z = 1
if not z == z2 then return T end
]]

-- Codes of luacheck that are not ours: 1, 4, 6 and redefinitions.
local function shown(list)
  local texts = {}
  for _, it in ipairs(list) do
    if it.code:find "^[0235]" then
      texts[#texts + 1] = ("%d:%d %s"):format(it.line, it.col or it.column, it.code)
    end
  end
  table.sort(texts)
  return texts
end

describe("comments to luacheck", function()
  for name, options in pairs {
    ["alone"] = {}, ["with an option"] = { ignore = { "512", "x." }, unused_args = true },
    ["with the option self"] = { self = false },
    ["with the option unused_secondaries"] = { unused_secondaries = false },
  } do
    it("hold as they do there, " .. name, function()
      local path = os.tmpname()
      local parts = {}
      for key, value in pairs(options) do
        parts[#parts + 1] = ("%s = %s\n"):format(key,
          type(value) == "table" and ("{ %q, %q }"):format(value[1], value[2]) or tostring(value))
      end
      file.write(path, table.concat(parts))
      local settings = assert(new_settings(path))
      os.remove(path)
      assert.same(shown(luacheck "luacheck".check_strings({ TEXT }, options)[1]),
        shown(lint.text(TEXT, settings)))
    end)
  end

  it("have patterns, or this is reported where it is not so", function()
    local text = "local x\n  -- luacheck: ignore [%\nlocal y = x.z\n"
    assert.same({ "1:7 221", "2:3 021", "3:7 211" },
      shown(lint.text(text, assert(new_settings(false)))))
  end)

  it("hold for reports that luacheck has not", function()
    local text = "local n = nil\nprint(n.x) -- luacheck: ignore 711\n"
    assert.equal(1, #lint.text(text))
    assert.same({}, { lint.text(text, assert(new_settings(false)))[1] })
  end)
end)

-- }== .luacheckrc ======================================================

describe("the command", function()
  local folder = os.tmpname()

  setup(function()
    os.remove(folder)
    for _, path in ipairs { "", "/sub", "/left" } do assert(lfs.mkdir(folder .. path)) end
    for _, path in ipairs { "a.lua", "sub/b c.lua", "left/c.lua" } do
      file.write(("%s/%s"):format(folder, path), "local x\nlocal n = nil\nreturn n.x\n")
    end
    file.write(folder .. "/.luacheckrc",
      'exclude_files = { "left" }\nignore = { "n" }\nfiles["sub"].ignore = { "211" }\n')
  end)
  teardown(function() os.execute("rm -rf " .. folder) end)

  it("follows .luacheckrc, and finds files of folders", function()
    local script = lfs.currentdir() .. "/lint/bin/phial-lint"
    local run, inside = command_of(script, folder), command_of(script, folder .. "/sub")
    local unused, use = "(W211) unused variable 'x'", "(W711) 'n' is nil where it is indexed"
    assert.equal(("a.lua:1:7: %s\na.lua:3:8: %s\nsub/b c.lua:3:8: %s\n"):format(unused, use, use),
      (run "."))
    assert.equal(("b c.lua:3:8: %s\n"):format(use), (inside "'b c.lua'"))
    assert.equal("", (run "left/c.lua"))
    assert.equal(("left/c.lua:1:7: %s\nleft/c.lua:3:8: %s\n"):format(unused, use),
      (run "--no-config left"))
  end)

  it("writes JSON and SARIF", function()
    if not has_json then return pending "dkjson is not there" end
    local run = command_of(lfs.currentdir() .. "/lint/bin/phial-lint", folder)
    local list = assert(json.decode((run "--format json sub")))
    assert.same({ {
      path = "sub/b c.lua", line = 3, col = 8, end_line = 3, end_col = 8, code = "711",
      message = "'n' is nil where it is indexed", severity = "warning",
      steps = { { line = 2, col = 7, text = "nil from here" } },
    } }, list)
    local sarif = assert(json.decode((run "--format=sarif sub"), 1, json.null))
    local result = sarif.runs[1].results[1]
    assert.equal("2.1.0", sarif.version)
    assert.same({ { id = "711" } }, sarif.runs[1].tool.driver.rules)
    assert.same({ artifactLocation = { uri = "sub/b%20c.lua" }, region = {
      startLine = 3, startColumn = 8, endLine = 3, endColumn = 9,
    } }, result.locations[1].physicalLocation)
    assert.equal("nil from here",
      result.codeFlows[1].threadFlows[1].locations[1].location.message.text)
    assert.truthy(run "--format=sarif left/c.lua":find('"results":[]', 1, true))
  end)
end)

-- }======================================================================
