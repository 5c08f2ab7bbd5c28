// Fills an empty read model from a log with the built code, in a process of its own. Arguments: the log, and the file of
// the views, `:memory:`, or the URL of a Redis. Prints seconds, domain events and the peak of resident memory in MiB.
import { readFileSync } from 'node:fs';
import { allProjections } from '../../dist/projections/catalogue.js';
import { catchUp } from '../../dist/projections/catch-up.js';
import { resolveZone } from '../../dist/src/domain/zone.js';
import { openSqliteEventStore } from '../../dist/src/event-store/sqlite.js';
import { withUpcasting } from '../../dist/src/event-store/upcast.js';
import { upcasters } from '../../dist/src/event-store/upcasters.js';
import { openRedisReadModel } from '../../dist/src/read-model/redis/open.js';
import { openSqliteReadModel } from '../../dist/src/read-model/sqlite/open.js';

const [log, views] = process.argv.slice(2);
const settings = {
  siteZone: resolveZone('Europe/Berlin'),
  defaultSymbol: '$',
  defaultPosition: 'prefix',
  freeLabel: 'Free',
};
const store = withUpcasting(openSqliteEventStore({ file: log }), upcasters);
const fingerprint = 'bench';
const readModel = views.startsWith('redis:')
  ? (await openRedisReadModel({ url: views, fingerprint })).forProjector
  : openSqliteReadModel({ file: views, fingerprint });
let events = 0;
const started = performance.now();
await catchUp(store, readModel, allProjections(settings), (more) => {
  events += more;
});
const seconds = (performance.now() - started) / 1000;
await readModel.close();
await store.close();
const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024;
process.stdout.write(JSON.stringify({ seconds, events, peak }));
