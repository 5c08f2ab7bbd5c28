// Many thousand requests for every route: nothing breaks, nothing is told to whom it is not for, and nothing is written that
// cannot be read again. DAYBOOK_PROPERTY_SEED chooses other requests, DAYBOOK_FUZZ_REQUESTS how many.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDocumentCheck } from '../support/documented.ts';
import { startTestService } from '../support/service.ts';
import { aftermathOf } from './aftermath.ts';
import { attempt, curlLine, shrunk } from './attempts.ts';
import { converse, spoiled, wireBytes } from './bytes.ts';
import { choices } from './choices.ts';
import { type Guarded, type MarkedCalendar, markedCalendar } from './marked-calendar.ts';
import { endpointsOf, type FuzzRequest, openRequests, SHIM_ROOT } from './requests.ts';
import { SPACES, type Space, type Words } from './values.ts';
import { type FuzzAnswer, insideIn, openJudge, openLeaks, sentText, spoils } from './verdict.ts';

const SEED = Number(process.env.DAYBOOK_PROPERTY_SEED ?? 20_270_314);
const REQUESTS = Number(process.env.DAYBOOK_FUZZ_REQUESTS ?? 4_000);
const ON_SOCKETS = 400;
/** Time goes on while requests are made: a second every so often. */
const REQUESTS_A_SECOND = 50;

/** Of each method and role some request must succeed. */
const SUCCEEDING = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
  ['contributor', 'author', 'editor', 'administrator'].map((as) => `${method} ${as}`),
);

const test = suite('requests of every sort');
const daybook = await startTestService({ environment: { DAYBOOK_PREFIX_ALIASES: 'wp-json/tribe/events/v1' } });
// Forwarded headers are warned of once, whichever request has them first.
await daybook.request('anonymous', 'GET', '/', undefined, { 'x-forwarded-for': '203.0.113.9' });
daybook.logged.length = 0;
const calendar = await markedCalendar(daybook);
// With rules of review, writes of whole roles would become proposals from then on.
const endpoints = [
  ...endpointsOf((await daybook.get('/')).body).filter(({ path }) => !path.startsWith('/policy')),
  ...endpointsOf((await daybook.get(`/${SHIM_ROOT}/wp/v2`)).body, SHIM_ROOT),
];
const judge = openJudge(calendar, openDocumentCheck((await daybook.get('/doc')).body));
const findLeak = openLeaks(calendar);

/** What is guarded, as far as it goes, and more often what is not. */
function idsIn({ guarded, open }: MarkedCalendar): Record<Space, number[]> {
  const of = (kind: Guarded['kind']): number[] => guarded.filter((one) => one.kind === kind).map(({ id }) => id);
  const often = (ids: readonly number[], times: number): number[] => Array.from({ length: times }, () => ids).flat();
  return {
    events: [...often(open.events, 6), ...of('event')],
    venues: [...often(open.venues, 4), ...of('venue')],
    organizers: [...often(open.organizers, 4), ...of('organizer')],
    categories: [...often(open.categories, 2), ...of('category')],
    tags: [...open.tags],
    users: [...often(open.users, 2), ...of('user')],
  };
}

const ids = idsIn(calendar);
const words: Words = {
  ids,
  names: [
    ...calendar.names.map(({ text }) => text).filter((text) => !text.startsWith('qz')),
    ...['Hall author', 'evening-editor', 'tag of author', 'Reading', 'jazz', 'Ö & <b>é</b>'],
  ],
  passwords: [...calendar.passwords, 'wrong', 'Wrong too'],
};

/** What was made may be asked for from now on. */
function learn(request: FuzzRequest, answer: FuzzAnswer | null): void {
  const id = answer?.status === 201 ? /"id":(\d+)/.exec(answer.text)?.[1] : undefined;
  const space = SPACES.find((one) => request.path.endsWith(`/${one}`));
  if (id !== undefined && space && !calendar.guarded.some((one) => String(one.id) === id)) ids[space].push(Number(id));
}

const revisions = (): Promise<number[]> =>
  Promise.all(calendar.guarded.map(async ({ stream }) => (await daybook.store.readStream(stream)).length));
const before = await revisions();

test(`none of ${REQUESTS} requests breaks anything or reveals what it may not`, async () => {
  const choose = choices(SEED);
  const next = openRequests(choose, endpoints, words);
  const successes = new Set<string>();
  const missing = () => SUCCEEDING.filter((one) => !successes.has(one));
  // A rare success may need a few more: which requests are drawn changes with every parameter that is added.
  for (let count = 0; count < REQUESTS || (missing().length > 0 && count < 5 * REQUESTS); ) {
    const request = next();
    if (spoils(request, calendar)) continue;
    count += 1;
    if (count % REQUESTS_A_SECOND === 0) daybook.clock.at += 1;
    const { wrong, answer } = await attempt(daybook, judge, request);
    learn(request, answer);
    if (answer && answer.status < 300) successes.add(`${request.method} ${request.as}`);
    if (wrong === null) continue;
    const sort = wrong.slice(0, 20);
    const fails = async (one: FuzzRequest) => (await attempt(daybook, judge, one)).wrong?.startsWith(sort) ?? false;
    assert.unreachable(`request ${count} of seed ${SEED}: ${wrong}\n${curlLine(await shrunk(request, fails))}`);
  }
  assert.equal(missing(), [], 'some request of each method and role succeeds');
});

test(`${ON_SOCKETS} requests as spoiled bytes on sockets are answered or hung up on`, async () => {
  const choose = choices(SEED + 1);
  const next = openRequests(choose, endpoints, words);
  const port = Number(new URL(await daybook.service.app.listen({ port: 0, host: '127.0.0.1' })).port);
  let answered = 0;
  for (let count = 0; count < ON_SOCKETS; ) {
    const request: FuzzRequest = { ...next(), as: choose.one(['anonymous', 'subscriber'] as const) };
    if (/users|changes/i.test(request.path)) continue;
    count += 1;
    const bytes = wireBytes(request, request.as === 'anonymous' ? null : daybook.authorization(request.as));
    const sent = spoiled(choose, bytes);
    const text = await converse(port, sent);
    const told = `request ${count} of seed ${SEED}, ${JSON.stringify(sent.toString('latin1'))}: ${text.slice(0, 500)}`;
    const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
    answered += statuses.length;
    assert.ok(
      statuses.every((status) => status < 500),
      told,
    );
    assert.is(insideIn(text), undefined, told);
    assert.is(findLeak(request.as, sentText(request), text), null, told);
  }
  assert.ok(answered > ON_SOCKETS / 2, 'most of them are answered');
  assert.equal(daybook.logged, []);
});

test('resources that no request had the right to change are unchanged', async () => {
  assert.equal(await revisions(), before);
});

test('the log fits together, and views made of it anew are those in use', async () => {
  const { events, documents, problems } = await aftermathOf(daybook);
  assert.equal(problems, []);
  assert.ok(events > 500 && documents > 100, `${events} events, ${documents} documents`);
});

test.after(() => daybook.close());
test.run();
