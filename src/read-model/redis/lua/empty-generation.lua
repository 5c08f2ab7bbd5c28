-- Empties a generation: it starts again at the beginning of the log.
-- KEYS: base. ARGV: another birth. Answers 'done', 'retired', or 'missing'.
-- @include include/generation.lua
local checkpoint, refusal = writable()
if not checkpoint then return refusal end
local cursor = '0'
repeat
  local next, found = unpack(call('HSCAN', base .. 'x', cursor, 'COUNT', 1000))
  cursor = next
  local keys = {}
  for at = 1, #found, 2 do
    for _, family in ipairs({ 'b:', 'z:', '+b:', '+z:' }) do keys[#keys + 1] = base .. family .. found[at] end
  end
  for at = 1, #keys, 2000 do call('UNLINK', unpack(keys, at, math.min(at + 1999, #keys))) end
until cursor == '0'
for _, name in ipairs({ 'x', 'rows', 'names', 'permit' }) do call('UNLINK', base .. name) end
call('HDEL', meta, 'fill', 'sizes')
renewBirth(ARGV[1], '')
return 'done'
