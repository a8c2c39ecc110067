-- Functions from text, to work on.
local phial = require "phial"

local M = {}

--- A loop.
M.SUM = [[
fn sum(%n: i64, %x: f64) -> i64 {
entry:
  jump head
head: <- entry, body
  %4: i64 = phi i [entry: 0, body: %8]
  %5: i64 = phi s [entry: 0, body: %7]
  %6: i1 = slt %4, %n
  branch %6, body, done
body: <- head
  %7: i64 = add %5, %4
  %8: i64 = add %4, 1
  jump head
done: <- head
  ret %5
}]]

--- Parses a function; returns it, its values by id, its blocks by name.
---@param text string
---@return phial.Function fn, table<integer, phial.Value>, table<string, phial.Block>
function M.read(text)
  local fn = assert(phial.parse(text))
  local values, blocks = {}, {}
  for v in fn:values() do values[v:id()] = v end
  for b in fn:blocks() do blocks[b:name()] = b end
  return fn, values, blocks
end

--- The lines of a block in the text of its function.
---@param fn phial.Function
---@param name string
---@return string?
function M.lines(fn, name)
  return fn:text():match("\n" .. name .. ":[^\n]*\n(.-)\n%S")
end

return M
