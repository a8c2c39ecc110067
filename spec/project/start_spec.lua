-- What `require "phial"` costs, and that modules loaded on first use are complete.
local budget = require("tools.budgets").limits.require[1]
local child = require "spec.support.child"

local function output(source)
  local out, err, status = child(source)
  assert.equal("", err)
  assert.equal(0, status)
  return out
end

local function number(source) return tonumber(output(source)) end

describe("require 'phial'", function()
  it(("takes at most %d KiB, and little of garbage"):format(budget), function()
    local used = [[
      collectgarbage()
      local before = collectgarbage "count"
      collectgarbage "stop"
      require "phial"
      %s
      print(collectgarbage "count" - before)]]
    assert.is_true(number(used:format "") <= budget + 15)
    assert.is_true(number(used:format "collectgarbage() collectgarbage()") <= budget)
  end)

  it("loads what makes functions, and nothing else", function()
    assert.equal("phial\nphial.core\nphial.later\n", output [[
      local phial, loaded = require "phial", {}
      local fn = phial.fn("f", { "n:i64" }, "i64")
      fn:entry():ret(fn:entry():read(fn:param(1)))
      fn:finish()
      for name in pairs(package.loaded) do
        if name:find "^phial" then loaded[#loaded + 1] = name end
      end
      table.sort(loaded)
      print(table.concat(loaded, "\n"))]])
  end)

  it("has all fields from the start", function()
    assert.equal("_VERSION bisect build dialect emit exporter fn module ops parse record "
      .. "replay rules steps trap\n", output [[
      local names = {}
      for name in pairs(require "phial") do names[#names + 1] = name end
      table.sort(names)
      print(table.concat(names, " "))]])
  end)
end)

describe("what is loaded later", function()
  local USES <const> = [[
    local function used()
      local fn = phial.build("f", { "n:i64" }, "i64", function(b, v) b:ret(v.n) end)
      local m = phial.module "m"
      m:fn("g"):entry():ret()
      m:finish()
      phial.parse(tostring(m)):instance():call "g"
      local traced = phial.fn("t", nil, nil, { log = { detail = true } })
      local record = phial.record(traced)
      traced:entry():ret()
      traced:finish()
      phial.replay(record, { construction = "cytron" })
      phial.steps(record:text())()
      return fn(1) + phial.replay "F f 1 0 i64\nb 0\nx 7:i64\nE\n"()
    end
  ]]

  it("is found where phial was, whatever becomes of `require`", function()
    assert.equal("8\tnil\tnowhere\n", output("local phial = require 'phial'\n" .. USES .. [[
      local print, package = print, package
      package.path = "nowhere"
      _G.require, _G.debug, _G.package = nil, nil, nil
      print(used(), require, package.path)]]))
  end)

  it("may be asked for in programs that forbid new globals", function()
    assert.equal("8\n", output("local phial = require 'phial'\n" .. USES .. [[
      setmetatable(_G, { __index = function(_, name) error("no global " .. name) end,
        __newindex = function(_, name) error("new global " .. name) end })
      _G.require = nil
      print(used())]]))
  end)

  it("raises the error of a file that cannot be loaded, and tries again", function()
    assert.equal("false\tbroken\nfalse\tbroken\ntrue\n", output [[
      local phial = require "phial"
      package.preload["phial.build"] = function() error("broken", 0) end
      print(pcall(phial.build))
      print(pcall(phial.build))
      package.preload["phial.build"] = nil
      print((pcall(phial.build, "f", nil, nil, function() end)))]])
  end)
end)
