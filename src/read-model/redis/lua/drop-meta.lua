-- Removes the last key of a dropped generation.
-- KEYS: base.
local meta = KEYS[1] .. ':meta'
if redis.call('HGET', meta, 'dropped') then redis.call('DEL', meta) end
