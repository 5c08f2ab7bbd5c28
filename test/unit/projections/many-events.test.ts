import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fillStore, firstEventId } from '../../perf/sample-calendar.ts';
import { type Body, NOON, startTestService, type TestService } from '../../support/service.ts';

const SIZE = { events: 2_000, venues: 1, organizers: 1, categories: 1, tags: 1 };
const WHOLE_TIME = 'start_date=2020-01-01&end_date=2040-01-01&per_page=50';

let daybook: TestService;
/** Documents that were written, as `kind id`, since a test emptied it. */
const written: string[] = [];
const test = suite('a venue of two thousand events');

test.before(async () => {
  daybook = await startTestService({
    wrap: (stores) => ({
      ...stores,
      projectorModel: {
        ...stores.projectorModel,
        apply(batch) {
          for (const { key } of batch.changes) written.push(`${key.kind} ${key.id}`);
          return stores.projectorModel.apply(batch);
        },
      },
    }),
  });
  await fillStore(daybook.store, SIZE, NOON);
  assert.ok(await daybook.service.views.reached(await daybook.store.head(), 60_000));
});
test.after(() => daybook.close());

const page = async (number: number): Promise<Body> => (await daybook.get(`/events?${WHOLE_TIME}&page=${number}`)).body;

const venueNames = ({ events }: Body): Set<string> => new Set(events.map(({ venue }: Body) => venue.venue));

test('its new name is one document, and every list and every event shows it', async () => {
  const before = await page(1);
  assert.is(before.total, SIZE.events);
  assert.not(venueNames(before).has('New Hall'));
  written.length = 0;
  assert.is((await daybook.request('editor', 'PATCH', '/venues/1', { venue: 'New Hall' })).status, 200);
  assert.equal(written, ['venue 1']);
  for (let number = 1; number <= before.total_pages; number += 8)
    assert.equal([...venueNames(await page(number))], ['New Hall'], `page ${number}`);
  for (const [as, query] of [
    ['anonymous', 'venue=1'],
    ['anonymous', 'featured=true'],
    ['editor', 'search=concert'],
  ] as const) {
    const { body } = await daybook.get(`/events?${WHOLE_TIME}&${query}`, as);
    assert.equal([...venueNames(body)], ['New Hall'], query);
  }
  assert.is((await daybook.get(`/events/${firstEventId(SIZE)}`)).body.venue.venue, 'New Hall');
  assert.is((await daybook.get('/venues')).body.venues[0].venue, 'New Hall');
});

test.run();
