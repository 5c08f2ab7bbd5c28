// The peer: Fastify and PostgreSQL as most would write it: tables with indexes, one query for the page and one for the total,
// JSON assembled by the database. Started by compare.ts with PORT and PG_URL set.
import fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.PG_URL, max: 16 });
const app = fastify();

/** Prepared once for each set of filters, by a short name. */
const known = new Map();

function prepared(text, values) {
  if (!known.has(text)) known.set(text, `list-${known.size}`);
  return pool.query({ name: known.get(text), text, values });
}

/** The filters that a request has, as conditions and their values. */
function conditionsOf({ categories, venue, start_date, end_date, search }) {
  const values = [];
  const conditions = [];
  const add = (value, condition) => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  if (start_date) add(start_date, (at) => `e.starts >= ${at}::timestamptz`);
  if (end_date) add(end_date, (at) => `e.ends < ${at}::timestamptz + interval '1 day'`);
  if (venue) add(Number(venue), (at) => `e.venue = ${at}`);
  if (categories)
    add(
      Number(categories),
      (at) => `EXISTS (SELECT FROM event_term t WHERE t.event = e.id AND t.kind = 'category' AND t.term = ${at})`,
    );
  if (search) add(search, (at) => `e.words @@ plainto_tsquery('simple', ${at})`);
  return { values, where: conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '' };
}

const terms = (kind) =>
  `(SELECT coalesce(json_agg(term.body), '[]') FROM event_term t JOIN term ON term.kind = t.kind AND term.id = t.term
    WHERE t.event = e.id AND t.kind = '${kind}')`;
const WHOLE = `e.body, (SELECT v.body FROM venue v WHERE v.id = e.venue) AS venue, ${terms('category')} AS categories,
  ${terms('tag')} AS tags, ${terms('organizer')} AS organizers`;

const shown = ({ body, venue, categories, tags, organizers }) => ({
  ...body,
  venue: venue ?? [],
  categories,
  tags,
  organizer: organizers,
});

app.get('/events', async (request) => {
  const { values, where } = conditionsOf(request.query);
  const perPage = Math.trunc(Number(request.query.per_page ?? 12));
  const page = Math.trunc(Number(request.query.page ?? 1));
  const [counted, listed] = await Promise.all([
    prepared(`SELECT count(*)::int AS total FROM event e ${where}`, values),
    prepared(
      `SELECT ${WHOLE} FROM event e ${where} ORDER BY e.starts, e.published, e.id LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`,
      values,
    ),
  ]);
  const { total } = counted.rows[0];
  return { events: listed.rows.map(shown), total, total_pages: Math.ceil(total / perPage) };
});

app.get('/events/:id', async (request, reply) => {
  const { rows } = await prepared(`SELECT ${WHOLE} FROM event e WHERE e.id = $1`, [Number(request.params.id)]);
  return rows[0] === undefined ? reply.code(404).send({ code: 'not_found' }) : shown(rows[0]);
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.stdout.write('listening\n');
