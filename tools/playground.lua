-- playground: makes parts of the playground.
--
-- usage: lua5.4 tools/playground.lua files FILE.c
--        lua5.4 tools/playground.lua page FOLDER OUT.html
--
-- `files` writes the Lua modules as C, unless the file has them already; `page` the page,
-- with program.js and program.wasm.gz of the folder in it.
package.path = "./?.lua;" .. package.path
local bundle = require "playground.bundle"
local page = require "playground.page"

local function read(path)
  local file <close> = io.open(path, "rb")
  return file and file:read "a"
end

local function write(path, text)
  local file <close> = assert(io.open(path, "wb"))
  assert(file:write(text))
end

local commands = {}

function commands.files(path)
  local text = bundle.as_c()
  if read(path) ~= text then write(path, text) end
end

function commands.page(folder, path)
  write(path, page.make(assert(read(folder .. "/program.js")),
    assert(read(folder .. "/program.wasm.gz"))))
end

commands[arg[1]](table.unpack(arg, 2))
