import { setTimeout as pass } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections, fingerprintOf } from '../../projections/catalogue.ts';
import { keyOf } from '../../projections/projection.ts';
import { openStores } from '../../src/composition.ts';
import { readConfig } from '../../src/config.ts';
import { LOG_START } from '../../src/log/envelope.ts';
import type { Document, DocumentKey } from '../../src/read-model/documents.ts';
import { catchUp } from '../../src/read-model/projector/catch-up.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import type { Stores } from '../../src/stores.ts';
import { type Serving, serving } from '../support/process.ts';
import { type Body, someEvent, temporaryFolder } from '../support/service.ts';

const test = suite('a service that is killed');

/** The second one kills a service over what the first one has left; DAYBOOK_DRILL_ROUNDS asks for more. */
const ROUNDS = Number(process.env.DAYBOOK_DRILL_ROUNDS ?? 2);
/** So many share a commit. */
const CLIENTS = 12;
/** Of acknowledged writes in a round; then it is killed, while the next ones are under way. */
const WRITES_BEFORE_THE_END = 60;

const { folder, remove } = temporaryFolder();
const settings = { DAYBOOK_DATA_DIR: folder };
let running: Serving | undefined;

test.after(async () => {
  await running?.kill();
  remove();
});

/** What a client was told last about an event that is its own, and whether a write of it got no answer. */
interface Told {
  readonly id: number;
  title: string;
  status: string;
  venue: string;
  /** A title that was sent and never acknowledged, or `null` for a deletion. */
  unanswered?: string | null;
}

const told = new Map<number, Told>();
let token = '';
let acknowledged = 0;
let names = 0;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** The parsed answer, or null when the service was gone before it came. */
async function send(api: string, { method, path, body }: Sent): Promise<Body> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const payload = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${api}${path}`, { method, headers, ...payload }).then(
    async (got) => ({ status: got.status, body: (await got.json()) as Body }),
    () => null,
  );
  if (answer === null) return null;
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  acknowledged += 1;
  return answer.body;
}

/** Sends one write after the other to events of its own until no answer comes. All titles are alike, for their slugs. */
async function client(api: string): Promise<void> {
  for (;;) {
    names += 1;
    const number = names;
    const venue = `Hall ${number}`;
    const created = await send(api, { method: 'POST', path: '/events', body: someEvent({ venue: { venue } }) });
    if (created === null) return;
    const mine: Told = { id: created.id, title: created.title, status: created.status, venue };
    assert.not(told.has(mine.id), `id ${mine.id} is given twice`);
    told.set(mine.id, mine);
    const path = `/events/${mine.id}`;
    mine.unanswered = `Changed ${number}`;
    const moved = `Barn ${number}`;
    const body = { title: mine.unanswered, venue: { venue: moved } };
    const changed = await send(api, { method: 'PATCH', path, body });
    if (changed === null) return;
    Object.assign(mine, { title: changed.title, venue: moved });
    delete mine.unanswered;
    if (mine.id % 3 !== 0) continue;
    mine.unanswered = null;
    if ((await send(api, { method: 'DELETE', path })) === null) return;
    mine.status = 'trash';
    delete mine.unanswered;
  }
}

async function crashUnderLoad(): Promise<void> {
  running = await serving(settings);
  if (token === '') {
    await running.wrote('try:');
    token = /token: (\S+)/.exec(running.out())?.[1] ?? '';
  }
  const { api } = running;
  const until = acknowledged + WRITES_BEFORE_THE_END;
  const clients = Promise.all(Array.from({ length: CLIENTS }, () => client(api)));
  while (acknowledged < until) await Promise.race([pass(1), clients]);
  await running.kill();
  await clients;
}

/** Every document that the log speaks of. */
async function keysOf({ store, rendering }: Stores): Promise<DocumentKey[]> {
  const projections = allProjections(rendering);
  const streams = new Set<string>();
  const prefixes = projections.map(({ prefix }) => prefix);
  for (const { stream } of await store.readAll({ after: LOG_START, prefixes, limit: 1_000_000 })) streams.add(stream);
  return [...streams].flatMap((stream) => {
    const projection = projections.find(({ prefix }) => stream.startsWith(prefix));
    return (projection && keyOf(projection, stream)) ?? [];
  });
}

async function rebuilt({ store, rendering }: Stores, keys: readonly DocumentKey[]): Promise<(Document | null)[]> {
  const readModel = openSqliteReadModel({ file: ':memory:', fingerprint: fingerprintOf() });
  await catchUp(store, readModel, allProjections(rendering));
  const documents = await readModel.fetch(keys);
  await readModel.close();
  return documents;
}

function assertKept(documents: readonly (Document | null)[]): void {
  const posts = new Map(documents.map((document) => [document?.id, document] as const));
  for (const { id, title, status, venue, unanswered } of told.values()) {
    const event = posts.get(id);
    if (event?.kind !== 'event') throw new Error(`event ${id} was acknowledged and is lost`);
    const isChanged = typeof unanswered === 'string' && event.title === unanswered;
    assert.ok(event.title === title || isChanged, `event ${id} is "${event.title}", acknowledged was "${title}"`);
    assert.ok(event.status === status || (unanswered === null && event.status === 'trash'), `event ${id}`);
    const place = posts.get(event.venues[0]?.id);
    const name = place?.kind === 'venue' ? place.name : 'lost';
    assert.ok(isChanged ? name.startsWith('Barn ') : name === venue, `event ${id} is at "${name}", not "${venue}"`);
  }
}

function assertWhole(documents: readonly (Document | null)[]): void {
  const events = documents.flatMap((document) => (document?.kind === 'event' ? [document] : []));
  const venues = documents.flatMap((document) => (document?.kind === 'venue' ? [document.name] : []));
  assert.is(new Set(venues).size, venues.length, 'no request was carried out twice');
  // Each event was written with a venue of its own, and each that was changed came to have a second one.
  const changed = events.filter(({ title }) => title.startsWith('Changed ')).length;
  assert.is(venues.length, events.length + changed, 'no venue without its event');
  const ids = documents.flatMap((document) =>
    document?.kind === 'event' || document?.kind === 'venue' ? [document.id] : [],
  );
  assert.is(new Set(ids).size, ids.length, 'no id twice');
  const slugs = events.flatMap(({ status, slug }) => (status === 'draft' ? [] : [slug]));
  assert.is(new Set(slugs).size, slugs.length, 'no slug twice');
}

for (let round = 1; round <= ROUNDS; round++)
  test(`round ${round}: acknowledged writes are kept, requests are complete, the read model matches the log`, async () => {
    await crashUnderLoad();
    // A start takes in what the views missed, as they stood when they were killed.
    running = await serving(settings);
    for (const { id, status } of [...told.values()].slice(-CLIENTS)) {
      const answer = await fetch(`${running.api}/events/${id}`, { headers: { authorization: `Bearer ${token}` } });
      assert.ok(answer.status === 200 || status === 'trash' || told.get(id)?.unanswered === null, `event ${id}`);
    }
    await running.kill();
    const stores = await openStores(readConfig(settings));
    try {
      const keys = await keysOf(stores);
      const documents = await stores.readModel.fetch(keys);
      assert.equal(documents, await rebuilt(stores, keys));
      assertKept(documents);
      assertWhole(documents);
    } finally {
      await stores.close();
    }
  });

test.run();
