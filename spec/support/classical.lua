--- The classical algorithms that construct any control flow: brandis needs structured programs.
local names = {}
for _, name in ipairs(require("phial.trace.algorithms").classical) do
  if name ~= "brandis" then names[#names + 1] = name end
end
return names
