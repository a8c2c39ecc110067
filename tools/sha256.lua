-- SHA-256 (FIPS 180-4), for what is computed ahead; nothing at run time needs it.

-- The first 32 bits of the fractional parts of roots of the first primes.
local function fractions(count, root)
  local out, n = {}, 2
  while #out < count do
    local is_prime = true
    for d = 2, math.floor(math.sqrt(n)) do is_prime = is_prime and n % d ~= 0 end
    if is_prime then
      local x = n ^ (1 / root)
      out[#out + 1] = math.floor((x - math.floor(x)) * 2 ^ 32)
    end
    n = n + 1
  end
  return out
end

local function rotated(x, n) return (x >> n | x << (32 - n)) & 0xffffffff end

local function schedule(block)
  local w = { string.unpack(">" .. ("I4"):rep(16), block) }
  for i = 17, 64 do
    local a, b = w[i - 15], w[i - 2]
    local s0 = rotated(a, 7) ~ rotated(a, 18) ~ a >> 3
    local s1 = rotated(b, 17) ~ rotated(b, 19) ~ b >> 10
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) & 0xffffffff
  end
  return w
end

local function round(h, w, k)
  local a, b, c, d, e, f, g, i = table.unpack(h)
  for t = 1, 64 do
    local s1 = rotated(e, 6) ~ rotated(e, 11) ~ rotated(e, 25)
    local t1 = i + s1 + (e & f ~ ~e & g) + k[t] + w[t]
    local s0 = rotated(a, 2) ~ rotated(a, 13) ~ rotated(a, 22)
    local t2 = s0 + (a & b ~ a & c ~ b & c)
    i, g, f, e, d, c, b, a = g, f, e, (d + t1) & 0xffffffff, c, b, a, (t1 + t2) & 0xffffffff
  end
  for t, x in ipairs { a, b, c, d, e, f, g, i } do h[t] = (h[t] + x) & 0xffffffff end
end

local DIGITS <const> = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

local function base64(bytes)
  return (bytes:gsub("..?.?", function(part)
    local n = string.unpack(">I3", part .. ("\0"):rep(3 - #part))
    local out = {}
    for i = 0, 3 do
      local d = n >> (18 - 6 * i) & 63
      out[i + 1] = i <= #part and DIGITS:sub(d + 1, d + 1) or "="
    end
    return table.concat(out)
  end))
end

--- The SHA-256 of a text, in base 64, as Content-Security-Policy has it.
---@param text string
---@return string
return function(text)
  local h, k = fractions(8, 2), fractions(64, 3)
  local padded = text .. "\x80" .. ("\0"):rep((55 - #text) % 64) .. string.pack(">I8", 8 * #text)
  for at = 1, #padded, 64 do round(h, schedule(padded:sub(at, at + 63)), k) end
  return base64(string.pack(">" .. ("I4"):rep(8), table.unpack(h)))
end
