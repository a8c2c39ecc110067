-- The programs of spec/support/conformance.lua as native code of each compiler. What they
-- call is in spec/support/shown.c, which is compiled with them.
local compilers = require "spec.support.compilers"
local native = require "phial.native"
local phial = require "phial"
local programs = require "spec.support.conformance"

local LOGS = { [1] = "log_l", [2] = "log_ll", [3] = "log_bcd" }

-- What C has no type for.
local LUA_ONLY = { ["values of type any"] = true }

-- The text with another name of the function, as others have its name as well, and with
-- the names of shown.c.
local function adapted(text, name)
  local old = text:match '^fn "?([^"(]+)'
  text = text:gsub('^fn "?[^"(]+"?%(', "fn " .. name .. "("):gsub("@" .. old .. " ",
    "@" .. name .. " ")
  text = text:gsub("call @log([^\n]*)", function(operands)
    local _, commas = operands:gsub(",", "")
    return ("call @%s%s"):format(LOGS[commas + 1], operands)
  end)
  return (text:gsub("%) %-> any", ") -> i64"):gsub("ret undef:any", "ret undef:i64")), old
end

local functions, cases = {}, {}

for i, program in ipairs(programs) do
  if not LUA_ONLY[program.name] then
    local text, old = adapted(program.text, "program" .. i)
    local fn = assert(phial.parse(text, { file = program.name }))
    functions[#functions + 1] = fn
    for _, case in ipairs(program.cases) do
      local it = table.move(case, 1, #case, 1, { fn = fn, is = case.is, shows = case.shows })
      if program.name == "undef" then it.is = 0 end
      it.trap = case.trap and fn:name() .. case.trap:sub(#old + 1)
      cases[#cases + 1] = it
    end
  end
end

for _, text in ipairs {
  "fn shown_count_() -> i64 {\nentry:\n  %v: i64 = call @shown_count\n  ret %v\n}",
  "fn shown_at_(%i: i64) -> i64 {\nentry:\n  %v: i64 = call @shown_at %i\n  ret %v\n}",
  "fn shown_reset_() -> i64 {\nentry:\n  %v: i64 = call @shown_reset\n  ret %v\n}",
} do
  functions[#functions + 1] = assert(phial.parse(text))
end

-- A word as shown.c keeps it.
local function word(value)
  if type(value) == "boolean" then return value and 1 or 0 end
  if math.type(value) == "float" then return (string.unpack("<i8", string.pack("<d", value))) end
  return value
end

local function check(lib, case)
  lib:call "shown_reset_"
  programs.check(case, lib:get(case.fn:name()), #case.fn:params())
  if not case.shows then return end
  assert.equal(#case.shows, lib:call "shown_count_")
  for i, value in ipairs(case.shows) do assert.equal(word(value), lib:call("shown_at_", i - 1)) end
end

describe("programs compiled by", function()
  compilers.each(pending, function(cc)
    it(cc .. " do what they do in Lua", function()
      local lib <close> = native.compile(functions,
        compilers.options(cc, "spec/support/shown.c"))
      for _, case in ipairs(cases) do check(lib, case) end
    end)
  end)
end)
