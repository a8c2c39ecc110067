-- What texts say of data that only Lua knows.
local phial = require "phial"
local raises = require "spec.support.raises"
local refused = require "spec.support.refused"

local ops = phial.dialect("d", {
  plain = { args = 0, result = "i64" },
  told = { args = 0, result = "i64", describe = function(it) return "it is " .. it.what end },
  wrong = { args = 0, describe = function() error "no" end },
  silent = { args = 0, describe = function() end },
})

local function text_of(op, data)
  local fn = phial.fn("f")
  fn:entry():emit(op, { data = data })
  fn:entry():ret()
  return fn:finish():text():match "\n  ([^\n]*)\n  ret"
end

describe("data that only Lua knows", function()
  it("is shown by describe of the op, else by __tostring, in a comment", function()
    local shown = { __tostring = function() return "named" end }
    local named = setmetatable({ what = "a\nthing" }, shown)
    assert.equal("%1: i64 = d.plain {host 1} -- named", text_of(ops.plain, named))
    assert.equal("%1: i64 = d.told {host 1} -- it is a thing", text_of(ops.told, named))
    assert.equal("%1: i64 = d.plain {host 1}", text_of(ops.plain, {}))
    assert.equal("%1: i64 = d.told {host 1} -- it is 3", text_of(ops.told, { what = 3 }))
    assert.equal("d.silent {host 1}", text_of(ops.silent, named))
    assert.equal('%1: i64 = d.told {"x"}', text_of(ops.told, "x"))
  end)

  it("is a question mark if that fails", function()
    assert.equal("d.wrong {host 1} -- ?", text_of(ops.wrong, {}))
    local odd = setmetatable({}, { __tostring = function() return {} end })
    assert.equal("%1: i64 = d.plain {host 1} -- ?", text_of(ops.plain, odd))
  end)

  it("can be asked for while the function is read, or closed", function()
    local fn, what = phial.fn("f"), nil
    local odd = setmetatable({}, { __tostring = function() return what() end })
    for _ = 1, 2 do fn:entry():emit(ops.plain, { data = odd }) end
    fn:entry():ret()
    fn:finish()
    local depth = 0
    what = function()
      depth = depth + 1
      return fn:text():match "\n  ([^\n]*)"
    end
    assert.truthy(fn:text():find("{host 1} -- %1: i64 = d.plain {host 1}\n", 1, true))
    assert.equal(2, depth) -- the texts in comments ask for none
    what = function() fn:close() end
    raises.matching("function 'f' is closed", fn.text, fn)
  end)

  it("does not stop the text from being read", function()
    local fn = phial.fn("f")
    fn:entry():emit(ops.told, { data = { what = "it" } })
    fn:entry():ret()
    local text = fn:finish():text()
    local again = assert(phial.parse(text, { dialects = { ops } }))
    assert.equal(text:gsub(" %-%- it is it", ""), again:text())
  end)
end)

describe("a callee", function()
  local function called(callee)
    local fn = phial.fn("f")
    fn:entry():call(callee)
    fn:entry():ret()
    return fn:finish():text():match "call ([^\n]*)"
  end

  it("is shown by its name", function()
    assert.equal("@print", called(print))
    assert.equal('@"math.sin"', called(math.sin))
    assert.equal("@f", called "f")
    assert.equal("@g", called(phial.fn "g"))
    assert.equal(('@"spec/text/description_spec.lua:%d"'):format(debug.getinfo(called).linedefined),
      called(called))
    assert.equal("@table", called(setmetatable({}, { __call = print })))
    assert.equal("@mine", called(setmetatable({}, { __call = print, __symbol = function()
      return "mine"
    end })))
  end)

  it("whose __symbol yields is refused", function()
    local fn, mine = phial.fn "f", setmetatable({}, { __symbol = coroutine.yield, __call = print })
    refused(fn, "a metamethod __symbol may not yield", function() fn:entry():call(mine) end,
      function(call) error(select(2, coroutine.resume(coroutine.create(call))), 0) end)
  end)

  it("whose __symbol fails is refused, and nothing is changed", function()
    local fn = phial.fn("f")
    local before = fn:text()
    assert.is_false(pcall(fn:entry().call, fn:entry(), setmetatable({}, {
      __symbol = function() error "no" end,
    })))
    assert.equal(before, fn:text())
  end)
end)
