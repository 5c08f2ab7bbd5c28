// Scripts about a generation as a whole.
import { INDEXED } from './apply.ts';

/**
 * KEYS: base. ARGV: fingerprint, a birth mark for a new one. Creates the generation, or takes up a retired one.
 * Answers the fingerprint that it is of.
 */
export const BEGIN = `
local base = KEYS[1] .. ':'
local meta = base .. 'meta'
local found, retired, birth = unpack(redis.call('HMGET', meta, 'fingerprint', 'retired', 'birth'))
if found and found ~= ARGV[1] then return found end
if not found then
  birth = ARGV[2]
  redis.call('HSET', meta, 'fingerprint', ARGV[1], 'checkpoint', '', 'birth', birth, 'changes', 0, 'termChanges', 0)
  redis.call('SET', base .. 'tv', birth .. ' 0')
  redis.call('SET', base .. 'version', birth .. ' 0')
elseif retired then
  redis.call('HDEL', meta, 'retired')
  redis.call('SET', base .. 'version', birth .. ' ' .. redis.call('HINCRBY', meta, 'changes', 1))
end
return ARGV[1]
`;

/** KEYS: base. Nobody may write to the generation any more; its readers learn that something is new. */
export const RETIRE = `
local base = KEYS[1] .. ':'
local meta = base .. 'meta'
local birth = redis.call('HGET', meta, 'birth')
if not birth then return 0 end
redis.call('HSET', meta, 'retired', 1)
redis.call('SET', base .. 'version', birth .. ' ' .. redis.call('HINCRBY', meta, 'changes', 1))
return 1
`;

/** KEYS: base. ARGV: 'clear' to start again at the beginning of the log, 'drop' to leave nothing. */
export const EMPTY = `${INDEXED}
local call = redis.call
local base = KEYS[1] .. ':'
local meta = base .. 'meta'
local birth, retired = unpack(call('HMGET', meta, 'birth', 'retired'))
if ARGV[1] == 'clear' and not birth then return 'missing' end
if ARGV[1] == 'clear' and retired then return 'retired' end
local sets = {}
local cursor = '0'
repeat
  local next, found = unpack(call('HSCAN', base .. 'x', cursor, 'COUNT', 1000))
  cursor = next
  local keys = {}
  for at = 1, #found, 2 do
    local _, description = stored(found[at + 1])
    local byFirst, bySecond = string.match(description, '^[^\\n]*\\n[^\\n]*\\n([^\\n]*)\\n([^\\n]*)')
    for set in string.gmatch(byFirst .. ' ' .. bySecond, '%S+') do sets[set] = true end
    keys[at], keys[at + 1] = base .. 'b:' .. found[at], base .. 'z:' .. found[at]
  end
  for at = 1, #keys, 2000 do call('UNLINK', unpack(keys, at, math.min(at + 1999, #keys))) end
until cursor == '0'
for set in pairs(sets) do call('UNLINK', base .. set) end
for _, name in ipairs({ 'x', 'text', 'counts', 'names', 'life', 'lat', 'permit' }) do call('UNLINK', base .. name) end
if ARGV[1] == 'drop' then
  call('DEL', meta, base .. 'tv', base .. 'version')
  return 'done'
end
call('HSET', meta, 'checkpoint', '')
call('SET', base .. 'tv', birth .. ' ' .. call('HINCRBY', meta, 'termChanges', 1))
call('SET', base .. 'version', birth .. ' ' .. call('HINCRBY', meta, 'changes', 1))
return 'done'
`;
