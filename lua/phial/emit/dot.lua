--- phial.emit.dot: the control-flow graph in Graphviz's language.
-- A block is a table: name, phis, instructions. Edges are labelled with their
-- condition or key; back edges to a dominator are blue, back edges of an
-- irreducible loop are red.
local portable = require "phial.portable"

local M = {
  help = "the control flow, for Graphviz", joined = true, lenient = true,
}

local escapes = {
  ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["\\"] = "&#92;",
}

-- Escapes text for an HTML-like label: control bytes, and all bytes above 127
-- unless the text is UTF-8, are shown as numbers.
local function html(text)
  if not utf8.len(text) then
    text = text:gsub("[\x80-\xff]", function(c) return ("\\x%02x"):format(c:byte()) end)
  end
  text = text:gsub("[\0-\31\127]", function(c) return ("\\x%02x"):format(c:byte()) end)
  return (text:gsub('[&<>"\\]', escapes))
end

local function names(values)
  local out = {}
  for i, v in ipairs(values) do out[i] = tostring(v) end
  return table.concat(out, ", ")
end

-- The data of an instruction, the index of a projection; objects are only hinted at.
local function data(v)
  local d = v:index() or v:data()
  return d == nil and "" or " {" .. (portable.literal(d) or "...") .. "}"
end

local function result(v)
  return v:type() and ("%s: %s = "):format(v, v:type()) or ""
end

local function phi_text(v)
  local var = v:var()
  local operands, preds = {}, v:block():preds()
  for i, operand in ipairs(v:args()) do operands[i] = ("%s: %s"):format(preds[i], operand) end
  return ("%sphi%s [%s]")
    :format(result(v), var and " " .. tostring(var) or "", table.concat(operands, ", "))
end

local function inst_text(v)
  local args = v:args()
  return result(v) .. v:op() .. data(v) .. (#args > 0 and " " .. names(args) or "")
end

local function rows(out, values, text, color)
  if #values == 0 then return end
  local lines = {}
  for i, v in ipairs(values) do lines[i] = html(text(v)) .. '<br align="left"/>' end
  out[#out + 1] = ('<tr><td align="left" balign="left"%s>%s</td></tr>')
    :format(color, table.concat(lines))
end

local function node(b)
  local out = {}
  out[1] = ('<tr><td align="left" bgcolor="#e8e8e8"><b>%s</b></td></tr>'):format(html(tostring(b)))
  rows(out, b:phis(), phi_text, ' bgcolor="#f4f8ff"')
  rows(out, b:insts(), inst_text, "")
  return ('  b%d [label=<<table border="0" cellborder="1" cellspacing="0"%s>%s</table>>];')
    :format(b:id(), ' cellpadding="4"', table.concat(out))
end

-- The label of the i-th of `count` edges of a terminator.
local function edge_label(op, args, count, i)
  if op == "branch" then return i == 1 and "true" or "false" end
  if op == "switch" then return i == 1 and "default" or tostring(args[i]) end
  return count > 1 and tostring(i) or ""
end

local function position(fn)
  local at = {}
  for i, b in ipairs(fn:rpo()) do at[b] = i end
  return at
end

-- Edges that lead backward in reverse postorder close a loop.
local function edge_color(at, b, target)
  if not at[b] or at[target] > at[b] then return "black" end
  return target:dominates(b) and "blue" or "red"
end

local function edges(out, at, b)
  local succs, terminator = b:succs(), b:terminator()
  local op, args = terminator and terminator:op(), terminator and terminator:args()
  for i, target in ipairs(succs) do
    local label = edge_label(op, args, #succs, i)
    -- Graphviz refuses empty HTML-like labels
    label = label == "" and "" or ("label=<%s>, "):format(html(label))
    out[#out + 1] = ('  b%d -> b%d [%scolor=%s];'):format(b:id(), target:id(), label,
      edge_color(at, b, target))
  end
end

--- The control-flow graph of a function in Graphviz's language.
---@param fn phial.Function
---@return string dot
function M.func(fn)
  local out = {
    "digraph {",
    '  node [shape=plain, fontname="Courier"];',
    '  edge [fontname="Courier"];',
  }
  local at = position(fn)
  for b in fn:blocks() do out[#out + 1] = node(b) end
  for b in fn:blocks() do edges(out, at, b) end
  out[#out + 1] = "}\n"
  return table.concat(out, "\n")
end

return M
