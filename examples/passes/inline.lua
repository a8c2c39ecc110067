-- Inlining: calls of small functions become copies of these.

local LIMIT <const> = 40

---@class passes.Inlining
---@field limit? integer how many instructions a callee may have (default 40)
---@field functions? table<string, phial.Function> those that are called by name

-- The number of instructions of a function; math.huge if it cannot become part of another one.
local function size(callee)
  if callee:is_declaration() or callee:is_variadic() or not callee:is_finished() then
    return math.huge
  end
  for i = 1, #callee:params() do -- it has a copy of a struct
    if (callee:passing(i) or ""):find "^byval" then return math.huge end
  end
  local count = 0
  for block in callee:blocks() do
    local last = block:terminator()
    if last:op():find(".", 1, true) and #block:succs() == 0 then return math.huge end -- it returns
    count = count + #block:insts()
  end
  return count
end

-- The calls of functions that can be copied, with these.
local function calls(fn, opts)
  local list, sizes, by_name = {}, {}, opts.functions or {}
  for block in fn:blocks() do
    for _, v in ipairs(block:insts()) do
      local callee = v:op() == "call" and v:data()
      callee = by_name[callee] or callee
      if type(callee) == "userdata" then
        sizes[callee] = sizes[callee] or size(callee)
        if sizes[callee] <= (opts.limit or LIMIT) then
          list[#list + 1] = { at = v, callee = callee }
        end
      end
    end
  end
  return list
end

--- Copies small functions to where a finished function calls them; calls that the copies make
--- stay calls, so recursion is unfolded once.
---@param fn phial.Function
---@param opts? passes.Inlining
---@return integer count calls that are gone
return function(fn, opts)
  local list = calls(fn, opts or {})
  for i = #list, 1, -1 do -- what follows a call in its block moves, so last ones first
    local call = list[i].at
    local copied = table.pack(list[i].callee:copy_into(call:before(), call:args()))
    local results = call:results()
    for k = #results, 2, -1 do -- behind the map
      results[k]:replace(copied[3 + results[k]:index()])
      results[k]:erase()
    end
    if results[1] then call:replace(copied[3]) end
    call:erase()
  end
  fn:clean { unreached = true, phis = true }
  return #list
end
