-- Pages of phial.emit.html in a real browser: steps and their sentences, what is clicked,
-- hostile names, large functions. Skipped where a browser or playwright-core is missing. Only
-- `make check` opens it: model_spec and layout_spec run its script without a browser.
local browser = require "spec.support.browser"
local exists = require("bench.lib.tree").exists
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local logged = require "spec.support.logged"
local phial = require "phial"
local under = require "spec.support.under"

local LONG <const> = os.getenv "LONG" ~= nil

-- {== Pages ============================================================

local function figure(name, opts)
  local fn, log, code = logged(name, opts)
  return phial.emit.html(fn, { log = log, source = { [name] = code } })
end

-- A function whose names are markup, change the direction of text, or are long.
local function hostile()
  local bad = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
  local name, params = bad .. "\u{202e}\0\xff", { "n:i64", "x\u{2028}y:i64" }
  local fn = phial.fn(name, params, "i64", { rules = false })
  local log = fn:log(true)
  local head, done = fn:block(bad), fn:block(("A"):rep(1000000))
  local body, n = fn:block "bidi \u{202e}abc\u{2066}\0\1\xff", fn:param(1)
  local v = fn:var(bad .. "&amp;<!--")
  local odd = "\u{202e}\0\xff/" .. ("d/"):rep(400) .. "a\u{2066}b.lua"
  local long = ("x"):rep(5000)
  local ops = phial.dialect("hostile", { [long] = { args = 1, result = "any" } })
  fn:set_loc(1, 1, odd)
  fn:entry():emit(ops[long], n)
  fn:set_loc(1, 1, bad)
  fn:entry():write(v, 1)
  fn:entry():jump(head)
  local test = head:slt(head:read(n), 10)
  test:set_name(bad)
  head:branch(test, body, done)
  body:let(v, "add", v, 1)
  body:call("</script>", false, v)
  body:jump(head)
  head:seal()
  body:seal()
  done:seal()
  done:ret(v)
  fn:finish()
  return phial.emit.html(fn, { log = log, title = bad, source = {
    [bad] = bad:rep(20, "\n"), [odd] = "a\u{202e}b\u{2066}\0\xff<!--" .. long:rep(20),
  } })
end

-- A function of about so many blocks: loops and choices, in each other.
local function large(blocks)
  local log
  local count = 0
  math.randomseed(7)
  local fn = phial.build("large", { "n:i64", "m:i64" }, "i64", { rules = false, where = false },
    function(b, v)
      log = b.fn:log(true)
      v.a, v.b, v.c = 0, 1, 2
      local names <const> = { "a", "b", "c", "n", "m" }
      local function any() return v[names[math.random(#names)]] end
      local function statements(depth, n)
        for _ = 1, n do
          local kind = count < blocks and math.random(10) or 10
          if kind <= 5 and depth < 5 then
            count = count + 3
            local test = function() return any():slt(any()) end
            local inner = function() statements(depth + 1, math.random(3)) end
            if kind <= 2 then b:while_(test, inner) else b:if_(test(), inner, inner) end
          else
            v[names[math.random(3)]] = any() + any()
          end
        end
      end
      while count < blocks do statements(0, 10) end
      b:ret(v.a)
    end)
  return phial.emit.html(fn, { log = log, title = "large" })
end

-- Blocks without names, which the line F counts.
local PLAIN <const> = [[
F plain 4 1
b 0
w 0
j 1
b 1
r 0
c 2 3
S 2
b 2
j 1
S 1
S 3
b 3
r 0
x
E
]]

local CLASSICAL <const> = [[
F f 1 0 i64 n:i64
B end
b entry
r n %2
i %3 i64 add %2 1
j end
S end
b end
x %3
E
]]

-- A loop, as a trace; the phi of n is trivial.
local SUM <const> = [[
F sum 1 1 i64 n:i64
B head
B body
B exit
V s i64
b entry
r n %1
w s %1
j head
b head
r s %2
r n %3
i %4 i1 slt %2 %3
c body exit %4
S body
S exit
b body
r s %5
r n %6
i %7 i64 mul %5 1
i %8 i64 add %7 %6
w s %8
j head
S head
b exit
r s %9
x %9
E
]]

-- What rules, folding and canonical order make something else of, before it is made.
local REWRITTEN <const> = [[
F rewritten 1 0 i64 n:i64
B never
B end
b entry
r n %1
i %2 i64 mul 8 %1
i %3 i64 mul %1 1
i %4 i64 shl %3 3
i %5 i64 sub %2 %4
i %6 i1 sgt 3 2
i %7 i64 add %5 %2
c end never %6
S never
S end
b never
x 0
b end
x %7
E
]]

-- A trace far down in a file, with a switch of which all keys lead to one block.
local FOUND <const> = ("\n"):rep(100000) .. [[
F found 1 0 i64 n:i64
B way
b entry
r n %1
i %2 i64 mul %1 8
i %3 i64 add %2 7
i call {"a thing of data"} %3
s 9]] .. (" way"):rep(9) .. [[ %3 1 2 3 4 5 6 7 8
S way
b way
x %3
E
]]

-- A function of which most blocks are cut off, by an edit, and one block was never reached.
local function cut()
  local fn = phial.fn("cut", { "n:i64" }, "i64", { rules = false })
  local log = fn:log(true)
  local chain, done, never = {}, fn:block "done", fn:block("never", 1)
  for i = 1, 30 do chain[i] = fn:block("b" .. i) end
  fn:entry():branch(fn:entry():slt(fn:arg(1), 1), chain[1], done)
  for i = 1, 29 do chain[i]:jump(chain[i + 1]) end
  chain[30]:ret(chain[30]:add(1, 2))
  done:ret(fn:arg(1))
  never:ret(fn:arg(1))
  for block in fn:blocks() do if not block:is_sealed() then block:seal() end end
  fn:finish()
  fn:entry():remove_edge(chain[1])
  fn:clean()
  return phial.emit.html(fn, { log = log })
end

-- }== Visits ===========================================================

local pages, visits = {}, {}

local function visit(name, action, page, hash, device)
  visits[#visits + 1] = { name = name, action = action, page = page, hash = hash, device = device }
end

-- Pages of which spec/golden/browser has what is said of each step.
local TOLD <const> = {}

local function tell(name, page)
  TOLD[#TOLD + 1] = name
  visit(name, "steps", page)
end

for _, name in ipairs {
  "figure2", "figure2_detail", "figure3", "figure5", "figure5_detail", "figure6",
  "undefined_on_one_path",
} do
  local program, detail = name:gsub("_detail$", "")
  tell(name, function() return figure(program, { detail = detail > 0 }) end)
end
tell("sum_cytron", function()
  return phial.emit.html(SUM, { construction = "cytron", detail = true })
end)
tell("rewritten", function() return phial.emit.html(REWRITTEN, { rules = true }) end)
visit("choosing", "choose", function() return figure "figure2" end)
visit("a result", "result", function()
  return phial.emit.html((logged "figure2"), { log = false })
end)
visit("a plain trace", "plain", function() return phial.emit.html(PLAIN) end)
visit("a classical algorithm", "classical", function()
  return phial.emit.html(CLASSICAL, { construction = "cytron" })
end)
visit("renaming", "renaming", function()
  return phial.emit.html(SUM, { construction = "cytron", detail = true })
end)
visit("a search", "find", function()
  return phial.emit.html(FOUND, { rules = phial.rules "by8: x * 8 => x << 3" })
end)
visit("two constructions", "beside", function()
  local text = SUM .. "F other 1 0\nb 0\nx\nE\n"
  return phial.emit.html(text, { compare = { construction = "cytron" } })
end)
visit("links", "links", function() return phial.emit.html(SUM) end)
visit("the algorithm", "algorithm", function() return figure "figure2" end, "#step=10")
visit("questions", "ask", function() return figure "figure2" end, "#step=8")
visit("another size", "resized", function() return figure "figure2" end)
visit("a small picture", "small", cut)
for _, device in ipairs { "desktop", "phone" } do
  visit("access, " .. device, "access", function() return figure "figure2" end, "#step=32", device)
end
visit("hostile names", "hostile", hostile)
visit("500 blocks", "folded", function() return large(500) end)
if LONG then
  for _, blocks in ipairs { 2500, 10000 } do
    visit(blocks .. " blocks", "open", function() return large(blocks) end)
  end
end

local function quoted(text) return '"' .. text .. '"' end

-- Visits all pages with one browser.
local function browse(executable)
  local list = {}
  for i, it in ipairs(visits) do
    local path = os.tmpname() .. ".html"
    file.write(path, it.page())
    pages[i] = path
    list[i] = ('{"name":%s,"file":%s,"action":%s,"hash":%s,"device":%s}'):format(quoted(it.name),
      quoted(path), quoted(it.action), quoted(it.hash or ""), quoted(it.device or ""))
  end
  local ok, results = pcall(browser.visit, "spec/browser/page.js",
    ('{"executable":%s,"visits":[%s]}'):format(quoted(executable), table.concat(list, ",")))
  for _, path in ipairs(pages) do
    os.remove(path)
    os.remove((path:gsub("%.html$", "")))
  end
  return ok and results or error(results, 0)
end

-- }=====================================================================

if under.brief then return end

describe("a page", function()
  local executable, missing = browser.find()
  if not executable then
    pending(missing .. " is not installed: no page is opened")
    return
  end

  local result = browser.results(function() return browse(executable) end)

  -- A test about a visit.
  local function shown(name, title, test) it(title, test or function() result(name) end) end

  for _, name in ipairs(TOLD) do
    shown(name, "says what happens in " .. name:gsub("_", " "), function()
      golden.check("spec/golden/browser/" .. name .. ".out", result(name))
    end)
  end

  shown("choosing", "shows what is chosen")

  shown("a result", "shows a function that nobody has watched")

  shown("a plain trace", "shows blocks that are there from the start")

  shown("a classical algorithm", "shows variables until a classical algorithm renames")

  shown("renaming", "shows the worklist, and the stacks of renaming")

  shown("two constructions", "shows a trace under two constructions")

  shown("a search", "finds names and texts, and says where")

  shown("links", "links lines and values both ways, pins values, copies text", function()
    assert.equal("body:\n  %8 = mul %3, 1\n  %9 = add %8, %n\n  jump\n", result "links")
  end)

  shown("the algorithm", "shows the paper's algorithm beside the picture")

  shown("questions", "asks what happens before it shows that")

  shown("another size", "fits the graph into a pane of another size")

  shown("a small picture", "shows what is selected in a small picture, and prints one page")

  if exists "build/node_modules/axe-core/package.json" then
    for _, device in ipairs { "desktop", "phone" } do
      shown("access, " .. device, "is accessible, " .. device)
    end
  else
    pending "axe-core (npm install --prefix build axe-core) is missing"
  end

  shown("hostile names", "shows hostile names as text")

  shown("500 blocks", "folds loops, and lays out 500 blocks in less than 100 ms", function()
    local blocks, ms = result "500 blocks":match "(%d+) blocks: (%d+) ms"
    assert(tonumber(blocks) > 450, blocks)
    assert(tonumber(ms) < 100, ms)
  end)

  if LONG then
    it("opens four times the blocks in less than six times the time", function()
      local function ms(name) return tonumber(result(name):match "(%d+) ms") end
      local less, more = ms "2500 blocks", ms "10000 blocks"
      assert(more < 6 * less, ("%d and %d ms"):format(less, more))
    end)
  end
end)
