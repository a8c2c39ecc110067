-- Draws reports to be judged, of the Lua files in a folder: always the same ones.
local USAGE = [[
usage: lua5.4 draw.lua CODE FOLDER
Draws 30 of the reports whose codes begin with CODE: 711 and 71 for nil, 21 for what is not used.
FOLDER has the files of lua-busted, lua-check, lua-ldoc, lua-penlight, nmap-common and prosody, of
Debian 12: apt-get download PACKAGE; dpkg -x PACKAGE_*.deb FOLDER.
]]

local file = require "phial.command.file"
local lint = require "phial_lint"

local SEED <const>, COUNT <const> = 2013, 30

local code, folder = arg[1], arg[2]
if not folder then
  io.stderr:write(USAGE)
  os.exit(1)
end

local list <close> = assert(io.popen(("cd '%s' && find . -type f \\( -name '*.lua' -o -name " ..
  "'*.nse' \\) | LC_ALL=C sort"):format(folder)))
local reports, files = {}, 0
for path in list:lines() do
  for _, report in ipairs(lint.text(assert(file.read(folder .. "/" .. path)))) do
    if report.code:sub(1, #code) == code then
      reports[#reports + 1] = path .. report:text()
    end
  end
  files = files + 1
end

math.randomseed(SEED)
print(("%d reports in %d files"):format(#reports, files))
for _ = 1, math.min(COUNT, #reports) do
  print(table.remove(reports, math.random(#reports)))
end
