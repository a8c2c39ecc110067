-- What the third argument of an op's `c`, `llvm` and `lua` refuses.
local phial = require "phial"
local refused = require "spec.support.refused"

-- The error of a call of a method of the site.
local function refusal(language, method, argument)
  local message
  local op = { args = 1, result = "i64", [language] = function(_, _, site)
    local _, why = pcall(function() site[method](site, argument) end)
    message = why
    return ""
  end }
  local d = phial.dialect("d", { op = op })
  local fn = phial.fn("f", { "n" }, "i64", { dialects = { d } })
  fn:entry():ret(fn:entry():emit(d.op, fn:arg(1)))
  pcall(phial.emit[language], fn:finish())
  return (message:gsub("^.-site_spec%.lua:%d+: ", ""))
end

describe("the site of an op of a dialect refuses", function()
  it("lines and hints that are not strings", function()
    for _, language in ipairs { "c", "llvm", "lua" } do
      assert.equal("bad argument #1 to 'declare' (string expected, got nil)",
        refusal(language, "declare", nil))
      assert.equal("bad argument #1 to 'trap' (string expected, got nil)",
        refusal(language, "trap", nil))
    end
    assert.equal("bad argument #1 to 'label' (string expected, got 3)",
      refusal("llvm", "label", 3))
  end)

  it("types and targets that do not exist", function()
    assert.equal("f: 'd.op %n' in block 'entry': type zz cannot be written in C",
      refusal("c", "temp", "zz"))
    assert.equal("f: 'd.op %n' in block 'entry': Lua has no types", refusal("lua", "type", "i32"))
    for _, language in ipairs { "c", "lua" } do
      assert.equal("f: 'd.op %n' in block 'entry': the op has no target zz",
        refusal(language, "target", "zz"))
      assert.equal("f: 'd.op %n' in block 'entry': the op has no result zz",
        refusal(language, "result", "zz"))
    end
  end)
end)

it("a site is over when its op has been written, also for one that is kept", function()
  for _, language in ipairs { "c", "llvm", "lua" } do
    local kept
    local d = phial.dialect("d", { op = { [language] = function(_, _, site)
      kept = site
      return ""
    end } })
    local fn = phial.fn("f", {}, nil, { dialects = { d } })
    fn:entry():emit(d.op)
    fn:entry():ret()
    phial.emit[language](fn:finish())
    refused(nil, "target: op 'd.op' has been written", function() kept:target(1) end)
  end
end)

it("an op of a dialect that closes or changes the function that is written is named", function()
  for how, act in pairs { closed = "close", changed = "reopen" } do
    for _, language in ipairs { "c", "llvm", "lua" } do
      local fn = phial.fn "f"
      local d = phial.dialect("d", { op = { [language] = function() fn[act](fn) end } })
      fn:entry():emit(d.op)
      fn:entry():ret()
      fn:finish()
      refused(nil, ("the %s of op 'd.op' has %s function 'f'"):format(language, how),
        function() phial.emit[language](fn) end)
    end
  end
end)
