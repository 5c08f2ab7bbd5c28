-- Turns a pointer that still points where it is expected to.
-- KEYS: the pointer. ARGV: from; to.
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end
