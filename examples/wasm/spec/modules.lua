-- Modules of WebAssembly, which tools make: wabt, clang with lld, and binaryen.
local shell = require "spec.support.shell"

local M = {}

local FEATURES <const> = "--enable-sign-ext --enable-nontrapping-float-to-int "
  .. "--enable-bulk-memory --enable-multivalue --enable-mutable-globals"

--- True if there are commands of these names.
---@param ... string
function M.has(...)
  for _, name in ipairs { ... } do
    if not select(2, shell.run("command -v " .. name)) then return false end
  end
  return true
end

local function made(command, ...)
  local path = os.tmpname()
  shell.output(command:format(path, ...))
  return path
end

--- The file that a module of text makes.
---@param source string
---@return string path
function M.of_text(source) return made("wat2wasm --debug-names -o %s %s", source) end

--- The file that a program of C makes.
---@param source string
---@return string path
function M.of_c(source)
  return made("clang --target=wasm32 -O2 -fno-builtin -nostdlib -Wl,--no-entry "
    .. "-Wl,--export-dynamic -o %s %s", source)
end

--- The file of a random module, without nans whose bits show.
---@param seed integer
---@return string path
function M.random(seed)
  local draw = seed
  local bytes, path = {}, os.tmpname()
  for i = 1, 200 + seed * 37 % 6000 do
    draw = draw * 6364136223846793005 + 1442695040888963407
    bytes[i] = string.char(draw >> 56)
  end
  local f <close> = assert(io.open(path, "wb"))
  f:write(table.concat(bytes))
  f:close()
  local module = made("wasm-opt -ttf --denan " .. FEATURES .. " -o %s %s", path)
  os.remove(path)
  return module
end

return M
