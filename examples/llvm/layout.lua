-- Where members are in memory: sizes and alignments of types, by the layout that a file names
-- (https://llvm.org/docs/LangRef.html#data-layout).
local types = require "llvm.types"

local ceil, match, sub = math.ceil, string.match, string.sub

---@class llvm.Layout
---@field known table<string, string> definitions of named types
---@field aligned table<string, integer> alignments in bits that the file names, by i8, f64, p
---@field sizes table<string, {size: integer, align: integer}> in bytes, by type
local Layout = {}
Layout.__index = Layout

local M = {}

-- What holds if the file does not say otherwise.
local DEFAULT <const> = { i1 = 8, i8 = 8, i16 = 16, i32 = 32, i64 = 32, f32 = 32, f64 = 64,
  p = 64, size_of_p = 64 }

--- The layout of a file.
---@param text string
---@param known table<string, string> definitions of named types
---@return llvm.Layout
function M.new(text, known)
  local aligned = setmetatable({}, { __index = DEFAULT })
  for spec in (match(text, '\ntarget datalayout = "([^"]*)"') or ""):gmatch "[^-]+" do
    local kind, bits = match(spec, "^([if]%d+):(%d+)")
    if kind then aligned[kind] = tonumber(bits) end
    local size, align = match(spec, "^p0?:(%d+):(%d+)")
    if size then aligned.size_of_p, aligned.p = tonumber(size), tonumber(align) end
  end
  return setmetatable({ known = known, aligned = aligned, sizes = {} }, Layout)
end

local FLOATS <const> = { float = "f32", double = "f64" }

local function round_up(size, align) return ceil(size / align) * align end

-- Size and alignment of a struct, and where its members are; nil if one of them has none.
local function struct(self, type)
  local is_packed, offset, greatest, offsets = sub(type, 1, 1) == "<", 0, 1, {}
  local members = types.members(type)
  if not members then return nil end
  for i, member in ipairs(members) do
    local it = self:measure(member)
    if not it then return nil end
    local align = is_packed and 1 or it.align
    offsets[i] = round_up(offset, align)
    offset, greatest = offsets[i] + it.size, math.max(greatest, align)
  end
  return { size = round_up(offset, greatest), align = greatest, offsets = offsets }
end

local function array(self, type)
  local count, element = match(type, "^%[(%d+) x (.*)%]$")
  local it = self:measure(element)
  return it and { size = count * it.size, align = it.align }
end

local function scalar(self, type)
  local name = type == "ptr" and "p" or FLOATS[type] or type
  local align = self.aligned[name]
  if not align then return nil end
  local bits = type == "ptr" and self.aligned.size_of_p or tonumber(match(name, "%d+"))
  return { size = ceil(bits / 8), align = align // 8 }
end

--- Size and alignment of a type in bytes, of a struct the offsets of its members; nil if they are
--- not known here.
---@param type string
---@return {size: integer, align: integer, offsets?: integer[]}?
function Layout:measure(type)
  local it = self.sizes[type]
  if it == nil then
    local whole = self.known[type] or type
    local first = match(whole, "^<?[{%[]")
    it = (first == "[" and array or first and struct or scalar)(self, whole) or false
    self.sizes[type] = it
  end
  return it or nil
end

--- How many bytes after an address the element is to which indices lead, the first of which counts
--- whole values of the type; nil if that is not known here.
---@param type string
---@param indices integer[]
---@return integer?
function Layout:offset(type, indices)
  local it, offset = self:measure(type), 0
  for i, index in ipairs(indices) do
    if not it then return nil end
    local offsets = i > 1 and it.offsets
    if i > 1 then
      type = types.member(self.known, type, { index })
      it = type and self:measure(type)
      if not it then return nil end
    end
    offset = offset + (offsets and offsets[index + 1] or index * it.size)
  end
  return offset
end

return M
