-- A generation and what its readers watch. KEYS: base.
local call = redis.call
local base = KEYS[1] .. ':'
local meta = base .. 'meta'

-- Tells readers that something has changed.
local function changeVersion(birth, checkpoint)
  call('SET', base .. 'version', birth .. ' ' .. call('HINCRBY', meta, 'changes', 1) .. ' ' .. checkpoint)
end

local function changeTermsVersion(birth)
  call('SET', base .. 'tv', birth .. ' ' .. call('HINCRBY', meta, 'termChanges', 1))
end

-- The checkpoint of a generation that may be written to; otherwise nil, and the outcome.
local function writable()
  local checkpoint, retired = unpack(call('HMGET', meta, 'checkpoint', 'retired'))
  if not checkpoint then return nil, 'missing' end
  if retired then return nil, 'retired' end
  return checkpoint
end

-- Gives a generation another birth, so that its readers learn at once that it is not what it was.
local function renewBirth(birth, checkpoint)
  call('HSET', meta, 'birth', birth, 'checkpoint', checkpoint, 'mark', '')
  call('SET', base .. 'next', '=' .. birth)
  changeTermsVersion(birth)
  changeVersion(birth, checkpoint)
end
