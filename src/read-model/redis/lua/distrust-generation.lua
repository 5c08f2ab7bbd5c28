-- Marks what a generation holds as not to be trusted.
-- KEYS: base. ARGV: another birth. Answers 'done', 'retired', or 'missing'.
-- @include include/generation.lua
local checkpoint, refusal = writable()
if not checkpoint then return refusal end
renewBirth(ARGV[1], checkpoint)
return 'done'
