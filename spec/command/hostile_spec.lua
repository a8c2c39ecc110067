-- Whatever a file holds, each subcommand does its work or says what is wrong.
local file = require "spec.support.file"
local golden = require "spec.support.golden"
local phial = require "phial.command"
local prop = require "spec.support.prop"

-- Command lines for texts, traces and rules; and the texts of these kinds.
local LINES <const> = {
  { "show {}", "show --verify --stats {}", "show --dot {}", "show --html {}", "run --fuel 99 {}",
    "run --fuel 99 {} -- 1 2", "emit json {}", "emit blockargs {}", "emit cps {}", "emit c {}",
    "emit llvm {}", "emit lua {}" },
  { "show {}", "replay {}", "replay --stats --rules int {}", "replay --construction cytron {}",
    "explain --steps {}", "explain {}", "flow {}",
    "flow --json {}", "emit --detail json {}", "emit html {}", "emit c {}" },
  { "check --cases 9 {}" },
}
local KINDS <const> = { phial = 1, trace = 2, rules = 3 }

local inputs = { {}, {}, {} }
for _, path in golden.programs "spec/golden/command/inputs" do
  local kind = KINDS[path:match "[^.]+$"]
  if kind then table.insert(inputs[kind], file.read(path)) end
end

local INSERTS <const> = { "\0", "\27", "\xff", "%", "'", '"', "{", "b 0\n", "x ", "=>", "\n", "F ",
  "-- ", "99999999999", "F f 1 0\n", "fn f() {\nentry:\n", "module M\n", "ä" }

-- A text with some bytes replaced, and a command line.
local function mutated(pick)
  local kind = pick(3)
  local text = inputs[kind][pick(#inputs[kind])]
  for _ = 2, pick(3) do
    local at, n = pick(#text + 1), pick(4) - 1
    text = text:sub(1, at - 1) .. INSERTS[pick(#INSERTS)] .. text:sub(at + n)
  end
  local lines = LINES[pick(30) == 1 and pick(3) or kind]
  return setmetatable({ text = text, words = lines[pick(#lines)] },
    { __tostring = function(it) return it.words .. "\n" .. it.text end })
end

-- Runs a command line in this process; its status and all that it wrote.
local function run(words, path)
  local list, out, real = {}, {}, { stdout = io.stdout, stderr = io.stderr, print = print }
  for word in words:gmatch "%S+" do list[#list + 1] = word == "{}" and path or word end
  local sink = { flush = function() return true end }
  function sink:write(...)
    table.move({ ... }, 1, select("#", ...), #out + 1, out)
    return self
  end
  io.stdout, io.stderr, print = sink, sink, function() end -- luacheck: ignore 121 122
  local ok, status = pcall(phial.main, list)
  io.stdout, io.stderr, print = real.stdout, real.stderr, real.print -- luacheck: ignore 121 122
  return ok and status, table.concat(out)
end

it("the command never makes a mistake of its own", function()
  local path = os.tmpname()
  local ok, err = pcall(prop.forall, mutated, function(case)
    file.write(path, case.text)
    local status, out = run(case.words, path)
    assert(status == 0 or status == 1 or status == 2, out)
  end, 300)
  os.remove(path)
  if not ok then error(err, 0) end
end)
