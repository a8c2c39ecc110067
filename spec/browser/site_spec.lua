-- The site is made, each of its links leads somewhere, and its pages work in a real browser.
-- Skipped where mkdocs is missing; the latter also without a browser. Only `make check` makes it.
local browser = require "spec.support.browser"
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter
local lfs = require "lfs"
local shell = require "spec.support.shell"
local under = require "spec.support.under"

-- Pages whose widths are looked at: one of each kind, or more.
local PAGES <const> = { "index.html", "overview.html", "reference/function.html",
  "source/src/phial.h.html" }
if os.getenv "LONG" then
  table.move({ "algorithm.html", "gallery.html", "start/script.html", "start/c.html",
    "analysis.html", "architecture.html", "performance.html", "examples/tinylang.html",
    "reference/index.html", "reference/operators.html", "source/src/core/index.html" },
    1, 11, #PAGES + 1, PAGES)
end

describe("the site", function()
  if under.slow or under.brief then
    pending "is made by make check, without sanitizers"
    return
  end

  local folder, said, good
  setup(function()
    folder = os.tmpname()
    os.remove(folder)
    lfs.mkdir(folder)
    lfs.mkdir(folder .. "/playground") -- stands for one
    file.write(folder .. "/playground/index.html", "<title>playground</title>")
    said, good = shell.run(("LUA='%s' sh tools/site/build '%s'"):format(interpreter(), folder))
  end)
  teardown(function() os.execute(("rm -rf '%s'"):format(folder)) end)

  local function is_there()
    if good and not lfs.attributes(folder .. "/site") then
      pending(said:match "[^\n]*")
      return false
    end
    return true
  end

  it("is made, and each link leads somewhere", function()
    if not is_there() then return end
    assert(good, said)
    local links, wrong = said:match "(%d+) links, (%d+) of them wrong"
    assert.equal("0", wrong)
    assert(tonumber(links) > 10000, links)
  end)

  local function browse(executable)
    local list = {}
    for i, page in ipairs(PAGES) do list[i] = ('"%s"'):format(page) end
    return browser.visit("spec/browser/site.js",
      ('{"executable":"%s","site":"%s/site","pages":[%s]}'):format(executable, folder,
        table.concat(list, ",")))
  end

  local executable, missing = browser.find()
  local result = browser.results(function() return browse(executable) end)

  for _, name in ipairs {
    "the front page", "search in files", "search from a server", "a step of a figure",
    "an example", "the colours", "access", "the widths",
  } do
    it("works in a browser: " .. name, function()
      if not is_there() then return end
      if not executable then return pending(missing .. " is not installed: no page is opened") end
      if name == "access" and not lfs.attributes "build/node_modules/axe-core" then
        return pending "axe-core (npm install --prefix build axe-core) is missing"
      end
      result(name)
    end)
  end
end)
