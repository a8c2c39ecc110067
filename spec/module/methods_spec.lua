-- The classes that are written in Lua, asked for a method that they do not have.
local phial = require "phial"
local refused = require "spec.support.refused"

local function counting()
  local m = phial.module "m"
  m:global("count", "i64")
  m:fn("f"):entry():ret()
  m:finish()
  return m
end

-- By class: one of it, a name that is similar to a method's, and that method.
local some = {
  ["phial.Module"] = { counting(), "globls", "globals" },
  ["phial.Global"] = { counting():globals()[1], "linkag", "linkage" },
  ["phial.Instance"] = { counting():instance(), "addres", "address" },
  ["phial.CallGraph"] = { counting():callgraph(), "calers", "callers" },
  ["phial.Record"] = { phial.record(phial.fn "f"), "txt", "text" },
  ["phial.Log"] = { phial.fn("f"):log(true) },
}

for class, row in pairs(some) do
  local one, similar, meant = table.unpack(row)
  it("a " .. class .. " says which method it does not have", function()
    local message = "a " .. class .. " has no method '%s'%s"
    refused(nil, message:format("frobnicate", ""), function() one:frobnicate() end)
    if not similar then return end
    refused(nil, message:format(similar, (" (did you mean '%s'?)"):format(meant)),
      function() one[similar](one) end)
  end)
end

it("what was an iterator once says that it is a list", function()
  local m = counting()
  refused(nil, "it is a list: for _, it in ipairs(m:functions()) do",
    function() for _ in m:functions() do return end end) -- luacheck: ignore 512
end)
