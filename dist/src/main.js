// Kept for one release, for those who start the service by this path: use bin/daybook.
import '../../bin/daybook.mjs';
