-- Puts another generation in the place of this one: from this moment this one is not written to, and its readers go on
-- with the other one.
-- KEYS: base. ARGV: the other generation; its checkpoint.
-- Answers 'live', 'behind' (this one is further on), 'retired', or 'missing'.
-- @include include/generation.lua
local checkpoint, refusal = writable()
if not checkpoint then return refusal end
if checkpoint > ARGV[2] then return 'behind' end
call('HSET', meta, 'retired', 1, 'successor', ARGV[1])
call('SET', base .. 'version', '>' .. ARGV[1])
return 'live'
