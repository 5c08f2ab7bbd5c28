-- Applies a batch, or a part of one. A batch is one run of this script, or several inside one transaction: the first
-- compares the checkpoint and leaves a permit, the last moves it on and takes the permit away; without a permit nothing
-- happens.
--
-- The halves of documents never come into the script, which would look at each of their bytes several times: they have
-- been set in the same transaction under keys of their own, and are renamed, or dropped when the batch is refused.
--
-- KEYS: base. ARGV: 'only', 'first', 'middle' or 'last'; checkpoint before and after; the part (batch-payload.ts); the
-- fill that it belongs to, or ''; the mark of the event at the checkpoint after.
-- Answers 'applied', 'stale', 'retired', 'missing' (there is no such generation), or 'skipped'.
-- @include include/generation.lua
local fields, sub = struct.unpack, string.sub
local part, after, upTo = ARGV[1], ARGV[2], ARGV[3]
local permit = base .. 'permit'
local records, rows, index = base .. 'x', base .. 'rows', base .. 'names'
local payload = ARGV[4]
local count, at = fields('>I4', payload)
-- Of each document: its name, whether it is there, its row, its entries among the names.
local names, exists, packed, entries = {}, {}, {}, {}
for each = 1, count do
  names[each], exists[each], packed[each], entries[each], at = fields('>I4c0I4I4c0I4c0', payload, at)
end

-- A fill that another one has cleared away must not go on: what it wrote first is gone. Each leaves a mark when it begins.
local function overtaken(fill)
  if fill == '' or call('HGET', meta, 'fill') == fill then return false end
  if call('HSETNX', meta, 'fill ' .. fill, 1) == 0 then return true end
  call('HSET', meta, 'fill', fill)
  return false
end
local function forgetFills()
  for _, field in ipairs(call('HKEYS', meta)) do
    if sub(field, 1, 4) == 'fill' then call('HDEL', meta, field) end
  end
end

local function refused()
  if part == 'only' or part == 'first' then
    local checkpoint, refusal = writable()
    if not checkpoint then return refusal end
    if checkpoint ~= after or overtaken(ARGV[5]) then return 'stale' end
    if part == 'first' then call('SET', permit, upTo) end
    return nil
  end
  return call('GET', permit) ~= upTo and 'skipped' or nil
end
local refusal = refused()
if refusal then
  for each = 1, count do
    if exists[each] == 1 then call('UNLINK', base .. '+b:' .. names[each], base .. '+z:' .. names[each]) end
  end
  return refusal
end

-- No more fit on Lua's stack at once.
local MAX_ARGUMENTS = 2000
local function write(command, key, list)
  for from = 1, #list, MAX_ARGUMENTS do call(command, key, unpack(list, from, math.min(from + MAX_ARGUMENTS - 1, #list))) end
end

local before = count > 0 and call('HMGET', records, unpack(names)) or {}
local oldEntries, newEntries, goneRows, newRows, goneRecords, newRecords = {}, {}, {}, {}, {}, {}
for each = 1, count do
  local name = names[each]
  local isChanged = before[each] ~= entries[each]
  if before[each] and isChanged then
    for entry in string.gmatch(before[each], '[^\n]+') do oldEntries[#oldEntries + 1] = entry end
  end
  if packed[each] == '' then
    goneRows[#goneRows + 1] = name
  else
    newRows[#newRows + 1], newRows[#newRows + 2] = name, packed[each]
  end
  if exists[each] == 1 then
    call('RENAME', base .. '+b:' .. name, base .. 'b:' .. name)
    call('RENAME', base .. '+z:' .. name, base .. 'z:' .. name)
    newRecords[#newRecords + 1], newRecords[#newRecords + 2] = name, entries[each]
    -- Also those that it had: one may have been lost.
    for entry in string.gmatch(entries[each], '[^\n]+') do
      newEntries[#newEntries + 1], newEntries[#newEntries + 2] = 0, entry
    end
  elseif before[each] then
    call('UNLINK', base .. 'b:' .. name, base .. 'z:' .. name)
    goneRecords[#goneRecords + 1] = name
  end
end
write('ZREM', index, oldEntries)
write('ZADD', index, newEntries)
write('HDEL', rows, goneRows)
write('HSET', rows, newRows)
write('HDEL', records, goneRecords)
write('HSET', records, newRecords)

noteChanges(table.concat(names, ' '))
-- A key that the server loses is noticed by these.
call('HSET', meta, 'sizes', call('HLEN', records) .. ' ' .. call('HLEN', rows) .. ' ' .. call('ZCARD', index))
if part == 'only' or part == 'last' then
  call('HSET', meta, 'checkpoint', upTo, 'mark', ARGV[6])
  if ARGV[5] ~= '' and upTo ~= '' then forgetFills() end
  changeVersion(call('HGET', meta, 'birth'), upTo)
  call('DEL', permit)
end
return 'applied'
