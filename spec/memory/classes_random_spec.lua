-- Random functions whose memory is divided in classes: they give the same whatever simplifies them,
-- and reads become one exactly where an oracle, by paths between them, says so.
local classes = require "spec.support.class_programs"
local phial = require "phial"
local prop = require "spec.support.prop"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"

--
-- {== The oracle ======================================================
--

-- True if one set of classes has one of the other.
local function overlap(a, b)
  if #a == 0 or #b == 0 then return false end
  for _, class in ipairs(a ~= "all" and a or {}) do
    if b == "all" then if class ~= "private" then return true end
    else for _, other in ipairs(b) do if class == other then return true end end end
  end
  if a ~= "all" then return false end
  if b == "all" then return true end
  return overlap(b, a)
end

local function includes(a, b)
  if #b == 0 then return true end
  if a == "all" then return b == "all" or b[1] ~= "private" end
  if b == "all" then return false end
  for _, class in ipairs(b) do if not overlap(a, { class }) then return false end end
  return true
end

local function is_same(a, b) return includes(a, b) and includes(b, a) end

-- True if every path to the k-th access of block b, back from it, comes to an access that `is_it`
-- before one that writes a class of the set.
local function comes_from(plain, b, k, set, is_it)
  local todo, met = { { b, k - 1 } }, {}
  while #todo > 0 do
    local block, i = table.unpack(table.remove(todo))
    local list, found = plain.accesses[block], false
    while i > 0 and not found do
      found = is_it(list[i])
      if not found and overlap(list[i].writes, set) then return false end
      i = i - 1
    end
    if not found then
      if block == plain.fn:entry() then return false end
      for _, pred in ipairs(block:preds()) do
        if not met[pred] then
          met[pred] = true
          todo[#todo + 1] = { pred, #plain.accesses[pred] }
        end
      end
    end
  end
  return true
end

local function each_access(self, f)
  for b in self.fn:blocks() do
    for k, access in ipairs(self.accesses[b] or {}) do f(b, k, access) end
  end
end

-- Compares what became one in a function with what the oracle says of the plain one.
local function check_merged(plain, merged)
  local twin = {}
  for b in plain.fn:blocks() do
    local index = b:id()
    for other, list in pairs(merged.accesses) do
      if other:id() == index then
        for k, access in ipairs(plain.accesses[b]) do twin[access] = list[k] end
      end
    end
  end
  each_access(plain, function(b, k, r)
    if not r.key or r.stores then return end
    local value, must, may = twin[r].value:now(), false, false
    each_access(plain, function(_, _, a)
      if a.key ~= r.key or a == r then return end
      local is = comes_from(plain, b, k, r.reads, function(it) return it == a end)
      if not is then return end
      local same = twin[a].value:now() == value
      may = may or same
      if a.stores and includes(a.writes, r.reads) or not a.stores and is_same(a.reads, r.reads) then
        must = true
        if not same then
          error(("%s in %s should be %s"):format(r.key, b, a.value), 0)
        end
      end
    end)
    if must or may then return end
    local own = twin[r]
    if not own.is_new or own.value:now() ~= own.value then
      error(("%s in %s should stay"):format(r.key, b), 0)
    end
  end)
end

-- }== Checking ========================================================

describe("a random function with classes of memory", function()
  local none, int = phial.rules(), phial.rules "int"

  local function outcome(run, ...)
    classes.reset()
    return results.outcome(run, ...)
  end

  local function check_text(fn)
    local again = assert(phial.parse(fn:text(), { dialects = { classes.dialect } }))
    assert(again:text() == fn:text(), "the text is another one")
  end

  local function check(program)
    local plain = classes.build(program, false)
    local expected = outcome(semantics.run, plain.fn, {}, program.x)
    local function same(what, fn)
      assert(fn:verify())
      local got = outcome(fn, program.x)
      if got ~= expected then
        error(("%s: expected %s, got %s\n%s"):format(what, expected, got, fn), 0)
      end
      check_text(fn)
    end
    same("as it is", plain.fn)
    for name, rules in pairs { int = int, none = none } do
      local it = classes.build(program, rules)
      same(name, it.fn)
      if name == "none" then check_merged(plain, it) end
      it.fn:clean()
      same(name .. ", simplified again", it.fn)
      it.fn:close()
    end
    plain.fn:close()
  end

  it("gives the same, and merges what it can", function() prop.forall(classes.generate, check) end)
end)

-- }====================================================================
