--- phial emit: programs as text of another kind, by the emitters of phial.
local algorithms = require "phial.trace.algorithms"
local emitters = require "phial.emit"
local errors = require "phial.errors"
local failure = require "phial.command.failure"
local file = require "phial.command.file"
local input = require "phial.command.input"
local options = require "phial.command.options"
local phial = require "phial"
local portable = require "phial.portable"
local union = require("phial.options").union

local M = {
  summary = "writes functions as Lua, C, LLVM IR, HTML ...",
  takes = "FORMAT FILE",
  about = [[
Writes what FILE holds, functions as text or a trace, in another format. Some formats hold one
function only: if FILE has several, --function chooses one.
]],
  options = {
    { "--function NAME", "only the function of that name", field = "only" },
    { "--construction NAME", "of a trace: by this algorithm, see phial replay --help",
      choices = algorithms.names },
    { "--rules FILE",
      "html, json, svg of a trace: simplified by the rules of FILE; int: by the built-in ones" },
    { "--compare WHAT",
      "html of a trace: also as another algorithm constructs it; rules: without and with --rules",
      choices = table.move(algorithms.names, 1, #algorithms.names, 2, { "rules" }) },
    { "--detail", "html, json, svg of a trace: also what look-ups do on their way" },
    { "--leave", "html, json, svg of a trace: also the locations and moves without phis" },
    { "--source", "html: also the text of the files that positions name" },
    { "--steps LIST", "svg of a trace: at these steps, as 10,23; by default the last" },
    { "--columns N", "svg: at most N panels side by side; by default 3" },
    { "--theme NAME", "svg: its colours", choices = { "light", "dark", "print" } },
    { "--host FILE", "dialects: a Lua script that returns them" },
    { "-o FILE", "writes to FILE", field = "output" },
  },
}

-- What is not an emitter.
local TEXT <const> = { help = "the text form", joined = true, lenient = true, module = true }

-- The names; a format can also be a module phial.emit.NAME of the user.
local FORMATS <const> = union(emitters.BUNDLED, { text = true })

--- The formats, as --help lists them.
---@return {[1]: string, [2]: string}[]
function M.formats()
  local rows = {}
  for i, name in ipairs(portable.sorted(FORMATS)) do
    rows[i] = { name, (name == "text" and TEXT or emitters.about(name)).help }
  end
  return rows
end

-- What the emitter makes of a function, a module or a trace: of a file.
local function emitted(emit, it, opts, from)
  local ok, text, refused = failure.pcall(emit, it, opts)
  if ok then return text end
  if not refused then error(text, 0) end
  local why = text:match "^'[^']*': the trace is wrong: (.*)"
  if why then failure.at(2, why, from.name, from.text) end
  failure.raise(1, ("%s: %s"):format(from.name, text))
end

-- Ends the subcommand if options say how a trace is constructed, and this shows no trace, or
-- what a page shows, and this is none.
local function check_options(format, emitter, it, opts)
  local plays = it.kind == "trace" and emitter.trace
  local only = options.only
  only(opts, plays, "html, json and svg of a trace", "detail", "leave", "rules")
  only(opts, it.kind == "trace", "a trace", "construction")
  only(opts, format == "html", "html", "source")
  only(opts, plays and format == "html", "html of a trace", "compare")
  only(opts, plays and format == "svg", "svg of a trace", "steps")
  only(opts, format == "svg", "svg", "columns", "theme")
  return plays
end

-- What a trace is constructed with, and what differs on the other side, as --compare says.
local function sides(opts, host)
  local rules, what = input.rules_of_replay(opts, host), opts.compare
  if what ~= "rules" then
    local other = not algorithms.is_classical[what] and rules
    return rules, what and { construction = what, rules = other }
  end
  if not rules then failure.refuse "--compare rules: only with --rules" end
  return false, { rules = rules }
end

-- The steps of a list as the command line has it, or nil.
local function steps_of(list)
  local steps = list and {}
  for word in (list and list .. "," or ""):gmatch "([^,]*)," do
    steps[#steps + 1] = math.tointeger(tonumber(word))
      or failure.refuse(("--steps: integers expected, got '%s'"):format(list))
  end
  return steps
end

-- What a format is, and the function that writes it.
local function emitter_of(format)
  if format == "text" then return TEXT, function(it, opts) return it:text(opts) end end
  local ok, emit, refused = failure.pcall(function() return phial.emit[format] end)
  if ok then return emitters.about(format), emit end
  if not refused then error(emit, 0) end
  failure.refuse(("unknown format '%s'%s; there are: %s"):format(format,
    errors.near(format, FORMATS), table.concat(portable.sorted(FORMATS), ", ")))
end

---@class phial.command.ExportOptions
---@field only? string the name of a function
---@field construction? string of a trace
---@field compare? string an algorithm, or "rules"
---@field detail? boolean
---@field leave? boolean
---@field rules? string a file of rules, or "int"
---@field source? boolean
---@field steps? string
---@field columns? string
---@field theme? string

--- A text, or a trace, in another format.
---@param format string
---@param it phial.command.Input
---@param host table of phial.command.input.host
---@param opts phial.command.ExportOptions
---@return string
function M.text(format, it, host, opts)
  local emitter, emit = emitter_of(format)
  it = input.part(it, opts.only)
  local look = { source = opts.source, columns = options.integer(opts, "columns"),
    theme = opts.theme }
  if check_options(format, emitter, it, opts) then
    local rules, compare = sides(opts, host)
    return emitted(emit, it.text, union(look, { file = it.name, dialects = host.dialects,
      host = host.host, construction = opts.construction, detail = opts.detail, leave = opts.leave,
      rules = rules, compare = compare, steps = steps_of(opts.steps) }), it)
  end
  local program = it.kind == "trace"
    and input.replayed(it, host, { construction = opts.construction }) or input.program(it, host)
  if not emitter.lenient then input.refuse_invalid(it, input.chosen(program, opts.only)) end
  if program.module and emitter.module and not opts.only then
    return emitted(emit, program.module, nil, it)
  end
  if not emitter.joined then
    return emitted(emit, input.only(program, opts.only), next(look) and look, it)
  end
  local texts = {}
  for _, fn in ipairs(input.chosen(program, opts.only)) do
    texts[#texts + 1] = emitted(emit, fn, nil, it):gsub("\n*$", "\n")
  end
  return table.concat(texts, "\n")
end

--- Runs the subcommand.
function M.run(o)
  if not o.files[1] then failure.refuse "no format given" end
  emitter_of(o.files[1]) -- refuses a file in its place before that is missed
  local path = input.single { files = { table.unpack(o.files, 2) } }
  local host = input.host(o.host)
  file.put(M.text(o.files[1], input.open(path), host, o), o.output)
  return 0
end

return M
