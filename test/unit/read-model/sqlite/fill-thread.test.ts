import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../../../src/event-store/envelope.ts';
import { type Batch, ReadModelUnavailable } from '../../../../src/read-model/read-model.ts';
import { type FillThread, startFillThread } from '../../../../src/read-model/sqlite/fill-thread.ts';
import { openSqliteReadModel } from '../../../../src/read-model/sqlite/open.ts';
import { category, event, organizer, saved, tag, venue } from '../../../support/documents.ts';
import { temporaryDirectory } from '../../../support/events.ts';
import { viewsDump } from '../../../support/views-dump.ts';

interface Context {
  directory: string;
  remove(): Promise<void>;
  thread: FillThread;
}

const fileIn = ({ directory }: Context, name: string): string => join(directory, `${name}.db`);
const modelIn = (context: Context, name: string) =>
  openSqliteReadModel({ file: fileIn(context, name), fingerprint: 'test' });

const test = suite<Context>('fill thread');
test.before.each(async (context) => {
  Object.assign(context, await temporaryDirectory());
  await modelIn(context, 'filled').close();
  context.thread = startFillThread({ file: fileIn(context, 'filled'), fingerprint: 'test' });
});
test.after.each(async ({ thread, remove }) => {
  await thread.end();
  await remove();
});

const portion = (upTo: string, ...changes: Batch['changes']): Batch => ({
  after: LOG_START,
  upTo,
  changes,
  fill: 'first',
});

const DOCUMENTS = [
  saved(event(1, { categories: [1], tags: [11, 11], venues: [{ id: 41, life: 0 }], title: 'Jazz & more – at night' })),
  saved(event(5_000, { categories: [1], hidden: true, description: 'Jazz' })),
  saved(category(1)),
  saved(tag(11)),
  saved(venue(41, { coordinates: { lat: 1.5, lng: 2 } })),
  saved(organizer(51)),
];

test('a thread fills as the calling thread does', async (context) => {
  const direct = modelIn(context, 'direct');
  await direct.apply({ after: LOG_START, upTo: '7', changes: DOCUMENTS });
  await direct.close();
  const { thread } = context;
  assert.is(await thread.apply(portion(LOG_START, ...DOCUMENTS.slice(0, 2))), 'applied');
  assert.is(await thread.apply(portion(LOG_START, ...DOCUMENTS.slice(2, 4))), 'applied');
  const reader = modelIn(context, 'filled');
  assert.equal([await reader.checkpoint(), (await reader.terms()).size], [LOG_START, 0]);
  assert.is(await thread.apply(portion('7', ...DOCUMENTS.slice(4))), 'applied');
  assert.equal([await reader.checkpoint(), (await reader.terms()).size], ['7', 2]);
  await reader.close();
  assert.equal(viewsDump(fileIn(context, 'filled')), viewsDump(fileIn(context, 'direct')));
});

test('batches that are handed over in a row are written in that order', async ({ thread }) => {
  const outcomes = await Promise.all([portion(LOG_START), portion('7'), portion('8')].map((one) => thread.apply(one)));
  assert.equal(outcomes, ['applied', 'applied', 'stale']);
});

test('a fill whose generation was dropped meanwhile is stale', async (context) => {
  assert.is(await context.thread.apply(portion(LOG_START, ...DOCUMENTS)), 'applied');
  const model = modelIn(context, 'filled');
  await model.clear();
  assert.is(await context.thread.apply(portion('7')), 'stale');
  assert.equal(await model.fetch([{ kind: 'event', id: 1 }]), [null]);
  await model.close();
});

test('once a thread has ended, whatever comes is stale', async ({ thread }) => {
  assert.is(await thread.apply(portion(LOG_START, ...DOCUMENTS)), 'applied');
  await thread.end();
  assert.is(await thread.apply(portion('7')), 'stale');
});

test('an error in the thread is thrown as it would be here', async (context) => {
  const other = startFillThread({ file: fileIn(context, 'filled'), fingerprint: 'another' });
  const failure = await other.apply(portion('7')).catch((error: unknown) => error);
  assert.instance(failure, ReadModelUnavailable);
  await other.end();
  const missing = startFillThread({ file: fileIn(context, 'missing'), fingerprint: 'test' });
  const reason = await missing.apply(portion('7')).catch((error: unknown) => String(error));
  assert.match(String(reason), 'unable to open database file');
});

test.run();
