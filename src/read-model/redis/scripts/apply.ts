// Brings changes in. A batch is one run of this script, or several inside one transaction: the first compares the
// checkpoint and leaves a permit, the last moves it on and takes the permit away; without a permit nothing happens.

/** Reading `:x`: five digits with the length of the member, the member, the description (see ../index-entries.ts). */
export const INDEXED = `
local function stored(record)
  local size = tonumber(string.sub(record, 1, 5))
  return string.sub(record, 6, 5 + size), string.sub(record, 6 + size)
end
`;

/**
 * KEYS: base. ARGV: 'only', 'first', 'middle' or 'last'; checkpoint before and after; then six of each change: name of
 * the document, body ('' removes it), state, member, description, text.
 * Answers 'applied', 'stale', 'retired', 'missing' (there is no such generation), or 'skipped'.
 */
export const APPLY = `${INDEXED}
local call = redis.call
local part, after, upTo = ARGV[1], ARGV[2], ARGV[3]
local base = KEYS[1] .. ':'
local meta, permit = base .. 'meta', base .. 'permit'
if part == 'only' or part == 'first' then
  local checkpoint, retired = unpack(call('HMGET', meta, 'checkpoint', 'retired'))
  if not checkpoint then return 'missing' end
  if retired then return 'retired' end
  if checkpoint ~= after then return 'stale' end
  if part == 'first' then call('SET', permit, upTo) end
elseif call('GET', permit) ~= upTo then
  return 'skipped'
end

local texts, records = base .. 'text', base .. 'x'
local termsChanged = false

-- What is to be written, gathered by key: one call with many values costs a fraction of many calls.
local sets, hashes, strings, counts = {}, {}, {}, {}
local function gather(all, key, one, other)
  local list = all[key]
  if not list then
    list = {}
    all[key] = list
  end
  local size = #list
  list[size + 1], list[size + 2] = one, other
end
local MOST = 2000
local function write(command, key, list)
  for at = 1, #list, MOST do call(command, key, unpack(list, at, math.min(at + MOST - 1, #list))) end
end

local function count(names, by)
  for name in string.gmatch(names, '%S+') do counts[name] = (counts[name] or 0) + by end
end

-- The seven lines of a description before its names.
local FIRST_LINES = '^' .. string.rep('([^\\n]*)\\n', 7)

local function enter(name, member, description)
  local first, second, byFirst, bySecond, counters, life, place = string.match(description, FIRST_LINES)
  for set in string.gmatch(byFirst, '%S+') do gather(sets, set, first, member) end
  for set in string.gmatch(bySecond, '%S+') do gather(sets, set, second, member) end
  count(counters, 1)
  if life ~= '' then gather(hashes, 'life', name, life) end
  if place ~= '' then gather(sets, 'lat', string.match(place, '^(%S+) (.*)$')) end
end

local function takeOut(name, member, description)
  local _, _, byFirst, bySecond, counters, life, place = string.match(description, FIRST_LINES)
  for set in string.gmatch(byFirst .. ' ' .. bySecond, '%S+') do call('ZREM', base .. set, member) end
  count(counters, -1)
  if life ~= '' then call('HDEL', base .. 'life', name) end
  if place ~= '' then call('ZREM', base .. 'lat', string.match(place, '^%S+ (.*)$')) end
end

local function names(description, each)
  local _, last = string.find(description, FIRST_LINES)
  if last then string.gsub(string.sub(description, last + 1), '[^\\n]+', each) end
end
local function enterName(entry) gather(sets, 'names', 0, entry) end
local function takeOutName(entry) call('ZREM', base .. 'names', entry) end

local function replace(before, name, body, state, member, description, text)
  local kind = string.sub(name, 1, 1)
  if kind == 'c' or kind == 't' then termsChanged = true end
  local now = body ~= '' and string.format('%05d', #member) .. member .. description or nil
  if before and before ~= now then
    local oldMember, oldDescription = stored(before)
    takeOut(name, oldMember, oldDescription)
    names(oldDescription, takeOutName)
    call('HDEL', records, name)
  end
  if before and (not now or text == '') then call('HDEL', texts, name) end
  if before and not now then call('DEL', base .. 'b:' .. name, base .. 'z:' .. name) end
  if not now then return end
  gather(strings, 1, base .. 'b:' .. name, body)
  gather(strings, 1, base .. 'z:' .. name, state)
  if text ~= '' then gather(hashes, 'text', name, text) end
  if before == now then return end
  enter(name, member, description)
  names(description, enterName)
  gather(hashes, 'x', name, now)
end

for from = 4, #ARGV, 6 * MOST do
  local asked = {}
  for at = from, math.min(from + 6 * MOST - 1, #ARGV), 6 do asked[#asked + 1] = ARGV[at] end
  local before = call('HMGET', records, unpack(asked))
  for at = 1, #asked do replace(before[at], unpack(ARGV, from + 6 * (at - 1), from + 6 * at - 1)) end
end
for key, list in pairs(sets) do write('ZADD', base .. key, list) end
for key, list in pairs(hashes) do write('HSET', base .. key, list) end
for at = 1, #(strings[1] or {}), MOST do
  call('MSET', unpack(strings[1], at, math.min(at + MOST - 1, #strings[1])))
end
for name, by in pairs(counts) do
  if by ~= 0 then
    if call('HINCRBY', base .. 'counts', name, by) == 0 then call('HDEL', base .. 'counts', name) end
    local kind = string.sub(name, 1, 1)
    if kind == 'c' or kind == 't' then termsChanged = true end
  end
end

local birth = call('HGET', meta, 'birth')
if termsChanged then call('SET', base .. 'tv', birth .. ' ' .. call('HINCRBY', meta, 'termChanges', 1)) end
if part == 'only' or part == 'last' then
  call('HSET', meta, 'checkpoint', upTo)
  call('SET', base .. 'version', birth .. ' ' .. call('HINCRBY', meta, 'changes', 1))
  call('DEL', permit)
end
return 'applied'
`;
