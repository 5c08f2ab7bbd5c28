-- How many events of a status lie in a window of time, without looking at them: sorted sets by start and by end know
-- how many lie before an instant; only those that span a whole window have to be looked at, and lengths have sets.
-- Defines `within` and `eachLong`.
local MIN_POWER, MAX_POWER = 14, 35

-- Events that start at or before one instant and end after a later one.
local function spanning(status, start, finish)
  if start <= -OFFSET or finish >= OFFSET - 1 then return 0 end
  local found = 0
  local length = finish - start
  if length < 2 ^ MIN_POWER then
    each(base .. 's' .. status, finish - 2 ^ MIN_POWER, start, function(member)
      local from, stop = fields('>I6', member), fields('>I6', member, 19)
      if stop - OFFSET > finish and stop - from < 2 ^ MIN_POWER then found = found + 1 end
      return false
    end)
  end
  -- One power less than needed, in case the logarithm is rounded up.
  local power = math.floor(math.log(length) / math.log(2)) - 1
  local shortest = math.max(MIN_POWER, math.min(MAX_POWER, power))
  local names = {}
  for at = shortest, MAX_POWER do names[#names + 1] = 'm' .. status .. '.' .. at end
  local sizes = call('HMGET', base .. 'counts', unpack(names))
  local function look(member)
    if fields('>I6', member, 19) - OFFSET > finish then found = found + 1 end
    return false
  end
  for at = 1, #names do
    local longest = shortest + at - 1
    local from = longest == MAX_POWER and -OFFSET or finish - 2 ^ (longest + 1)
    if sizes[at] then each(base .. names[at], from, start, look) end
  end
  return found
end

-- Visits the long events of a status that start within a range and may end at an instant or later.
local function eachLong(status, from, to, finish, visit)
  local names = {}
  for power = MIN_POWER, MAX_POWER do names[#names + 1] = 'm' .. status .. '.' .. power end
  local sizes = from <= to and call('HMGET', base .. 'counts', unpack(names)) or {}
  for at = 1, #names do
    local power = MIN_POWER + at - 1
    local earliest = power == MAX_POWER and from or math.max(from, finish - 2 ^ (power + 1))
    if sizes[at] then each(base .. names[at], earliest, to, visit) end
  end
end

local function upTo(set, status, instant)
  return call('ZCOUNT', base .. set .. status, '-inf', instant)
end

-- Events that start at or before one instant and end at or before another.
local function corner(status, start, finish)
  if start >= finish then return upTo('n', status, finish) end
  return upTo('s', status, start) - spanning(status, start, finish)
end

-- Events of a status whose start and end lie in two closed ranges. No event ends before it starts.
local function within(status, s1, s2, e1, e2)
  local all = corner(status, s2, e2) - corner(status, s1 - 1, e2)
  -- What ends before the first start begins before it, and is in neither.
  if e1 <= s1 then return all end
  return all - corner(status, s2, e1 - 1) + corner(status, s1 - 1, e1 - 1)
end
