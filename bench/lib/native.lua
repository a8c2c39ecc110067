--- Native code compared with the same C written by hand, and with fn(...).
local grid = require "bench.lib.grid"
local kernels = require "bench.lib.kernels"
local native = require "phial.native"

local M = {}

local CALLS <const> = 3000000

--- Seconds of the best of some rounds of each function, which take turns.
local function best(rounds, ...)
  local fs, out = { ... }, {}
  for _ = 1, rounds do
    for i, f in ipairs(fs) do
      local start = os.clock()
      f()
      local time = os.clock() - start
      out[i] = math.min(out[i] or time, time)
    end
  end
  return table.unpack(out)
end

-- As native code does, hand-written C belongs to a shared object that Lua loads.
local function by_hand(cc, flags)
  local path = os.tmpname()
  assert(os.execute(("%s -std=c11 %s -fPIC -shared $(sh tools/lua cflags) -o %s "
    .. "bench/peers/kernels.c -lm"):format(cc, flags, path)))
  local open = assert(package.loadlib(path, "luaopen_kernels"))
  os.remove(path)
  return open()
end

local ENV = { env = { sqrt = math.sqrt } }

-- What fn(...) costs in comparison, at a size that it can do in a moment.
local function times_lua(kernel, f)
  local ok = pcall(kernel.fn, 2, ENV)
  if not ok then return nil end
  local lua = best(1, function() kernel.fn(kernel.small, ENV) end)
  local repeats = 0
  local start = os.clock()
  repeat
    f(kernel.small)
    repeats = repeats + 1
  until os.clock() - start > 0.05
  return lua / ((os.clock() - start) / repeats)
end

local function call_many(f)
  return function()
    local x = 0
    for i = 1, CALLS do x = f(x, i) end
  end
end

local function compiled(opts)
  local functions = {}
  for i, kernel in ipairs(kernels) do functions[i] = kernel.fn end
  return native.compile(functions, opts)
end

--- A table with a row for each kernel, and one for calls from Lua.
---@param cc string the compiler of both
---@param rounds integer
---@return string
function M.table(cc, rounds)
  local hand = by_hand(cc, "-O2")
  local lib <close> = compiled { cc = cc }
  local rows = { { "kernel, " .. cc, "ms by hand", "ms native", "native / by hand",
    "fn(...) / native" } }
  for _, kernel in ipairs(kernels) do
    local mine, its = lib:get(kernel.name), hand[kernel.name]
    if kernel.name ~= "add" then
      assert(mine(kernel.size) == its(kernel.size), kernel.name)
      local c, n = best(rounds, function() its(kernel.size) end, function() mine(kernel.size) end)
      rows[#rows + 1] = { kernel.name, grid.number(1000 * c, 1), grid.number(1000 * n, 1),
        grid.number(n / c, 2), grid.number(times_lua(kernel, mine)) }
    end
  end
  local c, n = best(rounds, call_many(hand.add), call_many(lib:get "add"))
  rows[#rows + 1] = { "a call, ns", grid.number(1e9 * c / CALLS, 1),
    grid.number(1e9 * n / CALLS, 1), grid.number(n / c, 2), "" }
  return grid.text(rows)
end

-- How many times as long each kernel takes as by hand, with one compiler: without traps, and
-- with them.
local function ratios_of(cc, flags, rounds)
  local hand, list = by_hand(cc, flags), {}
  local plain <close> = compiled { cc = cc, flags = flags, traps = "undefined" }
  local checked <close> = compiled { cc = cc, flags = flags }
  for i, kernel in ipairs(kernels) do
    if kernel.name == "add" then break end
    local n, fs = kernel.size, {}
    for k, f in ipairs { hand[kernel.name], plain:get(kernel.name), checked:get(kernel.name) } do
      assert(f(n) == hand[kernel.name](n), kernel.name)
      fs[k] = function() f(n) end
    end
    local c, without, with = best(rounds, table.unpack(fs))
    list[i] = { without / c, with / c }
  end
  return list
end

local WAYS <const> = {
  { cc = "gcc", flags = "-O2" }, { cc = "gcc", flags = "-O0" }, { cc = "tcc", flags = "" },
}

--- A table of how many times as long kernels take as the same C by hand, each compiled in the
--- same ways, with their geometric mean; by compilers that are installed.
---@param rounds integer
---@return string
function M.ratios(rounds)
  local head, mean, rows = { "native / by hand" }, { "geometric mean" }, {}
  for _, way in ipairs(WAYS) do
    local is_installed = os.execute(("command -v %s >/dev/null"):format(way.cc))
    local list = is_installed and ratios_of(way.cc, way.flags, rounds) or {}
    for k, what in ipairs { "", ", traps" } do
      local product = 1
      for i, it in ipairs(list) do
        rows[i] = rows[i] or { kernels[i].name }
        table.insert(rows[i], grid.number(it[k], 2))
        product = product * it[k]
      end
      head[#head + 1] = ("%s %s%s"):format(way.cc, way.flags, what):gsub(" ,", ",")
      mean[#mean + 1] = #list > 0 and grid.number(product ^ (1 / #list), 2) or ""
    end
  end
  table.insert(rows, 1, head)
  rows[#rows + 1] = mean
  return grid.text(rows)
end

return M
