-- proved: writes tools/data/proved.txt, what solvers say of each rule, built-in or of
-- phial.rules.more.
--
-- usage: lua5.4 tools/proved.lua [--all | RULE ...]
--
-- Asks z3, and of what it leaves open cvc5, about the rules whose texts the file does not have yet;
-- with names, about these; with --all, about all. The file is written after each rule, so that a
-- run can be stopped, and goes on with the next one.
package.path = "./?.lua;./lua/?.lua;" .. package.path
local file = require "tools.file"
local phial = require "phial"

local PATH <const> = "tools/data/proved.txt"
local SECONDS <const>, LIMIT <const> = 30, 900

local R = phial.rules "int":add((require "phial.rules.more"))

--
-- {== The file =========================================================
--

local INTRO <const> = [[
What solvers say of the built-in rules and of those of phial.rules.more, as `make proved` asks them
(docs/rules.md#proofs): z3, and cvc5 about what z3 does not decide; %d seconds a question, %d
seconds a rule.

Of %d rules, %d are proved.
]]

-- By key: the title of the section.
local SECTIONS <const> = {
  { "z3", "Proved by z3" },
  { "cvc5", "Proved with cvc5" },
  { "open", "Open" },
  { "new", "Not asked yet" },
}

local NOTE <const> = "    -- "

-- By name: where the file has the rule, as it is now, and what it says of it.
local function read()
  local known, file_there = {}, io.open(PATH)
  if not file_there then return known end
  file_there:close()
  local text = file.read(PATH) .. "\n=="
  for _, section in ipairs(SECTIONS) do
    local block = text:match("\n== " .. section[2] .. "\n(.-)\n==") or ""
    for _, name in ipairs(R:names()) do
      local _, last = ("\n" .. block):find("\n" .. R:text(name), 1, true)
      if last and section[1] ~= "new" then
        known[name] = { section = section[1], note = block:match("^    %-%- ([^\n]*)", last) }
      end
    end
  end
  return known
end

local function write(known)
  local texts, proved = { z3 = {}, cvc5 = {}, open = {}, new = {} }, 0
  for _, name in ipairs(R:names()) do
    local it = known[name] or { section = "new" }
    local list = texts[it.section]
    list[#list + 1] = R:text(name) .. (it.note and NOTE .. it.note .. "\n" or "")
    if it.section == "z3" or it.section == "cvc5" then proved = proved + 1 end
  end
  local out = { INTRO:format(SECONDS, LIMIT, #R:names(), proved) }
  for _, section in ipairs(SECTIONS) do
    local list = texts[section[1]]
    if #list > 0 then
      out[#out + 1] = ("== %s\n%s"):format(section[2], table.concat(list))
    end
  end
  file.write(PATH, table.concat(out, "\n"))
end

-- }== Rules ============================================================

-- The types at which a verdict leaves the rule open; nil: it is not a matter of time.
local function open_types(verdict)
  local list = verdict:match "open at (.-): not decided in time$"
  if not list then return nil end
  local types = {}
  for type in (list .. "; "):gmatch "(.-); " do types[type] = true end
  return types
end

-- What both solvers leave open of one form.
local function together(verdict, other)
  if not other:find "open" then return "proved" end
  local a, b, both = open_types(verdict), open_types(other), {}
  if not (a and b) then return verdict end
  for type in pairs(a) do both[#both + 1] = b[type] and type or nil end
  table.sort(both)
  if #both == 0 then return "proved" end
  return ("open at %s: not decided in time"):format(table.concat(both, "; "))
end

local function without_name(verdicts)
  for i, verdict in ipairs(verdicts) do verdicts[i] = verdict:gsub("^.-: ", "", 1) end
  return verdicts
end

local function ask(name, solver)
  local _, verdicts = R:prove { rule = name, solver = solver, seconds = SECONDS, limit = LIMIT }
  return without_name(verdicts)
end

-- What is not plainly proved, each once.
local function others(verdicts)
  local list, seen = {}, { proved = true }
  for _, verdict in ipairs(verdicts) do
    if not seen[verdict] then list[#list + 1] = verdict end
    seen[verdict] = true
  end
  return list
end

local function has_open(verdicts)
  for _, verdict in ipairs(verdicts) do
    if open_types(verdict) then return true end
  end
  return false
end

-- What checking says of the rule instead.
local function checked(name)
  local one = phial.rules(R:text(name))
  local _, verdicts = one:check()
  return table.concat(others(without_name(verdicts)), "; ")
end

local function judge(name)
  local verdicts, by = ask(name, "z3"), "z3"
  if has_open(verdicts) then
    by = "cvc5"
    for i, other in ipairs(ask(name, "cvc5")) do verdicts[i] = together(verdicts[i], other) end
  end
  local rest = others(verdicts)
  for i = #rest, 1, -1 do
    -- proved, for all answers that its guard may get
    if rest[i]:find "^proved" then table.remove(rest, i) end
  end
  if #rest == 0 then return { section = by } end
  return { section = "open", note = ("%s; R:check(): %s"):format(table.concat(rest, "; "),
    checked(name)) }
end

-- }====================================================================

local known, wanted = read(), {}
for _, name in ipairs(R:names()) do
  wanted[name] = arg[1] == "--all" or not (arg[1] or known[name])
end
for _, name in ipairs(arg) do wanted[name] = true end
for _, name in ipairs(R:names()) do
  if wanted[name] then
    local start = os.time()
    known[name] = judge(name)
    write(known)
    print(("%s: %s, %d s"):format(name, known[name].note or known[name].section,
      os.time() - start))
    io.stdout:flush()
  end
end
write(known)
