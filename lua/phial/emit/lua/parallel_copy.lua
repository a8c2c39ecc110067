-- Sequences parallel assignments: on an edge all phis of the target get their values
-- at once, which may be old values of phis. A place is written after the moves that
-- read it. In a cycle (swap), one move is evaluated early, into a temporary.
local M = {}

-- The most temporaries that are locals; further ones, which are rare, are in a
-- table.
local TEMPORARIES = 8

---@class phial.emit.lua.Move
---@field to string the place that is written
---@field text string the expression that is assigned
---@field reads string[] places in it
---@field readers phial.emit.lua.Move[]? other moves that read `to`
---@field state? "waiting"|"done"
---@field saved string? the temporary

local function find_readers(moves)
  local writers = {}
  for _, move in ipairs(moves) do writers[move.to] = move end
  for _, move in ipairs(moves) do
    for _, place in ipairs(move.reads) do
      local writer = writers[place]
      if writer and writer ~= move then
        writer.readers = writer.readers or {}
        table.insert(writer.readers, move)
      end
    end
  end
end

-- The assignments in order, and the number of temporaries, which are reused.
local function sequence(moves)
  local out, free, made = {}, {}, 0
  -- moves that wait for those above them, which read their places
  local stack = {}
  local function assign(to, text) out[#out + 1] = to .. " = " .. text end
  local function new_temporary()
    made = made + 1
    return (made > TEMPORARIES and "s[%d]" or "s%d"):format(made)
  end
  local function visit(move)
    if not move.state then
      move.state = "waiting"
      stack[#stack + 1] = { move = move, next = 1 }
    elseif move.state == "waiting" and not move.saved then
      move.saved = table.remove(free) or new_temporary()
      assign(move.saved, move.text)
    end
  end
  for _, first in ipairs(moves) do
    visit(first)
    while #stack > 0 do
      local top = stack[#stack]
      local move = top.move
      local reader = move.readers and move.readers[top.next]
      top.next = top.next + 1
      if reader then
        visit(reader)
      else
        stack[#stack] = nil
        move.state = "done"
        assign(move.to, move.saved or move.text)
        free[#free + 1] = move.saved
      end
    end
  end
  return out, made
end

--- Writes assignments that happen at once. If they need temporaries, all is inside
--- do ... end: no goto may jump into a local's scope.
---@param code phial.emit.lua.Code
---@param moves phial.emit.lua.Move[] to different places
function M.write(code, moves)
  find_readers(moves)
  local assignments, made = sequence(moves)
  if made > 0 then
    code:add "do"
    code:enter()
    for i = 1, math.min(made, TEMPORARIES) do code:line("local s%d", i) end
    if made > TEMPORARIES then code:add "local s = {}" end
  end
  for _, assignment in ipairs(assignments) do code:add(assignment) end
  if made > 0 then
    code:leave()
    code:add "end"
  end
end

return M
