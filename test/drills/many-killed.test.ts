// `kill -9` while many events are changed at the desk, on the event store that writes stream after stream: the same form sent
// again goes on. Every event is changed or proposed once, and all of it is one request, by which it is reverted.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Fields, formOf, signedIn, type Visitor } from '../support/desk.ts';
import { type EventStoreDbServer, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { type KilledAppend, killedAt } from '../support/killed-appends.ts';
import { type Serving, serving } from '../support/process.ts';
import { addUser, call, type ProcessUser } from '../support/process-users.ts';
import { type Answer, type Body, someEvent, temporaryFolder } from '../support/service.ts';

interface Context {
  server: EventStoreDbServer;
  settings: { readonly [name: string]: string };
  editor: ProcessUser;
  /** The process that will be killed next, and after each kill the one that follows it. */
  running: Serving;
  visitor: Visitor;
  remove: () => void;
}

const SITE = 'http://cal.example';
const MANY = '/desk/events/many';
const CARRY_OUT = `${MANY}/carry-out`;
const EVENTS = 4;

const test = suite<Context>('many events under kill -9');

test.before(async (context) => {
  const { folder, remove } = temporaryFolder();
  context.server = await startEventStoreDb();
  context.settings = {
    ...{ DAYBOOK_DATA_DIR: folder, DAYBOOK_EVENT_STORE: context.server.connectionString, DAYBOOK_SITE_URL: SITE },
  };
  context.remove = remove;
  context.editor = await addUser(context.settings, 'editor', 'editor');
  context.running = await serving(context.settings);
  context.visitor = await signedIn(
    { request: (...sent) => requested(context.running, ...sent), authorization: () => context.editor.password },
    'editor',
  );
});
test.after(async ({ running, server, remove }) => {
  await running.kill();
  await server.stop();
  remove();
});

/** As a browser sends it. */
async function requested(
  { address }: Serving,
  _as: string,
  method: string,
  target: string,
  body?: unknown,
  headers = {},
): Promise<Answer> {
  const answer = await fetch(address + target.slice(1), {
    ...{ method, headers, redirect: 'manual' },
    ...(typeof body === 'string' && { body }),
  });
  const { status } = answer;
  return { status, headers: Object.fromEntries(answer.headers), text: await answer.text(), body: undefined };
}

/** The form of a plan for new events, filled in. */
async function planned(
  context: Context,
  members: object,
  change: Fields,
  typed: Fields,
): Promise<{ ids: number[]; form: Fields }> {
  const { running, editor, visitor } = context;
  const ids: number[] = [];
  for (let at = 1; at <= EVENTS; at += 1)
    ids.push(Number((await call(running, editor, '/events', someEvent({ status: 'publish', ...members }))).body.id));
  const page = await visitor.get(`${MANY}?${ids.map((id) => `ids[]=${id}`).join('&')}&which=ticked`);
  const seen = await visitor.post(MANY, { ...formOf(page, MANY), ...change });
  return { ids, form: { ...formOf(seen, CARRY_OUT), ...typed } };
}

/** Sends the form, kills the process at that append, and sends it again to the next one. */
async function sentAgain(context: Context, kill: KilledAppend, form: Fields): Promise<Answer> {
  const { server, running, settings, visitor } = context;
  await killedAt(server, running, kill, () => visitor.post(CARRY_OUT, form));
  context.running = await serving(settings);
  return visitor.post(CARRY_OUT, form);
}

/** The first change of these also creates the tag, which is called otherwise than it was typed. */
const CHANGE = { tags_add: 'Later <i>on</i>', days: '7', status: 'publish' };

test('changes that are killed in the middle go on, once each, as one request', async (context) => {
  const { ids, form } = await planned(context, { status: 'draft' }, CHANGE, { _do: 'apply', _reason: 'Later' });
  const done = await sentAgain(context, { at: 9, fault: 'never answer after writing' }, form);
  assert.is(done.headers.location, '/desk/events?said=said_bulk', done.text);
  const { editor, running } = context;
  const requests = new Set<string>();
  for (const id of ids) {
    const { history } = (await call(running, editor, `/events/${id}/history`)).body as Body;
    const later = history.filter(({ reason }: Body) => reason === 'Later');
    const types = later.map(({ type }: Body) => type);
    assert.equal([...new Set(types)].length, types.length, `each once: ${types}`);
    for (const entry of later) requests.add(entry.correlation_id);
  }
  const { tags } = (await call(running, editor, '/tags?hide_empty=0')).body as Body;
  assert.equal([tags.length, requests.size], [1, 1]);
  const [request] = requests;
  const { complete, resources } = (await call(running, editor, '/reverts', { request })).body as Body;
  assert.equal([complete, resources.filter((one: Body) => one.kind === 'event').length], [true, EVENTS]);
});

test('a plan that is killed between its proposals and its set becomes one set', async (context) => {
  const typed = { _do: 'schedule', at: '2099-12-01', at_time: '10:00' };
  const { ids, form } = await planned(context, {}, { featured: 'yes', tags_add: 'Planned' }, typed);
  const done = await sentAgain(context, { at: 11, fault: 'never answer after writing' }, form);
  const [, id] = /^\/desk(\/sets\/\d+)\?said=said_set$/.exec(done.headers.location ?? '') ?? [];
  assert.ok(id, done.text);
  const { editor, running } = context;
  const set = (await call(running, editor, id)).body as Body;
  assert.equal([set.state, set.proposals.length], ['scheduled', EVENTS]);
  const { proposals } = (await call(running, editor, '/proposals?per_page=50')).body as Body;
  assert.is(proposals.filter(({ target }: Body) => ids.includes(target.id)).length, EVENTS, 'each is proposed once');
  const { sets } = (await call(running, editor, '/sets')).body as Body;
  assert.is(sets.filter(({ proposals }: Body) => proposals.some((one: Body) => set.proposals.includes(one))).length, 1);
});

test.run();
