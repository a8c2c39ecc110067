-- The edges of a function as objects, { from, to, args by phi }: by block
-- those that leave (succs) and those that arrive (preds).
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

-- The edges out of a block: the first to a block is the first from here there.
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

---@param fn phial.Function
function M.read(fn)
  local model = { succs = {}, preds = {} }
  for b in fn:blocks() do model.preds[b] = arriving(b) end
  for b in fn:blocks() do model.succs[b] = leaving(b, model.preds) end
  return model
end

--- The edges of b become these; edges that are new come last where they arrive,
--- and edges between the same blocks are in the same order at both ends.
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

--- All of it, to compare.
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
