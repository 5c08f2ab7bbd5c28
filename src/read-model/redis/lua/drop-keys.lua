-- Removes keys of a dropped generation, unless another process has finished that and it has been begun anew since.
-- KEYS: base. ARGV: the keys.
local meta = KEYS[1] .. ':meta'
if not redis.call('HGET', meta, 'dropped') then return end
for _, key in ipairs(ARGV) do
  if key ~= meta then redis.call('UNLINK', key) end
end
