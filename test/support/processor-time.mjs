// What tests cost the machine, however busy it is.
import { readFileSync } from 'node:fs';

/** A hundredth of a second on every Linux that Node supports. */
const MS_PER_TICK = 10;
/** Fields of proc(5) behind the name: of children that have ended, in user mode and in the kernel. */
const OF_CHILDREN = [13, 14];

/** Milliseconds that the children of this process have used, as far as they have ended; 0 where the system cannot tell. */
function ofChildren() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return OF_CHILDREN.reduce((sum, at) => sum + Number(fields[at]) * MS_PER_TICK, 0);
  } catch {
    return 0;
  }
}

/** Milliseconds of processor time of this process since it began: all its threads, and children that have ended. */
export function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + ofChildren();
}
