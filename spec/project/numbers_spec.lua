-- What binaries have compiled in stays: the numbers of ops and types, and the size and
-- offsets of public structures, as spec/golden has them. BLESS=1 writes them anew.
local lfs = require "lfs"
local file = require "spec.support.file"
local shell = require "spec.support.shell"
local under = require "spec.support.under"

local headers <const> = "src/phial/"

--- What the program prints with this body.
local function printed(body)
  local path = os.tmpname()
  file.write(path .. ".c", ("#include <stdio.h>\n#include \"phial.h\"\nint main(void) {\n%s}\n")
    :format(body))
  local text = shell.output(("cc -std=c11 -Isrc -o %s %s.c && %s"):format(path, path, path))
  for _, ending in ipairs { "", ".c" } do os.remove(path .. ending) end
  return text
end

local function same(name, got)
  local path = "spec/golden/" .. name
  if os.getenv "BLESS" then file.write(path, got) end
  assert.equal(file.read(path), got)
end

-- Names of fields, that of a pointer to a function included.
local function fields(body)
  local names = {}
  for member in body:gsub("%b[]", ""):gmatch "([^;]+);" do
    member = member:match "%(%s*%*%s*([%w_]+)%s*%)" or member:gsub("%s*PH_RESERVED", "reserved")
    for name in (member .. ","):gmatch "([%w_]+)%s*," do names[#names + 1] = name end
  end
  return names
end

--- The public structures, each with its fields.
local function structures()
  local found = {}
  for name in lfs.dir(headers) do
    local text = name:find "%.h$" and file.read(headers .. name):gsub("/%*.-%*/", "") or ""
    for body, struct in text:gmatch "typedef struct[%s%w_]*(%b{})%s*([%w_]+);" do
      found[#found + 1] = { name = struct, fields = fields(body:sub(2, -2)) }
    end
  end
  table.sort(found, function(a, b) return a.name < b.name end)
  return found
end

describe("binaries rely on", function()
  if under.slow then return end

  it("the numbers of ops and types", function()
    local lines = {}
    local function put(name)
      lines[#lines + 1] = ('printf("%%d %s\\n", %s);\n'):format(name, name)
    end
    local ops = file.read(headers .. "op.def")
    for name in ops:gmatch "\nPH_OP%(([%u%d_]+), %d" do put("PH_" .. name) end
    local types = file.read(headers .. "op.h"):match "enum {(.-)PH_KNOWN_TYPES"
    for name in types:gmatch "PH_[%u%d]+" do put(name) end
    put "PH_TYPES"
    put "PH_OPS"
    same("op_numbers.txt", printed(table.concat(lines)))
  end)

  it("the size and offsets of structures", function()
    local lines = {}
    for _, struct in ipairs(structures()) do
      local name = struct.name
      lines[#lines + 1] = ('printf("%s: %%zu\\n", sizeof(%s));\n'):format(name, name)
      for _, field in ipairs(struct.fields) do
        lines[#lines + 1] = ('printf("  %s: %%zu\\n", offsetof(%s, %s));\n'):format(field, name,
          field)
      end
    end
    local got = printed('if (sizeof(void *) != 8) return 0;\n' .. table.concat(lines))
    if got ~= "" then same("layouts.txt", got) end
  end)
end)
