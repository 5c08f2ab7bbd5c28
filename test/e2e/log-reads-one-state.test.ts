// Single reads from the log, while the read model is away, take several streams. A set that is applied between two of
// these reads shows in none of the answer.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startEventStoreDb } from '../support/eventstoredb-server.ts';
import { type Outages, outages } from '../support/outages.ts';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

interface Context {
  daybook: TestService;
  away: Outages;
  /** Runs once, right before the next read of a stream of that prefix. */
  before: { stream: string; run: (() => Promise<void>) | null };
  stop: () => Promise<void>;
}

const KINDS = { venues: 'venue', organizers: 'organizer', categories: 'name' } as const;

function rules(engine: string, logAddress: () => Promise<{ address: string | null; stop: () => Promise<void> }>): void {
  const test = suite<Context>(`one state of the log on ${engine}`);

  test.before(async (context) => {
    const { address, stop } = await logAddress();
    const away = outages();
    const before: Context['before'] = { stream: '', run: null };
    context.daybook = await startTestService({
      ...(address !== null && { environment: { DAYBOOK_EVENT_STORE: address } }),
      wrap(stores) {
        const { store, ...others } = away.wrap(stores);
        return {
          ...others,
          store: {
            ...store,
            async readStream(stream, options) {
              const { run } = before;
              if (run !== null && stream.startsWith(before.stream)) {
                before.run = null;
                await run();
              }
              return store.readStream(stream, options);
            },
          },
        };
      },
    });
    Object.assign(context, { away, before, stop });
  });
  test.after(async ({ daybook, away, stop }) => {
    away.down.views = false;
    await daybook.close();
    await stop();
  });

  for (const [name, { target, streams }] of Object.entries(READS))
    for (const stream of streams)
      test(`${name}, with a set applied before ${stream} is read`, async ({ daybook, away, before }) => {
        const { id, slug, set } = await proposed(daybook);
        const url = target(id, slug, new Date(daybook.clock.at * 1000).toISOString());
        away.down.views = true;
        let applied: Promise<unknown> = Promise.resolve();
        Object.assign(before, {
          stream,
          run: async () => {
            const written = new Promise<void>((resolve) => {
              away.written = resolve;
            });
            applied = daybook.request('editor', 'POST', `/sets/${set}/apply`, {});
            await written;
          },
        });
        const amid = await daybook.get(url, 'editor');
        assert.is(before.run, null, 'it was applied amid the read');
        assert.is(new Set(namesIn(amid.body)).size, 1, amid.text);
        const behind = await daybook.get(url, 'editor');
        assert.equal(namesIn(behind.body), ['After', 'After', 'After', 'After']);
        away.down.views = false;
        await applied;
      });

  test.run();
}

/** In which order an answer reads streams is not ours to say: at least one of these is not the first. */
const READS = {
  'by its id': { target: (id: number) => `/events/${id}`, streams: ['venue-', 'organizer-', 'category-'] },
  'by its slug': { target: (_id: number, slug: string) => `/events/by-slug/${slug}`, streams: ['event-', 'venue-'] },
  'as of this second': {
    target: (id: number, _slug: string, now: string) => `/events/${id}?as_of=${now}`,
    streams: ['venue-'],
  },
} as const;

const namesIn = ({ title, venue, organizer, categories }: Body): unknown[] => [
  ...[title, venue?.venue, organizer?.[0]?.organizer, categories?.[0]?.name],
];

/** An event with all that it embeds, and a set that renames each of them. */
async function proposed(daybook: TestService): Promise<{ id: number; slug: string; set: number }> {
  const create = (kind: string, body: object): Promise<Body> => daybook.created('editor', kind, body);
  const embedded: { [kind: string]: number } = {};
  for (const [kind, name] of Object.entries(KINDS)) embedded[kind] = (await create(kind, { [name]: 'Before' })).id;
  const { venues: venue, organizers: organizer, categories } = embedded;
  const { id, slug } = await create(
    'events',
    someEvent({ title: 'Before', venue, organizer, categories: [categories] }),
  );
  const renamed = [
    [`/events/${id}`, 'title'],
    ...Object.entries(KINDS).map(([kind, name]) => [`/${kind}/${embedded[kind]}`, name]),
  ] as const;
  const proposals: number[] = [];
  for (const [target = '', name = ''] of renamed) {
    const answer = await daybook.request('editor', 'POST', `${target}/proposals`, { [name]: 'After' });
    assert.is(answer.status, 201, answer.text);
    proposals.push(answer.body.id);
  }
  const { body } = await daybook.request('editor', 'POST', '/sets', { name: 'All', proposals });
  return { id, slug, set: body.id };
}

rules('SQLite', async () => ({ address: null, stop: async () => {} }));
rules('EventStoreDB', async () => {
  const server = await startEventStoreDb();
  return { address: server.connectionString, stop: () => server.stop() };
});
