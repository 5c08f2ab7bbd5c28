// The drill of clocks that jump: those of the processes go forward and back, each for itself, by seconds to a year, while
// clients write. Afterwards nothing that was acknowledged is lost, nothing is there twice, what was scheduled is published
// once, and the views are those of a rebuild.
import { existsSync, globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { assertNothingLost, drillWriters, soon, WITH_THE_SAME_STORES, type Writers } from '../support/drill-writers.ts';
import { daybook, type Serving, serving } from '../support/process.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

/** Jumps in all; `npm run drills` asks for 200. */
const ROUNDS = Number(process.env.DAYBOOK_DRILL_ROUNDS ?? 1);
const WRITES_BEFORE = 8;
const WRITES_AFTER = 8;
const YEAR_SECONDS = 365 * 86_400;

/** The clock of one process, which can be set from here. */
interface Clock {
  /** Seconds ahead of the clock of the machine. */
  ahead: number;
  /** What the process is told. */
  readonly settings: { readonly [name: string]: string };
  /** Only instants jump: durations are measured by another clock. */
  jump(ahead: number): void;
}

const LIBRARY = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0] ?? '';

function clockIn(folder: string, name: string): Clock {
  const file = path.join(folder, name);
  const clock: Clock = {
    ahead: 0,
    settings: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    jump(ahead) {
      clock.ahead = ahead;
      writeFileSync(file, `${ahead < 0 ? '' : '+'}${ahead}\n`);
    },
  };
  clock.jump(0);
  return clock;
}

interface Context {
  deployment: Deployment;
  processes: Serving[];
  clocks: Clock[];
  writers: Writers;
  token: string;
  /** Streams of posts that wait for their instant, with that instant in seconds. */
  scheduled: Map<string, number>;
  remove: () => void;
}

const test = suite<Context>('drill of clocks that jump');

async function begin(context: Context): Promise<void> {
  const { folder, remove } = temporaryFolder();
  const deployment = await startDeployment();
  const roles = ['projector', 'api', 'api'] as const;
  const clocks = roles.map((role, index) => clockIn(folder, `${role}-${index}`));
  const processes: Serving[] = [];
  for (const [index, role] of roles.entries())
    processes.push(await serving({ ...deployment.settings, ...clocks[index]?.settings }, [], role));
  const token = processes.map((process) => process.token).find((one) => one !== null) ?? '';
  Object.assign(context, { deployment, processes, clocks, token, writers: drillWriters(token), remove });
  context.scheduled = new Map();
}

async function end({ deployment, processes, remove }: Context): Promise<void> {
  await Promise.all(processes.map((process) => process.kill()));
  await deployment.close();
  remove();
}

const nowInSeconds = (): number => Math.floor(Date.now() / 1000);
/** As clients write an instant. */
const utc = (at: number): string => new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ');
const between = (least: number, most: number): number => least + Math.floor(Math.random() * (most - least));

/** Half of the jumps are short, half long, in both directions; some go back to the clock of the machine. */
function drawn(): number {
  const kind = Math.random();
  if (kind < 0.2) return 0;
  const most = kind < 0.6 ? 600 : YEAR_SECONDS;
  return between(-most, most);
}

/** Something that is to be published within a year; it stands in the log as one of the future or as published. */
async function schedule({ processes, token, scheduled }: Context, name: string): Promise<void> {
  const at = nowInSeconds() + between(1, YEAR_SECONDS);
  const answer = await fetch(`${processes[1]?.api}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(someEvent({ title: name, date_utc: utc(at) })),
  });
  const { id, status } = (await answer.json()) as { id: number; status: string };
  assert.is(answer.status, 201);
  if (status === 'future') scheduled.set(`event-${id}`, at);
}

/** The drill would be none if clocks stood where they were. A process takes up to a second to see its new time. */
const tellsItsTime = ({ address }: Serving, { ahead }: Clock): Promise<void> =>
  soon(async () => {
    const told = Date.parse((await fetch(`${address}/healthz`)).headers.get('date') ?? '') / 1000;
    return Math.abs(told - nowInSeconds() - ahead) < 30;
  }, `a clock that is ${ahead} s ahead`);

const publicationsOf = ({ deployment }: Context, stream: string): number =>
  deployment.events.log.events.filter((event) => event.stream === stream && event.type.endsWith('Published')).length;

if (existsSync(LIBRARY)) {
  test.before(begin);
  test.after(end);

  for (let round = 1; round <= ROUNDS; round++)
    test(`one of three clocks jumps, ${round} of ${ROUNDS}`, async (context) => {
      if (round > 1 && round % WITH_THE_SAME_STORES === 1) {
        await end(context);
        await begin(context);
      }
      const { deployment, processes, clocks, writers, scheduled } = context;
      const apis = processes.slice(1);
      await soon(() => writers.writeOne(apis[0] as Serving), 'the first is written');
      await schedule(context, `Premiere ${round}`);
      const writing = apis.map((api) => writers.writing(api));
      const acknowledged = (): number => writing.reduce((sum, clients) => sum + clients.acknowledged(), 0);
      await soon(() => acknowledged() >= WRITES_BEFORE, 'clients write');
      clocks[between(0, clocks.length)]?.jump(drawn());
      const then = acknowledged();
      await soon(() => acknowledged() >= then + WRITES_AFTER, 'clients write again');
      await Promise.all(writing.map((clients) => clients.end()));
      for (const [index, clock] of clocks.entries()) await tellsItsTime(processes[index] as Serving, clock);
      for (const [stream] of scheduled) assert.ok(publicationsOf(context, stream) <= 1, `${stream} is published once`);
      await assertNothingLost(deployment, writers.told);
    });

  test('with all clocks past its instant, everything scheduled is published, once', async (context) => {
    for (const clock of context.clocks) clock.jump(YEAR_SECONDS + 86_400);
    await soon(() => [...context.scheduled.keys()].every((stream) => publicationsOf(context, stream) > 0), 'published');
    for (const clock of context.clocks) clock.jump(0);
    await assertNothingLost(context.deployment, context.writers.told);
    for (const stream of context.scheduled.keys()) assert.is(publicationsOf(context, stream), 1, stream);
    const verify = daybook(['verify'], context.deployment.settings);
    assert.is(await verify.ended, 0, verify.out() + verify.errors());
  });
} else console.log('Left out: libfaketime is not installed.');

test.run();
