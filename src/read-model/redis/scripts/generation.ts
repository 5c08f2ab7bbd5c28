// Scripts about a generation as a whole.
import { INDEXED } from './apply.ts';
import { DROP_PERIODS } from './periods.ts';
import { DROP_TOKENS } from './token-index.ts';

/**
 * KEYS: base. ARGV: fingerprint, a birth mark for a new one. Creates the generation, or takes up a retired one, unless it
 * has a successor. Answers the fingerprint that it is of; '' while it is being dropped.
 */
export const BEGIN = `
local base = KEYS[1] .. ':'
local meta = base .. 'meta'
local found, retired, birth, successor, dropped, checkpoint =
  unpack(redis.call('HMGET', meta, 'fingerprint', 'retired', 'birth', 'successor', 'dropped', 'checkpoint'))
if dropped then return '' end
if found and (successor or found ~= ARGV[1]) then return found end
if not found then
  birth = ARGV[2]
  redis.call('HSET', meta, 'fingerprint', ARGV[1], 'checkpoint', '', 'mark', '', 'birth', birth, 'changes', 0, 'termChanges', 0)
  redis.call('SET', base .. 'tv', birth .. ' 0')
  redis.call('SET', base .. 'version', birth .. ' 0 ')
elseif retired then
  redis.call('HDEL', meta, 'retired')
  redis.call('SET', base .. 'version', birth .. ' ' .. redis.call('HINCRBY', meta, 'changes', 1) .. ' ' .. checkpoint)
end
redis.call('SETNX', base .. 'next', '=' .. birth)
return ARGV[1]
`;

/** KEYS: base. Nobody may write to the generation any more; its readers learn that something is new. */
export const RETIRE = `
local base = KEYS[1] .. ':'
local meta = base .. 'meta'
local birth, checkpoint = unpack(redis.call('HMGET', meta, 'birth', 'checkpoint'))
if not birth then return 0 end
redis.call('HSET', meta, 'retired', 1)
redis.call('SET', base .. 'version', birth .. ' ' .. redis.call('HINCRBY', meta, 'changes', 1) .. ' ' .. checkpoint)
return 1
`;

/**
 * KEYS: base. ARGV: the generation that is to take its place, the checkpoint of that one. From this very moment nobody
 * writes to this one, and whoever reads it goes on with the other one.
 * Answers 'live', 'behind' (this one is further on), 'retired', or 'missing'.
 */
export const REPLACE = `
local base = KEYS[1] .. ':'
local meta = base .. 'meta'
local checkpoint, retired, birth = unpack(redis.call('HMGET', meta, 'checkpoint', 'retired', 'birth'))
if not checkpoint then return 'missing' end
if retired then return 'retired' end
if checkpoint > ARGV[2] then return 'behind' end
redis.call('HSET', meta, 'retired', 1, 'successor', ARGV[1])
redis.call('SET', base .. 'next', ARGV[1])
redis.call('SET', base .. 'version', birth .. ' ' .. redis.call('HINCRBY', meta, 'changes', 1) .. ' ' .. checkpoint)
return 'live'
`;

/** KEYS: base. The generation is nobody's from now on; what is in it goes little by little. */
export const DROP = `
local base = KEYS[1] .. ':'
redis.call('DEL', base .. 'meta', base .. 'tv', base .. 'version', base .. 'next')
redis.call('HSET', base .. 'meta', 'dropped', 1)
`;

/** KEYS: base. ARGV: keys of the generation. Removes them, unless somebody else has finished and it was begun anew since. */
export const DROP_KEYS = `
local meta = KEYS[1] .. ':meta'
if not redis.call('HGET', meta, 'dropped') then return end
for _, key in ipairs(ARGV) do
  if key ~= meta then redis.call('UNLINK', key) end
end
`;

/** KEYS: base. The last of it. */
export const DROP_REST = `
local meta = KEYS[1] .. ':meta'
if redis.call('HGET', meta, 'dropped') then redis.call('DEL', meta) end
`;

/** Gives a generation another birth, so that whoever reads it learns at once that it is not what it was. */
const BE_BORN_AGAIN = `
local function beBornAgain(birth, checkpoint)
  redis.call('HSET', meta, 'birth', birth, 'checkpoint', checkpoint, 'mark', '')
  redis.call('SET', base .. 'next', '=' .. birth)
  redis.call('SET', base .. 'tv', birth .. ' ' .. redis.call('HINCRBY', meta, 'termChanges', 1))
  redis.call('SET', base .. 'version', birth .. ' ' .. redis.call('HINCRBY', meta, 'changes', 1) .. ' ' .. checkpoint)
end
`;

/** KEYS: base. ARGV: another birth. What it holds is not to be trusted. Answers 'done', 'retired', or 'missing'. */
export const DISTRUST = `
local base = KEYS[1] .. ':'
local meta = base .. 'meta'
${BE_BORN_AGAIN}local checkpoint, retired = unpack(redis.call('HMGET', meta, 'checkpoint', 'retired'))
if not checkpoint then return 'missing' end
if retired then return 'retired' end
beBornAgain(ARGV[1], checkpoint)
return 'done'
`;

/** KEYS: base. ARGV: another birth. Starts again at the beginning of the log. Answers 'done', 'retired', or 'missing'. */
export const EMPTY = `${INDEXED}
local call = redis.call
local base = KEYS[1] .. ':'
${DROP_TOKENS}${DROP_PERIODS}local meta = base .. 'meta'
${BE_BORN_AGAIN}local checkpoint, retired = unpack(call('HMGET', meta, 'checkpoint', 'retired'))
if not checkpoint then return 'missing' end
if retired then return 'retired' end
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
    for _, family in ipairs({ 'b:', 'z:', 't:' }) do
      keys[#keys + 1] = base .. family .. found[at]
      keys[#keys + 1] = base .. '+' .. family .. found[at]
    end
  end
  for at = 1, #keys, 2000 do call('UNLINK', unpack(keys, at, math.min(at + 1999, #keys))) end
until cursor == '0'
for set in pairs(sets) do call('UNLINK', base .. set) end
for _, name in ipairs({ 'x', 'counts', 'names', 'life', 'lat', 'lastv', 'lasto', 'D', 'F', 'permit' }) do call('UNLINK', base .. name) end
dropTokens()
dropPeriods()
call('HDEL', meta, 'fill')
beBornAgain(ARGV[1], '')
return 'done'
`;
