--- Our promotion of a file compared with `opt -passes=mem2reg`, function by function.
local compare = require "bench.lib.llvm.compare"
local file = require "tools.file"
local mark = require "bench.lib.llvm.mark"
local quoted = require("bench.lib.corpus").quoted
local reader = require "bench.lib.llvm.reader"
local tools = require "bench.lib.llvm.tools"

local M = {}

---@class llvm.Outcome
---@field functions integer
---@field equal integer
---@field marked integer of these, equal only where reads of uninitialised memory are marked
---@field ours integer phis
---@field theirs integer
---@field redundant integer
---@field unused integer
---@field problems string[]

---@return llvm.Outcome
function M.none()
  return { functions = 0, equal = 0, marked = 0, ours = 0, theirs = 0, redundant = 0, unused = 0,
    problems = {} }
end

local SUMS = { "ours", "theirs", "redundant", "unused" }

local function by_name(text)
  local map = {}
  for fn in reader.functions(text) do map[fn.name] = fn end
  return map
end

--- What is outside of functions in a text, and the functions whose blocks have addresses.
local function outside(text)
  local addressed, functions = {}, {}
  for name in text:gmatch "blockaddress%(@([^,]+)," do addressed[name] = true end
  if next(addressed) then
    for fn in reader.functions(text) do functions[fn.name] = addressed[fn.name] and fn end
  end
  return reader.outside(text, functions)
end

local function outside_differs(ours, theirs)
  local mine, its = outside(ours), outside(theirs)
  for i = 1, math.max(#mine, #its) do
    if mine[i] ~= its[i] then
      return ("outside of functions: %s, LLVM %s"):format(mine[i] or "nothing", its[i] or "nothing")
    end
  end
end

--- Compares two texts.
---@param ours string
---@param theirs string
---@param marked? fun(): string LLVM's version with marks
---@return llvm.Outcome
function M.texts(ours, theirs, marked)
  local out, mine, with_marks = M.none(), by_name(ours), nil
  for its in reader.functions(theirs) do
    local fn = mine[its.name]
    local verdict = fn and compare.functions(fn, its)
    if not fn then
      out.problems[#out.problems + 1] = its.name .. ": missing"
    else
      mine[its.name] = nil
      if not verdict.equal and marked then
        with_marks = with_marks or by_name(marked())
        local second = compare.functions(fn, with_marks[its.name])
        if second.equal then
          verdict = second
          out.marked = out.marked + 1
        end
      end
      if verdict.equal then
        out.equal = out.equal + 1
      else
        out.problems[#out.problems + 1] = its.name .. ": " .. verdict.reason
      end
      for _, key in ipairs(SUMS) do out[key] = out[key] + verdict[key] end
    end
    out.functions = out.functions + 1
  end
  for name in pairs(mine) do
    out.problems[#out.problems + 1] = name .. ": LLVM has no such function"
  end
  out.problems[#out.problems + 1] = outside_differs(ours, theirs)
  return out
end

--- Promotes the allocas of BASE.ll in both ways and compares. Ours is printed by opt, which
--- verifies it.
---@param with llvm.Tools
---@param base string
---@return llvm.Outcome
function M.file(with, base)
  local function path(kind) return base .. kind .. ".ll" end
  local function mem2reg(from, to)
    tools.must(with.opt .. " -S -passes=mem2reg %s -o %s", path(from), path(to))
    return file.read(path(to))
  end
  local theirs = mem2reg("", ".opt")
  local ok, complaint = tools.promote(with, path "", path ".ours", false)
  if ok then
    ok, complaint = tools.run(("%s -S -passes=verify %s -o %s"):format(with.opt,
      quoted(path ".ours"), quoted(path ".verified")))
  end
  if not ok then
    local out = M.none()
    for _ in reader.functions(theirs) do out.functions = out.functions + 1 end
    out.problems[1] = complaint
    return out
  end
  return M.texts(file.read(path ".verified"), theirs, function()
    file.write(path ".marked", mark(file.read(path ""), with.pointers))
    return mem2reg(".marked", ".marked.opt")
  end)
end

--- Adds the figures of another outcome.
---@param sum llvm.Outcome
---@param out llvm.Outcome
function M.add(sum, out)
  for key, value in pairs(out) do
    if key ~= "problems" then sum[key] = sum[key] + value end
  end
  table.move(out.problems, 1, #out.problems, #sum.problems + 1, sum.problems)
end

return M
