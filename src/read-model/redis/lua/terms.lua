-- All terms.
-- KEYS: base. Answers their version, then body and count of each term.
local call = redis.call
local base = KEYS[1] .. ':'
local answer = { call('GET', base .. 'tv') or '' }
local names = call('ZRANGE', base .. 'T', 0, -1)
for at = 1, #names do
  local body = call('GET', base .. 'b:' .. names[at])
  if body then
    answer[#answer + 1] = body
    answer[#answer + 1] = call('HGET', base .. 'counts', names[at]) or '0'
  end
end
return answer
