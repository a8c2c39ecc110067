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

-- What a run gives: whether it ends, its results or the reason.  A call of a function is refused.
local function outcome(fn)
  local ok, result = pcall(fn, table.unpack({ 5, 3, 1, 0, 2 }, 1, #fn:params()), { fuel = 100 })
  return ok and ("= %s"):format(result) or result:match "[^:]*$"
end

-- Runs alike, cleaned and read from its text, too.
local function check_runs(fn)
  local before = outcome(fn)
  local read = assert(phial.parse(fn:text(), { dialects = "any" }))
  same(before, outcome(read), "read again, it runs")
  fn:clean()
  assert(fn:verify())
  same(before, outcome(fn), "cleaned, it runs")
  return before
end

local function check_trace(text)
  local own = replayed(text)
  local steps, why = phial.steps(text)
  if steps then for step in steps do why = step.problem or why end end
  assert(not own == (why ~= nil), why)
  if not own then return end
  for _, construction in ipairs(algorithms.variants) do
    same(dense(own), dense(replayed(text, construction)), construction)
  end
  local classical = replayed(text, algorithms.classical[#text % #algorithms.classical + 1])
  for i, fn in ipairs(classical or {}) do
    same(outcome(fn), check_runs(own[i]), "by a classical algorithm, it runs")
  end
end

return function(bytes)
  check_module(bytes)
  check_trace(bytes)
end
