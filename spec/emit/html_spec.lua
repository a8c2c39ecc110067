-- phial.emit.html: the page as a text. spec/browser opens pages.
local file = require "spec.support.file"
local json = require "spec.support.json"
local logged = require "spec.support.logged"
local phial = require "phial"
local refused = require "spec.support.refused"
local sha256 = require "tools.sha256"

local schema = json.read(file.read "docs/json.schema.json")

local TRACE <const> = file.read "docs/trace.md":match "```\n(F sum 1 0.-)```"

-- The parts of a page between tags.
local function parts(page)
  return {
    policy = page:match 'Content%-Security%-Policy" content="([^"]*)"',
    title = page:match "<title>(.-)</title>", style = page:match "<style>(.-)</style>",
    data = page:match '<script type="application/json" id="data">\n(.-)</script>',
    script = page:match "<script>(.-)</script>",
  }
end

local function data(page)
  local document = json.read(parts(page).data)
  local sources, sides = document.sources, document.sides
  document.sources, document.sides = nil, nil
  assert.is_nil(json.check(schema, document))
  return document, sources, sides
end

describe("SHA-256", function()
  -- the examples of FIPS 180-4
  for text, hash in pairs {
    [""] = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    abc = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=",
    abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq =
      "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=",
  } do
    it("of '" .. text .. "'", function() assert.equal(hash, sha256(text)) end)
  end
end)

describe("phial.emit.html", function()
  it("permits its own script and style, and nothing else", function()
    local it = parts(phial.emit.html(TRACE))
    local policy = "default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; "
      .. "base-uri 'none'; form-action 'none'"
    assert.equal(policy:format(sha256(it.script), sha256(it.style)), it.policy)
  end)

  it("has a viewer of at most 200 KB, which asks for nothing", function()
    local it = parts(phial.emit.html(TRACE))
    assert(#it.script + #it.style < 200 * 1024)
    for _, word in ipairs { "innerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(",
      "XMLHttpRequest", "import(", "https:", "localStorage" } do
      assert.is_nil(it.script:find(word, 1, true), word)
    end
    assert.is_nil(it.style:find("url(", 1, true))
  end)

  it("has the data of phial.emit.json", function()
    local document = data(phial.emit.html(TRACE))
    assert.same(json.read(phial.emit.json(TRACE)), document)
    local fn, log = logged "figure2"
    assert.same(json.read(phial.emit.json(fn, { log = log, variable = "x" })),
      (data(phial.emit.html(fn, { log = log, variable = "x" }))))
    assert.is_nil(data(phial.emit.html(fn, { log = false })).functions[1].events)
  end)

  it("keeps any name within its data", function()
    local bad = "</script><!--<script>&lt;\u{2028}\0\xff"
    local fn = phial.fn(bad, {}, nil, { rules = false })
    local log = fn:log(true)
    fn:entry():jump(fn:block(bad))
    local page = phial.emit.html(fn, { log = log })
    local it = parts(page)
    assert.is_nil(it.data:find("<", 1, true))
    assert.equal(select(2, page:gsub("</script>", "")), 2)
    assert.equal("&lt;/script&gt;&lt;!--&lt;script&gt;&amp;lt;??? ? - phial", it.title)
    assert.equal("a &lt; b", parts(phial.emit.html(fn, { title = "a < b" })).title)
  end)

  describe("shows the source", function()
    local function sources(opts)
      local fn = phial.fn("f", {}, nil, { rules = false })
      opts.log = fn:log(true)
      if opts.at then fn:set_loc(1, 1, table.unpack(opts.at)) end
      opts.at = nil
      fn:entry():ret()
      local _, files = data(phial.emit.html(fn, opts))
      local out = {}
      for _, it in ipairs(files) do out[it.name] = it.text end
      return out
    end

    it("of files that can be read", function()
      local here = "spec/emit/html_spec.lua"
      assert.equal(file.read(here), sources({})[here])
      assert.equal(file.read "README.md", sources({ at = { "README.md" } })["README.md"])
      assert.is_nil(sources({ at = { "no such file" } })["no such file"])
      assert.is_nil(sources({ at = { "spec" } })["spec"])
    end)

    it("of regular files of at most 4 MiB", function()
      local path = os.tmpname()
      local function shown() return sources({ at = { path } })[path] end
      local most = ("x"):rep(4 * 1024 * 1024)
      file.write(path, most)
      assert.is_true(shown() == most)
      file.write(path, most .. "x")
      assert.is_nil(shown())
      for _, make in ipairs { "mkfifo", "ln -s /dev/zero", "ln -s /dev/stdin", "mkdir" } do
        assert(os.execute(("rm -f %s; %s %s"):format(path, make, path)))
        assert.is_nil(shown())
      end
      os.remove(path)
      assert.is_nil(sources({ at = { "README.md\0" } })["README.md\0"])
    end)

    it("of files that foreign text names only if that is allowed", function()
      local own = phial.fn("f", {}, nil, { rules = false })
      local record = phial.record(own)
      own:set_loc(1, 1, "README.md")
      own:entry():ret()
      own:finish()
      local text = record:text()
      local expected = { { name = "README.md", text = file.read "README.md" } }
      for _, it in ipairs { text, record, phial.replay(text), assert(phial.parse(own:text())) } do
        assert.same({}, (select(2, data(phial.emit.html(it)))))
        assert.same(expected, (select(2, data(phial.emit.html(it, { source = true })))))
      end
    end)

    it("that is given", function()
      assert.same({ ["x.c"] = "text" }, sources { at = { "x.c" }, source = { ["x.c"] = "text" } })
      assert.same({ [""] = "text" }, sources { at = {}, source = "text" })
      assert.same({}, sources { at = { "README.md" }, source = false })
    end)
  end)

  it("shows all functions of a trace", function()
    local document = data(phial.emit.html("F f 1 0\nb 0\nx\nE\nF g 1 0\nb 0\nx\nE\n"))
    assert.equal("f g", document.functions[1].name .. " " .. document.functions[2].name)
  end)

  it("shows a trace as two constructions make it", function()
    local text = "F f 1 0\nb 0\nx\nE\n"
    local function of(opts)
      local document, _, sides = data(phial.emit.html(text, opts))
      assert.equal(2, #document.functions)
      return sides
    end
    assert.same({ "marker", "cytron" }, of { compare = { construction = "cytron" } })
    assert.same({ "simple", "simple with rules" },
      of { construction = "simple", compare = { rules = true } })
  end)

  it("says what is wrong with its options", function()
    local fn = phial.fn "f"
    refused(fn, "'phial.emit.html': option 'source': a text, a table of texts by file, or a "
      .. "boolean expected, got 1", function() phial.emit.html(fn, { source = 1 }) end)
    refused(nil, "'phial.emit.html': the trace is wrong: 1: unknown letter 'Q'",
      function() phial.emit.html "Q" end)
  end)
end)
