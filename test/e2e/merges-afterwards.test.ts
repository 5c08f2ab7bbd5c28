// What comes after a merge: chains, reverts of its request, imports, erasure, backup and rebuilds.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import { commandDependencies } from '../../src/commands/dependencies.ts';
import { importCommand } from '../../src/exchange/import/cli/import.ts';
import { DEFAULT_LIMITS } from '../../src/exchange/import/read-source.ts';
import { erase } from '../../src/people/personal-data/commands/erase.ts';
import { catchUp } from '../../src/read-model/projector/catch-up.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { perform } from '../support/perform.ts';
import {
  type Answer,
  type Body,
  ROOT,
  someEvent,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../support/service.ts';
import { viewsDump } from '../support/views-dump.ts';

interface Context {
  daybook: TestService;
  temporary: ReturnType<typeof temporaryFolder>;
}

const test = suite<Context>('after a merge');

test.before(async (context) => {
  context.temporary = temporaryFolder();
  const { folder } = context.temporary;
  context.daybook = await startTestService({
    environment: { DAYBOOK_DATA_DIR: folder, DAYBOOK_READ_MODEL: `sqlite:${path.join(folder, 'views.db')}` },
  });
});
test.after(({ temporary }) => temporary.remove());

const codeOf = ({ status, body }: Answer): string => `${status} ${body.code ?? ''}`.trim();
const merge = ({ request }: TestService, collection: string, from: number, into: number): Promise<Answer> =>
  request('editor', 'POST', `/${collection}/${from}/merge`, { into });
const requestOf = ({ headers }: Answer): string => String(headers['x-request-id']);

async function venues({ created }: TestService, ...names: readonly string[]): Promise<number[]> {
  const made: number[] = [];
  for (const venue of names) made.push((await created('editor', 'venues', { venue })).id);
  return made;
}

const eventAt = ({ created }: TestService, venue: number): Promise<Body> =>
  created('editor', 'events', someEvent({ venue }));
const venueOf = async ({ get }: TestService, { id }: Body): Promise<number> =>
  (await get(`/events/${id}`)).body.venue.id;

test('a chain leads to its end, and each merge is taken apart on its own', async ({ daybook }) => {
  const [first = 0, second = 0, third = 0] = await venues(daybook, 'Chain 1', 'Chain 2', 'Chain 3');
  const event = await eventAt(daybook, first);
  const [one, other] = [await merge(daybook, 'venues', first, second), await merge(daybook, 'venues', second, third)];
  assert.equal([one.status, other.status], [200, 200]);
  for (const id of [first, second])
    assert.is((await daybook.get(`/venues/${id}`)).headers.location, `${ROOT}/venues/${third}`);
  for (const id of [first, second, third]) assert.is((await daybook.get(`/events?venue=${id}`)).body.total, 1);
  assert.is(await venueOf(daybook, event), third);
  // No circle can be closed: those that went are no longer there to be merged into.
  for (const into of [first, second])
    assert.is(codeOf(await merge(daybook, 'venues', third, into)), '409 rest_cannot_merge');
  for (const [request, venue] of [
    [requestOf(other), second],
    [requestOf(one), first],
  ] as const) {
    const reverted = await daybook.request('editor', 'POST', '/reverts', { request });
    assert.equal([reverted.status, reverted.body.complete], [200, true], reverted.text);
    assert.is(await venueOf(daybook, event), venue);
    assert.is((await daybook.get(`/venues/${venue}`)).status, 200);
  }
});

test('the revert of the request of a merge can itself be reverted', async ({ daybook }) => {
  for (const [collection, name, members] of [
    ['venues', 'venue', 'venue'],
    ['organizers', 'organizer', 'organizer'],
    ['categories', 'name', 'categories'],
    ['tags', 'name', 'tags'],
  ] as const) {
    const stays = await daybook.created('editor', collection, { [name]: `Back ${collection}` });
    const goes = await daybook.created('editor', collection, { [name]: `Forth ${collection}` });
    const event = await daybook.created('editor', 'events', someEvent({ [members]: [goes.id] }));
    const linked = async () => [(await daybook.get(`/events/${event.id}`)).body[members]].flat().map(({ id }) => id);
    const merged = await merge(daybook, collection, goes.id, stays.id);
    assert.equal(await linked(), [stays.id], collection);
    const apart = await daybook.request('editor', 'POST', '/reverts', { request: requestOf(merged) });
    assert.equal([apart.status, apart.body.conflicts], [200, 0], apart.text);
    assert.equal(await linked(), [goes.id], collection);
    assert.is((await daybook.get(`/${collection}/${goes.id}`)).status, 200, collection);
    const again = await daybook.request('editor', 'POST', '/reverts', { request: apart.body.correlation_id });
    assert.equal([again.status, again.body.conflicts], [200, 0], again.text);
    assert.equal(await linked(), [stays.id], collection);
    assert.is((await daybook.get(`/${collection}/${goes.id}`)).status, 308, collection);
  }
});

test('an erased organizer that was merged keeps nothing, and neither does the one that stays', async ({ daybook }) => {
  const stays = await daybook.created('editor', 'organizers', { organizer: 'Ann Archer', email: 'ann@example.org' });
  const goes = await daybook.created('editor', 'organizers', { organizer: 'A. Archer', email: 'archer@example.org' });
  const event = await daybook.created('editor', 'events', someEvent({ organizer: goes.id }));
  assert.is((await merge(daybook, 'organizers', goes.id, stays.id)).status, 200);
  for (const id of [goes.id, stays.id]) {
    const correlationId = randomUUID();
    const instant = new Date(daybook.clock.at * 1000).toISOString();
    const metadata = { actor: { id: null, name: 'test' }, instant, correlationId, causationId: correlationId };
    const { stores } = daybook;
    assert.is((await erase({ ...stores, newEventId: randomUUID }, metadata, 'organizer', id)).kind, 'erased');
    await stores.project();
  }
  const paths = [`/events/${event.id}`, `/events/${event.id}/history`, `/organizers/${stays.id}/history`];
  for (const target of [...paths, `/organizers/${goes.id}/history`, '/organizers?status=trash', '/changes?limit=100'])
    assert.not.match((await daybook.get(target, 'editor')).text, /archer/i, target);
});

/** An export of another calendar; ids are those of the source. */
const source = (title: string): string => {
  const place = (id: number, venue: string) => ({ id, venue, address: `${venue} 1` });
  const dates = { start_date: '2031-01-01 10:00:00', end_date: '2031-01-01 11:00:00' };
  const term = (id: number, slug: string, taxonomy = 'tribe_events_cat') => [{ id, name: slug, slug, taxonomy }];
  const events = [
    {
      ...{ id: 9011, title, ...dates, venue: place(9005, 'Old Mill'), organizer: [{ id: 9006, organizer: 'Millers' }] },
      ...{ categories: term(9001, 'milling'), tags: term(9002, 'flour', 'post_tag') },
    },
    {
      ...{ id: 9012, title: 'Other', ...dates, venue: place(9007, 'The Mill') },
      ...{ organizer: [{ id: 9008, organizer: 'The Millers' }] },
      ...{ categories: term(9003, 'mills'), tags: term(9004, 'meal', 'post_tag') },
    },
  ];
  return JSON.stringify({ events });
};

async function imported({ stores, config, clock }: TestService, file: string): Promise<Body> {
  const lines: string[] = [];
  await perform(importCommand, [file, '--json'], {
    store: stores.store,
    commandsOn: (store) => commandDependencies({ ...stores, store }, config),
    project: stores.project,
    display: stores.rendering,
    now: () => clock.at,
    elapsed: () => 0,
    newId: randomUUID,
    out: (line) => void lines.push(line),
    progress: { begin() {}, reach() {}, end() {} },
    signal: new AbortController().signal,
    limits: DEFAULT_LIMITS,
  });
  return JSON.parse(lines.join(''));
}

test('a repeated import of the source finds the ones that stayed', async ({ daybook, temporary }) => {
  const file = path.join(temporary.folder, 'source.json');
  writeFileSync(file, source('First'));
  const first = await imported(daybook, file);
  assert.is(first.events.created, 2, JSON.stringify(first));
  const idsOf = async (): Promise<readonly Body[]> => {
    const { body } = await daybook.get('/events?start_date=2031-01-01&end_date=2031-01-02');
    return body.events.map(({ venue, organizer, categories, tags }: Body) =>
      [venue, organizer, categories, tags].map((linked) => [linked].flat().map(({ id }: Body) => id)),
    );
  };
  const [one, other] = await idsOf();
  for (const [at, collection] of ['venues', 'organizers', 'categories', 'tags'].entries())
    assert.is((await merge(daybook, collection, one[at][0], other[at][0])).status, 200, collection);
  assert.equal(await idsOf(), [other, other]);
  const again = await imported(daybook, file);
  assert.equal([again.events.created, again.events.changed, again.events.unchanged], [0, 0, 2], JSON.stringify(again));
  writeFileSync(file, source('Changed'));
  const changed = await imported(daybook, file);
  assert.equal([changed.events.created, changed.events.changed], [0, 1], JSON.stringify(changed));
  for (const kind of ['venues', 'organizers', 'categories', 'tags'])
    assert.is(changed[kind].created, 0, `${kind} ${JSON.stringify(changed)}`);
  assert.equal(await idsOf(), [other, other]);
});

test('views that are filled anew have the same bytes as those that followed', async ({ daybook, temporary }) => {
  const anew = path.join(temporary.folder, 'anew.db');
  const { store, rendering } = daybook.stores;
  const model = await openSqliteReadModel({ file: anew, fingerprint: 'any' });
  await catchUp(store, model, allProjections(rendering));
  await model.close();
  await daybook.close();
  assert.equal(viewsDump(anew), viewsDump(path.join(temporary.folder, 'views.db')));
});

test.run();
