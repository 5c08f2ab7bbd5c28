// `kill -9` at every append of a proposed merge that is approved, alone and within a set, on the event store that writes
// stream after stream, while another process serves the same log: the merge is carried to its end there, once.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AppendFault, type EventStoreDbServer, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { killedAt, until } from '../support/killed-appends.ts';
import { type Serving, serving } from '../support/process.ts';
import { addUser, call, type ProcessUser } from '../support/process-users.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

/** Few without it: each takes as long as it takes to call a merge interrupted. */
const ROUNDS = Number(process.env.DAYBOOK_DRILL_ROUNDS ?? 1);
const EVENTS = 2;

type Settings = { readonly [name: string]: string };
type Body = Record<string, unknown>;

interface Context {
  server: EventStoreDbServer;
  /** Of the process that is killed. */
  settings: Settings;
  survivor: Serving;
  contributor: ProcessUser;
  editor: ProcessUser;
  remove: () => void;
}

const test = suite<Context>('proposed merges under kill -9 on EventStoreDB');

test.before(async (context) => {
  const [one, other] = [temporaryFolder(), temporaryFolder()];
  context.server = await startEventStoreDb();
  // Each has its own read model, and both the keys of the log.
  const shared = {
    DAYBOOK_EVENT_STORE: context.server.connectionString,
    DAYBOOK_KEYS: `sqlite:${one.folder}/keys.db`,
  };
  context.settings = { ...shared, DAYBOOK_DATA_DIR: one.folder };
  context.contributor = await addUser(context.settings, 'carla', 'contributor');
  context.editor = await addUser(context.settings, 'edith', 'editor');
  context.survivor = await serving({ ...shared, DAYBOOK_DATA_DIR: other.folder });
  context.remove = () => {
    one.remove();
    other.remove();
  };
});
test.after(async ({ server, survivor, remove }) => {
  await survivor.stop();
  await server.stop();
  remove();
});

const WAYS = ['alone', 'within a set'] as const;
type Way = (typeof WAYS)[number];

/** A merge that has been proposed, and what carries it out. */
interface Proposed {
  readonly stays: unknown;
  readonly goes: unknown;
  readonly events: readonly unknown[];
  readonly proposal: string;
  readonly carryOut: string;
}

let made = 0;

async function proposed({ survivor, contributor, editor }: Context, way: Way): Promise<Proposed> {
  const create = async (path: string, body: object, as = editor): Promise<unknown> => {
    const answer = await call(survivor, as, path, body);
    assert.is(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id;
  };
  const number = ++made;
  const [stays, goes] = [
    await create('/venues', { venue: `Stays ${number}` }),
    await create('/venues', { venue: `Goes ${number}` }),
  ];
  const events: unknown[] = [];
  for (let count = 0; count < EVENTS; count++)
    events.push(await create('/events', someEvent({ title: `Event ${number}`, status: 'publish', venue: goes })));
  const merge = await create(`/venues/${goes}/proposals`, { into: stays }, contributor);
  const proposal = `/proposals/${merge}`;
  if (way === 'alone') return { stays, goes, events, proposal, carryOut: `${proposal}/approve` };
  const title = await create(`/events/${events[0]}/proposals`, { title: `Moved ${number}` }, contributor);
  const set = await create('/sets', { name: `Set ${number}`, proposals: [merge, title] });
  return { stays, goes, events, proposal, carryOut: `/sets/${set}/apply` };
}

const countOf = async ({ survivor, editor }: Context, path: string, type: string): Promise<number> => {
  const { body } = await call(survivor, editor, `${path}/history`);
  return (body.history as Body[]).filter((entry) => entry.type === type).length;
};

async function venueOf({ survivor, editor }: Context, event: unknown): Promise<unknown> {
  const { body } = await call(survivor, editor, `/events/${event}`);
  return (body.venue as Body).id; // None: an empty list.
}

async function assertMerged(context: Context, { stays, goes, events }: Proposed, what: string): Promise<void> {
  assert.is(await countOf(context, `/venues/${goes}`, 'VenueMerged'), 1, what);
  assert.is(await countOf(context, `/venues/${stays}`, 'VenueAbsorbed'), 1, what);
  for (const event of events) {
    assert.is(await venueOf(context, event), stays, what);
    assert.is(await countOf(context, `/events/${event}`, 'EventMoved'), 1, what);
  }
}

/** A set shows all that it has written when it ends: the merge must have ended by then. */
function assertMergedBeforeTheEnd({ log }: EventStoreDbServer, what: string): void {
  const types = log.events.map(({ type }) => type);
  assert.ok(types.lastIndexOf('VenueAbsorbed') < types.lastIndexOf('ChangeSetEnded'), what);
}

/** Every append, lost and written; fewer of them spread over all. */
async function kills(context: Context, way: Way): Promise<(readonly [at: number, fault: AppendFault])[]> {
  const merge = await proposed(context, way);
  const before = context.server.counts.appends;
  assert.is((await call(context.survivor, context.editor, merge.carryOut, {})).status, 200);
  const appends = context.server.counts.appends - before;
  await assertMerged(context, merge, 'undisturbed');
  const written = Array.from({ length: appends }, (_, index) => [index + 1, 'never answer after writing'] as const);
  const all: (readonly [number, AppendFault])[] = [[1, 'never answer before writing'], ...written];
  const rounds = Math.min(ROUNDS, all.length);
  const chosen = Array.from({ length: rounds }, (_, round) => all[Math.floor(((round + 0.3) * all.length) / rounds)]);
  return chosen.filter((kill) => kill !== undefined);
}

/**
 * The merged one is written first: until its events follow, those show no venue. Of a set nothing is seen by half.
 */
const venuesMeanwhile = ({ goes, stays }: Proposed, way: Way): readonly unknown[] =>
  way === 'alone' ? [goes, stays, undefined] : [goes, stays];

for (const way of WAYS)
  test(`${way}: killed at any append, a proposed merge is carried to its end, once, or not begun`, async (context) => {
    const { survivor, editor, server, settings } = context;
    for (const [at, fault] of await kills(context, way)) {
      const what = `append ${at}, ${fault}`;
      const merge = await proposed(context, way);
      const victim = await serving(settings);
      await killedAt(server, victim, { at, fault }, () => call(victim, editor, merge.carryOut, {}));
      const linked = new Set<unknown>();
      const see = async (): Promise<boolean> => {
        for (const event of merge.events) {
          const venue = await venueOf(context, event);
          // An event and its venue are read one after the other; the moment in between may be that of the change.
          linked.add(venue ?? (await venueOf(context, event)));
        }
        return (await call(survivor, editor, merge.proposal)).body.state === 'applied';
      };
      if (fault === 'never answer before writing') {
        assert.is(await see(), false, what);
        assert.is(await countOf(context, `/venues/${merge.goes}`, 'VenueMerged'), 0, what);
        assert.is((await call(survivor, editor, merge.carryOut, {})).status, 200, `${what}: as ever`);
      }
      await until(see, `${what}: not carried to its end`);
      const isEnded = async () => (await countOf(context, `/venues/${merge.stays}`, 'VenueAbsorbed')) > 0;
      await until(isEnded, `${what}: the merge has no end`);
      assert.equal(
        [...linked].filter((id) => !venuesMeanwhile(merge, way).includes(id)),
        [],
        what,
      );
      await assertMerged(context, merge, what);
      if (way === 'within a set') assertMergedBeforeTheEnd(server, what);
    }
  });

test.run();
