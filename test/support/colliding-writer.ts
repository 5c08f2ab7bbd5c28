// One process of test/unit/commands/two-writers.test.ts: creates resources with the same titles as the other writers.
// Arguments: the file of the event store, how many resources. Prints the created `{ id, slug }`s as JSON.
import { randomUUID } from 'node:crypto';
import { openIdSequence } from '../../src/commands/reservations/ids.ts';
import { findFreeSlug } from '../../src/commands/reservations/slugs.ts';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { newEvent, someMetadata } from './events.ts';

const [file = '', count = '0'] = process.argv.slice(2);
const store = openSqliteEventStore({ file });
const ids = openIdSequence(store, { stream: 'ids-post', first: 1, blockSize: 1, newEventId: randomUUID });
let conflicts = 0;

async function create(index: number): Promise<{ id: number; slug: string }> {
  const id = await ids.next(someMetadata);
  const request = { kind: 'event', base: `concert-${'abc'[index % 3]}`, owner: `event-${id}` };
  for (;;) {
    const { slug, append } = await findFreeSlug(store, {
      ...request,
      origin: 'derived',
      metadata: someMetadata,
      newEventId: randomUUID,
    });
    const created = newEvent('EventCreated', { slug });
    const resource = { stream: `event-${id}`, expected: 'no_stream', events: [created] } as const;
    const outcome = await store.append(append === null ? [resource] : [append, resource]);
    if (outcome.kind === 'appended') return { id, slug };
    conflicts += 1;
  }
}

const created: { id: number; slug: string }[] = [];
for (let index = 0; index < Number(count); index += 4) {
  created.push(...(await Promise.all([0, 1, 2, 3].map((offset) => create(index + offset)))));
}
await store.close();
process.stdout.write(JSON.stringify({ created, conflicts }));
