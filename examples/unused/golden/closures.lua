local shared = 1
local function get() return shared end
shared = 2
print(get())
local counter = 0
local function count()
  counter = counter + 1
  return counter
end
local unseen = 1
unseen = function() return unseen end
return count
