--- phial run: runs a function with arguments from the command line.
local excerpt = require "phial.command.excerpt"
local failure = require "phial.command.failure"
local file = require "phial.command.file"
local input = require "phial.command.input"
local options = require "phial.command.options"
local portable = require "phial.portable"
local runtime = require "phial.run.runtime"
local signature = require "phial.signature"
local union = require("phial.options").union

local M = {
  summary = "runs a function",
  takes = "FILE [-- ARGUMENT ...]",
  about = [[
Runs a function of FILE, a text or a trace, and writes its results. An argument is read by the
type of its parameter: an integer (-1, 0xff), a number (0.5, 1e3, inf, nan), true or false; for
other types also nil, or any other word, which is a string.
]],
  options = {
    { "--function NAME",
      "the function; default: the only one, or the one named main", field = "only" },
    { "--fuel N", "enters at most N blocks" },
    { "--host FILE", "dialects and callees: a Lua script that returns them" },
  },
  takes_rest = true,
}

local WORDS <const> = { ["true"] = true, ["false"] = false }
local NUMBERS <const> = { inf = math.huge, ["-inf"] = -math.huge, nan = 0 / 0 }

-- What a word means where any value fits: one in quotes is a string, too.
local function meaning(word)
  if WORDS[word] ~= nil then return WORDS[word] end
  if word == "nil" then return nil end
  local hex = word:match "^%-?0[xX]%x+$"
  local number = NUMBERS[word] or hex and math.tointeger(tonumber(word)) or portable.tonumber(word)
  if number then return number end
  return word:match '^"(.*)"$' or word
end

-- The arguments of the command line, as their parameters take them.
local function arguments(fn, words)
  local of = signature.of(fn)
  if not signature.takes(of, #words) then failure.refuse(signature.count(of, #words)) end
  local values = { n = #words }
  for i, word in ipairs(words) do
    local param, value = of.params[i], meaning(word)
    local take = param and runtime.take(param.type)
    if take and take(value) == nil then failure.refuse(signature.argument(of, i, value)) end
    values[i] = value
  end
  return values
end

local function written(results)
  local texts = {}
  for i = 2, results.n do texts[i - 1] = portable.tostring(results[i]) end
  return #texts > 0 and table.concat(texts, "\t") .. "\n" or ""
end

--- Runs the subcommand.
function M.run(o)
  if o.files[2] then failure.refuse(o.files[2] .. ": arguments of the function follow '--'") end
  local path, fuel = input.single(o), options.integer(o, "fuel")
  if fuel and fuel < 0 then failure.refuse "--fuel: it must not be negative" end
  local host, it = input.host(o.host), input.open(path)
  local program, by_name = input.program(it, host), {}
  for _, fn in ipairs(program.functions) do by_name[fn:name()] = fn end
  local fn = input.only(program, o.only or #program.functions > 1 and by_name.main and "main")
  input.refuse_invalid(it, { fn })
  local values = arguments(fn, o.rest)
  -- calls by name find functions of the file, those of the host, and `print`
  local env = union({ print = print }, host.env or {}, program.module and {} or by_name)
  values[values.n + 1] = { env = env, fuel = fuel }
  local results = table.pack(failure.pcall(fn, table.unpack(values, 1, values.n + 1)))
  if not results[1] then
    local message, refused = tostring(results[2]), results[3]
    message = message:gsub("(there is no '[^']*') in the option env$", "%1: --host can give it")
    failure.raise(refused and 2 or 1, excerpt.located(it, fn:name(), message))
  end
  if fn:result() then file.put(written(results)) end
  return 0
end

return M
