// Reads a log in a process of its own, without the time that a start takes. Arguments: `verify` (the hash
// chain) or `rebuild` (a read model that is empty). Settings are those of the environment. Prints domain events, seconds,
// milliseconds of processor time and the peak of resident memory in MiB.
import { openRawLog, openStores } from '../../src/composition.ts';
import { readConfig } from '../../src/config.ts';
import { createLogChecker, replayLog } from '../../src/log/hash-chain/verify.ts';
import { currentSchemaVersion } from '../../src/log/upcasting/upcast.ts';

const config = readConfig(process.env);

async function verify(): Promise<number> {
  const log = await openRawLog(config);
  const checker = createLogChecker({ newestVersion: currentSchemaVersion });
  await replayLog({ log, checker, observe: () => undefined, onProgress: () => undefined });
  await log.close();
  const { events, misfits } = checker.report();
  if (misfits > 0) throw new Error(`${misfits} misfits`);
  return events;
}

async function rebuild(): Promise<number> {
  const stores = await openStores(config);
  let events = 0;
  await stores.project((more) => {
    events += more;
  });
  await stores.close();
  return events;
}

const before = process.cpuUsage();
const began = performance.now();
const events = await (process.argv[2] === 'rebuild' ? rebuild() : verify());
const seconds = (performance.now() - began) / 1_000;
const { user, system } = process.cpuUsage(before);
const peak = process.resourceUsage().maxRSS / 1_024;
process.stdout.write(JSON.stringify({ events, seconds, work: (user + system) / 1_000, peak }));
