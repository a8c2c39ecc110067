-- Work for Lua states whose memory runs out, or whose collector runs at any time
-- (spec/support/state.c). Together the scripts reach what phial allocates for, in C and Lua.
local M = {}

-- What all scripts share. `made` keeps a function to be checked afterwards.
local SHARED = [[
local all = {}
local function made(fn)
  all[#all + 1] = fn
  return fn
end

local D = phial.dialect("d", {
  op = { args = 2, result = "any", pure = true },
  split = { args = "*", result = "any", results = 3 },
})
local known = { D }

-- Loops that contain a condition, sealed early and late by turns.
local function sum(opts)
  local fn = made(phial.fn("sum", { "n:i64" }, "i64", opts))
  local n, i, s = fn:param(1), fn:var "i", fn:var "s"
  local block = fn:entry()
  block:write(i, 0)
  if not opts.undef then block:write(s, 0) end
  for k = 1, 2 do
    local head, body, odd = fn:block "head", fn:block "body", fn:block()
    local join, done = fn:block("join", 2), fn:block "done"
    block:jump(head)
    head:branch(head:slt(head:read(i, n)), body, done)
    if k == 1 then body:seal() done:seal() end
    body:branch(body:eq(body:read(i), k), odd, join)
    odd:seal()
    odd:write(s, odd:add(odd:read(s), 1))
    odd:jump(join)
    local a, b, c = join:read(i, s, n)
    join:write(i, join:add(a, k))
    join:write(s, join:sub(b, c))
    join:jump(head)
    if k == 2 then body:seal() done:seal() end
    head:seal()
    block = done
  end
  block:ret(block:read(s))
  return fn
end

local function check_verified(fn)
  local good, problems = fn:verify()
  assert(good, problems and table.concat(problems, "\n"))
end

local function check_finished(fn)
  assert(fn:is_minimal())
  local text = fn:text()
  assert(text == assert(phial.parse(text, { dialects = known })):text())
end

local function go_on(fn)
  if fn:is_finished() then fn:clean { phis = true } end
  check_verified(fn)
  for block in fn:blocks() do
    if not block:is_filled() and fn:result() then block:ret(fn:undef(fn:result())) end
    if not block:is_filled() then block:ret() end
  end
  if not fn:is_finished() then fn:finish() end
  check_verified(fn)
  check_finished(fn)
end

local function check()
  for _, fn in ipairs(all) do
    local usable, why = pcall(fn.name, fn)
    if usable then
      go_on(fn)
    else
      assert(why:find "out of memory while" or why:find "is closed", why)
      assert(not pcall(fn.block, fn) and not pcall(fn.finish, fn))
      tostring(fn)
      fn:close()
    end
  end
end
]]

local FINALIZER = [[
local kept, over, asked = {}, false, nil
local function deed(fn) %s end
local function trap()
  setmetatable({}, { __gc = function()
    if over then return end
    if #all > 0 then pcall(deed, all[#all]) end
    trap()
  end })
end
trap()
local function check_kept()
  over = true
  if not asked or not pcall(asked.name, asked) then return end
  for i = 1, 40 do assert(rawequal(kept[i], asked:const(i)), "another handle") end
end
]]


-- By name; these use the C module only, since loading the Lua files takes most of a state's time.
local SCRIPTS = {}
for _, topic in ipairs { "building", "answers" } do
  for name, work in pairs(require("spec.support.workloads." .. topic)) do SCRIPTS[name] = work end
end
local LUA_FILES = require "spec.support.workloads.lua_files"
local LOADING = {
  ["loading the C module"] = [[require("phial.core").fn("f"):entry():ret()]],
  ["loading the module"] = [[require("phial").build("f", { "n" }, "i64", function(b, v)
    b:ret(v.n + 1)
  end)]],
}

M.names = {}
for _, scripts in ipairs { SCRIPTS, LUA_FILES, LOADING } do
  for name in pairs(scripts) do M.names[#M.names + 1] = name end
end
table.sort(M.names)

local WITH_PHIAL = [[
local phial, library = require "%s", %q
%s %s
local function work() %s end
%s %s
return work, function(...)
  if undisturbed then assert(...) end
  %s
  check()
end]]

-- Loaded anew, phial works.
local WITHOUT_PHIAL = [[
local function work() %s end
return work, function(...)
  if undisturbed then assert(...) end
  work()
end]]

--- A script for state.run. What a failed run leaves does not keep the same work from being done.
--- The Lua files are loaded by a run before. The global `undisturbed` is set where nothing is in
--- the way of the work.
---@param name string
---@param deed? string what each run of a finalizer does to the latest function `fn`
---@return string
function M.script(name, deed)
  if LOADING[name] then return WITHOUT_PHIAL:format(LOADING[name]) end
  local lua, work = LUA_FILES[name], LUA_FILES[name] or SCRIPTS[name]
  return WITH_PHIAL:format(lua and "phial" or "phial.core",
    package.searchpath("spec.support.state", package.cpath), SHARED,
    work:find "warm" and 'local warm = phial.rules "int"' or "", work,
    lua and "work() all = {}" or "", deed and FINALIZER:format(deed) or "",
    deed and "check_kept()" or "check() all = {} work()")
end

return M
