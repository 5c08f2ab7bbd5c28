-- The filters of an event query. Each looks at a member; some also name sets that hold all of their candidates.
-- Expects `q` and `startFrom` … `endTo` of list-events.lua. Defines `filtered` (whether there is any filter),
-- `leaders` (lists of sets of candidates), `named` (members in time, where the question names events), `byIds` (members
-- in time of some ids) and `matching`.
local leaders, named, filtered = {}, nil, false

-- A filter by a list of ids: their packed forms as a set, and the sets that have the candidates.
local function listed(ids, letter)
  if not ids then return nil end
  filtered = true
  local wanted, keys = {}, {}
  for at = 1, #ids do
    wanted[packed('>I6', ids[at])] = true
    keys[at] = base .. letter .. string.format('%.17g', ids[at])
  end
  leaders[#leaders + 1] = keys
  return wanted
end

-- The same for posts, which count only in their present life, and only if the reader may see them. Their members are
-- described in list-linked-posts.lua.
local function living(ids, letter, visibility)
  if not ids then return nil end
  filtered = true
  local sees = seeing(visibility)
  local wanted, keys = {}, {}
  for at = 1, #ids do
    local name = letter .. string.format('%.17g', ids[at])
    local post = memberIn(call('HGET', base .. 'x', name))
    if post and sees(byte(post, 13), (fields('>I6', post, 14))) then
      local life = fields('>I6', post, 20)
      wanted[packed('>I6I6', ids[at], life)] = true
      keys[#keys + 1] = base .. name .. '.' .. string.format('%.17g', life)
    end
  end
  leaders[#leaders + 1] = keys
  return wanted
end

local EARTH_RADIUS_KM = 6371.0088
local function distance(fromLat, fromLng, toLat, toLng)
  local radians = math.pi / 180
  local lat = math.sin(((toLat - fromLat) * radians) / 2)
  local lng = math.sin(((toLng - fromLng) * radians) / 2)
  local half = lat * lat + math.cos(fromLat * radians) * math.cos(toLat * radians) * lng * lng
  return 2 * EARTH_RADIUS_KM * math.asin(math.min(1, math.sqrt(half)))
end

-- Id, life, latitude and longitude of a member of ':lat', if the reader may see that venue.
local seesVenue = seeing(q.linked.venue)
local function placeIn(venue)
  local id, life, lat, lng, status, author = string.match(venue, '^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$')
  if not seesVenue(tonumber(status), tonumber(author)) then return nil end
  return tonumber(id), tonumber(life), tonumber(lat), tonumber(lng)
end

-- Distances of the venues within the radius, by their packed id and life.
local function near(place)
  if not place then return nil end
  filtered = true
  local wanted, keys = {}, {}
  local band = call('ZRANGEBYSCORE', base .. 'lat', place.lat - place.band, place.lat + place.band)
  for at = 1, #band do
    local id, life, lat, lng = placeIn(band[at])
    local km = id and distance(place.lat, place.lng, lat, lng)
    if km and km <= place.radiusKm then
      wanted[packed('>I6I6', id, life)] = km
      keys[#keys + 1] = base .. string.format('v%.17g.%.17g', id, life)
    end
  end
  leaders[#leaders + 1] = keys
  return wanted
end

local located
if q.geolocated ~= nil then
  filtered = true
  located = {}
  for _, venue in ipairs(call('ZRANGE', base .. 'lat', 0, -1)) do
    local id, life = placeIn(venue)
    if id then located[packed('>I6I6', id, life)] = true end
  end
end

local flagMask, flagsWanted = 8, 0
local function flag(wanted, bitOf, set)
  filtered = true
  flagMask = flagMask + bitOf
  if not wanted then return end
  flagsWanted = flagsWanted + bitOf
  leaders[#leaders + 1] = { base .. set }
end
for _, one in ipairs(q.flags) do flag(one.wanted, one.bit, one.set) end
-- By their bits; each but the scheduled ones has a set.
local statuses
if q.statuses then
  filtered = true
  statuses = {}
  local keys = {}
  for _, one in ipairs(q.statuses) do
    statuses[one.bit] = true
    keys[#keys + 1] = one.set and base .. one.set
  end
  if not statuses[0] then leaders[#leaders + 1] = keys end
end
if q.parent then
  filtered = true
  leaders[#leaders + 1] = { base .. 'p' .. string.format('%.17g', q.parent) }
end

local categories, tags = listed(q.categories, 'c'), listed(q.tags, 't')
local venues, organizers = living(q.venues, 'v', q.linked.venue), living(q.organizers, 'o', q.linked.organizer)
local nearby = near(q.nearby)
-- Whether any filter looks into the lists of a member.
local linked = categories or tags or venues or organizers or located or nearby

local function byIds(ids)
  local members = {}
  for first = 1, #ids, CHUNK do
    local names = {}
    for at = first, math.min(first + CHUNK - 1, #ids) do names[#names + 1] = 'e' .. string.format('%.17g', ids[at]) end
    local records = call('HMGET', base .. 'x', unpack(names))
    for at = 1, #names do
      local member = memberIn(records[at])
      local start = member and fields('>I6', member) - OFFSET
      if start and start >= startFrom and start <= startTo then members[#members + 1] = member end
    end
  end
  return members
end
if q.include then named = byIds(q.include) end

-- Whether there is any filter besides the search.
local others = filtered
if q.search then filtered = true end

-- Whether the filters look behind a password that the reader would have to present.
local unmasked = q.masked and seeing(q.unmasked)
local function isMasked(member, status, flags)
  return unmasked and band(flags, 4) ~= 0 and not unmasked(status, (fields('>I6', member, 27)))
end

local function anyOf(member, from, count, size, wanted)
  for at = from, from + (count - 1) * size, size do
    local value = wanted[sub(member, at, at + size - 1)]
    if value then return value end
  end
end

-- The least distance of a member's venues.
local function nearest(member, from, count)
  local least
  for at = from, from + (count - 1) * 12, 12 do
    local km = nearby[sub(member, at, at + 11)]
    if km and (not least or km < least) then least = km end
  end
  return least
end

local sees, open = seeing(q.visibility)
local endsAnywhere = endFrom <= startFrom and endTo >= OFFSET - 1
local e1, e2 = endFrom + OFFSET, endTo + OFFSET

-- Whether a member fulfils everything but the search; with the distance, where there is one. Its start is in time.
local function matching(member)
  local status, flags = byte(member, 25, 26)
  if band(flags, flagMask) ~= flagsWanted then return false end
  if statuses and not statuses[band(flags, 96)] then return false end
  if not endsAnywhere then
    local stop = fields('>I6', member, 19)
    if stop < e1 or stop > e2 then return false end
  end
  if not (open[status] or sees(status, (fields('>I6', member, 27)))) then return false end
  if isMasked(member, status, flags) then return false end
  if q.parent and fields('>I6', member, 33) ~= q.parent then return false end
  if not linked then return true end
  local c, t, v, o = fields('>HHHH', member, 39)
  if categories and not anyOf(member, LISTS, c, 6, categories) then return false end
  local at = LISTS + 6 * c
  if tags and not anyOf(member, at, t, 6, tags) then return false end
  at = at + 6 * t
  if venues and not anyOf(member, at, v, 12, venues) then return false end
  if located and (anyOf(member, at, v, 12, located) or false) ~= q.geolocated then return false end
  if organizers and not anyOf(member, at + 12 * v, o, 12, organizers) then return false end
  if not nearby then return true end
  local km = nearest(member, at, v)
  return km ~= nil, km
end
