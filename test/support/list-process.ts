// A process that writes to a read model, or lists from it, until it is killed; see list-kills.ts.
import * as assert from 'uvu/assert';
import { LOG_START } from '../../src/log/envelope.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { event, eventQuery, put, saved } from './documents.ts';

export interface ListOrder {
  /** A file, or `redis://…`. */
  readonly views: string;
  readonly as: 'writer' | 'reader';
}

/** So many that reading their rows takes a while. */
const EVENTS = 2_000;
/** Some of them are featured, in each batch others: the same number in every state. */
const MOVING = 200;
const PARTS = 5;

/** An event as one batch leaves it. Featured ones tell the batch. */
function eventAfter(id: number, batch: number) {
  const isFeatured = id <= MOVING && id % PARTS === batch % PARTS;
  const title = isFeatured ? 'shown now' : 'not now';
  return event(id, { featured: isFeatured, title, date: batch, revision: batch });
}

export const openViews = (views: string): Promise<ReadModel> | ReadModel =>
  views.startsWith('redis:')
    ? openRedisReadModel({ url: views, fingerprint: 'test' })
    : openSqliteReadModel({ file: views, fingerprint: 'test' });

/** The first batch has all events, and each further one features others. */
export async function writeNext(model: ReadModel): Promise<void> {
  const before = await model.checkpoint();
  const batch = before === LOG_START ? 0 : Number(before);
  const isTouched = (id: number): boolean =>
    batch === 0 || (id <= MOVING && [0, 1].includes((batch + PARTS - (id % PARTS)) % PARTS));
  const ids = Array.from({ length: batch === 0 ? EVENTS : MOVING }, (_, at) => at + 1).filter(isTouched);
  await put(model, ...ids.map((id) => saved(eventAfter(id, batch))));
}

/** Throws if what it lists is of no state that was ever written; answers the batch of that state. */
export async function checkLists(model: ReadModel): Promise<number> {
  const page = { offset: 0, limit: MOVING };
  const { items, total } = await model.listEvents(eventQuery({ featured: true, page }));
  const batches = [...new Set(items.map(({ date }) => date))];
  assert.equal([total, items.length, batches.length], [MOVING / PARTS, MOVING / PARTS, 1], `batches ${batches}`);
  const [batch = 0] = batches;
  assert.equal([...new Set(items.map(({ id }) => id % PARTS))], [batch % PARTS]);
  const search = { words: ['shown'], without: [] };
  const searched = await model.findEvents(eventQuery({ search, page: { offset: 0, limit: EVENTS } }));
  assert.is(searched.total, MOVING / PARTS);
  assert.is(new Set(searched.items.map((id) => id % PARTS)).size, 1);
  assert.is((await model.findEvents(eventQuery())).total, EVENTS);
  return batch;
}

async function run({ views, as }: ListOrder): Promise<void> {
  process.stdout.write('began\n');
  const model = await openViews(views);
  for (;;) {
    if (as === 'writer') await writeNext(model);
    else await checkLists(model);
    process.stdout.write(`${as} went on\n`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const [, , order] = process.argv;
if (order !== undefined && import.meta.filename === process.argv[1])
  run(JSON.parse(order) as ListOrder).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    // Its connections would keep it.
    process.exit(1);
  });
