-- mutants: changes one token of the core and sees which spec fails; then another.
--
-- usage: lua5.4 tools/mutants.lua FOLDER COUNT SEED [ONLY ...]
--
-- FOLDER gets a copy of the tree, built as `make asan` builds it, without sanitizers.
-- COUNT mutants are drawn by SEED from the bodies of the functions in the folders below;
-- ONLY, "lookup.c:130" or "lookup.c:130:14", draws from these places alone. Specs are
-- tried in the order of what they have killed so far for the seconds that they take, which
-- FOLDER/specs remembers. WITHIN=n in the environment tries specs of about n seconds for
-- each mutant; ALL=1 also those that are left out below. What was killed in an earlier run,
-- in a file that has not changed, is not tried again.
--
-- A mutant is killed by the first spec that fails, crashes, or takes several times as
-- long as without it. It is not counted if it does not compile, or if its object file
-- is that of the original. tools/data/untested.txt may say of a survivor why no spec
-- can notice it. An entry of that list whose code has changed is an error.
-- (What is changed and how: Offutt et al., "An experimental determination of sufficient
-- mutant operators", 1996.)
package.path = "./?.lua;" .. package.path
local file = require "tools.file"
local judged = require "tools.judged"
local rooms = require "tools.rooms"

local folder, count, seed = arg[1], tonumber(arg[2]), tonumber(arg[3])
local only = { table.unpack(arg, 4) }
local within, all = tonumber(os.getenv "WITHIN") or math.huge, os.getenv "ALL"

-- The specs that are most likely to kill a mutant of each folder, as long as none has.
local nearest = {
  ["core/construct"] = { "spec/construct", "spec/analysis" },
  ["core/lookup"] = { "spec/construct", "spec/c/" },
  ["core/simplify"] = { "spec/construct/peephole", "spec/rules", "spec/edit" },
  ["core/rules/match"] = { "spec/rules", "spec/rulecheck", "spec/construct/peephole" },
  ["core/edit"] = { "spec/edit" },
}

-- What finished functions are made into, and what is slow and blind to the core where
-- others see.
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
  local list, words, depth, heads = {}, tokens(code), 0, {}
  local function change(at, length, after) list[#list + 1] = { at, length, after } end
  local previous, starts = "{", true
  for i, token in ipairs(words) do
    local text, at = token.text, token.at
    local next_text = words[i + 1] and words[i + 1].text or ""
    if starts and depth == 0 and not keywords[text]
      and (text == "*" or text:find "^[%a_]" and in_expression[next_text]) then
      local statement = code:match("^[^;]*;", at)
      change(at, #statement, ";" .. statement:gsub("[^\n]", ""))
    end
    if (text == "if" or text == "while") and next_text == "(" then
      local condition = code:match("^%b()", words[i + 1].at)
      change(words[i + 1].at, #condition, "(!" .. condition .. ")")
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

local function is_wanted(place)
  for _, part in ipairs(only) do
    if place:find(part .. ":", 1, true) then return true end
  end
  return #only == 0
end

-- The lines of `text` that a change touches, with what it does in braces.
local function shown(text, at, length, after)
  local first = text:sub(1, at - 1):match "[^\n]*$"
  local last = text:match("^[^\n]*", at + length)
  local what = ("{%s -> %s}"):format(text:sub(at, at + length - 1), after)
  return (first .. what .. last):gsub("%s+", " "):match "^ ?(.*)$"
end

local function mutants_of(path)
  local text, list = file.read(path), {}
  local line, start, next_line = 0, 1, 1
  for _, change in ipairs(changes(bodies(text))) do
    local at, length, after = table.unpack(change)
    while next_line <= at do
      line, start = line + 1, next_line
      next_line = (text:find("\n", start, true) or #text) + 1
    end
    local place = ("%s:%d:%d"):format(path, line, at - start + 1)
    if is_wanted(place .. ":") then
      list[#list + 1] = {
        path = path,
        code = shown(text, at, length, after),
        text = function() return text:sub(1, at - 1) .. after .. text:sub(at + length) end,
        name = ("%s: %s -> %s"):format(place, text:sub(at, at + length - 1), after)
          :gsub("%s+", " ")
      }
    end
  end
  return list
end

-- Reasons, by path and code.
local reasons = {}

local function read_reasons()
  local list, found = judged.read "Mutants", {}
  local wanted = only
  only = {}
  for _, it in ipairs(list) do
    if not found[it.path] then
      found[it.path] = {}
      for _, mutant in ipairs(mutants_of(it.path)) do found[it.path][mutant.code] = true end
      reasons[it.path] = {}
    end
    reasons[it.path][it.code] = it.reason
  end
  judged.check(list, found)
  only = wanted
end

-- A number that depends on all bits of the text and the seed (Fowler, Noll, Vo: FNV-1a).
local function hash(text)
  local h = 0xcbf29ce484222325
  for at = 1, #text do h = (h ~ text:byte(at)) * 0x100000001b3 end
  return h ~ h >> 32
end

-- All mutants in an order that the seed decides; it stays the same when other code changes.
local function drawn()
  local list, rank = {}, {}
  for _, path in ipairs(rooms.sources()) do
    for _, mutant in ipairs(nearest[rooms.of(path)] and mutants_of(path) or {}) do
      list[#list + 1] = mutant
      rank[mutant] = hash(seed .. path .. mutant.code)
    end
  end
  table.sort(list, function(a, b)
    if rank[a] ~= rank[b] then return rank[a] < rank[b] end
    return a.name < b.name
  end)
  return list
end

-- ---------------------------------------------------------------- in the copy

local tree = folder .. "/tree"

-- Runs a command in the copy: true if it succeeds within `most` seconds of a processor, and
-- how many it took.
local function run(command, most)
  local good = os.execute(([[
    cd '%s'; unset MAKEFLAGS SEED COUNT; ulimit -v 4000000; ulimit -t %.0f
    ( %s ) >../log 2>&1; code=$?; times >../times; exit $code]])
    :format(tree, most or 1200, command))
  local user, system = file.read(folder .. "/times"):match "\n0m([%d.]+)s 0m([%d.]+)s"
  return good == true, user and user + system
end

local function log() return file.read(folder .. "/log") end

-- By path and code: which spec has killed the mutant, in this run or an earlier one.
local killers = {}

local function killer_of(mutant) return (killers[mutant.path] or {})[mutant.code] end

local function note_killer(path, code, spec)
  killers[path] = killers[path] or {}
  killers[path][code] = spec
end

-- While the copy still is that of the earlier run.
local function read_killers()
  local same, known = {}, loadfile(folder .. "/killers", "t", {})
  for _, it in ipairs(known and known() or {}) do
    local path = it[1]
    if same[path] == nil then
      local old <close> = io.open(tree .. "/" .. path, "rb")
      same[path] = old ~= nil and old:read "a" == file.read(path)
    end
    if same[path] then note_killer(table.unpack(it)) end
  end
end

local function write_killers()
  local lines = {}
  for path, of_file in pairs(killers) do
    for code, spec in pairs(of_file) do
      lines[#lines + 1] = ("  { %q, %q, %q },\n"):format(path, code, spec)
    end
  end
  file.write(folder .. "/killers", "return {\n" .. table.concat(lines) .. "}\n")
end

local make = "make -s -j1 CFLAGS='-O1 -g0' LTO= TRUST= "
local targets = "build/phial/core.so build/bench/replay build/spec/core"

-- What an earlier run has built is used again, without the targets, which were a mutant's.
local function copy_and_build()
  assert(os.execute(("mkdir -p '%s' && find '%s' -mindepth 1 -maxdepth 1 ! -name build " ..
    "-exec rm -rf {} + && tar cf - --exclude=./.git --exclude=./build . | tar xf - -C '%s'")
    :format(tree, tree, tree)))
  assert(run("rm -f " .. targets .. "; " .. make .. "everything"),
    folder .. "/log says why it cannot be built")
end

-- What make would do if the file had changed, but without make, which takes longer than
-- that: the file is ../mutant.c, its object ../mutant.o.
local function commands_for(path)
  assert(run(make .. "-n SAY= -W " .. path .. " " .. targets))
  local text = log():gsub("mkdir[^\n]*\n", "")
  for _, name in ipairs { "build/" .. path:gsub("c$", "o"), path } do
    text = text:gsub(name:gsub("%p", "%%%0"), "../mutant." .. name:match ".$")
  end
  local compile, links = text:match "^(.-)\n(.*)"
  return { compile = compile, link = "set -e\n" .. links }
end

local commands = {}

-- Makes mutant.o; false if the text is not C.
local function compile(path, text)
  file.write(folder .. "/mutant.c", text)
  return run(commands[path].compile)
end

local function prepare(path)
  if commands[path] then return end
  commands[path] = commands_for(path)
  assert(compile(path, file.read(path)))
  commands[path].original = file.read(folder .. "/mutant.o")
end

-- ---------------------------------------------------------------- specs

read_reasons()
read_killers()
copy_and_build()

local busted = ("%s; timeout 900 %s \"$(command -v busted)\" --cpath 'build/?.so' " ..
  "-o spec/support/per_file.lua --no-keep-going ")
  :format(rooms.output("sh '" .. tree .. "/tools/env'")[1], os.getenv "LUA" or "lua5.4")

-- Specs of C run alone, others share a process.
local function run_specs(specs, most)
  local names = {}
  for i, spec in ipairs(specs) do names[i] = spec.name end
  local list = table.concat(names, " ")
  return run(specs[1].is_c and "timeout 900 build/spec/core " .. list or busted .. list, most)
end

-- The specs with what FOLDER/specs knows of them: the seconds they take, and in which
-- files and folders each has killed how many mutants.
local function known_specs()
  local list = {}
  for topic in file.read("spec/c/main.c"):gmatch '{"(%l+)", spec_' do
    list[#list + 1] = { name = topic, is_c = true }
  end
  for _, path in ipairs(rooms.output "find spec -name '*_spec.lua' | sort") do
    if not timed[path] then list[#list + 1] = { name = path } end
  end
  local known = loadfile(folder .. "/specs", "t", {})
  known = known and known() or {}
  for _, spec in ipairs(list) do
    local old = known[spec.name] or {}
    spec.seconds, spec.kills = old.seconds, old.kills or {}
  end
  return list
end

local function remember(specs)
  local lines = {}
  for _, spec in ipairs(specs) do
    local kills = {}
    for place, n in pairs(spec.kills) do kills[#kills + 1] = ("[%q] = %d"):format(place, n) end
    lines[#lines + 1] = ("  [%q] = { seconds = %s, kills = { %s } },\n")
      :format(spec.name, spec.seconds, table.concat(kills, ", "))
  end
  file.write(folder .. "/specs", "return {\n" .. table.concat(lines) .. "}\n")
end

local function is_skipped(spec)
  for _, pattern in ipairs(skipped) do
    if spec.name:find(pattern) then return not all end
  end
end

-- The specs that are tried. Those that no run has measured are run.
local function measured_specs()
  local list = {}
  for _, spec in ipairs(known_specs()) do
    if not is_skipped(spec) then
      if not spec.seconds then spec.is_right, spec.seconds = run_specs({ spec }, 600) end
      list[#list + 1] = spec
    end
  end
  return list
end

local function is_near(spec, room)
  for _, start in ipairs(nearest[room]) do
    if spec.name:sub(1, #start) == start then return true end
  end
  return spec.is_c
end

-- The specs in the order in which they are tried for a file: those first that probably
-- see most for their seconds, by what they have killed there and elsewhere in the folder.
local function in_order(specs, path)
  local list, worth = {}, {}
  local room, topic = rooms.of(path)
  for i, spec in ipairs(specs) do
    if spec.is_right ~= false then list[#list + 1] = spec end
    local seen = (spec.kills[path] or 0) + 0.2 * (spec.kills[room] or 0)
      + (is_near(spec, room) and 0.3 or 0.03) + (spec.name:find(topic, 1, true) and 2 or 0)
    worth[spec] = seen / (spec.seconds + 0.02) - i * 1e-9
  end
  table.sort(list, function(a, b) return worth[a] > worth[b] end)
  return list
end

-- The first few of `list` from `i` on that share a process: about as long together as all
-- before them.
local function batch(list, i, before)
  local some, seconds = {}, 0
  while list[i] and (#some == 0 or not list[i].is_c and not some[1].is_c
      and seconds + list[i].seconds < before + 0.5) do
    some[#some + 1] = list[i]
    seconds = seconds + list[i].seconds
    i = i + 1
  end
  return some, seconds
end

-- Which of the specs, which have failed, did: busted says the name of each before it runs.
local function killer(some)
  local said, at, found = log(), 0, some[1]
  for _, spec in ipairs(some) do
    local place = said:find(spec.name, 1, true)
    if place and place > at then at, found = place, spec end
  end
  return found
end

local function killed_by(specs, path)
  local list, i, before = in_order(specs, path), 1, 0
  while list[i] and before < within do
    local some, seconds = batch(list, i, before)
    if not run_specs(some, 3 + 4 * seconds) then return killer(some) end
    i, before = i + #some, before + seconds
  end
end

-- True if a spec passes on the original; asked once in each run.
local function is_right(spec, command)
  if spec.is_right == nil then
    file.write(folder .. "/mutant.o", command.original)
    assert(run(command.link))
    spec.is_right = run_specs({ spec }, 600)
    if not spec.is_right then print(spec.name .. " fails on the original: left out") end
  end
  return spec.is_right
end

local function verdict(specs, mutant)
  if killer_of(mutant) then return "killed earlier by " .. killer_of(mutant) end
  prepare(mutant.path)
  local command = commands[mutant.path]
  if not compile(mutant.path, mutant.text()) then return "does not compile" end
  if file.read(folder .. "/mutant.o") == command.original then return "same object" end
  assert(run(command.link))
  local spec = killed_by(specs, mutant.path)
  if spec and not is_right(spec, command) then return verdict(specs, mutant) end
  local reason = not spec and (reasons[mutant.path] or {})[mutant.code]
  if reason then return "survived, judged: " .. reason end
  if not spec then return "survived" end
  note_killer(mutant.path, mutant.code, spec.name)
  for _, place in ipairs { mutant.path, (rooms.of(mutant.path)) } do
    spec.kills[place] = (spec.kills[place] or 0) + 1
  end
  return "killed by " .. spec.name
end

local specs = measured_specs()
remember(specs)
local survivors, counts = {}, { killed = 0, judged = 0, survived = 0 }
for _, mutant in ipairs(drawn()) do
  if counts.killed + counts.judged + counts.survived == count then break end
  local found = verdict(specs, mutant)
  print(mutant.name .. ": " .. found)
  io.stdout:flush()
  local kind = found:match "judged" or found:match "^%l+"
  if counts[kind] then counts[kind] = counts[kind] + 1 end
  if kind == "survived" then survivors[#survivors + 1] = mutant end
  remember(specs)
  write_killers()
end
print(("seed %d: %d mutants killed, %d survived and are judged, %d survived"):format(seed,
  counts.killed, counts.judged, counts.survived))
for _, it in ipairs(survivors) do print(("survived: %s: `%s`"):format(it.name, it.code)) end
