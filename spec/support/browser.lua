-- Browsers, which scripts drive by playwright-core.
local exists = require("bench.lib.tree").exists
local json = require "spec.support.json"
local node = require "spec.support.node"

local M = {}

local function output(command)
  local pipe <close> = assert(io.popen(command .. " 2>/dev/null"))
  return pipe:read "a":match "^[^\n]+"
end

--- The path of a browser; or nil and what is missing.
---@return string?
---@return string? missing
function M.find()
  if not node.exists() then return nil, "node" end
  if not exists "build/node_modules/playwright-core/package.json" then
    return nil, "playwright-core (npm install --prefix build playwright-core)"
  end
  for _, name in ipairs { "chromium", "chromium-browser", "google-chrome" } do
    local path = output("command -v " .. name)
    if path then return path end
  end
  return nil, "chromium"
end

--- Runs a script that makes visits with one browser, and prints a JSON list of {name, text}
--- or {name, problem}.
---@param script string
---@param input string
---@return table<string, {name: string, text: string?, problem: string?}> by name
function M.visit(script, input)
  local text, good = node.run(script, input)
  if not good then error(text, 0) end
  local results = {}
  for _, it in ipairs(json.read(text)) do results[it.name] = it end
  return results
end

--- The texts of visits, which are made when the first one is asked for.
---@param visit fun(): table<string, {text: string?, problem: string?}>
---@return fun(name: string): string? text raises the problem, if there was one
function M.results(visit)
  local results
  return function(name)
    results = results or visit()
    local it = assert(results[name])
    if it.problem then error(it.problem, 0) end
    return it.text
  end
end

return M
