--- phial.emit.svg: steps of a construction as a picture, as the page of phial.emit.html draws
-- them: its scripts lay out and draw, run by node, so that layout has one source.
local errors = require "phial.errors"
local input = require "phial.emit.json.input"
local json = require "phial.emit.json"
local options = require "phial.options"
local shell = require "phial.shell"
local write = require "phial.emit.json.write"

local _, path = ...

local M = {
  help = "a picture of one function; of a trace, of steps of construction; needs node",
  lenient = true,
}

local NAME <const> = "phial.emit.svg"

local OWN <const> = {
  steps = "list", columns = { 1 }, theme = { "light", "dark", "print" },
}

local FOLDER <const> = path:match "^(.*)[/\\]"

-- The parts of the page's script that need no page; each uses only those before it.
local PARTS <const> = {
  "../html/viewer/layers", "../html/viewer/columns", "../html/viewer/routes",
  "../html/viewer/layout", "../html/viewer/replay", "../html/viewer/model",
  "../html/viewer/text", "../html/viewer/fold", "../html/viewer/shapes", "picture",
}

local function program(data, steps, opts)
  local out = { '"use strict";' }
  for _, name in ipairs(PARTS) do
    local file <close> = assert(io.open(("%s/%s.js"):format(FOLDER, name)))
    out[#out + 1] = file:read "a"
  end
  out[#out + 1] = ("picture(%s.functions[0], [%s], %d, themes.%s);\n"):format(data,
    table.concat(steps, ","), opts.columns or 3, opts.theme or "light")
  return table.concat(out, "\n")
end

-- What a script writes.
local function run(script)
  local text, good, status = shell.run_on("node", script)
  if good then return text end
  if status == shell.NOT_FOUND then errors.raise("'%s': there is no node, which draws it", NAME) end
  errors.raise("'%s': node failed:\n%s", NAME, text)
end

-- The steps of a document that are drawn, by default the last one: events that are not quiet.
local function steps_of(steps, func)
  local count = 0
  for _, event in ipairs(func.events or {}) do
    if not event.quiet then count = count + 1 end
  end
  for _, step in ipairs(steps or {}) do
    if not math.tointeger(step) or step < 0 or step > count then
      errors.raise("'%s': option 'steps': 0 to %d expected, got %s", NAME, count,
        errors.got(step))
    end
  end
  return steps and steps[1] and steps or { count }
end

local function picture(read, it, opts, known)
  opts = options.argument(NAME, 2, opts, options.union(known, OWN))
  local funcs = json.documents(NAME, read(NAME, it, opts), opts)
  if #funcs > 1 then
    errors.raise("'%s': a picture shows one function, and the trace has %d", NAME, #funcs)
  end
  local steps = steps_of(opts.steps, funcs[1])
  return run(program(write.document(funcs), steps, opts))
end

--- A picture of a function, or of steps of its log.
function M.func(fn, opts) return picture(input.func, fn, opts, json.FUNC) end

--- A picture of the function of a trace, or of steps of its replay.
function M.trace(text, opts) return picture(input.trace, text, opts, json.TRACE) end

return M
