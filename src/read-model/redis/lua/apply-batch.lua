-- Applies a batch, or a part of one. A batch is one run of this script, or several inside one transaction: the first
-- compares the checkpoint and leaves a permit, the last moves it on and takes the permit away; without a permit nothing
-- happens.
--
-- Bodies, texts and states never come into the script, which would look at each of their bytes several times: they have
-- been set in the same transaction under keys of their own, and are renamed, or dropped when the batch is refused.
--
-- KEYS: base. ARGV: 'only', 'first', 'middle' or 'last'; checkpoint before and after; the part (batch-payload.ts); the
-- fill that it belongs to, or ''; the mark of the event at the checkpoint after.
-- Answers 'applied', 'stale', 'retired', 'missing' (there is no such generation), or 'skipped'.
-- @include include/layout.lua
-- @include include/generation.lua
-- @include include/stored-records.lua
local fields, sub = struct.unpack, string.sub
local part, after, upTo = ARGV[1], ARGV[2], ARGV[3]
local permit = base .. 'permit'
local payload, at = ARGV[4], 1
local function number()
  local found
  found, at = fields('>I4', payload, at)
  return found
end
local function value()
  local found
  found, at = fields('>I4c0', payload, at)
  return found
end
-- @include include/token-index.lua
-- @include include/periods.lua
local count = number()
local names, now, scores, searched = {}, {}, {}, {}
for each = 1, count do
  names[each], now[each], scores[each], searched[each], at = fields('>I4c0I4c0I4c0I4', payload, at)
end

local function waiting(each, visit)
  if now[each] == '' then return end
  visit('b:' .. names[each])
  visit('z:' .. names[each])
  if searched[each] == 1 then visit('t:' .. names[each]) end
end

-- A fill that another one has cleared away must not go on: what it wrote first is gone. Each leaves a mark when it begins.
local function overtaken(fill)
  if fill == '' or call('HGET', meta, 'fill') == fill then return false end
  if call('HSETNX', meta, 'fill ' .. fill, 1) == 0 then return true end
  call('HSET', meta, 'fill', fill)
  return false
end
local function forgetFills()
  for _, field in ipairs(call('HKEYS', meta)) do
    if sub(field, 1, 4) == 'fill' then call('HDEL', meta, field) end
  end
end

local function refused()
  if part == 'only' or part == 'first' then
    local checkpoint, refusal = writable()
    if not checkpoint then return refusal end
    if checkpoint ~= after or overtaken(ARGV[5]) then return 'stale' end
    if part == 'first' then call('SET', permit, upTo) end
    return nil
  end
  return call('GET', permit) ~= upTo and 'skipped' or nil
end
local refusal = refused()
if refusal then
  for each = 1, count do
    waiting(each, function(name) call('UNLINK', base .. '+' .. name) end)
  end
  return refusal
end

-- No more fit on Lua's stack at once.
local MAX_ARGUMENTS = 2000
local function write(command, key, list)
  for from = 1, #list, MAX_ARGUMENTS do call(command, key, unpack(list, from, math.min(from + MAX_ARGUMENTS - 1, #list))) end
end

local records = base .. 'x'
local termsChanged = false
-- What goes out of the counters, and posts that an event has left.
local counts, left = {}, {}

-- The seven lines of a description before its names.
local FIRST_LINES = '^' .. string.rep('([^\n]*)\n', 7)

local function countOut(counters)
  for name in string.gmatch(counters, '%S+') do counts[name] = (counts[name] or 0) - 1 end
end

-- Notes which posts an event was linked to; a member is described in include/event-records.lua.
local function leavePosts(member)
  local c, t, v, o = fields('>HHHH', member, 39)
  local from = 47 + 6 * (c + t)
  for link = 1, v + o do
    left[(link <= v and 'v' or 'o') .. sub(member, from, from + 11)] = true
    from = from + 12
  end
end

local function takeOut(name, record)
  local member, description = stored(record)
  local _, _, byFirst, bySecond, counters, place, dated = string.match(description, FIRST_LINES)
  for set in string.gmatch(byFirst .. ' ' .. bySecond, '%S+') do call('ZREM', base .. set, member) end
  countOut(counters)
  if place ~= '' then call('ZREM', base .. 'lat', string.match(place, '^%S+ (.*)$')) end
  local written, sets = string.match(dated, '^(%S+) (.*)$')
  for set in string.gmatch(sets or '', '%S+') do call('ZREM', base .. set, written) end
  local _, last = string.find(description, FIRST_LINES)
  for entry in string.gmatch(sub(description, last + 1), '[^\n]+') do call('ZREM', base .. 'names', entry) end
  call('HDEL', records, name)
  if sub(name, 1, 1) == 'e' then leavePosts(member) end
end

local before = count > 0 and call('HMGET', records, unpack(names)) or {}
local entries, members, firsts, seconds = {}, {}, {}, {}
for each = 1, count do
  local name, was = names[each], before[each]
  local kind = sub(name, 1, 1)
  if kind == 'c' or kind == 't' then termsChanged = true end
  if was and was ~= now[each] then takeOut(name, was) end
  if was and kind == 'e' then leavePeriod((stored(was))) end
  -- All counters and periods below take it for new.
  if was and was == now[each] then
    local _, description = stored(was)
    countOut(select(5, string.match(description, FIRST_LINES)))
  end
  if was and searched[each] == 0 then call('DEL', base .. 't:' .. name) end
  if now[each] ~= '' then
    members[each] = stored(now[each])
    firsts[each], seconds[each] = string.match(scores[each], '(%S+) (%S+)')
    if was ~= now[each] then entries[#entries + 1], entries[#entries + 2] = name, now[each] end
    waiting(each, function(value) call('RENAME', base .. '+' .. value, base .. value) end)
  elseif was then
    call('DEL', base .. 'b:' .. name, base .. 'z:' .. name)
  end
end
write('HSET', records, entries)

-- Sets by the first score and by the second, with the numbers of their documents.
for _, by in ipairs({ firsts, seconds }) do
  for _ = 1, number() do
    local set, list = value(), {}
    local numbers = value()
    local size = 0
    for each = 1, #numbers, 2 do
      local high, low = string.byte(numbers, each, each + 1)
      local document = high * 256 + low + 1
      list[size + 1], list[size + 2] = by[document], members[document]
      size = size + 2
    end
    write('ZADD', base .. set, list)
  end
end

-- Sorted sets with what goes into them.
for _ = 1, number() do
  local key, list = value(), {}
  for each = 1, number() do list[each] = value() end
  write('ZADD', base .. key, list)
end

-- The last start at each post: coming events only move it on, others are looked for.
for _ = 1, number() do call('ZADD', base .. 'last' .. value(), 'GT', value(), value()) end
for link in pairs(left) do
  local letter, id, life = sub(link, 1, 1), fields('>I6I6', link, 2)
  local set, key = base .. letter .. string.format('%.17g.%.17g', id, life), base .. 'last' .. letter
  call('ZREM', key, sub(link, 2))
  local skip, size, found = 0, 1, nil
  repeat
    found = call('ZREVRANGE', set, skip, skip + size - 1)
    for each = 1, #found do
      local status, flags = string.byte(found[each], 25, 26)
      if status == 0 and bit.band(flags, 4) == 0 then
        call('ZADD', key, fields('>I6', found[each]) - OFFSET, sub(link, 2))
        found = {}
        break
      end
    end
    skip, size = skip + size, 100
  until #found == 0
end

for _ = 1, number() do
  local name = value()
  counts[name] = (counts[name] or 0) + number()
end
for name, by in pairs(counts) do
  if by ~= 0 then
    if call('HINCRBY', base .. 'counts', name, by) == 0 then call('HDEL', base .. 'counts', name) end
    local kind = sub(name, 1, 1)
    if kind == 'c' or kind == 't' then termsChanged = true end
  end
end
enterPeriods()
enterTokens()

local birth = call('HGET', meta, 'birth')
if termsChanged then changeTermsVersion(birth) end
if part == 'only' or part == 'last' then
  call('HSET', meta, 'checkpoint', upTo, 'mark', ARGV[6])
  if ARGV[5] ~= '' and upTo ~= '' then forgetFills() end
  changeVersion(birth, upTo)
  call('DEL', permit)
end
return 'applied'
