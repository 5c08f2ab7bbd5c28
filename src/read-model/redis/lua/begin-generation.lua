-- Creates a generation, or takes up a retired one, unless it has a successor.
-- KEYS: base. ARGV: fingerprint; birth of a new one.
-- Answers the fingerprint that it is of, or '' while it is being dropped.
-- @include include/generation.lua
local found, retired, birth, successor, dropped, checkpoint =
  unpack(call('HMGET', meta, 'fingerprint', 'retired', 'birth', 'successor', 'dropped', 'checkpoint'))
if dropped then return '' end
if found and (successor or found ~= ARGV[1]) then return found end
if not found then
  -- What is left of one whose first key was lost is not taken up.
  call('UNLINK', base .. 'x', base .. 'rows', base .. 'names', base .. 'changes', base .. 'permit')
  call('HSET', meta, 'fingerprint', ARGV[1], 'checkpoint', '', 'mark', '', 'birth', ARGV[2], 'changes', 0)
  call('SET', base .. 'version', ARGV[2] .. ' 0 ')
elseif retired then
  call('HDEL', meta, 'retired')
  noteChanges('')
  changeVersion(birth, checkpoint)
elseif call('EXISTS', base .. 'version') == 0 then
  -- A server that has lost one key may have lost others: it is filled again.
  renewBirth(ARGV[2], checkpoint)
end
return ARGV[1]
