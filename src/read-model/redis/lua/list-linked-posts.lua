-- A page of ids of venues or organizers and the total, in one run.
-- A member is, big-endian: date (six bytes, 2^46 added), id (six), status (one), author and life (six each).
-- KEYS: base. ARGV: the question as JSON (linked-post-queries.ts). Answers the total, then the ids of the page.
-- @include include/event-records.lua
local q = cjson.decode(ARGV[1])
local letter = q.letter
local number = function(value) return string.format('%.17g', value) end

local accessible = accessing(q.events)

-- Ids and lives that an event links to, packed.
local ofEvent
if q.event then
  ofEvent = {}
  local member = memberIn(call('HGET', base .. 'x', 'e' .. number(q.event)))
  if member and accessible(member) then
    local c, t, v, o = fields('>HHHH', member, 39)
    local at = LISTS + 6 * (c + t)
    local count = v
    if letter == 'o' then at, count = at + 12 * v, o end
    for link = at, at + (count - 1) * 12, 12 do ofEvent[sub(member, link, link + 11)] = true end
  end
end

-- Whether one field has all words.
local function inOneField(text)
  for at = 1, #q.search do
    if not string.find(text, q.search[at], 1, true) then return false end
  end
  if #q.search == 1 then return true end
  for field in string.gmatch(text .. '\1', '([^\1]*)\1') do
    local all = #q.search > 0
    for at = 1, #q.search do all = all and string.find(field, q.search[at], 1, true) end
    if all then return true end
  end
  return false
end

local upcoming = q.upcoming and seeing(q.upcoming.visibility)
local function comes(set)
  local skip, size = 0, 1
  repeat
    local found = call('ZRANGEBYSCORE', set, q.upcoming.from, '+inf', 'LIMIT', skip, size)
    for at = 1, #found do
      local isSeen = upcoming(byte(found[at], 25), (fields('>I6', found[at], 27)))
      if isSeen and accessible(found[at]) then return true end
    end
    local full = #found == size
    skip, size = skip + size, 20
  until not full
  return false
end

-- What the public sees coming is known without a look at the events of each post.
local function isPublic(visibility) return #visibility.own == 0 and #visibility.open == 1 and visibility.open[1] == 0 end
local function isNothing(visibility) return #visibility.own + #visibility.open == 0 end
local coming
if q.upcoming and isPublic(q.upcoming.visibility) and isNothing(q.events.unmasked) then
  coming = {}
  for _, link in ipairs(call('ZRANGEBYSCORE', base .. 'last' .. letter, q.upcoming.from, '+inf')) do coming[link] = true end
end

local sees = seeing(q.visibility)
local function seen(member)
  if not sees(byte(member, 13), (fields('>I6', member, 14))) then return false end
  if not ofEvent and not coming then return true end
  local link = sub(member, 7, 12) .. sub(member, 20, 25)
  return (not ofEvent or ofEvent[link]) and (not coming or coming[link])
end

local function nameOf(member) return letter .. number((fields('>I6', member, 7))) end
local function linkedName(member) return nameOf(member) .. '.' .. number((fields('>I6', member, 20))) end

-- Those of some members whose value passes a test.
local function sifted(members, read, nameIn, passes)
  local rest = {}
  for first = 1, #members, CHUNK do
    local names = {}
    for at = first, math.min(first + CHUNK - 1, #members) do names[#names + 1] = nameIn(members[at]) end
    local values = read(names)
    for at = 1, #names do
      if passes(values[at]) then rest[#rest + 1] = members[first + at - 1] end
    end
  end
  return rest
end
-- Whether any counter of some linked posts is there.
local function counted(names)
  local any = {}
  for _, suffix in ipairs(q.counters) do
    local fields = {}
    for at = 1, #names do fields[at] = names[at] .. suffix end
    local counts = call('HMGET', base .. 'counts', unpack(fields))
    for at = 1, #names do any[at] = any[at] or counts[at] ~= false end
  end
  return any
end
local function texts(names) return call('MGET', unpack(names)) end
local function textOf(member) return base .. 't:' .. nameOf(member) end

local sets = {}
for at = 1, #q.statuses do sets[at] = base .. string.upper(letter) .. q.statuses[at] end
local first, last = q.offset + 1, q.offset + q.limit
local plain = not (ofEvent or q.search or q.hasEvents ~= nil or upcoming) and #q.visibility.own == 0

if plain and #sets == 1 then
  local found = q.limit == 0 and {} or call('ZREVRANGE', sets[1], first - 1, last - 1)
  for at = 1, #found do found[at] = select(2, fields('>I6I6', found[at])) end
  table.insert(found, 1, call('ZCARD', sets[1]))
  return found
end

local found = {}
for at = 1, #sets do
  for _, member in ipairs(call('ZREVRANGE', sets[at], 0, -1)) do
    if seen(member) then found[#found + 1] = member end
  end
end
if q.hasEvents ~= nil then
  found = sifted(found, counted, linkedName, function(has) return has == q.hasEvents end)
end
if q.search then found = sifted(found, texts, textOf, function(text) return inOneField(text or '') end) end
if upcoming and not coming then
  local rest = {}
  for at = 1, #found do
    if comes(base .. linkedName(found[at])) then rest[#rest + 1] = found[at] end
  end
  found = rest
end
local page = { #found }
if #sets > 1 then
  local dates, ids, order = {}, {}, {}
  for at = 1, #found do
    dates[at], ids[at] = fields('>I6I6', found[at])
    order[at] = at
  end
  table.sort(order, function(one, other)
    if dates[one] ~= dates[other] then return dates[one] > dates[other] end
    return ids[one] > ids[other]
  end)
  for at = first, math.min(last, #order) do page[#page + 1] = ids[order[at]] end
  return page
end
for at = first, math.min(last, #found) do page[#page + 1] = select(2, fields('>I6I6', found[at])) end
return page
