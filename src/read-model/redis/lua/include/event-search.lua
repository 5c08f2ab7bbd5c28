-- Which events a text search finds. The index answers for words that lie within one token; what it cannot answer for
-- exactly is left to a look into the texts of those that come into question.
-- Expects `q` and `byIds`; defines `searching`.
local find = string.find
local BITS = {}
for bit = 0, 7 do BITS[bit] = 2 ^ (7 - bit) end

local chunks
local vocabularies = {}
local function vocabulary(chunk)
  local blocks = vocabularies[chunk]
  if blocks then return blocks end
  local keys = {}
  for block = 1, BLOCKS do keys[block] = base .. 'w:' .. chunk .. '.' .. (block - 1) end
  blocks = call('MGET', unpack(keys))
  vocabularies[chunk] = blocks
  return blocks
end

-- The tokens of a chunk that hold a pattern; nil: there are more than so many.
local function tokensWith(chunk, pattern, max)
  local tokens = {}
  for _, block in ipairs(vocabulary(chunk)) do
    local first, last = find(block or '', pattern, 1, true)
    while first do
      local start, stop = first, last
      while byte(block, start) ~= 1 do start = start - 1 end
      if stop == start or byte(block, stop) ~= 1 then stop = find(block, '\1', last + 1, true) end
      tokens[#tokens + 1] = sub(block, start + 1, stop - 1)
      if #tokens > max then return nil end
      first, last = find(block, pattern, stop + 1, true)
    end
  end
  return tokens
end

-- Events of a chunk that have any of some tokens: a set of those in lists, and bitmaps, the fullest first.
local function part(chunk, tokens)
  local set, size, maps, counts = {}, 0, {}, {}
  local hash = base .. 'k:' .. chunk
  for first = 1, #tokens, CHUNK do
    local last = math.min(first + CHUNK - 1, #tokens)
    local lists = call('HMGET', hash, unpack(tokens, first, last))
    for at = 1, #lists do
      local list = lists[at] or ''
      for place = 1, #list, 2 do
        local high, low = byte(list, place, place + 1)
        set[high * 256 + low] = true
      end
      size = size + #list / 2
      if lists[at] == '' then
        local key = hash .. ':' .. tokens[first + at - 1]
        local map = call('GET', key)
        counts[map] = call('BITCOUNT', key)
        size = size + counts[map]
        maps[#maps + 1] = map
      end
    end
  end
  table.sort(maps, function(one, other) return counts[one] > counts[other] end)
  return { set = set, maps = maps }, size
end

-- Events that have a token with a pattern, by chunk; nil: there are more such tokens than may be looked at.
local function eventsWith(pattern, max)
  chunks = chunks or call('SMEMBERS', base .. 'chunks')
  local parts, size, maps = {}, 0, 0
  for at = 1, #chunks do
    local tokens = tokensWith(chunks[at], pattern, max)
    if not tokens then return nil end
    if #tokens > 0 then
      local some, count = part(chunks[at], tokens)
      parts[tonumber(chunks[at])] = some
      size = size + count
      maps = math.max(maps, #some.maps)
    end
  end
  return { parts = parts, size = size, maps = maps }
end

local function isIn(events, id)
  local offset = id % IDS_PER_CHUNK
  local some = events.parts[(id - offset) / IDS_PER_CHUNK]
  if not some then return false end
  if some.set[offset] then return true end
  local maps, bit = some.maps, offset % 8
  local place = (offset - bit) / 8 + 1
  for at = 1, #maps do
    local found = byte(maps[at], place)
    if found and band(found, BITS[bit]) ~= 0 then return true end
  end
  return false
end

local function idsIn(events)
  local seen, ids = {}, {}
  local function note(id)
    if seen[id] then return end
    seen[id] = true
    ids[#ids + 1] = id
  end
  for chunk, some in pairs(events.parts) do
    for offset in pairs(some.set) do note(chunk * IDS_PER_CHUNK + offset) end
    for _, map in ipairs(some.maps) do
      for place = 1, #map do
        local found = byte(map, place)
        for bit = 0, found == 0 and -1 or 7 do
          if band(found, BITS[bit]) ~= 0 then note(chunk * IDS_PER_CHUNK + (place - 1) * 8 + bit) end
        end
      end
    end
  end
  return ids
end

-- So many texts at a time stay within the processor's cache.
local TEXTS = 100

-- Those of some members whose texts have all of some words and none of others.
local function withTexts(members, words, without)
  if #words + #without == 0 then return members end
  local found = {}
  for first = 1, #members, TEXTS do
    local last = math.min(first + TEXTS - 1, #members)
    local names = {}
    for at = first, last do names[#names + 1] = base .. 't:e' .. string.format('%.0f', idOf(members[at])) end
    local texts = call('MGET', unpack(names))
    for at = 1, #names do
      local text, has = texts[at] or '', true
      for word = 1, #words do has = has and find(text, words[word], 1, true) end
      for word = 1, #without do has = has and not find(text, without[word], 1, true) end
      if has then found[#found + 1] = members[first + at - 1] end
    end
  end
  return found
end

-- Of so few candidates the texts are looked at, which is quicker than asking the index.
local FEW_TEXTS = 50
-- A candidate that is named by its id costs about as much as so many along a set.
local NAMED = 3

-- How to find what is searched among so many candidates: whether the index allows an id; what sifts the members that
-- it allows; all ids that it allows, where those are few; and, where the index knows all, events within and outside.
local function searching(candidates)
  local within, outside, words, without = {}, {}, {}, {}
  local asked = candidates > FEW_TEXTS
  for _, word in ipairs(q.search.words) do
    local exact = asked and word.exact
    for at = 1, asked and #word.patterns or 0 do
      -- A token costs about as much as a text.
      local events = eventsWith(word.patterns[at], candidates)
      if events then within[#within + 1] = events else exact = false end
    end
    if not exact then words[#words + 1] = word.text end
  end
  for _, word in ipairs(q.search.without) do
    local events = asked and word.exact and eventsWith(word.patterns[1], candidates)
    if events then outside[#outside + 1] = events else without[#without + 1] = word.text end
  end
  table.sort(within, function(one, other) return one.size < other.size end)
  local function allows(id)
    for at = 1, #within do if not isIn(within[at], id) then return false end end
    for at = 1, #outside do if isIn(outside[at], id) then return false end end
    return true
  end
  local function sift(members) return withTexts(members, words, without) end
  local few = within[1] and within[1].size * NAMED < candidates
  local exact = #words + #without == 0
  return allows, sift, few and idsIn(within[1]), exact and within, outside
end
