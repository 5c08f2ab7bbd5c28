-- Ends all writing to a generation; its readers learn that something is new.
-- KEYS: base. Answers 1, or 0 when there is no such generation.
-- @include include/generation.lua
local birth, checkpoint, retired = unpack(call('HMGET', meta, 'birth', 'checkpoint', 'retired'))
if not birth then return 0 end
if retired then return 1 end
call('HSET', meta, 'retired', 1)
noteChanges('')
changeVersion(birth, checkpoint)
return 1
