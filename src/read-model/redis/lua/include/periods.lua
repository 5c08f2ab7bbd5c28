-- Which events of a status start within a period (about twelve days), as short lists of ids: a search counts what it finds
-- in them without reading a single member. Protected events have lists of their own, hidden ones none.
-- Expects `number` and `value` of apply-batch.lua; defines `leavePeriod` and `enterPeriods`.

-- Takes an event out; a member is described in event-records.lua.
local function leavePeriod(member)
  local start, id = fields('>I6', member), fields('>I6', member, 13)
  local status, flags = string.byte(member, 25, 26)
  if bit.band(flags, 8) ~= 0 then return end
  local set = base .. (bit.band(flags, 4) ~= 0 and 'R' or 'r') .. status
  local offset = id % IDS_PER_CHUNK
  local period = math.floor((start - OFFSET) / PERIOD)
  local name = string.format('%.0f.%.0f', (id - offset) / IDS_PER_CHUNK, period)
  local list = call('GET', set .. ':' .. name) or ''
  local wanted = struct.pack('>I2', offset)
  local at = string.find(list, wanted, 1, true)
  while at and at % 2 == 0 do at = string.find(list, wanted, at + 1, true) end
  if not at then return end
  list = string.sub(list, 1, at - 1) .. string.sub(list, at + 2)
  if list ~= '' then
    call('SET', set .. ':' .. name, list)
  else
    call('DEL', set .. ':' .. name)
    call('ZREM', set, name)
  end
end

local function enterPeriods()
  for _ = 1, number() do
    local set, period, name, list = base .. value(), value(), value(), value()
    call('APPEND', set .. ':' .. name, list)
    call('ZADD', set, period, name)
  end
end
