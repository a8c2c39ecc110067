-- The playground in a real browser: its examples print what they print outside; mistakes are
-- marked, endless programs stopped. Skipped where it is not built, or a browser is missing.
local browser = require "spec.support.browser"
local examples = require "playground.examples"
local exists = require("bench.lib.tree").exists
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter
local json = require "spec.support.json"

local PAGE <const> = "build/playground/index.html"

local function output(command)
  local pipe <close> = assert(io.popen(command))
  return pipe:read "a"
end

-- {== What is expected ==================================================

-- What a command prints, errors included, in a folder with the program.
local function there(it, command)
  local folder = os.tmpname()
  os.remove(folder)
  assert(os.execute("mkdir " .. folder))
  file.write(folder .. "/" .. it.name, it.text)
  local here = output "pwd":match "[^\n]*"
  local line = command:gsub("LUA", interpreter()):gsub("EXAMPLES", here .. "/examples")
  local text = output(("cd %s && %s"):format(folder, line))
  os.execute("rm -r " .. folder)
  return text
end

-- By language: what the output and the SSA form should be, by the commands of the examples.
local expected = {
  lua = function(it) return there(it, ("LUA %s 2>&1"):format(it.name)) end,
  ["lua functions"] = function(it)
    local command = ("LUA EXAMPLES/luac/main.lua %s --text --function collatz"):format(it.name)
    return nil, there(it, command):sub(1, -2) -- an empty line follows each function
  end,
  ["while"] = function(it)
    local command = ("LUA EXAMPLES/while/main.lua %s %s "):format(it.name, it.words)
    return there(it, command .. "--run 2>&1"), there(it, command .. "--ssa 2>/dev/null")
  end,
  tinylang = function(it)
    local run = it.words ~= "" and "--run " .. it.words .. " 2>&1" or "2>&1 >/dev/null"
    return there(it, ("LUA EXAMPLES/tinylang/main.lua %s %s"):format(it.name, run))
  end,
}

-- }== Visits ===========================================================

local VISITS <const> = {
  "examples", "mistakes", "endless", "typing", "steps", "link", "hostile", "keys", "widths",
}

-- Makes all visits with one browser.
local function browse(executable)
  return browser.visit("spec/browser/playground.js",
    ('{"executable":"%s","page":"%s","visits":["%s"]}'):format(executable, PAGE,
      table.concat(VISITS, '","')))
end

-- Why there is nothing to visit, or nil.
local function missing()
  if not exists(PAGE) then return "the playground is not built (make playground)" end
  local newer = output("find src lua examples playground README.md \z
    spec/golden/construct/figures -type f -not -path 'examples/*/spec/*' \z
    -not -path 'examples/*/golden/*' -newer " .. PAGE)
  if newer ~= "" then return "the playground is not up to date (make playground)" end
end

-- }=====================================================================

describe("the playground", function()
  local executable, lacking = browser.find()
  local why = missing() or not executable and lacking .. " is not installed"
  if why then
    pending(why .. ": it is not opened")
    return
  end

  local result = browser.results(function() return browse(executable) end)

  for _, example in ipairs(examples.all()) do
    it("runs the example " .. example.id, function()
      local printed, form = expected[example.language](example)
      local got = assert(json.read(result "examples")[example.id])
      if printed then assert.equal(printed, got[1]) end
      if form and got[2] ~= "" then assert.equal(form, got[2]) end
    end)
  end

  it("marks the lines of mistakes", function() result "mistakes" end)
  it("stops endless programs", function() result "endless" end)
  it("runs what is typed, and links its lines to steps", function() result "typing" end)
  it("steps through what a program has made", function() result "steps" end)
  it("opens programs that addresses hold", function() result "link" end)
  it("shows hostile names as text", function() result "hostile" end)
  it("is used by keys", function() result "keys" end)
  it("has room at all widths", function() result "widths" end)
end)
