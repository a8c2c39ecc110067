-- mutants: changes one token of the core and sees which spec fails; then another.
--
-- usage: lua5.4 tools/mutants.lua FOLDER COUNT SEED [ONLY]
--
-- FOLDER gets a copy of the tree, built as `make` builds it, at -O2: asserted is what
-- the shipped module asserts. COUNT mutants are drawn by SEED from the bodies of the
-- functions in the folders below; ONLY, "lookup.c:130", draws from these lines alone.
--
-- A mutant is killed by the first spec that fails, crashes, or takes several times as
-- long as without it. It is not counted if it does not compile, or if its object file
-- is that of the original. (What is changed and how: Offutt et al., "An experimental
-- determination of sufficient mutant operators", 1996.)
package.path = "./?.lua;" .. package.path
local file = require "tools.file"
local rooms = require "tools.rooms"

local folder, count, seed, only = arg[1], tonumber(arg[2]), tonumber(arg[3]), arg[4] or ""

-- The specs that are most likely to kill a mutant of each folder, tried first.
local nearest = {
  ["core/construct"] = { "spec/construct", "spec/analysis" },
  ["core/lookup"] = { "spec/construct", "spec/c/" },
  ["core/simplify"] = { "spec/construct/peephole", "spec/rules", "spec/edit" },
  ["core/rules/match"] = { "spec/rules", "spec/rulecheck", "spec/construct/peephole" },
  ["core/edit"] = { "spec/edit" },
}

-- Not run for other folders: what finished functions are made into, and what is slow and
-- blind to the core where others see.
local skipped = {
  "^spec/browser/", "^spec/c/", "^spec/command/", "^spec/emit/", "^spec/native/",
  "^spec/project/", "^spec/run/", "after_gc", "handles_spec", "oom_and", "passed_on", "record"
}

-- Not run at all: what compares times fails on a busy machine, too.
local timed = { ["spec/analysis/solve_spec.lua"] = true, ["spec/binding/growth_spec.lua"] = true }

-- ---------------------------------------------------------------- what can be changed

-- The text with spaces for what `keep` denies: of the same length, with the same lines.
local function blank(text) return (text:gsub("[^\n]", " ")) end

local not_code = { "^/%*.-%*/", "^//[^\n]*", '^"[^"\n]*"', "^'\\?.'", "^#[^\n]*" }

-- The bodies of functions without comments, literals of characters, directives, asserts.
local function bodies(text)
  local parts, at = {}, 1
  while at <= #text do
    local found
    for _, pattern in ipairs(not_code) do found = found or text:match(pattern, at) end
    parts[#parts + 1] = found and blank(found) or text:sub(at, at)
    at = at + #(found or " ")
  end
  local code = table.concat(parts):gsub("%f[%w_]assert%s*%b()", blank)
    :gsub("%f[%w_]ph_require%s*%b()", blank)
  local kept, after = {}, 1
  for first, last in code:gmatch "()%b{}()" do
    local before = code:sub(after, first - 1)
    local is_body = before:find "%)%s*$"
    kept[#kept + 1] = blank(before) .. (is_body and code or blank(code)):sub(first, last - 1)
    after = last
  end
  return table.concat(kept)
end

local operators = {
  "^[%a_][%w_]*", "^%d[%w.]*", "^[<>]>?=", "^[=!<>+%-&|*/%%^]=", "^%+%+", "^%-%-", "^%->",
  "^&&", "^||", "^<<", "^>>", "^%S"
}

local function tokens(code)
  local list, at = {}, code:find "%S"
  while at do
    local text
    for _, pattern in ipairs(operators) do text = text or code:match(pattern, at) end
    list[#list + 1] = { text = text, at = at }
    at = code:find("%S", at + #text)
  end
  return list
end

local swapped = {
  ["<"] = "<=", ["<="] = "<", [">"] = ">=", [">="] = ">", ["=="] = "!=", ["!="] = "==",
  ["&&"] = "||", ["||"] = "&&", ["+"] = "-", ["-"] = "+", ["+="] = "-=", ["-="] = "+=",
  ["++"] = "--", ["--"] = "++", ["0"] = "1", ["1"] = "0", ["true"] = "false",
  ["false"] = "true", ["break"] = "continue", ["continue"] = "break", ["!"] = ""
}
local opens_statement = { [";"] = true, ["{"] = true, ["}"] = true, ["else"] = true, [":"] = true }
local in_expression = {
  ["("] = true, ["="] = true, ["+="] = true, ["-="] = true, ["|="] = true, ["&="] = true,
  ["->"] = true, ["."] = true, ["["] = true, ["++"] = true, ["--"] = true
}
local keywords = {
  ["if"] = true, ["while"] = true, ["for"] = true, ["switch"] = true, ["return"] = true
}

local function is_sign(previous)
  return previous == "return" or not previous:find "^[%w_)%]]"
end

-- The places of `code` that can be changed: where, how long, and what is put there.
local function changes(code)
  local list, all, depth, heads = {}, tokens(code), 0, {}
  local function change(at, length, after) list[#list + 1] = { at, length, after } end
  local previous, starts = "{", true
  for i, token in ipairs(all) do
    local text, at = token.text, token.at
    local next_text = all[i + 1] and all[i + 1].text or ""
    if starts and depth == 0 and not keywords[text]
      and (text == "*" or text:find "^[%a_]" and in_expression[next_text]) then
      local statement = code:match("^[^;]*;", at)
      change(at, #statement, ";" .. statement:gsub("[^\n]", ""))
    end
    if (text == "if" or text == "while") and next_text == "(" then
      local condition = code:match("^%b()", all[i + 1].at)
      change(all[i + 1].at, #condition, "(!" .. condition .. ")")
    elseif swapped[text] and not ((text == "+" or text == "-") and is_sign(previous)) then
      change(at, #text, swapped[text])
    end
    starts = opens_statement[text]
    if text == "(" then
      depth = depth + 1
      heads[depth] = keywords[previous]
    elseif text == ")" then
      starts = heads[depth] and depth == 1
      depth = depth - 1
    end
    previous = text
  end
  return list
end

-- ---------------------------------------------------------------- mutants

local function mutants_of(path)
  local text, list = file.read(path), {}
  local line, start, next_line = 0, 1, 1
  for _, change in ipairs(changes(bodies(text))) do
    local at, length, after = table.unpack(change)
    while next_line <= at do
      line, start = line + 1, next_line
      next_line = (text:find("\n", start, true) or #text) + 1
    end
    if only == "" or ("%s:%d:"):format(path, line):find(only .. ":", 1, true) then
      list[#list + 1] = {
        path = path, original = text,
        text = function() return text:sub(1, at - 1) .. after .. text:sub(at + length) end,
        name = ("%s:%d:%d: %s -> %s"):format(path, line, at - start + 1,
          text:sub(at, at + length - 1), after):gsub("%s+", " ")
      }
    end
  end
  return list
end

-- All mutants in an order that the seed decides.
local function drawn()
  local list = {}
  for _, path in ipairs(rooms.sources()) do
    if nearest[rooms.of(path)] then
      for _, mutant in ipairs(mutants_of(path)) do list[#list + 1] = mutant end
    end
  end
  math.randomseed(seed)
  for i = #list, 2, -1 do
    local k = math.random(i)
    list[i], list[k] = list[k], list[i]
  end
  return list
end

-- ---------------------------------------------------------------- in the copy

local tree = folder .. "/tree"

-- Runs a command in the copy; true if it succeeds within that many seconds of a processor.
local function run(command, seconds)
  return os.execute(("cd '%s' && unset MAKEFLAGS SEED COUNT && ulimit -v 8000000 && " ..
    "ulimit -t %.0f && { %s; } >../log 2>&1"):format(tree, seconds or 1200, command)) == true
end

local make = "make -s -j1 CFLAGS='-O2 -g0' LTO= "

local function copy_and_build()
  assert(os.execute(("rm -rf '%s' && mkdir -p '%s' && tar cf - --exclude=./.git " ..
    "--exclude=./build . | tar xf - -C '%s'"):format(tree, tree, tree)))
  assert(run(make .. "everything"), folder .. "/log says why it cannot be built")
end

local function run_spec(spec, seconds)
  return run(('eval "$(sh tools/env)" && exec timeout 600 %s "$(command -v busted)" ' ..
    "--cpath 'build/?.so' -o spec/support/per_file.lua --no-keep-going %s")
    :format(os.getenv "LUA" or "lua5.4", spec), seconds)
end

local function run_topic(topic, seconds)
  return run("exec timeout 600 build/spec/core " .. topic, seconds)
end

-- All specs: as many seconds as they take, once that is known.
local function all_specs()
  local list = {}
  for topic in file.read("spec/c/main.c"):gmatch '{"(%l+)", spec_' do
    list[#list + 1] = { name = topic, run = run_topic, seconds = 0 }
  end
  for _, path in ipairs(rooms.output "find spec -name '*_spec.lua' | sort") do
    if not timed[path] then list[#list + 1] = { name = path, run = run_spec, seconds = 1 } end
  end
  return list
end

local function is_near(spec, room)
  for _, start in ipairs(nearest[room]) do
    if spec.name:sub(1, #start) == start then return true end
  end
  return spec.run == run_topic
end

local function is_skipped(spec)
  for _, pattern in ipairs(skipped) do
    if spec.name:find(pattern) then return true end
  end
end

-- The specs in the order in which they are tried for a folder: the quickest first, those
-- that are near as if they were ten times as quick.
local function in_order(specs, room)
  local list, cost = {}, {}
  for i, spec in ipairs(specs) do
    local near = is_near(spec, room)
    if near or not is_skipped(spec) then
      list[#list + 1] = spec
      cost[spec] = spec.seconds / (near and 10 or 1) + i * 1e-6
    end
  end
  table.sort(list, function(a, b) return cost[a] < cost[b] end)
  return list
end

local function passes(spec)
  local before = os.time()
  local good = spec.run(spec.name, 10 + 10 * spec.seconds)
  if good and not spec.measured then
    local said = file.read(folder .. "/log"):match "([%d.]+) s  %d+ test"
    spec.seconds, spec.measured = tonumber(said) or os.time() - before, true
  end
  return good
end

-- The object files of a C file: the library's and the module's.
local function objects(path)
  local object = path:gsub("c$", "o")
  return { tree .. "/build/" .. object, tree .. "/build/trusted/" .. object }
end

local function contents(path)
  local list = objects(path)
  return { file.read(list[1]), file.read(list[2]) }
end

local originals = {}

-- Puts the original back, with its objects, which makes them newer than it.
local function restore(mutant)
  file.write(tree .. "/" .. mutant.path, mutant.original)
  for i, path in ipairs(objects(mutant.path)) do file.write(path, originals[mutant.path][i]) end
end

local function mutate(mutant)
  originals[mutant.path] = originals[mutant.path] or contents(mutant.path)
  file.write(tree .. "/" .. mutant.path, mutant.text())
end

local function is_same(mutant)
  local now, before = contents(mutant.path), originals[mutant.path]
  return now[1] == before[1] and now[2] == before[2]
end

local targets = make .. "build/phial/core.so build/bench/replay build/spec/core"

-- True if the original passes, which is asked once for each spec that fails.
local function is_right(spec, mutant)
  if spec.right == nil then
    restore(mutant)
    assert(run(targets))
    spec.right = passes(spec)
    mutate(mutant)
    assert(run(targets))
    if not spec.right then print(spec.name .. " fails on the original: left out") end
  end
  return spec.right
end

local function verdict(specs, mutant)
  if not run(targets) then return "does not compile" end
  if is_same(mutant) then return "same object" end
  for _, spec in ipairs(in_order(specs, rooms.of(mutant.path))) do
    if spec.right ~= false and not passes(spec) and is_right(spec, mutant) then
      return "killed by " .. spec.name
    end
  end
  return "survived"
end

copy_and_build()
local specs = all_specs()
local survivors, counted = {}, 0
for _, mutant in ipairs(drawn()) do
  if counted == count then break end
  mutate(mutant)
  local found = verdict(specs, mutant)
  print(mutant.name .. ": " .. found)
  io.stdout:flush()
  restore(mutant)
  if found == "survived" then survivors[#survivors + 1] = mutant.name end
  if found == "survived" or found:find "^killed" then counted = counted + 1 end
end
print(("%d mutants, seed %d: %d killed, %d survived"):format(counted, seed,
  counted - #survivors, #survivors))
for _, name in ipairs(survivors) do print("survived: " .. name) end
