-- The pages of the lessons, and what docs/start/teaching.md says of them.
local browser = require "spec.support.browser"
local file = require "spec.support.file"
local gallery = require "tools.site.gallery"
local lfs = require "lfs"
local under = require "spec.support.under"

-- What each page asks first.
local ASKED <const> = {
  ["if-and-loop"] = "join reads x. Is a phi made there?",
  ["unsealed-block"] = "head reads i. Is a phi made there?",
  ["trivial-phis"] = "The phi %6 has all its operands. Is it trivial?",
  ["irreducible-loops"] = "The phi %11 has all its operands. Is it trivial?",
  markers = "done reads x. Is a phi made there?",
}

-- A figure's pages, by two algorithms.
local FIGURES <const> = { figure2 = "", cytron = "" }

if under.brief then return end

describe("the lesson", function()
  local executable, missing = browser.find()
  if not executable then return pending(missing .. " is not installed: no page is opened") end

  local result = browser.results(function()
    local folder = os.tmpname()
    os.remove(folder)
    local made, list = gallery.new(folder, folder), {}
    local function add(name, text, asked)
      local link = made:shown("lessons/x.html", text):match "%.%./(gallery/[^)]*)"
      list[#list + 1] = ('"%s":{"address":"file://%s/%s","asked":"%s"}'):format(name, folder, link,
        asked)
    end
    for name, asked in pairs(ASKED) do
      add(name, file.read(("docs/lessons/%s.md"):format(name)), asked)
    end
    for name in pairs(FIGURES) do add(name, ("<!-- site: play %s -->"):format(name), "") end
    local marked, shown = file.read "docs/start/teaching.md":match
      "At step (%d+), before `head:seal%(%)`, press %*m%*; step (%d+) then"
    local results = browser.visit("spec/browser/lessons.js",
      ('{"executable":"%s","marked":%s,"shown":%s,"pages":{%s}}'):format(executable, marked, shown,
        table.concat(list, ",")))
    for name in lfs.dir(folder .. "/gallery") do os.remove(folder .. "/gallery/" .. name) end
    os.remove(folder .. "/gallery")
    os.remove(folder)
    return results
  end)

  for name in pairs(ASKED) do
    it(name .. " fits, asks, and shows what the lecture says", function() result(name) end)
  end
  it("of the textbook's way shows what the lecture says", function() result "cytron" end)
  it("has panels that can be read aloud, of any width", function() result "panels" end)
end)
