-- A model of the edges of a function: objects { from, to, args by phi }, in lists
-- of those that leave a block (succs) and that arrive there (preds).
local M = {}

-- The edges into a block, in the order of its predecessors.
local function arriving(block)
  local edges = {}
  for k, from in ipairs(block:preds()) do edges[k] = { from = from, to = block, args = {} } end
  for _, phi in ipairs(block:phis()) do
    for k, arg in ipairs(phi:args()) do edges[k].args[phi] = arg end
  end
  return edges
end

-- The edges out of a block; parallel edges arrive in the order in which they leave.
local function leaving(block, preds)
  local edges, taken = {}, {}
  for i, to in ipairs(block:succs()) do
    for _, edge in ipairs(preds[to]) do
      if edge.from == block and not taken[edge] then
        edges[i], taken[edge] = edge, true
        break
      end
    end
  end
  return edges
end

--- Reads the model from a function.
---@param fn phial.Function
function M.read(fn)
  local model = { succs = {}, preds = {} }
  for b in fn:blocks() do model.preds[b] = arriving(b) end
  for b in fn:blocks() do model.succs[b] = leaving(b, model.preds) end
  return model
end

--- Replaces the edges out of b. New edges arrive last; parallel edges are in the
--- same order at both ends.
function M.change(model, b, edges)
  local stays = {}
  for _, edge in ipairs(edges) do stays[edge] = true end
  for _, edge in ipairs(model.succs[b]) do
    local preds = model.preds[edge.to]
    for k = #preds, 1, -1 do
      if preds[k] == edge and not stays[edge] then table.remove(preds, k) end
    end
    stays[edge] = nil
  end
  for _, edge in ipairs(edges) do
    if stays[edge] then table.insert(model.preds[edge.to], edge) end
  end
  for _, edge in ipairs(edges) do
    local ordered, preds = {}, model.preds[edge.to]
    for _, other in ipairs(edges) do
      if other.to == edge.to then ordered[#ordered + 1] = other end
    end
    for k, other in ipairs(preds) do
      if other.from == b then preds[k] = table.remove(ordered, 1) end
    end
  end
  model.succs[b] = edges
end

--- The model as text, to compare.
function M.text(model, fn)
  local out = {}
  for b in fn:blocks() do
    local line, phis = { tostring(b), "to" }, b:phis()
    for _, edge in ipairs(model.succs[b]) do line[#line + 1] = tostring(edge.to) end
    line[#line + 1] = "from"
    for _, edge in ipairs(model.preds[b]) do
      line[#line + 1] = tostring(edge.from)
      for _, phi in ipairs(phis) do line[#line + 1] = tostring(edge.args[phi]) end
    end
    out[#out + 1] = table.concat(line, " ")
  end
  return table.concat(out, "\n")
end

return M
