-- The next start or end of any event.
-- KEYS: base. ARGV: an instant. Answers the next one after it, as text, or nothing.
-- @include include/layout.lua
local base = KEYS[1] .. ':'
local least
local function look(set)
  local found = redis.call('ZRANGEBYSCORE', base .. set, '(' .. ARGV[1], '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  local edge = found[2] and tonumber(found[2])
  if edge and (not least or edge < least) then least = edge end
end
for status = 0, STATUSES - 1 do
  look('s' .. status)
  look('n' .. status)
end
look('h')
look('hn')
return least and string.format('%.0f', least)
