-- coverage.lua B: what the specs run of src/core and src/binding, by gcov, from
-- a build with --coverage in B: per folder, lines, and the lines that never
-- ran; of construction, look-up, simplification and editing also those with a
-- branch that was never taken, assertions aside. Fails below 99 % of lines, or if
-- tools/data/untested.txt does not say why such a branch is not taken, or says it of
-- one that is.
package.path = "./?.lua;" .. package.path
local judged = require "tools.judged"

local B = arg[1]
local LEAST = 99
local WITH_BRANCHES = { ["src/core/construct"] = true, ["src/core/lookup"] = true,
  ["src/core/simplify"] = true, ["src/core/edit"] = true }

local function lines_of(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  pipe:close()
  return text:gmatch "[^\n]+"
end

local function folder_of(file) return file:match "^(.*)/" end

-- By file and line: how often it ran; which of its branches were taken. A header
-- is in many objects: what one of them runs counts.
local runs, branches = {}, {}

local function add(file, n, count, taken)
  local r = runs[file] or {}
  runs[file] = r
  r[n] = math.max(r[n] or 0, count)
  local b = branches[file] or {}
  branches[file] = b
  b[n] = b[n] or taken
  if #b[n] == #taken then
    for i, yes in ipairs(taken) do b[n][i] = b[n][i] or yes end
  end
end

-- gcov's text: "branch  0 taken 12%", "branch  1 never executed" follow their line.
local function read(gcda)
  local file, n, count, taken
  local function flush()
    if n then add(file, n, count, taken) end
    n = nil
  end
  for line in lines_of("gcov -t -b " .. gcda .. " 2>/dev/null") do
    local times, number, text = line:match "^%s*([%d#=%-]+)%*?:%s*(%d+):(.*)"
    if number == "0" then
      flush()
      file = text:match "^Source:(.*)" or file
    elseif number and times ~= "-" and file:find "^src/" then
      flush()
      n, count, taken = tonumber(number), tonumber(times) or 0, {}
    elseif n and line:find "^branch" then
      taken[#taken + 1] = line:find "taken [1-9]" ~= nil
    elseif number then
      flush()
    end
  end
  flush()
end

for gcda in lines_of("find " .. B .. "/src -name '*.gcda' | sort") do read(gcda) end

-- The text of each line, without indentation; which lines are of assertions.
local function texts(file)
  local all, asserts, inside = {}, {}, false
  for line in io.lines(file) do
    local text = line:match "^%s*(.*)"
    all[#all + 1] = text
    inside = inside or text:find "^assert%(" or text:find "^ph_require%(" or text:find "^ph_must%("
    asserts[#all] = inside or text:find "ph_ptr%("
    if text:find ";$" then inside = false end
  end
  return all, asserts
end

local function has_untaken(taken)
  for _, yes in ipairs(taken) do
    if not yes then return true end
  end
  return false
end

-- Lines with a branch never taken, by file and text: true, or why.
local untaken = {}
local reasons = judged.read "Branches"

local function note_untaken(file, line)
  untaken[file] = untaken[file] or {}
  untaken[file][line] = true
  for _, it in ipairs(reasons) do
    if it.path == file and it.code == line then return it.reason end
  end
end

local sums, missed, unexplained = {}, {}, 0
for file, counts in pairs(runs) do
  local folder, text, asserts = folder_of(file), texts(file)
  local sum = sums[folder] or { ran = 0, all = 0 }
  sums[folder] = sum
  for n, count in pairs(counts) do
    sum.all = sum.all + 1
    if count > 0 then
      sum.ran = sum.ran + 1
    else
      missed[#missed + 1] = ("%s:%04d: never ran: %s"):format(file, n, text[n])
    end
    if count > 0 and WITH_BRANCHES[folder]
        and not asserts[n] and has_untaken(branches[file][n]) then
      local reason = note_untaken(file, text[n])
      missed[#missed + 1] = ("%s:%04d: never branched: %s%s"):format(file, n, text[n],
        reason and "\n  " .. reason or "")
      unexplained = unexplained + (reason and 0 or 1)
    end
  end
end

table.sort(missed)
print(table.concat(missed, "\n"))
local folders, total = {}, { ran = 0, all = 0 }
for folder, sum in pairs(sums) do
  folders[#folders + 1] = folder
  total.ran, total.all = total.ran + sum.ran, total.all + sum.all
end
table.sort(folders)
sums.all = total
folders[#folders + 1] = "all"
for _, folder in ipairs(folders) do
  local sum = sums[folder]
  print(("%-26s %5d of %5d lines, %6.2f %%"):format(folder, sum.ran, sum.all,
    100 * sum.ran / sum.all))
end
print(("%d lines with a branch that is never taken lack a reason"):format(unexplained))
judged.check(reasons, untaken)
os.exit(100 * total.ran >= LEAST * total.all and unexplained == 0)
