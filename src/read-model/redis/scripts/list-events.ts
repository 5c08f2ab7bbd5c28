// A page of event ids and the total, in one run.
import { EVENT_COUNTS } from './event-counts.ts';
import { EVENT_FILTERS } from './event-filters.ts';
import { EVENT_RECORDS } from './event-records.ts';

/** KEYS: base. ARGV: the question as JSON (see ../event-queries.ts). Answers the total, then the ids of the page. */
export const LIST_EVENTS = `${EVENT_RECORDS}
local base = KEYS[1] .. ':'
local q = cjson.decode(ARGV[1])
local startFrom, startTo, endFrom, endTo = q.range[1], q.range[2], q.range[3], q.range[4]
${EVENT_COUNTS}
${EVENT_FILTERS}
-- Sets that together hold all that is visible, each event once. Published events have no set of their author.
local PUBLISH = 0
local bases, ownBases = {}, {}
for at = 1, #q.visibility.open do bases[at] = base .. 's' .. q.visibility.open[at] end
for at = 1, #q.beside do
  local status = q.beside[at]
  ownBases[at] = base .. (status == PUBLISH and 's' .. status or 'a' .. q.visibility.author .. '.' .. status)
  bases[#bases + 1] = ownBases[at]
end

-- Sources of candidates, and whether one candidate may come from two of them.
-- Counting costs about as much as looking at so many; finding out where a page lies, as walking over so many.
local FEW, FAR = 20, 100
local sources, overlapping, size = bases, false, 0
for at = 1, #bases do size = size + call('ZCOUNT', bases[at], startFrom, startTo) end
local inTime = size
for at = 1, #leaders do
  local keys = leaders[at]
  local candidates = 0
  for key = 1, #keys do candidates = candidates + call('ZCOUNT', keys[key], startFrom, startTo) end
  if candidates < size then sources, overlapping, size = keys, #keys > 1, candidates end
end

local first, last = q.offset + 1, q.offset + q.limit

-- The page of some members, each with its distance if need be.
local function cut(members, distances, total, ordered)
  local page = { total or #members }
  if ordered then
    for at = first, math.min(last, #members) do page[#page + 1] = idOf(members[at]) end
    return page
  end
  local order, starts, dates, ids = {}, {}, {}, {}
  for at = 1, #members do
    starts[at], dates[at], ids[at] = fields('>I6I6I6', members[at])
    order[at] = at
  end
  local byDistance, byStart = q.order == 'distance' and q.nearby, q.order ~= 'date'
  table.sort(order, function(one, other)
    if byDistance then
      local near, far = distances[members[one]], distances[members[other]]
      if near ~= far then return near < far end
    end
    if byStart and starts[one] ~= starts[other] then return starts[one] < starts[other] end
    if dates[one] ~= dates[other] then return dates[one] < dates[other] end
    return ids[one] < ids[other]
  end)
  for at = first, math.min(last, #order) do page[#page + 1] = ids[order[at]] end
  return page
end

-- Filters, or few candidates: all of them are looked at.
if filtered or named or size <= FEW or q.order == 'date' then
  local members, distances, seen = {}, {}, overlapping and {} or nil
  local function take(member)
    local matches, km = matching(member)
    if not matches or (seen and seen[member]) then return false end
    if seen then seen[member] = true end
    members[#members + 1] = member
    if km then distances[member] = km end
    return false
  end
  for at = 1, #(named or {}) do take(named[at]) end
  for at = 1, named and 0 or #sources do each(sources[at], startFrom, startTo, take) end
  if q.search then members = searched(members) end
  return cut(members, distances, nil, #sources == 1 and not named and q.order == 'start')
end

-- Otherwise counts say the total, and the page is all that has to be read.
local total = 0
for at = 1, #q.visibility.open do
  total = total + within(q.visibility.open[at], startFrom, startTo, endFrom, endTo)
end
local function count(member)
  if matching(member) then total = total + 1 end
  return false
end
for at = 1, #ownBases do each(ownBases[at], startFrom, startTo, count) end
if q.limit == 0 or q.offset >= total then return { total } end

-- From here on the page is not empty. Far into one status it lies at a known rank, if all before it are in time.
if #bases == 1 and #ownBases == 0 and (q.offset > FAR or total == inTime) then
  local rank = rankOf(bases[1], startFrom) + q.offset
  local found = call('ZRANGE', bases[1], rank, rank + math.min(q.limit, total - q.offset) - 1)
  local reached = fields('>I6', found[#found]) - OFFSET
  local before = total == inTime or call('ZCOUNT', bases[1], startFrom, reached)
    == within(q.visibility.open[1], startFrom, reached, endFrom, endTo)
  if before then
    local page = { total }
    for at = 1, #found do page[at + 1] = idOf(found[at]) end
    return page
  end
end

local members = {}
for at = 1, #bases do
  local taken = 0
  each(bases[at], startFrom, startTo, function(member)
    if matching(member) then
      taken = taken + 1
      members[#members + 1] = member
    end
    return taken == last
  end)
end
return cut(members, nil, total, #bases == 1)
`;
