-- Creates a generation, or takes up a retired one, unless it has a successor.
-- KEYS: base. ARGV: fingerprint; birth of a new one.
-- Answers the fingerprint that it is of, or '' while it is being dropped.
-- @include include/generation.lua
local found, retired, birth, successor, dropped, checkpoint =
  unpack(call('HMGET', meta, 'fingerprint', 'retired', 'birth', 'successor', 'dropped', 'checkpoint'))
if dropped then return '' end
if found and (successor or found ~= ARGV[1]) then return found end
if not found then
  birth = ARGV[2]
  call('HSET', meta, 'fingerprint', ARGV[1], 'checkpoint', '', 'mark', '', 'birth', birth, 'changes', 0, 'termChanges', 0)
  call('SET', base .. 'tv', birth .. ' 0')
  call('SET', base .. 'version', birth .. ' 0 ')
elseif retired then
  call('HDEL', meta, 'retired')
  changeVersion(birth, checkpoint)
end
call('SETNX', base .. 'next', '=' .. birth)
return ARGV[1]
