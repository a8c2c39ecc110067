-- purelua.lua: Algorithms 1 to 4 of the paper in plain Lua: tables as nodes,
-- lists of users, recursion: what a Lua program would use instead of phial.
--
-- usage: lua5.4|luajit bench/peers/purelua.lua FILE.sst [repeats]
-- With PHIOUT=FILE it writes a line `index phis` for each function.
--
-- luacheck: no max line length, read globals jit

local file, repeats = arg[1], tonumber(arg[2] or 3)

-- ---------------------------------------------------------------- trace -> flat arrays (not timed)
local B, R, W, M, U, J, C, S, X, SEAL, E, RR = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
local OP = { b = B, r = R, w = W, m = M, u = U, j = J, c = C, s = S, x = X, S = SEAL, E = E }
local funcs, events = {}, 0
do
  local code, n
  local open -- index of a read that the next one can join: two in a row are one step
  local lines = 0
  for line in io.lines(file) do
    local k = line:sub(1, 1)
    lines = lines + 1
    if lines % 20000 == 0 then collectgarbage() end -- memory is measured below
    if k == "F" then
      local name, nb, nv = line:match("^F (%S+) (%d+) (%d+)")
      code, n, open = {}, 0, nil
      funcs[#funcs + 1] = { name = name, nblocks = tonumber(nb), nvars = tonumber(nv), code = code }
    else
      if k ~= "b" and k ~= "S" and k ~= "E" then events = events + 1 end
      if k == "r" and open then
        code[open], open = RR, nil
      else
        n = n + 1; code[n] = OP[k]
        open = k == "r" and n or nil
      end
      for d in line:gmatch(" (%d+)") do n = n + 1; code[n] = tonumber(d) end
    end
  end
end

-- ---------------------------------------------------------------- the algorithm
local currentDef, phis, undef          -- currentDef[var][block] = value

local function resolve(v)              -- a removed phi forwards to its replacement
  local f = v.forward
  if not f then return v end
  while f.forward do f = f.forward end
  v.forward = f
  return f
end

local function addUser(value, user)
  local us = value.users
  if us then us[#us + 1] = user else value.users = { user } end
end

local readVariable

local function tryRemoveTrivialPhi(phi)                       -- Algorithm 3
  local same
  for i = 1, #phi do
    local op = phi[i]
    if op ~= same and op ~= phi then
      if same then return phi end                             -- merges at least two values: not trivial
      same = op
    end
  end
  same = same or undef                                        -- unreachable or in the start block
  local users = phi.users
  phi.forward, phi.users = same, nil
  if users then
    for i = 1, #users do                                      -- reroute all uses of phi to same
      local user = users[i]
      if user ~= phi then
        for j = 1, #user do
          if user[j] == phi then user[j] = same end
        end
        addUser(same, user)
      end
    end
    for i = 1, #users do                                      -- the users may have become trivial
      local user = users[i]
      if user ~= phi and user.op == "phi" and not user.forward and user[1] then tryRemoveTrivialPhi(user) end
    end
  end
  return resolve(same)
end

local function addPhiOperands(var, phi)                       -- Algorithm 2
  local preds = phi.block.preds
  local ops = {}
  for i = 1, #preds do ops[i] = readVariable(var, preds[i]) end
  for i = 1, #ops do
    local v = resolve(ops[i])
    phi[i] = v
    addUser(v, phi)
  end
  return tryRemoveTrivialPhi(phi)
end

local function newPhi(block)
  local phi = { op = "phi", block = block }
  phis[#phis + 1] = phi
  return phi
end

local function readVariableRecursive(var, block)              -- Algorithm 2
  local value
  local preds = block.preds
  if not block.sealed then
    value = newPhi(block)                                     -- incomplete CFG
    block.incompletePhis[var] = value
  elseif #preds == 0 then
    value = undef
  elseif #preds == 1 then
    value = readVariable(var, preds[1])                       -- no phi needed
  else
    local phi = newPhi(block)                                 -- break potential cycles with operandless phi
    currentDef[var][block] = phi
    value = addPhiOperands(var, phi)
  end
  currentDef[var][block] = value
  return value
end

function readVariable(var, block)                             -- Algorithm 1
  local value = currentDef[var][block]
  if value then return resolve(value) end
  return readVariableRecursive(var, block)
end

local function sealBlock(block)                               -- Algorithm 4
  block.sealed = true
  for var, phi in pairs(block.incompletePhis) do addPhiOperands(var, phi) end
  block.incompletePhis = nil
end

-- ---------------------------------------------------------------- replay
local function construct(f)
  local code, blocks = f.code, {}
  currentDef, phis = {}, {}
  undef = { op = "undef" }
  local param = { op = "param" }
  for v = 0, f.nvars - 1 do currentDef[v] = {} end
  for b = 0, f.nblocks - 1 do blocks[b] = { preds = {}, sealed = false, incompletePhis = {}, n = 0 } end
  local pc, cur, l1, l2 = 1, nil, param, param
  local function append(node)
    local n = cur.n + 1
    cur.n = n; cur[n] = node
  end
  local function edge(t)
    local p = blocks[t].preds
    p[#p + 1] = cur
  end
  while true do
    local op, a = code[pc], code[pc + 1]
    if op == R then
      l2, l1 = l1, readVariable(a, cur)
      pc = pc + 2
    elseif op == RR then
      l2, l1 = readVariable(a, cur), readVariable(code[pc + 2], cur)
      pc = pc + 3
    elseif op == W then
      local x, y = resolve(l2), resolve(l1)
      local node = { x, y, op = "add", block = cur }
      addUser(x, node); addUser(y, node)
      append(node)
      currentDef[a][cur] = node
      l2, l1 = l1, node
      pc = pc + 2
    elseif op == M then
      if l1 == param then
        l1 = { param, param, op = "add", block = cur }
        addUser(param, l1); addUser(param, l1)
        append(l1)
      end
      currentDef[a][cur] = l1
      pc = pc + 2
    elseif op == B then
      cur = blocks[a]
      l1, l2 = param, param
      pc = pc + 2
    elseif op == U or op == X then
      local x = resolve(l1)
      local node = { x, op = op == U and "call" or "ret", block = cur }
      addUser(x, node); append(node)
      pc = pc + 1
    elseif op == J then
      append({ op = "jmp", block = cur, target = blocks[a] })
      edge(a)
      pc = pc + 2
    elseif op == C then
      local x, t, e = resolve(l1), a, code[pc + 2]
      local node = { x, op = "br", block = cur, t = blocks[t], e = blocks[e] }
      addUser(x, node); append(node)
      edge(t); edge(e)
      pc = pc + 3
    elseif op == S then
      local x, targets = resolve(l1), {}
      for i = 1, a do
        local t = code[pc + 1 + i]
        targets[i] = blocks[t]
        edge(t)
      end
      local node = { x, op = "switch", block = cur, targets = targets }
      addUser(x, node); append(node)
      pc = pc + 2 + a
    elseif op == SEAL then
      sealBlock(blocks[a])
      pc = pc + 2
    else
      break
    end
  end
  local n = 0
  for i = 1, #phis do if not phis[i].forward then n = n + 1 end end
  return n
end

local out = os.getenv("PHIOUT") and io.open(os.getenv("PHIOUT"), "w")
local times, total = {}, 0
local function status(key)
  for l in io.lines("/proc/self/status") do
    local k = l:match("^" .. key .. ":%s*(%d+)")
    if k then return tonumber(k) end
  end
end
collectgarbage() collectgarbage()
do local f = io.open("/proc/self/clear_refs", "w") if f then f:write("5") f:close() end end
local base = status("VmRSS")
for r = 1, repeats do
  total = 0
  collectgarbage() collectgarbage()
  local t0 = os.clock()
  for i = 1, #funcs do
    local n = construct(funcs[i])
    total = total + n
    if out and r == 1 then out:write(i - 1, " ", n, "\n") end
  end
  times[r] = (os.clock() - t0) * 1e9
end
if out then out:close() end
table.sort(times)
local med = (times[math.floor((repeats + 1) / 2)] + times[math.floor((repeats + 2) / 2)]) / 2
print(string.format('{"prog":"%s","file":"%s","functions":%d,"events":%d,"min_ns_ev":%.3f,"best_ns_ev":%.3f,"med_ns_ev":%.3f,"total_ns":%.0f,"phis":%d,"rss_kb":%d,"trace_kb":%d}',
  jit and "purelua_luajit" or "purelua_lua54", file, #funcs, events, times[1] / events, times[1] / events, med / events, med, total, status("VmHWM"), base))
