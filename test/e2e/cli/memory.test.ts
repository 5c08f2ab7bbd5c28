// A service in a container with little memory: what a process of it says, keeps to, and gives back.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { fillStore, firstEventId, LARGE } from '../../perf/sample-calendar.ts';
import { type MemoryGroup, makeMemoryGroup } from '../../support/memory-group.ts';
import { serving } from '../../support/process.ts';
import { freePort } from '../../support/redis-server.ts';
import { temporaryFolder } from '../../support/service.ts';

const test = suite('little memory');

/** What Node says in a container of 512 MiB; where the tests run there may be none, nor the right to make one. */
const IN_512_MIB = '--import=data:text/javascript,process.constrainedMemory=()=>536870912';

for (const [words, part] of [
  [[], 512],
  [['--workers', '2'], 256],
] as const)
  test(`with ${part} MiB for each process the heap fits, and is told at the start`, async () => {
    const { folder, remove } = temporaryFolder();
    const settings = { DAYBOOK_DATA_DIR: folder, DAYBOOK_LOG_LEVEL: 'info', NODE_OPTIONS: IN_512_MIB };
    const service = await serving({ ...settings, PORT: String(await freePort()) }, [], 'all', words);
    try {
      const lines = service
        .errors()
        .split('\n')
        .filter((line) => line.includes('memory is limited'));
      const told = lines.map((line) => JSON.parse(line));
      assert.ok(told.length >= 1, service.errors());
      for (const { limitMb, ofThisProcessMb, heapMb } of told) {
        assert.equal([limitMb, ofThisProcessMb], [512, part]);
        assert.ok(heapMb < 0.6 * part, `${heapMb} MB of heap`);
      }
      // Whether it answers depends on what else the real container of the tests holds: test/unit/memory judges that.
      const environment = readFileSync(`/proc/${service.child.pid}/environ`, 'utf8');
      assert.match(environment, 'MALLOC_ARENA_MAX=2');
    } finally {
      assert.is(await service.stop(), 0);
      remove();
    }
  });

const LITTLE_MB = 256;
const SIZES = { ...LARGE, events: 2_000 };
const READINGS = 84;
const LANGUAGES = ['de', 'fr', 'es', 'it', 'nl', 'en'];
const ROOT = '/calendar/events/v1';

/** Other addresses each time, as of those who want caches to grow. */
const HOSTILE: readonly ((number: number) => string)[] = [
  (number) => `${ROOT}/doc?_locale=${LANGUAGES[number % LANGUAGES.length]}`,
  (number) =>
    `${ROOT}/events?start_date=1990-01-01&end_date=2210-01-01&per_page=50&page=${1 + (number % 40)}&x=${number}`,
  (number) => `${ROOT}/events?start_date=1990-01-01&search=e&per_page=50&page=${1 + (number % 40)}`,
  (number) => `${ROOT}/events.ics?start_date=1990-01-01&end_date=${2200 + (number % 90)}-01-01`,
  (number) => `/events/month/${2025 + (number % 4)}-0${1 + (number % 9)}/?search=${number}`,
  (number) => `/?search=e&page=${1 + (number % 200)}`,
  (number) => `${ROOT}/events/${firstEventId(SIZES) + (number % SIZES.events)}?as_of=2026-0${1 + (number % 9)}-01`,
];

/** Null where there is no right to make one. */
function groupOrNull(): MemoryGroup | null {
  try {
    return makeMemoryGroup(LITTLE_MB * 1_048_576);
  } catch {
    return null;
  }
}

test(`${LITTLE_MB} MiB are enough while all caches are filled`, async () => {
  const { folder, remove } = temporaryFolder();
  const store = openSqliteEventStore({ file: path.join(folder, 'daybook.db') });
  await fillStore(store, SIZES, Math.floor(Date.now() / 1000));
  await store.close();
  const group = groupOrNull();
  const within = group ? ['sh', '-c', `echo $$ > ${group.processes}; exec "$@"`, 'sh'] : [];
  // Without a group what is in use is that of the whole machine, so that only the heap can be judged.
  const heap = { NODE_OPTIONS: group ? '' : `--max-old-space-size=${LITTLE_MB}` };
  const settings = { DAYBOOK_DATA_DIR: folder, DAYBOOK_RATE_LIMIT: '0', ...heap };
  const service = await serving(settings, within);
  const counts = new Map<string, number>();
  let number = 0;
  const reader = async (): Promise<void> => {
    while (number < READINGS) {
      const target = HOSTILE[number % HOSTILE.length]?.(number++) ?? '/';
      const answer = await fetch(service.address + target, { headers: { host: `host-${number % 16}.example` } });
      await answer.arrayBuffer();
      counts.set(String(answer.status), (counts.get(String(answer.status)) ?? 0) + 1);
    }
  };
  try {
    await Promise.all([reader(), reader(), reader(), reader()]);
    assert.ok((counts.get('200') ?? 0) > READINGS / 2, JSON.stringify(Object.fromEntries(counts)));
    assert.is((await fetch(`${service.address}/healthz`)).status, 200);
    assert.is((await fetch(`${service.api}/events/${firstEventId(SIZES)}`)).status, 200);
    assert.is(group?.kills() ?? 0, 0);
    assert.not.match(service.errors(), 'memory is short');
  } finally {
    await service.stop();
    group?.remove();
    remove();
  }
});

test.run();
