// Fills an empty read model from a log in a process of its own. Arguments: the log, and the file of
// the views, `:memory:`, or the URL of a Redis. Prints seconds, those of all processors, domain events and the peak of resident memory
// in MiB.
import { readFileSync } from 'node:fs';
import { allProjections } from '../../projections/catalogue.ts';
import { catchUp } from '../../projections/engine/catch-up.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/store.ts';
import { upcasters, withUpcasting } from '../../src/event-store/upcasting/upcast.ts';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { resolveZone } from '../../src/time/zone.ts';

const [log, views] = process.argv.slice(2);
const rendering = {
  siteZone: resolveZone('Europe/Berlin'),
  signBefore: '$',
  signAfter: '',
  freeLabel: 'Free',
};
const store = withUpcasting(openSqliteEventStore({ file: log }), upcasters);
const fingerprint = 'bench';
const readModel = views.startsWith('redis:')
  ? (await openRedisReadModel({ url: views, fingerprint })).forProjector
  : openSqliteReadModel({ file: views, fingerprint });
let events = 0;
const started = performance.now();
const count = (more) => {
  events += more;
};
await catchUp(store, readModel, allProjections(rendering), count);
const seconds = (performance.now() - started) / 1000;
await readModel.close();
await store.close();
const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024;
const { user, system } = process.cpuUsage();
const processor = (user + system) / 1_000_000;
process.stdout.write(JSON.stringify({ seconds, processor, events, peak }));
