-- Takes or prolongs a lease, a key that expires by the clock of Redis.
-- KEYS: the lease. ARGV: holder; milliseconds until it expires. Answers 1, or 0 while another one holds it.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
