-- Lua sources that are large, deep, tangled or at a limit of the compiler, by name:
-- functions of the number of lines of the large ones, at most 30000.
local M = {}

-- Lines made from a pattern and each number of first..last.
local function lines(first, last, make)
  local list = {}
  for i = first, last do list[#list + 1] = make(i) end
  return table.concat(list, "\n")
end

local function format(pattern)
  return function(i) return (pattern:gsub("@", i)) end
end

function M.table_of_many_lines(many)
  return "return {\n" .. lines(1, many, format "{ x = @, f(@) }, 'a@', @,") .. "}"
end

function M.if_chain_of_many_arms(many)
  return "local x, y = ... if x then\n"
    .. lines(1, many, format "elseif x == @ then y = y + @") .. "\nend return y"
end

function M.many_ifs(many)
  return "local x, y = ...\n"
    .. lines(1, many, format "if x == @ then y = y + @ end") .. "\nreturn y"
end

function M.many_assignments(many)
  return "local x, y, t = ...\n"
    .. lines(1, many, format "x, y, t.x = y, x + @, x and y or @") .. "\nreturn y"
end

-- The compiler allows 32767 locals in a function: each of these has two.
function M.many_functions(many)
  return "local x = 1\n" .. lines(1, many // 2,
    format "do local y = x local function f@() y = y + x end f@() end")
end

-- LOADK reaches 2^17 constants: 10,000 lines have more.
function M.more_constants_than_LOADK_names(many)
  return "return {\n" .. lines(1, many * 15, format "@.5,") .. "}"
end

function M.blocks_150_deep()
  return "local x = 1\n" .. lines(1, 150, format "do local y@ = x x = y@ + 1")
    .. ("\nend"):rep(150) .. "\nreturn x"
end

function M.loops_45_deep()
  return "local x = 1\n" .. lines(1, 45, format "for i@ = x, 3 do x = x + i@")
    .. ("\nend"):rep(45) .. "\nreturn x"
end

function M.whiles_150_deep()
  return "local x = 1\n" .. lines(1, 150, format "while x < @ do x = x + 1")
    .. ("\nend"):rep(150) .. "\nreturn x"
end

function M.functions_60_deep()
  return lines(1, 60, format "return function(a@) a@ = a@ or 1")
    .. "\nreturn a1 + a60" .. ("\nend"):rep(60)
end

function M.tables_60_deep()
  return "return " .. ("{ 1, x = "):rep(60) .. "2" .. (" }"):rep(60)
end

function M.conditions_60_deep()
  return "local a, b = ... return " .. ("(a and (b or "):rep(30) .. "1"
    .. ("))"):rep(30)
end

function M.long_condition(many)
  return "local a, b = ... return a" .. (" and b or a"):rep(many // 10)
end

function M.concat_of_190()
  return "local a, b = ... return a" .. (" .. b"):rep(190)
end

function M.locals_200_all_captured()
  return lines(1, 200, format "local v@ = @") .. "\nwhile v1 do\n"
    .. lines(1, 200, format "if v@ then v@ = g(function() v@ = v@ + 1 end) end")
    .. "\nend"
end

function M.locals_200_read_in_a_loop()
  return lines(1, 200, format "local v@ = @") .. "\nwhile v1 do\n"
    .. lines(2, 200, function(i) return ("if v%d then v%d = v%d end"):format(i, i - 1, i) end)
    .. "\nend"
end

-- 255 is the limit: 51 of each of five functions.
function M.upvalues_255()
  local out, all = {}, {}
  for depth = 1, 5 do
    for i = 1, 51 do
      local name = ("v%d_%d"):format(depth, i)
      out[#out + 1] = ("local %s = %d"):format(name, i)
      if #all < 254 then all[#all + 1] = name end
    end
    out[#out + 1] = "return function()"
  end
  for i = 1, 254, 127 do
    out[#out + 1] = "f(" .. table.concat(all, ", ", i, i + 126) .. ")"
  end
  return table.concat(out, "\n") .. ("\nend"):rep(5)
end

function M.parameters_200()
  local list = {}
  for i = 1, 200 do list[i] = "p" .. i end
  return ("local function f(%s) return %s, function() return p200 end end"):format(
    table.concat(list, ", "), table.concat(list, ", ", 151))
end

-- Every label is the target of many gotos: no loop has a single header.
function M.gotos_between_many_labels(many)
  local labels, seed = many // 15, 1
  local function next()
    seed = (seed * 1103515245 + 12345) & 0x7fffffff
    return seed // 65536 % labels + 1
  end
  return "local x, y = ...\n" .. lines(1, labels, function(i)
    return ("::l%d:: if x == %d then y = x goto l%d elseif y then x = y + 1 goto l%d end")
      :format(i, i, next(), next())
  end)
end

-- Each label jumps to the one before it: found one after the other.
function M.many_gotos_backwards(many)
  local n = many // 15
  return "local x, y = ...\ngoto l" .. n .. "\n" .. lines(1, n, function(i)
    if i == 1 then return "::l1:: do return x, y end" end
    return ("::l%d:: x, y = y, function() return x end goto l%d"):format(i, i - 1)
  end)
end

-- A ladder: two chains that jump to each other at each step.
function M.irreducible_ladder(many)
  local n = many // 30
  return "local x, y = ...\nif x then goto a1 else goto b1 end\n"
    .. lines(1, n, function(i)
      return ("::a%d:: x = y if y == %d then goto b%d end goto a%d\n"
        .. "::b%d:: y = x if x == %d then goto a%d end goto b%d")
        :format(i, i, i, i + 1, i, i, i, i + 1)
    end) .. ("\n::a@:: ::b@:: return x, y"):gsub("@", n + 1)
end

function M.continue_in_loops()
  return "local s = 0\n" .. lines(1, 100, format [[
for i = 1, 10 do
  if i % 2 == 0 then goto continue end
  local k = i
  f(function() s = s + k end)
  if k > 5 then goto continue end
  s = s + i
  ::continue::
end
repeat
  local k = s
  if k then goto continue@ end
  k = f(k)
  ::continue@::
until s > @]]) .. "\nreturn s"
end

return M
