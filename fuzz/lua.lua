-- What must hold of any bytes, as a trace and as a module's text: they are read, or refused by
-- a message with a position; what is read comes out as it went in, and the same by all routes.
package.path = "lua/?.lua;lua/?/init.lua;" .. package.path
local algorithms = require "phial.trace.algorithms"
local phial = require "phial"

-- The classical algorithms need the whole function.
local function refused(why)
  assert(why:find "^%d+:" or why:find "is not finished: a line E is missing$", why)
end

local function same(a, b, what)
  if a ~= b then error(("%s:\n%s\n%s"):format(what, a, b), 2) end
end

local function check_module(text)
  local m, why = phial.parse(text, { dialects = "any" })
  if not m then return refused(why) end
  local written = m:text()
  same(written, assert(phial.parse(written, { dialects = "any" })):text(), "read again")
end

local function dense(fns)
  local texts = {}
  for i, fn in ipairs(fns) do texts[i] = fn:text { ids = "dense" } end
  return table.concat(texts, "\n")
end

local function replayed(text, construction)
  local fns = table.pack(phial.replay(text, { construction = construction }))
  if fns[1] == nil and fns[2] then return refused(fns[2]) end
  for _, fn in ipairs(fns) do
    assert(fn:verify())
    if fn:is_finished() and not algorithms.is_classical[construction] then
      assert(fn:is_minimal(), "not minimal")
    end
  end
  return fns
end

local function check_trace(text)
  local own = replayed(text)
  local steps, why = phial.steps(text)
  if steps then for step in steps do why = step.problem or why end end
  assert(not own == (why ~= nil), why)
  for _, construction in ipairs(algorithms.names) do
    local fns = own and replayed(text, construction)
    if fns and not algorithms.is_classical[construction] then
      same(dense(own), dense(fns), construction)
    end
    for _, fn in ipairs(fns or {}) do fn:close() end
  end
  for _, fn in ipairs(own or {}) do fn:close() end
end

return function(bytes)
  check_module(bytes)
  check_trace(bytes)
end
