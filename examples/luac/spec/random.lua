-- Random Lua programs: short-lived locals, loops of all kinds, gotos that make loops
-- with two entries, and closures that share registers on some paths only.  Each
-- choice is drawn with pick(n).
--
-- Loops call tick(site), which is false after a few iterations: so they end.
local M = {}

local statement

-- Adds a line; g: { pick, lines, depth, locals, functions, labels }.
local function add(g, ...)
  g.lines[#g.lines + 1] = ("  "):rep(g.depth) .. (...):format(select(2, ...))
end

local function fresh(g, prefix)
  g.count = g.count + 1
  return prefix .. g.count
end

local function site(g)
  g.sites = g.sites + 1
  return g.sites
end

local function any(g, list)
  return #list > 0 and list[g.pick(#list)]
end

local function expression(g, depth)
  local pick = g.pick
  local function sub() return expression(g, depth + 1) end
  local kind = pick(depth > 1 and 4 or 11)
  if kind <= 3 then return any(g, g.locals) or tostring(pick(9)) end
  if kind == 4 then return ({ "nil", "true", "false", "7", "0.5" })[pick(5)] end
  if kind == 5 then return ("(num(%s) + num(%s))"):format(sub(), sub()) end
  if kind == 6 then return ("(num(%s) - %d)"):format(sub(), pick(300)) end
  if kind == 7 then return ("(%s and %s)"):format(sub(), sub()) end
  if kind == 8 then return ("(%s or %s)"):format(sub(), sub()) end
  if kind == 9 then return ("(not %s)"):format(sub()) end
  if kind == 10 then return ("(num(%s) < num(%s))"):format(sub(), sub()) end
  local f = any(g, g.functions)
  return f and ("(%s(%s))"):format(f, sub()) or ("(%s == %s)"):format(sub(), sub())
end

-- The statements of a block, with a scope of its own.
local function block(g, n)
  local locals, functions = #g.locals, #g.functions
  g.depth = g.depth + 1
  for _ = 1, n do statement(g) end
  g.depth = g.depth - 1
  for i = #g.locals, locals + 1, -1 do g.locals[i] = nil end
  for i = #g.functions, functions + 1, -1 do g.functions[i] = nil end
end

local function size(g) return g.depth > 2 and 1 or g.pick(3) end

local statements
statements = {
  function(g)
    local name, value = fresh(g, "v"), expression(g, 0)
    add(g, "local %s = %s", name, value)
    g.locals[#g.locals + 1] = name
  end,
  function(g)
    local name = any(g, g.locals)
    if name then add(g, "%s = %s", name, expression(g, 0)) end
  end,
  function(g)
    local a, b = any(g, g.locals), any(g, g.locals)
    if a then add(g, "%s, %s = %s, %s", a, b, expression(g, 1), expression(g, 1)) end
  end,
  function(g) add(g, "print(%s, %s)", expression(g, 0), expression(g, 1)) end,
  function(g)
    add(g, "if %s then", expression(g, 0))
    block(g, size(g))
    if g.pick(2) == 1 then
      add(g, "else")
      block(g, size(g))
    end
    add(g, "end")
  end,
  function(g)
    add(g, "while tick(%d) and %s do", site(g), expression(g, 0))
    block(g, size(g))
    if g.pick(3) == 1 then add(g, "  if %s then break end", expression(g, 0)) end
    add(g, "end")
  end,
  function(g)
    add(g, "repeat")
    g.depth = g.depth + 1
    statements[1](g)
    local inside = g.locals[#g.locals]
    block(g, size(g))
    if g.pick(2) == 1 then
      add(g, "hold(function() %s = num(%s) + 1 return %s end)", inside, inside, inside)
    end
    g.depth = g.depth - 1
    add(g, "until %s or not tick(%d)", inside, site(g))
    g.locals[#g.locals] = nil
  end,
  function(g)
    local i = fresh(g, "i")
    add(g, "for %s = %d, %d do", i, g.pick(3), g.pick(5))
    g.locals[#g.locals + 1] = i
    block(g, size(g))
    if g.pick(2) == 1 then
      add(g, "  if %s then goto %s end", expression(g, 0), "c" .. i)
      block(g, size(g))
      add(g, "  ::%s::", "c" .. i)
    end
    g.locals[#g.locals] = nil
    add(g, "end")
  end,
  function(g)
    local k, v = fresh(g, "k"), fresh(g, "e")
    add(g, "for %s, %s in ipairs { %s, %s } do", k, v, expression(g, 1), expression(g, 1))
    g.locals[#g.locals + 1], g.locals[#g.locals + 2] = k, v
    block(g, size(g))
    g.locals[#g.locals], g.locals[#g.locals - 1] = nil, nil
    add(g, "end")
  end,
  function(g) -- a loop with two ways in
    local first, second = fresh(g, "a"), fresh(g, "b")
    add(g, "if %s then goto %s end", expression(g, 0), second)
    add(g, "::%s:: do", first)
    block(g, size(g))
    add(g, "end ::%s:: do", second)
    block(g, size(g))
    add(g, "end if tick(%d) and %s then goto %s end", site(g), expression(g, 0), first)
    add(g, "do local _ end")
  end,
  function(g)
    local name, a = fresh(g, "f"), fresh(g, "p")
    add(g, "local function %s(%s, ...)", name, a)
    add(g, "  if not tick(%d) then return end", site(g))
    g.locals[#g.locals + 1] = a
    block(g, size(g))
    add(g, "  return %s", g.pick(2) == 1 and expression(g, 0) or "...")
    g.locals[#g.locals] = nil
    add(g, "end")
    g.functions[#g.functions + 1] = name
  end,
  function(g)
    local name = any(g, g.locals)
    if name then
      add(g, "hold(function() %s = num(%s) + 1 return %s end)", name, name, name)
    end
  end,
  function(g) add(g, "print(held())") end,
  function(g) add(g, "do") block(g, size(g)) add(g, "end") end,
  function(g)
    local name = fresh(g, "c")
    add(g, "do local %s <close> = closing(%s)", name, expression(g, 1))
    block(g, size(g))
    add(g, "end")
  end,
}

function statement(g)
  local n = g.depth > 3 and 4 or #statements
  statements[g.pick(n)](g)
end

function M.program(pick)
  local g = {
    pick = pick, lines = {}, depth = -1, count = 0, sites = 0,
    locals = {}, functions = {},
  }
  block(g, 3 + pick(6))
  return table.concat(g.lines, "\n") .. "\n"
end

--- The functions that a program calls, for one run.
function M.prelude(print)
  local turns, held = {}, nil
  return {
    print = print, ipairs = ipairs,
    num = function(v) return type(v) == "number" and v or 0 end,
    tick = function(place)
      turns[place] = (turns[place] or 0) + 1
      return turns[place] % 4 ~= 0
    end,
    hold = function(f) held = f end,
    held = function() if held then return held() end end,
    closing = function(v)
      return setmetatable({}, { __close = function() print("closed", v) end })
    end,
  }
end

return M
