// `kill -9` of the process that sends, while its receiver drops, delays, answers 500, 301 and 429, hangs and lies: every change
// arrives, in order per resource, and nothing is sent again after a rebuild.
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EventStoreDbServer, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { daybook, type Serving, serving } from '../support/process.ts';
import { call, type ProcessUser } from '../support/process-users.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';
import { type Behaviour, type Received, type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const test = suite('webhooks under kill -9');

const ROUNDS = Number(process.env.DAYBOOK_DRILL_ROUNDS ?? 1);
/** The suite has another test over EventStoreDB: webhooks-several-processes.test.ts. */
const ENGINES = ROUNDS > 1 ? (['SQLite', 'EventStoreDB'] as const) : (['SQLite'] as const);
const EVENTS = 8;
const WRITES_A_ROUND = ROUNDS > 1 ? 16 : 8;
/** What fails holds back its own resource, so every round leaves some more to be sent. */
const PATIENCE_MS = 30_000 + ROUNDS * 10_000;

/** What the receiver does with the first attempts of a delivery: by chance, from its id, so that a run can be repeated. */
const MOODS: readonly (readonly Behaviour[])[] = [
  [],
  [],
  [],
  ['drop'],
  ['babble'],
  [{ status: 204, afterMs: 400 }],
  [{ status: 500 }],
  [{ status: 301, headers: { location: 'http://127.0.0.1:1/' } }],
  [{ status: 429, headers: { 'retry-after': '1' } }],
  [{ status: 503, headers: { 'retry-after': 'soon' } }],
  // It says more than it sends: of success, and of failure.
  [{ status: 200, headers: { 'content-length': '99999' }, isCut: true }],
  [{ status: 404, headers: { 'content-length': '99999' } }],
  ...(ROUNDS > 1 ? [['drop', { status: 500 }] as const] : []),
];

const moodOf = (id: string): readonly Behaviour[] => MOODS[Number.parseInt(id.slice(0, 6), 16) % MOODS.length] ?? [];

interface Row {
  readonly event: string;
}

type Body = { readonly [member: string]: unknown };

interface Change {
  readonly kind: string;
  readonly id: number;
  readonly revision: number;
}

const named = ({ kind, id, revision }: Change): string => `${kind} ${id} ${revision}`;

for (const engine of ENGINES)
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
    /** Deliveries that may hang before the next kill, which ends them before the sender's patience does. */
    let hangs = 0;
    let hung = 0;
    receiver.behave(({ id }) => {
      const attempt = attempts.get(id) ?? 0;
      attempts.set(id, attempt + 1);
      if (attempt > 0 || hangs === 0) return moodOf(id)[attempt] ?? { status: 204 };
      hangs -= 1;
      hung += 1;
      return 'hang';
    });
    let running = await serving(settings);
    const administrator = { name: 'admin', password: running.token ?? '' };
    const { body: hook } = await call(running, administrator, '/webhooks', { url: receiver.url, types: 'event' });
    const events: number[] = [];
    for (let count = 0; count < EVENTS; count += 1)
      events.push(Number((await call(running, administrator, '/events', someEvent())).body.id));
    for (let round = 0; round < ROUNDS; round += 1) {
      const target = running;
      const before = receiver.received.length;
      hangs = 1;
      const writes = Array.from({ length: WRITES_A_ROUND }, (_, index) =>
        call(target, administrator, `/events/${events[index % EVENTS]}`, { title: `Title ${round} ${index}` }),
      );
      // It is killed while it sends; at first in the middle of one delivery for sure.
      const isSending = (): boolean => hung > 0 && receiver.received.length > before;
      await receiver.until(isSending, 'a delivery', PATIENCE_MS);
      await sleep(Math.random() * 800);
      hangs = 0;
      await Promise.all([target.kill(), ...writes.map((write) => write.catch(() => {}))]);
      running = await serving(settings);
    }
    const expected = (await changes(running, administrator)).map(named);
    const arrived = () => receiver.accepted().map(({ body }) => body.data.change as Change);
    await receiver.until(
      () => new Set(arrived().map(named)).size >= expected.length,
      `${expected.length} changes`,
      PATIENCE_MS,
    );
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
    await recorded(running, administrator, receiver);
    await running.stop();
    const isTaken = ({ status }: Received): boolean => status !== null && status < 300;
    const doubles = receiver.received.filter(isTaken).length - expected.length;
    console.log(
      `${engine}: ${ROUNDS} kills, ${expected.length} changes, ${receiver.received.length} attempts, ${hung} hung, ${doubles} doubles`,
    );
    assert.is(await daybook(['rebuild'], settings).ended, 0);
    running = await serving(settings);
    const before = receiver.received.length;
    await call(running, administrator, `/events/${events[0]}`, { title: 'After the rebuild' });
    await receiver.until(() => arrived().length > expected.length, 'the last change');
    await running.stop();
    const since = receiver.received.slice(before).map(({ body }) => body.data.resource.title);
    assert.equal([...new Set(since)], ['After the rebuild']);
    await Promise.all([receiver.close(), log?.stop()]);
    remove();
  });

/** Waits until the log has it that everything has arrived: what is being answered when a process ends is sent again. */
async function recorded(running: Serving, user: ProcessUser, { received }: Receiver): Promise<void> {
  for (let look = 0; look < 500; look += 1) {
    const { body } = await call(running, user, '/webhooks/1/deliveries');
    // As the API documents it.
    const { deliveries, waiting } = body as { readonly deliveries: readonly Row[]; readonly waiting: readonly Row[] };
    const last = received.at(-1)?.id;
    if (waiting.length === 0 && deliveries.some(({ event }) => event === last)) return;
    await sleep(50);
  }
  throw new Error('deliveries still wait');
}

/** Not by their `verify`: a long drill is over when the first timestamps are too old for it. */
function verify(secret: string, { id, text, headers }: Received): void {
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
  assert.is(headers['webhook-signature'], new Webhook(secret).sign(id, sentAt, text));
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
