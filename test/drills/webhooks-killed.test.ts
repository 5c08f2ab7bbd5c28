// `kill -9` of the process that sends, while its receiver drops, delays, answers 500, 301 and 429, hangs and lies: every change
// arrives, in order per resource, and nothing is sent again after a rebuild.

import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EventStoreDbServer, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { daybook, type Serving, serving } from '../support/process.ts';
import { addUser, call, type ProcessUser } from '../support/process-users.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';
import { type Behaviour, type Received, startReceiver } from '../support/webhook-receiver.ts';

const test = suite('webhooks under kill -9');

const ROUNDS = Number(process.env.DAYBOOK_DRILL_ROUNDS ?? 1);
const EVENTS = 4;
const WRITES_A_ROUND = 12;

/** What the receiver does with the first attempts of a delivery: by chance, from its id, so that a run can be repeated. */
const MOODS: readonly (readonly Behaviour[])[] = [
  [],
  [],
  [],
  ['drop'],
  [{ status: 500 }],
  [{ status: 301, headers: { location: 'http://127.0.0.1:1/' } }],
  [{ status: 429, headers: { 'retry-after': '1' } }],
  [{ status: 503, headers: { 'retry-after': 'soon' } }],
  ['drop', { status: 500 }],
  // It says more than it sends, and what it says is no success.
  [{ status: 404, headers: { 'content-length': '99999' } }],
];

const moodOf = (id: string): readonly Behaviour[] => MOODS[Number.parseInt(id.slice(0, 6), 16) % MOODS.length] ?? [];

type Body = { readonly [member: string]: unknown };

interface Change {
  readonly kind: string;
  readonly id: number;
  readonly revision: number;
}

const named = ({ kind, id, revision }: Change): string => `${kind} ${id} ${revision}`;

for (const engine of ['SQLite', 'EventStoreDB'] as const)
  test(`every change arrives, in order, and none again after a rebuild: ${engine}`, async () => {
    const { folder, remove } = temporaryFolder();
    const receiver = await startReceiver();
    const log: EventStoreDbServer | null = engine === 'EventStoreDB' ? await startEventStoreDb() : null;
    const settings = {
      DAYBOOK_DATA_DIR: folder,
      DAYBOOK_PRIVATE_HOSTS: receiver.host,
      ...(log && { DAYBOOK_EVENT_STORE: log.connectionString }),
    };
    const attempts = new Map<string, number>();
    let hangs = 1;
    receiver.behave(({ id }) => {
      const attempt = attempts.get(id) ?? 0;
      attempts.set(id, attempt + 1);
      // Once: the next kill ends it before the sender's patience does.
      if (attempt === 0 && attempts.size === 5 && hangs-- > 0) return 'hang';
      return moodOf(id)[attempt] ?? { status: 204 };
    });
    const administrator = await addUser(settings, 'ada', 'administrator');
    let running = await serving(settings);
    const { body: hook } = await call(running, administrator, '/webhooks', { url: receiver.url, types: 'event' });
    const events: number[] = [];
    for (let count = 0; count < EVENTS; count += 1)
      events.push(Number((await call(running, administrator, '/events', someEvent())).body.id));
    for (let round = 0; round < ROUNDS; round += 1) {
      const target = running;
      const killed = new Promise<void>((resolve) => setTimeout(resolve, 100 + Math.random() * 700)).then(() =>
        target.kill(),
      );
      await Promise.allSettled(
        Array.from({ length: WRITES_A_ROUND }, (_, index) =>
          call(target, administrator, `/events/${events[index % EVENTS]}`, { title: `Title ${round} ${index}` }),
        ),
      );
      await killed;
      running = await serving(settings);
    }
    const expected = (await changes(running, administrator)).map(named);
    const arrived = () => receiver.accepted().map(({ body }) => body.data.change as Change);
    await receiver.until(() => new Set(arrived().map(named)).size >= expected.length, `${expected.length} changes`);
    assert.equal(arrived().map(named).sort(), [...expected].sort());
    for (const id of events) {
      const revisions = arrived().flatMap((change) => (change.id === id ? [change.revision] : []));
      assert.equal(
        revisions,
        [...revisions].sort((one, other) => one - other),
        `event ${id}`,
      );
    }
    for (const one of receiver.received) verify(String(hook.secret), one);
    await running.stop();
    const doubles = receiver.received.filter(({ status }) => status === 204).length - expected.length;
    console.log(
      `${engine}: ${ROUNDS} kills, ${expected.length} changes, ${receiver.received.length} attempts, ${doubles} doubles`,
    );
    assert.is(await daybook(['rebuild'], settings).ended, 0);
    running = await serving(settings);
    const before = receiver.received.length;
    await call(running, administrator, `/events/${events[0]}`, { title: 'After the rebuild' });
    await receiver.until(() => arrived().length > expected.length, 'the last change');
    const since = receiver.received.slice(before).map(({ body }) => body.data.resource.title);
    assert.equal([...new Set(since)], ['After the rebuild']);
    await running.stop();
    await Promise.all([receiver.close(), log?.stop()]);
    remove();
  });

function verify(secret: string, { text, headers }: Received): void {
  // Its lower-case names.
  new Webhook(secret).verify(text, headers as Record<string, string>);
}

/** All changes of events, page by page. */
async function changes(running: Serving, user: ProcessUser): Promise<Change[]> {
  const found: Change[] = [];
  for (let after = ''; ; ) {
    const { body } = await call(running, user, `/changes?types=event&per_page=100&after=${after}`);
    // As the API documents it.
    found.push(...(body.changes as Change[]));
    if (!body.has_more) return found;
    after = String((body as Body).next);
  }
}

test.run();
