-- playground: makes parts of the playground.
--
-- usage: lua5.4 tools/playground.lua files FILE.c
--        lua5.4 tools/playground.lua page FOLDER OUT.html
--
-- `files` writes the Lua modules as C, unless the file has them already; `page` the page,
-- with program.js and program.wasm.gz of the folder in it.
package.path = "./?.lua;./lua/?.lua;" .. package.path
local bundle = require "playground.bundle"
local file = require "tools.file"
local page = require "playground.page"

local commands = {}

function commands.files(path)
  local text = bundle.as_c()
  local ok, old = pcall(file.read, path)
  if not ok or old ~= text then file.write(path, text) end
end

function commands.page(folder, path)
  file.write(path, page.make(file.read(folder .. "/program.js"),
    file.read(folder .. "/program.wasm.gz")))
end

commands[arg[1]](table.unpack(arg, 2))
