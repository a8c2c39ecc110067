-- phial.emit.svg and `phial emit svg`: which steps a picture shows, and what is refused.
local command = require "spec.support.command"
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter
local node = require "spec.support.node"
local phial = require "phial"
local portable = require "phial.portable"
local refused = require "spec.support.refused"
local under = require "spec.support.under"

local run = command "bin/phial"

local INPUTS <const> = "spec/golden/command/inputs/"

local function panels(picture)
  local _, count = picture:gsub('class="panel"', "")
  return count
end

-- The places of the panels' left borders, as keys.
local function columns(picture)
  local out = {}
  for x in picture:gmatch '<rect x="([%d.]+)"[^>]- class="panel"' do out[x] = true end
  return out
end

-- The steps of the panels.
local function steps(picture)
  local out = {}
  for step in picture:gmatch 'class="step">(%d+)<' do out[#out + 1] = tonumber(step) end
  return out
end

local function logged(name)
  local fn = phial.fn(name, { "n:i64" }, "i64", { log = true })
  fn:entry():ret(fn:param(1))
  return fn:finish()
end

-- The names of the events of a function.
local function event_names(fn)
  local out = {}
  for name in phial.emit.json(fn):gmatch '{"event":"(%l+)"' do out[#out + 1] = name end
  return out
end

describe("a picture", function()
  if not node.exists() then return it("needs node", function() pending "no node" end) end

  it("has a panel for each step that the command line names", function()
    local picture = run("emit svg --steps 5,3 " .. INPUTS .. "sum.trace")
    assert(panels(picture) == 2)
    assert.same({ 5, 3 }, steps(picture))
  end)

  it("shows the last step if none is named", function()
    assert.same({ 43 }, steps((run("emit svg " .. INPUTS .. "sum.trace"))))
  end)

  it("has as many columns as it is told, and a theme, whatever the reader's", function()
    local sum = INPUTS .. "sum.trace"
    local function look(words)
      local picture = run(("emit svg %s %s"):format(words, sum))
      assert.is_nil(picture:find("prefers-color-scheme", 1, true))
      return { #portable.sorted(columns(picture)), picture:match "text {.-fill: (#%x+)" }
    end
    assert.same({ 3, "#20262e" }, look "--steps 1,2,3,4")
    assert.same({ 1, "#000" }, look "--steps 1,2,3,4 --columns 1 --theme print")
    if not under.brief then
      assert.same({ 4, "#dfe4ea" }, look "--steps 1,2,3,4,5 --columns 4 --theme dark")
      assert.matches("fill: #dfe4ea", run("emit svg --theme dark " .. INPUTS .. "gcd.phial"), 1,
        true)
    end
    local _, why, status = run("emit svg --columns x " .. sum)
    assert.matches("--columns: an integer expected, got 'x'", why, 1, true)
    assert(status == 2)
    _, why = run("emit html --columns 2 " .. sum)
    assert.matches("--columns: only for svg", why, 1, true)
    refused(nil, "'phial.emit.svg': option 'columns': at least 1 expected, got 0",
      function() phial.emit.svg(logged "f", { columns = 0 }) end)
  end)

  it("shows a function without a log as it is", function()
    local picture = run("emit svg " .. INPUTS .. "gcd.phial")
    assert(panels(picture) == 1)
    assert.same({}, steps(picture))
    assert.matches(">The finished function.<", picture, 1, true)
  end)

  it("says what an instruction was and is that a rule simplifies", function()
    local fn = phial.fn("f", { "y:i64" }, "i64", { log = true })
    local head, x = fn:block "head", fn:var("x", "i64")
    fn:entry():write(x, 1)
    fn:entry():jump(head)
    head:ret(head:mul(fn:param(1), head:read(x)))
    head:seal()
    fn:finish()
    local told
    for i, event in ipairs(event_names(fn)) do
      if event == "simplified" then told = phial.emit.svg(fn, { steps = { i } }) end
    end
    assert.matches("= mul %y, 1 ⇒ %y", told, 1, true)
  end)

  it("shows the moves of an edge, in order", function()
    local fn = phial.fn("swap", { "x:i64", "y:i64", "n:i64" }, "i64", { rules = false, log = true })
    local x, y, n = fn:param(1), fn:param(2), fn:param(3)
    local loop, done = fn:block "loop", fn:block("done", 1)
    fn:entry():jump(loop)
    loop:write(x, y, y, x)
    loop:let(n, "sub", n, 1)
    loop:branch(loop:sgt(n, 0), loop, done)
    loop:seal()
    done:ret(x)
    local text, moves = phial.emit.json(fn:finish(), { leave = true }), {}
    for to, from in text:gmatch '"event":"move","index":(%d+).-"source":(%d+)' do
      moves[#moves + 1] = to .. " " .. from
    end
    assert.same({ "5 1", "1 2", "2 5" }, moves)
    local picture = phial.emit.svg(fn, { leave = true, steps = { #event_names(fn) + 8 } })
    assert.matches("On the edge from loop to loop", picture, 1, true)
  end)

  it("shows any name as text", function()
    local fn = phial.fn("f", {}, nil)
    local b = fn:block("</style><script>&\27", 1)
    fn:entry():jump(b)
    b:ret()
    local picture = phial.emit.svg(fn:finish())
    assert.matches('>&quot;&lt;/style&gt;&lt;script&gt;&amp;\\x1b&quot;<', picture, 1, true)
  end)

  it("refuses steps that do not exist, and several functions", function()
    local fn = logged "f"
    local message = "'phial.emit.svg': option 'steps': 0 to %d expected, got %s"
    local count = steps(phial.emit.svg(fn))[1]
    refused(nil, message:format(count, "99"), function() phial.emit.svg(fn, { steps = { 99 } }) end)
    refused(nil, message:format(count, '"x"'),
      function() phial.emit.svg(fn, { steps = { "x" } }) end)
    local two = file.read(INPUTS .. "two.trace")
    refused(nil, "'phial.emit.svg': a picture shows one function, and the trace has 2",
      function() phial.emit.svg(two) end)
  end)

  it("refuses steps where there are none, and what is none", function()
    local _, why, status = run("emit svg --steps 1 " .. INPUTS .. "gcd.phial")
    assert.matches("--steps: only for svg of a trace", why, 1, true)
    assert(status == 2)
    _, why, status = run("emit svg --steps 1,x " .. INPUTS .. "sum.trace")
    assert.matches("--steps: integers expected, got '1,x'", why, 1, true)
    assert(status == 2)
  end)

  it("says that there is no node", function()
    local folder = os.tmpname()
    os.remove(folder)
    os.execute(("mkdir %s && ln -s $(command -v %s) %s"):format(folder, interpreter(), folder))
    local _, why = command("bin/phial", nil, "PATH=" .. folder)(
      "emit svg " .. INPUTS .. "sum.trace")
    os.execute("rm -r " .. folder)
    assert.matches("'phial.emit.svg': there is no node, which draws it", why, 1, true)
  end)
end)
