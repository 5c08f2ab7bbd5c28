-- Empties a generation: it starts again at the beginning of the log.
-- KEYS: base. ARGV: another birth. Answers 'done', 'retired', or 'missing'.
-- @include include/layout.lua
-- @include include/generation.lua
-- @include include/stored-records.lua
local function dropTokens()
  for _, chunk in ipairs(call('SMEMBERS', base .. 'chunks')) do
    local hash = base .. 'k:' .. chunk
    local cursor = '0'
    repeat
      local next, found = unpack(call('HSCAN', hash, cursor, 'COUNT', 1000))
      cursor = next
      for at = 1, #found, 2 do
        if found[at + 1] == '' then call('UNLINK', hash .. ':' .. found[at]) end
      end
    until cursor == '0'
    for block = 0, BLOCKS - 1 do call('UNLINK', base .. 'w:' .. chunk .. '.' .. block) end
    call('UNLINK', hash)
  end
  call('UNLINK', base .. 'chunks')
end

local function dropPeriods()
  for status = 0, STATUSES - 1 do
    for _, letter in ipairs({ 'r', 'R' }) do
      local set = base .. letter .. status
      for _, name in ipairs(call('ZRANGE', set, 0, -1)) do call('UNLINK', set .. ':' .. name) end
      call('UNLINK', set)
    end
  end
end

local checkpoint, refusal = writable()
if not checkpoint then return refusal end
local sets = {}
local cursor = '0'
repeat
  local next, found = unpack(call('HSCAN', base .. 'x', cursor, 'COUNT', 1000))
  cursor = next
  local keys = {}
  for at = 1, #found, 2 do
    local _, description = stored(found[at + 1])
    local byFirst, bySecond = string.match(description, '^[^\n]*\n[^\n]*\n([^\n]*)\n([^\n]*)')
    for set in string.gmatch(byFirst .. ' ' .. bySecond, '%S+') do sets[set] = true end
    for _, family in ipairs({ 'b:', 'z:', 't:' }) do
      keys[#keys + 1] = base .. family .. found[at]
      keys[#keys + 1] = base .. '+' .. family .. found[at]
    end
  end
  for at = 1, #keys, 2000 do call('UNLINK', unpack(keys, at, math.min(at + 1999, #keys))) end
until cursor == '0'
for set in pairs(sets) do call('UNLINK', base .. set) end
for _, name in ipairs({ 'x', 'counts', 'names', 'life', 'lat', 'lastv', 'lasto', 'D', 'F', 'permit' }) do call('UNLINK', base .. name) end
dropTokens()
dropPeriods()
call('HDEL', meta, 'fill')
renewBirth(ARGV[1], '')
return 'done'
