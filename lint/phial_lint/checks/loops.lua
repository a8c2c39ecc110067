-- Loops that make one turn at most: nothing leads from the end of the body to its begin. The author
-- of `repeat ... until true` means that.
local tree = require "phial_lint.tree"

local LOOPS <const> = { While = true, Repeat = true, Fornum = true, Forin = true }

-- True if control gets to a loop, and never comes back to its head.
local function is_single(solution, head)
  local entered = 0
  for _, pred in ipairs(head:preds()) do
    if solution:is_taken(pred, head) then entered = entered + 1 end
  end
  return entered == 1
end

-- True if control goes from the head of a loop to its body, or to the rest of its condition.
local function is_entered(solution, head)
  for _, succ in ipairs(head:succs()) do
    local is_after = (succ:name() or ""):find "^after"
    if solution:is_taken(head, succ) and not is_after then return true end
  end
  return false
end

local function is_meant(node) return node.tag == "Repeat" and node[2].tag == "True" end

local function loops_of(f)
  local list = {}
  for _, node in ipairs(tree.nodes(f)) do
    if LOOPS[node.tag] then list[#list + 1] = node end
  end
  return list
end

-- The heads of so many loops, in the order of the source.
local function heads_of(f, n)
  local heads = {}
  if n == 0 then return heads end
  for block in f.fn:blocks() do
    if (block:name() or ""):find "^loop" then heads[#heads + 1] = block end
  end
  return heads
end

return function(file)
  for _, f in ipairs(file.program:functions()) do
    local loops, solution = loops_of(f), file.facts.solutions[f]
    local heads = heads_of(f, #loops)
    for i, node in ipairs(loops) do
      local head = heads[i]
      if not is_meant(node) and is_single(solution, head) and is_entered(solution, head) then
        file.reports:add(node, "512", "loop is executed at most once")
      end
    end
  end
end
