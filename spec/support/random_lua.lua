--- Random Lua programs that say, when they run, which write each read saw: `W(n)` is the value
-- that write n assigns, `R(n, x)` reports what read n sees.
local M = {}

local NAMES <const> = { "a", "b", "c", "d" }

local statement

local function add(g, format, ...)
  g.lines[#g.lines + 1] = format:format(...)
end

local function number(g)
  g.numbers = g.numbers + 1
  return g.numbers
end

local function name(g) return NAMES[g.pick(#NAMES)] end

-- Statements of a block; `names` are declared in it, as Lua warns of nothing.
local function block(g, depth)
  local here = #g.functions
  for _ = 1, g.pick(4) do statement(g, depth + 1) end
  for i = #g.functions, here + 1, -1 do g.functions[i] = nil end
end

local function body(g, depth, open)
  add(g, open)
  block(g, depth)
end

local CONDITIONS <const> = {
  "C()", "C() and C()", "C() or not C()", "not (C() and R(%d, %s) == nil)", "true", "false",
  "not R(%d, %s)",
}

local function condition(g)
  local text = CONDITIONS[g.pick(#CONDITIONS)]
  return text:find "%%" and text:format(number(g), name(g)) or text
end

local function loop(g, depth, open, close)
  g.loops = g.loops + 1
  body(g, depth, open)
  if g.pick(4) == 1 then add(g, "if C() then break end") end
  g.loops = g.loops - 1
  add(g, close)
end

local function func_body(g, depth)
  local loops = g.loops
  g.loops = 0
  block(g, depth)
  g.loops = loops
end

local function func(g, depth, form)
  local f, parameter = "f" .. number(g), number(g)
  add(g, form, f, name(g), parameter)
  local here = #g.functions
  if form:find "function %%s" then g.functions[here + 1] = { f, parameter } end
  func_body(g, depth)
  add(g, "end")
  g.functions[here + 1] = { f, parameter }
end

local simple = {
  function(g) add(g, "%s = W(%d)", name(g), number(g)) end,
  function(g) add(g, "%s = W(%d)", name(g), number(g)) end,
  function(g) add(g, "R(%d, %s)", number(g), name(g)) end,
  function(g) add(g, "R(%d, %s)", number(g), name(g)) end,
  function(g) add(g, "R(%d, %s)", number(g), name(g)) end,
  function(g) add(g, "local %s = W(%d)", name(g), number(g)) end,
  function(g) add(g, "local %s", name(g)) end,
  function(g)
    add(g, "%s, %s = W(%d), W(%d)", name(g), name(g), number(g), number(g))
  end,
  function(g)
    local f = g.functions[g.pick(#g.functions + 1)]
    if f then add(g, "if C() then %s(%d) end", f[1], f[2]) end
  end,
  function(g) if g.loops > 0 then add(g, "do break end") end end,
  function(g) add(g, "do return end") end,
}

local nested = {
  function(g, depth)
    body(g, depth, ("if %s then"):format(condition(g)))
    if g.pick(2) == 1 then body(g, depth, ("elseif %s then"):format(condition(g))) end
    if g.pick(2) == 1 then body(g, depth, "else") end
    add(g, "end")
  end,
  function(g, depth) loop(g, depth, "while C() do", "end") end,
  function(g, depth) loop(g, depth, "repeat", "until not C() or " .. condition(g)) end,
  function(g, depth) loop(g, depth, ("for %s in I(%d) do"):format(name(g), number(g)), "end") end,
  function(g, depth)
    local label = "l" .. number(g)
    add(g, "while C() do")
    body(g, depth, "do")
    add(g, "if C() then goto %s end end", label)
    add(g, "%s = W(%d) ::%s:: end", name(g), number(g), label)
  end,
  function(g, depth)
    local label = "l" .. number(g)
    body(g, depth, ("do ::%s:: do"):format(label))
    add(g, "end if C() then goto %s end end", label)
  end,
  function(g, depth) func(g, depth, "local function %s(%s) --%d") end,
  function(g, depth) func(g, depth, "local %s = function(%s) --%d") end,
  function(g, depth)
    add(g, "do local o <close> = setmetatable({}, { __close = function()")
    func_body(g, depth)
    add(g, "end })")
    block(g, depth)
    add(g, "end")
  end,
}

function statement(g, depth)
  local n = g.pick(#simple + (depth < 4 and #nested or 0))
  if simple[n] then simple[n](g) else nested[n - #simple](g, depth) end
end

--- A program.
---@param pick fun(n: integer): integer
---@return string
function M.program(pick)
  local g = { pick = pick, lines = {}, numbers = 0, functions = {}, loops = 0 }
  for _, declared in ipairs(NAMES) do add(g, "local %s = W(%d)", declared, number(g)) end
  for _ = 1, 6 do statement(g, 1) end
  return table.concat(g.lines, "\n") .. "\n"
end

--- Runs a program; calls seen(read, write) for each read, with the number of the write whose value
--- it saw, or nil.
---@param text string
---@param pick fun(n: integer): integer
---@param seen fun(read: integer, write?: integer)
function M.run(text, pick, seen)
  local fuel = 40
  local env = { setmetatable = setmetatable }
  function env.W(n) return n end
  function env.R(n, value)
    seen(n, value)
    return value
  end
  function env.C()
    fuel = fuel - 1
    return fuel > 0 and pick(2) == 1
  end
  function env.I(n)
    local turns = 0
    return function()
      turns = turns + 1
      return turns < pick(4) and n or nil
    end
  end
  assert(load(text, "=random", "t", env))()
end

return M
