// The same lists from a plain Fastify over PostgreSQL, beside ours: over the same events, which are read from our API.
import pg from 'pg';
import { load } from './load.ts';
import { type Running, startPeer } from './processes.ts';
import { filteredPaths } from './reading.ts';
import { type Row, rate, row } from './table.ts';

const ROOT = '/calendar/events/v1';
const SECONDS = 5;
const CONNECTIONS = 32;
const TURNS = 3;
const PER_PAGE = 50;
const EVERYTHING = 'start_date=2000-01-01&end_date=2100-01-01';

const SCHEMA = `
  DROP TABLE IF EXISTS event, venue, term, event_term;
  CREATE TABLE event (id int PRIMARY KEY, starts timestamptz NOT NULL, ends timestamptz NOT NULL, venue int, body json NOT NULL);
  CREATE TABLE venue (id int PRIMARY KEY, body json NOT NULL);
  CREATE TABLE term (kind text, id int, body json NOT NULL, PRIMARY KEY (kind, id));
  CREATE TABLE event_term (event int, kind text, term int, PRIMARY KEY (event, kind, term));
`;
const INDEXES = `
  CREATE INDEX ON event (starts, id);
  CREATE INDEX ON event (ends);
  CREATE INDEX ON event (venue, starts, id);
  CREATE INDEX ON event_term (kind, term, event);
  ANALYZE;
`;

interface Linked {
  readonly id: number;
}
interface ListedEvent extends Linked {
  readonly utc_start_date: string;
  readonly utc_end_date: string;
  readonly venue: Linked | readonly [];
  readonly categories: readonly Linked[];
  readonly tags: readonly Linked[];
  readonly organizer: readonly Linked[];
}

/** Rows of both; `url` is a database that may be emptied: its tables of these names are replaced. */
export async function besidePostgres({ address }: Running, url: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(SCHEMA);
  await copied(address, client);
  await client.query(INDEXES);
  await client.end();
  const peer = await startPeer(url);
  await assertAlike(address, peer);
  const perSecond = { ours: 0, theirs: 0 };
  const nextPath = filteredPaths();
  for (let turn = 0; turn <= TURNS; turn++) {
    const measure = { seconds: SECONDS, connections: CONNECTIONS };
    const ours = await load({ url: address, nextPath, ...measure });
    const theirs = await load({ url: peer.address, nextPath: () => nextPath().replace(ROOT, ''), ...measure });
    // The first turn warms up.
    if (turn === 0) continue;
    perSecond.ours += ours.perSecond / TURNS;
    perSecond.theirs += theirs.perSecond / TURNS;
  }
  await peer.stop();
  const ratio = (perSecond.ours / perSecond.theirs).toFixed(1);
  const measured = `${rate(perSecond.ours)} : ${rate(perSecond.theirs)} = ${ratio}`;
  return [row('first-time list (category, venue, dates) : Fastify with PostgreSQL', measured)];
}

/** Fills the tables page by page. */
async function copied(address: string, client: pg.Client): Promise<void> {
  for (let page = 1; ; page++) {
    const answer = await fetch(`${address}${ROOT}/events?${EVERYTHING}&per_page=${PER_PAGE}&page=${page}`);
    const list = (await answer.json()) as { events: readonly ListedEvent[]; total_pages: number };
    await insert(client, list.events);
    if (page >= list.total_pages) return;
  }
}

async function insert(client: pg.Client, events: readonly ListedEvent[]): Promise<void> {
  const venues = events.flatMap(({ venue }) => ('id' in venue ? [venue] : []));
  const terms = events.flatMap((event) =>
    Object.entries({ category: event.categories, tag: event.tags, organizer: event.organizer }).flatMap(([kind, all]) =>
      all.map((term) => ({ event: event.id, kind, term })),
    ),
  );
  const own = events.map(({ venue, categories, tags, organizer, ...body }) => body);
  const json = (values: readonly object[]): string[] => values.map((value) => JSON.stringify(value));
  const utc = (text: string): string => `${text.replace(' ', 'T')}Z`;
  await client.query(
    'INSERT INTO event SELECT * FROM unnest($1::int[], $2::timestamptz[], $3::timestamptz[], $4::int[], $5::json[])',
    [
      events.map(({ id }) => id),
      events.map((event) => utc(event.utc_start_date)),
      events.map((event) => utc(event.utc_end_date)),
      events.map(({ venue }) => ('id' in venue ? venue.id : null)),
      json(own),
    ],
  );
  await client.query('INSERT INTO venue SELECT * FROM unnest($1::int[], $2::json[]) ON CONFLICT DO NOTHING', [
    venues.map(({ id }) => id),
    json(venues),
  ]);
  await client.query(
    'INSERT INTO term SELECT * FROM unnest($1::text[], $2::int[], $3::json[]) ON CONFLICT DO NOTHING',
    [terms.map(({ kind }) => kind), terms.map(({ term }) => term.id), json(terms.map(({ term }) => term))],
  );
  await client.query(
    'INSERT INTO event_term SELECT * FROM unnest($1::int[], $2::text[], $3::int[]) ON CONFLICT DO NOTHING',
    [terms.map(({ event }) => event), terms.map(({ kind }) => kind), terms.map(({ term }) => term.id)],
  );
}

/** A peer that finds other events would be no yardstick. */
async function assertAlike(address: string, peer: Running): Promise<void> {
  const nextPath = filteredPaths();
  for (let turn = 0; turn < 20; turn++) {
    const target = nextPath();
    const [ours, theirs] = await Promise.all(
      [`${address}${target}`, `${peer.address}${target.replace(ROOT, '')}`].map(async (one) => {
        const list = (await (await fetch(one)).json()) as { total: number; events?: readonly ListedEvent[] };
        return JSON.stringify([list.total, list.events?.map(({ id }) => id)]);
      }),
    );
    if (ours !== theirs) throw new Error(`${target}: ${ours} here, ${theirs} there`);
  }
}
