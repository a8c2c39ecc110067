-- The edges of a function as objects, { from, to, args by phi }: by block
-- those that leave (succs) and those that arrive (preds).
local M = {}

---@param fn phial.Function
function M.read(fn)
  local model = { succs = {}, preds = {} }
  for b in fn:blocks() do model.succs[b], model.preds[b] = {}, {} end
  for b in fn:blocks() do
    local nth = {}
    for i, to in ipairs(b:succs()) do
      nth[to] = (nth[to] or 0) + 1
      local left = nth[to]
      for k, pred in ipairs(to:preds()) do
        if pred == b then left = left - 1 end
        if pred == b and left == 0 then
          local edge = { from = b, to = to, args = {} }
          for _, phi in ipairs(to:phis()) do edge.args[phi] = phi:args()[k] end
          model.succs[b][i], model.preds[to][k] = edge, edge
        end
      end
    end
  end
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
    local line = { tostring(b), "to" }
    for _, edge in ipairs(model.succs[b]) do line[#line + 1] = tostring(edge.to) end
    line[#line + 1] = "from"
    for _, edge in ipairs(model.preds[b]) do
      line[#line + 1] = tostring(edge.from)
      for _, phi in ipairs(b:phis()) do line[#line + 1] = tostring(edge.args[phi]) end
    end
    out[#out + 1] = table.concat(line, " ")
  end
  return table.concat(out, "\n")
end

return M
