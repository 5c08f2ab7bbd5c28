-- A page of event ids and the total, in one run.
-- KEYS: base. ARGV: the question as JSON (event-queries.ts). Answers the total, then the ids of the page.
-- @include include/event-records.lua
local q = cjson.decode(ARGV[1])
local startFrom, startTo, endFrom, endTo = q.range[1], q.range[2], q.range[3], q.range[4]
-- @include include/event-counts.lua
-- @include include/event-filters.lua
-- @include include/event-search.lua
-- Sets that together hold all that is visible, each event once. Published events have no set of their author.
local PUBLISH = 0
local bases, ownBases = {}, {}
for at = 1, #q.visibility.open do bases[at] = base .. 's' .. q.visibility.open[at] end
for at = 1, #q.beside do
  local status = q.beside[at]
  ownBases[at] = base .. (status == PUBLISH and 's' .. status or 'a' .. q.visibility.author .. '.' .. status)
  bases[#bases + 1] = ownBases[at]
end

-- Where ends have a lower bound, what starts well before it can only be a long event: those are few, and their sets
-- know them. All others start from here on.
local walkFrom, running = startFrom, {}
if endFrom - 2 ^ MIN_POWER > startFrom then
  walkFrom = endFrom - 2 ^ MIN_POWER
  local function take(member)
    if fields('>I6', member, 19) >= e1 then running[#running + 1] = member end
    return false
  end
  local function run(statuses)
    for at = 1, #statuses do eachLong(statuses[at], startFrom, math.min(walkFrom - 1, startTo), endFrom, take) end
  end
  run(q.visibility.open)
  run(q.beside)
end

-- Sources of candidates, and whether one candidate may come from two of them.
-- Counting costs about as much as looking at so many; finding out where a page lies, as walking over so many.
local FEW, FAR = 20, 100
local sources, overlapping, size = bases, false, 0
for at = 1, #bases do size = size + call('ZCOUNT', bases[at], walkFrom, startTo) end
for at = 1, #leaders do
  local keys = leaders[at]
  local candidates = 0
  for key = 1, #keys do candidates = candidates + call('ZCOUNT', keys[key], walkFrom, startTo) end
  if candidates < size then sources, overlapping, size = keys, #keys > 1, candidates end
end
size = size + #running

local first, last = q.offset + 1, q.offset + q.limit

-- Numbers of some members in the order that is asked for.
local function inOrder(members, distances)
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
  return order
end

-- The members in order, of each series only the first. The parent of a date is its series.
local function firstOfSeries(members, distances)
  local order, firsts, known, seen = inOrder(members, distances), {}, {}, {}
  for at = 1, #order do
    local member = members[order[at]]
    local parent = fields('>I6', member, 33)
    if parent ~= 0 and known[parent] == nil then
      local entry = q.collapse.names .. string.format('%0' .. q.collapse.digits .. '.0f', parent)
      known[parent] = call('ZSCORE', base .. 'names', entry) ~= false
    end
    if parent == 0 or not known[parent] or not seen[parent] then firsts[#firsts + 1] = member end
    seen[parent] = true
  end
  return firsts
end

-- The page of some members, each with its distance if need be.
local function cut(members, distances, total, ordered)
  local page = { total or #members }
  local order = not ordered and inOrder(members, distances)
  for at = first, math.min(last, #members) do page[#page + 1] = idOf(members[order and order[at] or at]) end
  return page
end

-- @include include/counted-search.lua
-- Filters, or few candidates: all of them are looked at.
if filtered or named or size <= FEW or q.order == 'date' or q.collapse then
  local members, distances, seen = {}, {}, overlapping and {} or nil
  local allows, sift, found, within, outside
  if q.search then
    allows, sift, found, within, outside = searching(named and #named or size)
    local alone = not q.collapse and #bases == 1 and #ownBases == 0 and not others and not named and q.order ~= 'date'
    local page = alone and within and not found and countedPage(q.visibility.open[1], within, outside, allows)
    if page then return page end
    if found and not named then named = byIds(found) end
  end
  local function take(member)
    if allows and not allows(idOf(member)) then return false end
    local matches, km = matching(member)
    if not matches or (seen and seen[member]) then return false end
    if seen then seen[member] = true end
    members[#members + 1] = member
    if km then distances[member] = km end
    return false
  end
  for at = 1, #(named or running) do take((named or running)[at]) end
  for at = 1, named and 0 or #sources do each(sources[at], walkFrom, startTo, take) end
  if sift then members = sift(members) end
  if q.collapse then return cut(firstOfSeries(members, distances), distances, nil, true) end
  return cut(members, distances, nil, #running == 0 and #sources == 1 and not named and q.order == 'start')
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

-- From here on the page is not empty. First come those that start before the lower bound of ends; all others end late
-- enough.
local head, tailFrom = {}, math.max(startFrom, endFrom)
local function takeHead(member)
  if matching(member) then head[#head + 1] = member end
  return false
end
for at = 1, #running do takeHead(running[at]) end
for at = 1, tailFrom > walkFrom and #bases or 0 do
  each(bases[at], walkFrom, math.min(tailFrom - 1, startTo), takeHead)
end

if #bases > 1 then
  local members = head
  for at = 1, #bases do
    local taken = 0
    each(bases[at], tailFrom, startTo, function(member)
      if matching(member) then
        taken = taken + 1
        members[#members + 1] = member
      end
      return taken == last
    end)
  end
  return cut(members, nil, total, false)
end

local page = cut(head, nil, total, false)
local offset, left, inTail = math.max(0, q.offset - #head), q.limit - #page + 1, total - #head
if left == 0 or offset >= inTail then return page end

-- Far into one status a page lies at a known rank, if all before it are in time.
local size = call('ZCOUNT', bases[1], tailFrom, startTo)
if #ownBases == 0 and (offset > FAR or inTail == size) then
  local rank = rankOf(bases[1], tailFrom) + offset
  local found = call('ZRANGE', bases[1], rank, rank + math.min(left, inTail - offset) - 1)
  local reached = fields('>I6', found[#found]) - OFFSET
  local before = inTail == size or call('ZCOUNT', bases[1], tailFrom, reached)
    == within(q.visibility.open[1], tailFrom, reached, endFrom, endTo)
  if before then
    for at = 1, #found do page[#page + 1] = idOf(found[at]) end
    return page
  end
end

local taken = 0
each(bases[1], tailFrom, startTo, function(member)
  if matching(member) then
    taken = taken + 1
    if taken > offset then page[#page + 1] = idOf(member) end
  end
  return taken == offset + left
end)
return page
