-- A handle of each kind that belongs to a function.
local phial = require "phial"

local function actor_of(name)
  local actor
  local rules = phial.rules("a: x + C => $keep(x)", { keep = function(e) actor = e end })
  local fn = phial.fn(name, { "x" }, nil, { rules = rules })
  fn:entry():add(fn:arg(1), 1)
  return actor, fn
end

local function always() return 0 end

---@param name string of the functions
---@param line integer? their position
---@return table<string, any> handles by kind
---@return fun() close closes the functions
return function(name, line)
  local fn = phial.fn(name, { "n:i64" }, "i64", { accesses = true })
  local entry, event = fn:entry(), nil
  local done = phial.fn(name, { "x" }, nil, { log = function(e) event = e end })
  done:entry():ret()
  done:finish()
  local actor, acting = actor_of(name)
  local all = { fn, done, acting }
  for _, it in ipairs(all) do it:set_loc(line) end
  return {
    Function = fn, Block = fn:block "b", Variable = fn:param(1), Group = fn:group { fn:param(1) },
    Value = entry:add(entry:read(fn:param(1)), 2), Access = fn:write_accesses()[1],
    Cursor = done:entry():back(), Leaving = done:leave(), Repair = done:repair(done:arg(1)),
    Solution = done:solve { bottom = 0, join = always, transfer = { default = always } },
    Event = event, Actor = actor,
  }, function()
    for _, it in ipairs(all) do it:close() end
  end
end
