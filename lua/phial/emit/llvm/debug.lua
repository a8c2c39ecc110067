-- Debug information: the frontend's positions (`fn:loc`) as metadata.
local Names = require "phial.emit.llvm.names"

local Debug = {}
Debug.__index = Debug

---@class phial.emit.llvm.Debug
---@field lines string[] the definitions of metadata, from !0 on
---@field count integer of these
---@field known table<string, integer> their numbers, by text
---@field files table<string, integer> those of files
---@field opts phial.emit.llvm.Options
---@field unit integer? the number of the compile unit

--- Debug information without any position.
---@param opts phial.emit.llvm.Options
---@return phial.emit.llvm.Debug
function Debug.new(opts)
  return setmetatable({ lines = {}, count = 0, known = {}, files = {}, opts = opts }, Debug)
end

local function quoted(text) return '"' .. Names.escaped(text) .. '"' end

-- Adds a node; returns its number.
local function add(self, text)
  local number = self.count
  self.lines[#self.lines + 1] = "!" .. number .. " = " .. text
  self.count = number + 1
  return number
end

-- The number of a node: of an equal one, if there is one.
local function node(self, format, ...)
  local text = format:format(...)
  local number = self.known[text]
  if not number then
    number = add(self, text)
    self.known[text] = number
  end
  return number
end

local function file_node(self, file)
  local number = self.files[file]
  if not number then
    number = node(self, "!DIFile(filename: %s, directory: %s)", quoted(file),
      quoted(self.opts.directory or ""))
    self.files[file] = number
  end
  return number
end

local function unit_node(self, file)
  self.unit = self.unit or node(self, 'distinct !DICompileUnit(language: DW_LANG_C, file: !%d, '
    .. 'producer: "phial", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)', file)
  return self.unit
end

---@class phial.emit.llvm.Scope a function with positions
---@field file string
---@field node integer
---@field files table<string, integer> by the name of a file, the scope of positions in it

--- Begins the positions of a function.
---@param name string
---@param symbol string its name in LLVM
---@param line integer the first
---@param file string? its file
---@return phial.emit.llvm.Scope
function Debug:scope(name, symbol, line, file)
  file = file or self.opts.file or name
  local at = file_node(self, file)
  local types = node(self, "!DISubroutineType(types: !{null})")
  local linkage = symbol ~= name and (", linkageName: " .. quoted(symbol)) or ""
  local number = add(self, ("distinct !DISubprogram(name: %s%s, scope: !%d, file: !%d, line: %d, "
    .. "type: !%d, scopeLine: %d, spFlags: DISPFlagDefinition, unit: !%d)"):format(quoted(name),
    linkage, at, at, line, types, line, unit_node(self, at)))
  return { file = file, node = number, files = { [file] = number } }
end

local function scope_of(self, scope, file)
  if not file then return scope.node end
  scope.files[file] = scope.files[file] or node(self,
    "!DILexicalBlockFile(scope: !%d, file: !%d, discriminator: 0)", scope.node,
    file_node(self, file))
  return scope.files[file]
end

--- Takes the definitions of n positions; returns the number of the scope of those in a file, and
--- that of the next position.
---@param scope phial.emit.llvm.Scope
---@param text string lines
---@param n integer
---@param file string?
---@return integer
---@return integer
function Debug:places(scope, text, n, file)
  if n > 0 then self.lines[#self.lines + 1] = text end
  self.count = self.count + n
  return scope_of(self, scope, file), self.count
end

--- All metadata, as lines.
---@return string[]
function Debug:text()
  if not self.unit then return {} end
  local flags = {}
  for i, flag in ipairs { '2, !"Debug Info Version", i32 3', '7, !"Dwarf Version", i32 4' } do
    flags[i] = ("!%d"):format(node(self, "!{i32 %s}", flag))
  end
  local lines = { ("!llvm.dbg.cu = !{!%d}"):format(self.unit),
    ("!llvm.module.flags = !{%s}"):format(table.concat(flags, ", ")) }
  return table.move(self.lines, 1, #self.lines, #lines + 1, lines)
end

return Debug
