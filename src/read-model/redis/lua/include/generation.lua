-- A generation and what its readers watch. KEYS: base.
local call = redis.call
local base = KEYS[1] .. ':'
local meta = base .. 'meta'

-- Batches of which it is kept what they have changed, or parts of batches.
local MAX_NOTED = 500

-- Notes what the next batch changes, or a part of it: names of documents, with blanks between them.
local function noteChanges(names)
  local batch = call('HGET', meta, 'changes') + 1
  call('XADD', base .. 'changes', 'MAXLEN', MAX_NOTED, string.format('%d-*', batch), 'names', names)
end

-- Tells readers that something has changed.
local function changeVersion(birth, checkpoint)
  call('SET', base .. 'version', birth .. ' ' .. call('HINCRBY', meta, 'changes', 1) .. ' ' .. checkpoint)
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
  call('UNLINK', base .. 'changes')
  changeVersion(birth, checkpoint)
end
