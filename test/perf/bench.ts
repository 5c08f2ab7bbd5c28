// `npm run bench`: measures the service, prints a table and keeps it as raw results. Sections by name: writing proposing reading pages
// growing replaying past holding series; `reading` needs wrk; `contending` is the part of `writing` about many who want the same at once; `caches` nginx and Varnish in front where they are installed; `series` compares `--series N` of them (10,000) with single events;
// `--engines` measures Redis instead of SQLite; `servers` EventStoreDB and Redis, with the server of the tests or the one that `--esdb URL` names; `--most N` sets the larger calendar of `growing` (default 1,000,000 events; it
// takes some minutes and gigabytes, as `series` does); `--only TEXT` asks a part of what `holding` asks (of `servers`: posting, importing, restoring, reading), which fails where an
// answer has another status than it should have.
import os from 'node:os';
import { parseArgs } from 'node:util';
import { engines } from './engines.ts';
import { holding, holdingOnRedis } from './holding.ts';
import { growing, readingThroughCaches } from './listing.ts';
import { paging } from './paging.ts';
import { past } from './past.ts';
import { proposing } from './proposing.ts';
import { reading } from './reading.ts';
import { replaying } from './replaying.ts';
import { series } from './series.ts';
import { changingSeries } from './series-changes.ts';
import { ranAgainst, throughServers } from './servers.ts';
import { printTable } from './table.ts';
import { contending, importing, posting, postingAtOnce } from './writing.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: 'string', default: '1000000' },
    engines: { type: 'boolean', default: false },
    series: { type: 'string', default: '10000' },
    esdb: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    redis: { type: 'boolean', default: false },
  },
});
const isSelected = positionals.length > 0 || values.engines;
const wanted = (section: string): boolean => !isSelected || positionals.includes(section);

if (wanted('writing'))
  printTable('writing', 'Writing', [
    ...[...(await importing()), ...(await posting()), ...(await postingAtOnce())],
    ...(await contending()),
  ]);
else if (positionals.includes('contending')) printTable('contending', 'Writing the same', await contending());
if (wanted('proposing')) printTable('proposing', 'Proposals', await proposing());
if (wanted('reading')) printTable('reading', 'Reading', await reading());
if (positionals.includes('caches')) printTable('caches', 'Caches in front', await readingThroughCaches());
if (wanted('pages')) printTable('pages', 'Pages', await paging());
if (wanted('growing')) printTable('growing', 'Growing', await growing([10_000, Number(values.most)]));
if (wanted('replaying')) printTable('replaying', 'Replaying', await replaying());
if (positionals.includes('series')) printTable('series-changes', 'Changes of series', await changingSeries());
if (positionals.includes('series')) printTable('series', 'Series : single events', await series(Number(values.series)));
if (wanted('past')) printTable('past', 'The past', await past());
if (positionals.includes('servers'))
  printTable(
    'servers',
    `Event store and Redis: ${ranAgainst(values.esdb)}`,
    await throughServers(values.esdb, values.only),
  );
if (wanted('holding')) {
  const load = (): string => os.loadavg()[0]?.toFixed(1) ?? '';
  const before = load();
  const rows = await (values.redis ? holdingOnRedis(values.only) : holding(values.only));
  const readModel = values.redis ? ' with Redis for the read model' : '';
  printTable(
    values.redis ? 'holding-redis' : 'holding',
    `Longest hold of the event loop, 100,000 events${readModel}; load of the machine ${before} to ${load()}`,
    rows,
  );
}
if (values.engines) printTable('redis', 'Redis', await engines());
