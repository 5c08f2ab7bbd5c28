// Preloaded into a service by the benchmarks: tells its parent for how long its event loop was held. Beats every
// millisecond; what a beat is late by is what others waited. The most processor time that this thread used between two beats
// is told as well: on a machine with other work a beat may be late although nothing held the loop.
import { isMainThread } from 'node:worker_threads';

const BEAT_MS = 1;

if (isMainThread && process.send) {
  let longest = { late: 0, busy: 0 };
  let last = performance.now();
  let used = busyTime();
  setInterval(() => {
    const now = performance.now();
    const usedNow = busyTime();
    const late = now - last - BEAT_MS;
    longest = { late: Math.max(longest.late, late), busy: Math.max(longest.busy, usedNow - used) };
    last = now;
    used = usedNow;
  }, BEAT_MS).unref();
  process.on('message', (message) => {
    if (message === 'begin') longest = { late: 0, busy: 0 };
    // After a beat that was due already.
    setTimeout(() => process.send?.(longest), 4 * BEAT_MS);
  });
  process.channel?.unref();
}

/** Milliseconds of processor that this thread has used. */
function busyTime() {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}
