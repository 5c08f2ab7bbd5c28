-- What all scripts over events share: reading a member, walking along a set, visibility.
--
-- A member is, big-endian: start, date, id, end (six bytes each; instants with 2^46 added), status and flags (one each:
-- 4 protected, 8 hidden, the others by which lists filter), author and parent (six each), the lengths of four
-- lists (two each), then categories and tags (six each), venues and organizers (id and life, six each).
-- @include include/layout.lua
local call = redis.call
local base = KEYS[1] .. ':'
local sub, byte, fields, packed = string.sub, string.byte, struct.unpack, struct.pack
local band = bit.band
local LISTS = 47
local CHUNK = 1000

-- The rank of the first member of a set whose score is not less than one.
local function rankOf(key, from) return call('ZCOUNT', key, '-inf', '(' .. string.format('%.17g', from)) end

-- Visits the members of a set whose scores lie in a closed range, in order, until a visit answers true.
local function each(key, from, to, visit)
  local size = call('ZCOUNT', key, from, to)
  if size == 0 then return end
  if size <= CHUNK then
    local found = call('ZRANGEBYSCORE', key, from, to)
    for at = 1, #found do if visit(found[at]) then return end end
    return
  end
  local first = rankOf(key, from)
  local last = first + size - 1
  local rank = first
  local chunk = 64
  while rank <= last do
    local found = call('ZRANGE', key, rank, math.min(rank + chunk - 1, last))
    for at = 1, #found do if visit(found[at]) then return end end
    rank = rank + chunk
    chunk = CHUNK
  end
end

-- The member at the beginning of a record of ':x'; false: there is none.
local function memberIn(record) return record and sub(record, 6, 5 + tonumber(sub(record, 1, 5))) end

local function idOf(member) return (fields('>I6', member, 13)) end

-- Turns a list of statuses into a set.
local function setOf(list)
  local set = {}
  for at = 1, #list do set[list[at]] = true end
  return set
end

-- Turns {open: [status], own: [status], author} into a question about status and author, and the set of open ones.
local function seeing(visibility)
  local open, own, author = setOf(visibility.open), setOf(visibility.own), visibility.author
  return function(status, by) return open[status] or (by == author and own[status]) end, open
end

-- Turns {visible, unmasked} into a question about an event: whether its links may be shown.
local function accessing(access)
  local sees, unmasked = seeing(access.visible), seeing(access.unmasked)
  return function(member)
    local status, flags = byte(member, 25, 26)
    local by = fields('>I6', member, 27)
    return sees(status, by) and (band(flags, 4) == 0 or unmasked(status, by))
  end
end
