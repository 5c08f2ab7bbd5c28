-- Gives a lease back.
-- KEYS: the lease. ARGV: holder. Answers 1, or 0 when another one holds it.
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
