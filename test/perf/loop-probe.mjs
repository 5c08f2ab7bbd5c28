// Preloaded into a service by the benchmarks: tells its parent for how long its event loop was held. Beats every
// millisecond; what a beat is late by is what others waited. The most processor time that this thread used between two beats
// is told as well: on a machine with other work a beat may be late although nothing held the loop. So is what the collector of
// garbage took of that hold, by the clock.
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const BEAT_MS = 1;
const NONE = { busy: 0, from: 0, to: 0 };

if (isMainThread && process.send) {
  let latest = 0;
  let longest = NONE;
  let pauses = [];
  let last = performance.now();
  let used = busyTime();
  const collector = new PerformanceObserver((list) => pauses.push(...list.getEntries()));
  collector.observe({ entryTypes: ['gc'] });
  setInterval(() => {
    const now = performance.now();
    const usedNow = busyTime();
    latest = Math.max(latest, now - last - BEAT_MS);
    if (usedNow - used > longest.busy) longest = { busy: usedNow - used, from: last, to: now };
    last = now;
    used = usedNow;
  }, BEAT_MS).unref();
  process.on('message', (message) => {
    if (message === 'begin') {
      latest = 0;
      longest = NONE;
      pauses = [];
    }
    // After a beat that was due already.
    setTimeout(() => {
      pauses.push(...collector.takeRecords());
      process.send?.({ late: latest, busy: longest.busy, collected: within(longest, pauses) });
    }, 4 * BEAT_MS);
  });
  process.channel?.unref();
}

/** Milliseconds of pauses that lie in a hold. */
function within({ from, to }, pauses) {
  let sum = 0;
  for (const { startTime, duration } of pauses)
    sum += Math.max(0, Math.min(to, startTime + duration) - Math.max(from, startTime));
  return sum;
}

/** Milliseconds of processor that this thread has used. */
function busyTime() {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}
