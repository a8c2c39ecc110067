-- Sequences parallel assignments: on an edge all phis of the target get their values
-- at once, which may be old values of phis. A place is written after the moves that
-- read it. In a cycle (swap), one move is evaluated early, into a temporary.
local M = {}

---@class phial.emit.lua.Move
---@field to string the place that is written
---@field text string the expression that is assigned
---@field reads string[] places in it

-- The moves that read each of the places that are written.
local function readers_of(moves)
  local readers = {}
  for _, move in ipairs(moves) do readers[move.to] = {} end
  for _, move in ipairs(moves) do
    for _, place in ipairs(move.reads) do
      if readers[place] and place ~= move.to then table.insert(readers[place], move) end
    end
  end
  return readers
end

-- A pool of temporaries, which are reused.
local function new_pool(declare)
  local pool = { free = {}, made = 0 }
  function pool.take()
    if #pool.free > 0 then return table.remove(pool.free) end
    pool.made = pool.made + 1
    return declare(pool.made)
  end
  return pool
end

--- Sequences moves.
---@param moves phial.emit.lua.Move[] to different places
---@param emit fun(to: string, text: string) called for each assignment in order
---@param declare fun(i: integer): string declares the i-th temporary, returns its name
function M.each(moves, emit, declare)
  local readers, state, saved, pool = readers_of(moves), {}, {}, new_pool(declare)
  -- moves that wait for those above them, which read their places
  local stack = {}
  local function visit(move)
    if not state[move] then
      state[move] = "waiting"
      stack[#stack + 1] = { move = move, next = 1 }
    elseif state[move] == "waiting" and not saved[move] then
      saved[move] = pool.take()
      emit(saved[move], move.text)
    end
  end
  local function leave(move)
    state[move] = "done"
    emit(move.to, saved[move] or move.text)
    pool.free[#pool.free + 1] = saved[move]
  end
  for _, first in ipairs(moves) do
    visit(first)
    while #stack > 0 do
      local top = stack[#stack]
      local reader = readers[top.move.to][top.next]
      top.next = top.next + 1
      if reader then
        visit(reader)
      else
        stack[#stack] = nil
        leave(top.move)
      end
    end
  end
end

return M
