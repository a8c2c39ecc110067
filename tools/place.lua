--- The public place of phial, by tools/data/place.txt; run as a script, prints the field of that
--- name.
local M = {}

---@class Place
---@field owner? string who holds the repository
---@field url? string of the repository, without .git
---@field mail? string where vulnerabilities are reported
---@field is_known boolean no field is empty

--- What the file says; a field that is empty there is nil.
---@return Place
function M.read()
  local place = {}
  for line in io.lines "tools/data/place.txt" do
    local name, value = line:match "^(%l+) =%s*(.-)%s*$"
    if name and value ~= "" then place[name] = value end
  end
  place.is_known = (place.owner and place.url and place.mail) ~= nil
  return place
end

--- Where releases of the repository have their tarball.
---@param url string
---@param version string
---@return string
function M.tarball(url, version)
  local folder = url:find "gitlab" and "%s/-/releases/v%s/downloads" or "%s/releases/download/v%s"
  return (folder .. "/phial-%s.tar.gz"):format(url, version, version)
end

--- The version of this tree.
---@return string
function M.version()
  for line in io.lines "src/phial/base.h" do
    local version = line:match '^#define PH_VERSION "(.*)"'
    if version then return version end
  end
  error "src/phial/base.h has no version"
end

if ... ~= "tools.place" then print(M.read()[...] or "") end

return M
