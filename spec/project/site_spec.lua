-- What the site is made of, as far as that needs no mkdocs: the reference, the navigation, links
-- with their anchors, and Markdown as the site wants it.
local declarations = require "tools.site.declarations"
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter
local lfs = require "lfs"
local markdown = require "tools.site.markdown"
local output = require("tools.rooms").output
local quoted = require("bench.lib.corpus").quoted
local reference = require "tools.site.reference"
local shell = require "spec.support.shell"
local tree = require "tools.site.tree"

local source = file.read "types/phial.lua"

describe("the reference", function()
  local pages = reference.pages(source)
  local whole = {}
  for i, page in ipairs(pages) do whole[i] = page.text end
  whole = table.concat(whole, "\n")

  -- How often each anchor is defined.
  local anchors = {}
  for anchor in whole:gmatch "{ #([%w._]+) }" do anchors[anchor] = (anchors[anchor] or 0) + 1 end

  it("has every method of the module once", function()
    local count = 0
    for owner, name in source:gmatch "\nfunction (%w+)[:.]([%w_]+)%(" do
      local class = owner == "M" and "phial" or "phial." .. owner
      assert.equal(1, anchors[class .. "." .. name], owner .. "." .. name)
      count = count + 1
    end
    assert(count > 350, count)
  end)

  it("has every class and alias once", function()
    for kind, name in source:gmatch "%-%-%-@(%l+) phial%.(%w+)" do
      if kind == "class" or kind == "alias" then
        assert.equal(1, anchors["phial." .. name], name)
      end
    end
  end)

  it("names only types that are declared", function()
    for line in source:gmatch "%-%-%-@%l+ ([^\n]*)" do
      for name in line:gmatch "phial%.(%u%w+)" do
        assert(anchors["phial." .. name], "phial." .. name .. " is not declared")
      end
    end
  end)

  it("shows comments as text, whatever they hold", function()
    local text = reference.pages [[
---@class phial
local M = {}

--- A <b>bold</b> *star*, [no](link), a|b, # no heading, `code * <i>`, docs/rules.md.
---@param x? table<string, any[]> *any* _text_
---@return string|nil why <not>
function M.f(x) end

---@class phial.Emitters
]]
    local all = {}
    for i, page in ipairs(text) do all[i] = page.text end
    all = table.concat(all)
    assert.truthy(all:find("`code * <i>`", 1, true))
    assert.truthy(all:find("[docs/rules.md](../rules.md)", 1, true))
    for bad in ("<b>bold *star* ](link) a|b <not> *any*"):gmatch "%S+" do
      assert.is_nil(all:find(bad, 1, true), bad)
    end
  end)
end)

describe("declarations", function()
  it("have types with blanks in them, names and texts", function()
    local all = declarations.read [[
--- What it does.
---@param f fun(a: integer, b?: string): any, ... what is called
---@param t? {x: integer, y: string}
---@return (fun(): string?)? iterator nil if not
---@return string # only a text
function M.g(f, t) end
]]
    local g = all.methods[1]
    assert.same({ "What it does." }, g.text)
    assert.same({ name = "f", optional = false, type = "fun(a: integer, b?: string): any, ...",
      text = "what is called" }, g.params[1])
    assert.same({ name = "t", optional = true, type = "{x: integer, y: string}", text = "" },
      g.params[2])
    assert.same({ name = "iterator", optional = false, type = "(fun(): string?)?",
      text = "nil if not" }, g.returns[1])
    assert.same({ optional = false, type = "string", text = "only a text" }, g.returns[2])
  end)
end)

describe("the navigation", function()
  local named = {}
  local function visit(it)
    if type(it) == "string" and it:find "%.md$" then named[#named + 1] = it end
    for _, part in ipairs(type(it) == "table" and it or {}) do visit(part) end
  end
  visit(require "tools.site.nav")

  it("names documents that exist, each once", function()
    local seen = {}
    for _, path in ipairs(named) do
      assert(lfs.attributes(path), path)
      assert.is_nil(seen[path], path)
      seen[path] = true
    end
  end)
end)

describe("links", function()
  local anchors = {}

  local function has_anchor(path, anchor)
    if not anchors[path] then
      anchors[path] = {}
      for _, heading in ipairs(markdown.headings(file.read(path))) do
        anchors[path][heading.anchor] = true
      end
    end
    return anchors[path][anchor]
  end

  it("in documents lead to files, and to headings", function()
    local count = 0
    for _, path in ipairs(output "ls *.md; find docs examples -name '*.md'") do
      for _, link in ipairs(markdown.links(file.read(path))) do
        local target, anchor = link:match "^([^#]*)#?(.*)$"
        if not target:find "^%a+:" then
          local place = target == "" and path
            or tree.plain((path:match "^(.*/)" or "") .. target)
          assert(lfs.attributes(place), ("%s: no %s"):format(path, target))
          if anchor ~= "" and place:find "%.md$" then
            assert(has_anchor(place, anchor), ("%s: no heading %s"):format(path, link))
          end
          count = count + 1
        end
      end
    end
    assert(count > 500, count)
  end)
end)

describe("the check of a site", function()
  -- What it says of a folder with these pages, and whether all is well.
  local function check(pages)
    local folder = os.tmpname()
    os.remove(folder)
    for name, text in pairs(pages) do tree.write(folder .. "/" .. name, text) end
    local text, good = shell.run(("%s tools/site/check.lua %s"):format(quoted(interpreter()),
      quoted(folder)))
    assert(os.execute("rm -r " .. quoted(folder)))
    return text, good
  end

  it("finds links that lead nowhere, and what is loaded from elsewhere", function()
    local text, good = check {
      ["index.html"] = [[<a href="a/b.html#x"></a> <a href='a/b.html#y'></a> <a href="c.html">
        <a href="https://example.org/"></a> <img src="https://example.org/i.png">
        <style>body { background: url("https://example.org/j.png") }</style>]],
      ["a/b.html"] = [[<p id="x"></p> <a href="../index.html"></a> <a href="#x"></a>]],
    }
    assert.equal([[
index.html: a/b.html#y leads nowhere
index.html: c.html leads nowhere
index.html: https://example.org/i.png is elsewhere
index.html: https://example.org/j.png is elsewhere
5 links, 4 of them wrong
]], text)
    assert.is_false(good)
  end)

  it("is content with the others", function()
    assert.same({ "1 links, 0 of them wrong\n", true },
      { check { ["index.html"] = '<a href="#x" id="x"></a>' } })
  end)
end)

describe("Markdown", function()
  it("has links outside code only", function()
    assert.same({ "a.md", "b.svg", "c.md#d" }, markdown.links [[
See [a](a.md), `[no](x.md)`, ![b](b.svg).

    [no](y.md)

```
[no](z.md)
```
- [`code`
  of c](c.md#d)
]])
  end)

  it("has headings with the anchors that GitHub makes", function()
    local anchors = {}
    local text = "# A `b:c()` d\n## x, y\n## x y\n## x y\n```\n# no\n```\n"
    for i, it in ipairs(markdown.headings(text)) do
      anchors[i] = it.anchor
    end
    assert.same({ "a-bc-d", "x-y", "x-y-1", "x-y-2" }, anchors)
  end)

  it("has lists and tables as Python-Markdown wants them", function()
    assert.equal("| `a | b` | c \\| d |\n", markdown.adapted "| `a \\| b` | c \\| d |\n")
    assert.equal("text:\n\n- one\n    of it\n\n    - in it\n- two\n\nend\n",
      markdown.adapted "text:\n- one\n  of it\n\n  - in it\n- two\n\nend\n")
    assert.equal("1. one\n\n    more\n\n    - in it\n        here\n",
      markdown.adapted "1. one\n\n   more\n\n   - in it\n     here\n")
    assert.equal("```\n- as\n  it is\n```\n", markdown.adapted "```\n- as\n  it is\n```\n")
  end)
end)

describe("paths", function()
  it("lead from page to page", function()
    assert.equal("../rules.md", tree.relative("reference/rules.md", "rules.md"))
    assert.equal("source/src/phial.h.html", tree.relative("index.md", "source/src/phial.h.html"))
    assert.equal("../../b/c.md", tree.relative("a/x/y.md", "b/c.md"))
    assert.equal("c.md", tree.relative("a/b.md", "a/c.md"))
  end)

  it("of documents become those of pages", function()
    assert.equal("index.md", tree.place "docs/index.md")
    assert.equal("overview.md", tree.place "README.md")
    assert.equal("examples/luac.md", tree.place "examples/luac")
    assert.equal("internals/construction.md", tree.place "docs/internals/construction.md")
    assert.equal("source/src/phial.h.html", tree.place "src/phial.h")
    assert.equal("source/src/core/index.html", tree.place "src/core")
    assert.equal("reference/index.md", tree.place "types/phial.lua")
    assert.equal("pictures/figure2.svg", tree.place "docs/pictures/figure2.svg")
  end)
end)
