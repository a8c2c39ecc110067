-- The headers say what a C host must know.
local file = require "spec.support.file"

local umbrella = file.read "src/phial.h"

local function header(name) return file.read("src/phial/" .. name .. ".h") end

-- The comment before a declaration.
local function said_of(name, declaration)
  local text = header(name)
  local at = assert(text:find(declaration, 1, true), declaration .. " is not in " .. name .. ".h")
  return text:sub(1, at):match ".*(/%*.-%*/)" or ""
end

describe("the headers say", function()
  it("which threads may do what", function()
    assert.matches("thread", umbrella)
    assert.matches("ph_ruleset_freeze", header "rules")
    assert.matches("thread", said_of("rules", "void ph_ruleset_freeze("))
  end)

  it("how long a string lasts that a call returns", function()
    assert.matches("ph_str", umbrella)
    assert.matches("until", umbrella:match "[^\n]*ph_str.-%*/" or "")
    for _, case in ipairs {
      { "func", "ph_str ph_func_name(" }, { "func", "ph_str ph_intern_string(" },
      { "op", "ph_str ph_op_name(" }, { "rules", "ph_str ph_ruleset_name(" },
    } do
      local said = said_of(case[1], case[2]) .. umbrella
      assert.truthy(said:find "until" or said:find "as long as", case[2])
    end
  end)

  it("what can still be called when memory has run out", function()
    assert.matches("memory", umbrella)
    for _, name in ipairs { "question", "freed" } do assert.matches(name, umbrella) end
  end)

  it("whether a report may jump out", function()
    assert.matches("jump", said_of("text", "typedef void ph_report("))
    assert.matches("jump", said_of("rules", "bool ph_ruleset_check("))
  end)

  it("where NULL may be given", function()
    assert.matches("NULL", umbrella)
    assert.matches("NULL", said_of("func", "ph_func *ph_func_new("))
    assert.matches("NULL", said_of("rules", "void ph_ruleset_explain("))
  end)
end)
