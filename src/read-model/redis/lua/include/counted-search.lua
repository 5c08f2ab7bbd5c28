-- A page of what is found by words alone, in one status: whole periods are counted from their lists, and members are read
-- only where the page lies and at the edges of the window.
-- Expects everything of list-events.lua up to its sources, and event-search.lua; defines `countedPage`.
local BYTES = IDS_PER_CHUNK / 8

-- Which bits a byte has.
local HAS = {}
local function prepareBits()
  for value = 0, 255 do
    local bits = {}
    for bit = 0, 7 do bits[bit] = band(value, BITS[bit]) ~= 0 end
    HAS[value] = bits
  end
end

-- The bytes of a bitmap, in slices that fit on the stack.
local function spread(map)
  local bytes = {}
  for first = 1, #map, 4096 do
    local some = { byte(map, first, first + 4095) }
    for at = 1, #some do bytes[first + at - 1] = some[at] end
  end
  for at = #map + 1, BYTES do bytes[at] = 0 end
  return bytes
end

-- All events of a chunk, united.
local function united(some)
  local bytes = spread(some.maps[1] or '')
  for other = 2, #some.maps do
    local more = spread(some.maps[other])
    for at = 1, BYTES do bytes[at] = bit.bor(bytes[at], more[at]) end
  end
  for offset in pairs(some.set) do
    local low = offset % 8
    local at = (offset - low) / 8 + 1
    bytes[at] = bit.bor(bytes[at], BITS[low])
  end
  return bytes
end

-- By chunk, the bytes of all that is within all of some events and outside of others.
local function combined(within, outside)
  local all = {}
  for chunk, some in pairs(within[1].parts) do
    local bytes = united(some)
    for word = 2, #within do
      local other = within[word].parts[chunk]
      local more = other and united(other) or spread('')
      for at = 1, BYTES do bytes[at] = band(bytes[at], more[at]) end
    end
    for word = 1, #outside do
      local other = outside[word].parts[chunk]
      local less = other and united(other) or spread('')
      for at = 1, BYTES do bytes[at] = band(bytes[at], 255 - less[at]) end
    end
    all[chunk] = bytes
  end
  return all
end

local function countIn(list, bytes)
  local found = 0
  for first = 1, #list, 4000 do
    local pairs = { byte(list, first, first + 3999) }
    for at = 1, #pairs, 2 do
      local offset = pairs[at] * 256 + pairs[at + 1]
      local low = offset % 8
      if HAS[bytes[(offset - low) / 8 + 1]][low] then found = found + 1 end
    end
  end
  return found
end

-- How much is found in each of the whole periods of a range.
local function countPeriods(set, from, to, bytes, counts)
  local names = call('ZRANGEBYSCORE', set, from, to)
  for first = 1, #names, 200 do
    local keys = {}
    for at = first, math.min(first + 199, #names) do keys[#keys + 1] = set .. ':' .. names[at] end
    local lists = call('MGET', unpack(keys))
    for at = 1, #lists do
      local chunk, period = string.match(names[first + at - 1], '^(.*)%.(.*)$')
      local some = bytes[tonumber(chunk)]
      period = tonumber(period)
      if some then counts[period] = (counts[period] or 0) + countIn(lists[at], some) end
    end
  end
end

-- The page, or nil when it has to be found otherwise.
local MAX_MAPS = 40
local function countedPage(status, within, outside, allows)
  if #within == 0 then return nil end
  -- Whose the protected ones are that a period has, is not known without looking at them.
  if setOf(q.unmasked.own)[status] then return nil end
  for _, events in ipairs(within) do if events.maps > MAX_MAPS then return nil end end
  for _, events in ipairs(outside) do if events.maps > MAX_MAPS then return nil end end
  local set = base .. 's' .. status
  local tailFrom = math.max(startFrom, endFrom)
  local endless = endTo >= OFFSET - 1
  local from = math.ceil(tailFrom / PERIOD)
  local latest = endless and startTo or math.min(startTo, endTo - 2 ^ MIN_POWER)
  local to = math.floor((latest + 1) / PERIOD) - 1
  if to - from < 2 then return nil end
  prepareBits()
  local bytes, counts = combined(within, outside), {}
  countPeriods(base .. 'r' .. status, from, to, bytes, counts)
  if setOf(q.unmasked.open)[status] then countPeriods(base .. 'R' .. status, from, to, bytes, counts) end
  -- Long events that end too late.
  if not endless then
    eachLong(status, from * PERIOD, (to + 1) * PERIOD - 1, endTo + 1, function(member)
      local start, stop = fields('>I6', member), fields('>I6', member, 19)
      local _, flags = byte(member, 25, 26)
      if stop > e2 and band(flags, flagMask) == 0 and not isMasked(member, status, flags) and allows(idOf(member)) then
        local period = math.floor((start - OFFSET) / PERIOD)
        counts[period] = counts[period] - 1
      end
      return false
    end)
  end

  local page, passed = {}, 0
  local function take(member)
    if not allows(idOf(member)) or not matching(member) then return false end
    passed = passed + 1
    if passed >= first and passed <= last then page[#page + 1] = idOf(member) end
    return false
  end
  local head = {}
  for at = 1, #running do head[at] = running[at] end
  local order = inOrder(head)
  for at = 1, #order do take(head[order[at]]) end
  each(set, walkFrom, from * PERIOD - 1, take)
  local periods = {}
  for period in pairs(counts) do periods[#periods + 1] = period end
  table.sort(periods)
  for _, period in ipairs(periods) do
    local count = counts[period]
    if passed + count < first or passed >= last then
      passed = passed + count
    else
      each(set, period * PERIOD, (period + 1) * PERIOD - 1, take)
    end
  end
  each(set, (to + 1) * PERIOD, startTo, take)
  table.insert(page, 1, passed)
  return page
end
