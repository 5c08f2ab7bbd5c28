// The tables of the peer, filled with the events that our API lists.
import pg from 'pg';
import { ROOT } from './shapes.ts';

const PER_PAGE = 50;
const EVERYTHING = 'start_date=2000-01-01&end_date=2100-01-01';

const SCHEMA = `
  CREATE TABLE event (id int PRIMARY KEY, starts timestamptz NOT NULL, ends timestamptz NOT NULL, published timestamptz NOT NULL,
    venue int, body json NOT NULL, words tsvector NOT NULL);
  CREATE TABLE venue (id int PRIMARY KEY, body json NOT NULL);
  CREATE TABLE term (kind text, id int, body json NOT NULL, PRIMARY KEY (kind, id));
  CREATE TABLE event_term (event int, kind text, term int, PRIMARY KEY (event, kind, term));
`;
const INDEXES = `
  CREATE INDEX ON event (starts, published, id);
  CREATE INDEX ON event (ends, id);
  CREATE INDEX ON event (venue, starts, published, id);
  CREATE INDEX ON event USING gin (words);
  CREATE INDEX ON event_term (kind, term, event);
  ANALYZE;
`;

interface Linked {
  readonly id: number;
}
interface ListedEvent extends Linked {
  readonly title: string;
  readonly description: string;
  readonly excerpt: string;
  readonly date_utc: string;
  readonly utc_start_date: string;
  readonly utc_end_date: string;
  readonly venue: Linked | readonly [];
  readonly categories: readonly Linked[];
  readonly tags: readonly Linked[];
  readonly organizer: readonly Linked[];
}

/** Makes the tables in the empty database at `url`, with what the service at `address` lists, page by page. */
export async function copyEvents(address: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(SCHEMA);
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = await fetch(`${address}${ROOT}/events?${EVERYTHING}&per_page=${PER_PAGE}&page=${page}`);
    const list = (await answer.json()) as { events: readonly ListedEvent[]; total_pages: number };
    await insert(client, list.events);
    pages = list.total_pages;
  }
  await client.query(INDEXES);
  await client.end();
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
    `INSERT INTO event SELECT id, starts, ends, published, venue, body, to_tsvector('simple', words)
     FROM unnest($1::int[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::int[], $6::json[], $7::text[])
       AS t (id, starts, ends, published, venue, body, words)`,
    [
      events.map(({ id }) => id),
      events.map((event) => utc(event.utc_start_date)),
      events.map((event) => utc(event.utc_end_date)),
      events.map((event) => utc(event.date_utc)),
      events.map(({ venue }) => ('id' in venue ? venue.id : null)),
      json(own),
      events.map(({ title, description, excerpt }) => `${title} ${description} ${excerpt}`),
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
