-- Takes a generation out of use for good; drop-keys.lua removes what is in it, little by little.
-- KEYS: base.
-- @include include/generation.lua
call('DEL', meta, base .. 'version')
call('HSET', meta, 'dropped', 1)
