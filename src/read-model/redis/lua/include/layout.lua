-- Numbers of the stored layout. TypeScript has them too (layout.ts); a test compares the two.
local IDS_PER_CHUNK, BLOCKS, PERIOD, STATUSES = 65536, 64, 1048576, 6
-- Instants are stored with this added, so that they have no sign.
local OFFSET = 70368744177664
