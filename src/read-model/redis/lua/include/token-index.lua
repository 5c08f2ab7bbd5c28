-- The search index, as it is written: which events have a token, by chunks of neighbouring ids.
--
-- Few events of a token are a list in the hash of its chunk, two bytes each; more of them are a bitmap of their own, and
-- the hash has '' for it. The tokens themselves are in texts, each between two U+0001, to be looked through.
-- Expects `number` and `value` of apply-batch.lua; defines `enterTokens`.

-- Up to so many events are a list.
local LISTED = 128

-- Visits the two-byte numbers of a list.
local function eachIn(list, visit)
  for at = 1, #list, 2 do
    local high, low = string.byte(list, at, at + 1)
    visit(high * 256 + low)
  end
end

local function without(list, gone)
  if gone == '' then return list end
  local left, rest = {}, {}
  eachIn(gone, function(offset) left[offset] = true end)
  for at = 1, #list, 2 do
    local high, low = string.byte(list, at, at + 1)
    if not left[high * 256 + low] then rest[#rest + 1] = string.sub(list, at, at + 1) end
  end
  return table.concat(rest)
end

local function unite(key, mask)
  if mask == '' then return end
  local beside = base .. 'mask'
  call('SET', beside, mask)
  call('BITOP', 'OR', key, key, beside)
  call('DEL', beside)
end

-- Brings one token's changes in. Answers what the hash shall have: nil for nothing.
local function moved(key, list, come, mask, gone)
  if list ~= '' then
    list = without(list or '', gone)
    if mask == '' and #list + #come <= 2 * LISTED then
      list = list .. come
      return list ~= '' and list or nil
    end
    eachIn(list, function(offset) call('SETBIT', key, offset, 1) end)
  end
  eachIn(come, function(offset) call('SETBIT', key, offset, 1) end)
  unite(key, mask)
  if gone == '' then return '' end
  eachIn(gone, function(offset) call('SETBIT', key, offset, 0) end)
  if call('BITCOUNT', key) > 0 then return '' end
  call('DEL', key)
  return nil
end

local function dropWords(key, words)
  local text = call('GET', key) or ''
  for at = 1, #words do
    local first, last = string.find(text, words[at], 1, true)
    if first then text = string.sub(text, 1, first - 1) .. string.sub(text, last + 1) end
  end
  if text == '' then call('DEL', key) else call('SET', key, text) end
end

-- The next tokens of a chunk, of which there are so many left.
local MAX_TOKENS = 1000
local function enterSome(chunk, left)
  local count = math.min(left, MAX_TOKENS)
  local hash = base .. 'k:' .. chunk
  local blocks, tokens, comes, masks, gones = {}, {}, {}, {}, {}
  for at = 1, count do
    blocks[at], tokens[at], comes[at], masks[at], gones[at] = number(), value(), value(), value(), value()
  end
  local lists = call('HMGET', hash, unpack(tokens))
  local entered, leaving, new, old = {}, {}, {}, {}
  for at = 1, count do
    local token, before = tokens[at], lists[at]
    local now = moved(hash .. ':' .. token, before, comes[at], masks[at], gones[at])
    local words
    if now and now ~= before then entered[#entered + 1], entered[#entered + 2] = token, now end
    if before and not now then
      leaving[#leaving + 1] = token
      words = old
    elseif now and not before then
      words = new
    end
    if words then
      local list = words[blocks[at]] or {}
      list[#list + 1] = '\1' .. token .. '\1'
      words[blocks[at]] = list
    end
  end
  if #entered > 0 then call('HSET', hash, unpack(entered)) end
  if #leaving > 0 then call('HDEL', hash, unpack(leaving)) end
  for block, words in pairs(old) do dropWords(base .. 'w:' .. chunk .. '.' .. block, words) end
  for block, words in pairs(new) do call('APPEND', base .. 'w:' .. chunk .. '.' .. block, table.concat(words)) end
  return count
end

local function enterTokens()
  for _ = 1, number() do
    local chunk = value()
    local left = number()
    while left > 0 do left = left - enterSome(chunk, left) end
    if call('EXISTS', base .. 'k:' .. chunk) == 1 then
      call('SADD', base .. 'chunks', chunk)
    else
      call('SREM', base .. 'chunks', chunk)
    end
  end
end
