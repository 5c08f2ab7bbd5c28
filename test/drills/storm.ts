// `npm run storm -- NODE…`: whether Daybook lives on other versions of Node. Each argument is a program, or a release line
// such as `26`, of which the newest is taken from the registry. On each: the demo, a start, mixed reads and writes while
// garbage is collected all the time (`--seconds N`, 20 unless said), a graceful end, and a check of the log and the read model.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fetchNode } from '../../scripts/fetch-node.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DAYBOOK = path.join(ROOT, 'bin/daybook.mjs');
const READERS = 8;
const WRITERS = 2;

/** Collections that no statement of the program asks for: what only they meet shows within seconds. */
const COLLECTING = 'setInterval(() => globalThis.gc({ type: "major", execution: "async" }), 100).unref()';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '20' } },
});

const READS: readonly ((turn: number) => string)[] = [
  () => '/events',
  (turn) => `/events?page=${(turn % 9) + 1}&per_page=20`,
  (turn) => `/events?start_date=2027-01-01&end_date=2029-01-01&per_page=${(turn % 50) + 1}`,
  (turn) => `/events?search=${['market', 'music', 'harbour', 'walk'][turn % 4]}&page=${(turn % 3) + 1}`,
  (turn) => `/events/${(turn % 200) + 30}`,
  (turn) => `/venues?page=${(turn % 2) + 1}`,
  () => '/categories?hide_empty=1',
  () => '/events.ics?categories=music',
  (turn) => `/events/${(turn % 200) + 30}/history`,
];

class Tally {
  readonly statuses = new Map<number, number>();
  readonly broken: string[] = [];

  count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  total(): number {
    return [...this.statuses.values()].reduce((sum, more) => sum + more, 0);
  }

  /** What must not happen: connections that break, and answers of 500 or more. */
  faults(): string[] {
    const failed = [...this.statuses].filter(([status]) => status >= 500);
    return [...this.broken.slice(0, 3), ...failed.map(([status, times]) => `${times} answers were ${status}`)];
  }
}

async function ask(tally: Tally, address: string, options: RequestInit): Promise<void> {
  try {
    const answer = await fetch(address, options);
    await answer.arrayBuffer();
    tally.count(answer.status);
  } catch (error) {
    const { cause, message } = error as Error;
    tally.broken.push(`${address}: ${cause instanceof Error ? cause.message : message}`);
  }
}

/** Reads and writes until the time is up, or the service has gone. */
async function blow(
  api: string,
  authorization: string,
  seconds: number,
  isOver: () => boolean,
): Promise<{ readonly reads: Tally; readonly writes: Tally }> {
  const until = performance.now() + seconds * 1000;
  const reads = new Tally();
  const writes = new Tally();
  const goesOn = (): boolean => performance.now() < until && !isOver();
  const reader = async (turn: number): Promise<void> => {
    for (let next = turn; goesOn(); next += READERS)
      await ask(reads, `${api}${READS[next % READS.length]?.(next) ?? ''}`, { headers: { authorization } });
  };
  const writer = async (turn: number): Promise<void> => {
    const headers = { authorization, 'content-type': 'application/json' };
    for (let next = turn; goesOn(); next += WRITERS) {
      const title = `Storm ${next}`;
      const event = { title, start_date: '2028-03-04 10:00', end_date: '2028-03-04 11:00', tags: [`t${next % 20}`] };
      await ask(writes, `${api}/events`, { method: 'POST', headers, body: JSON.stringify(event) });
      const body = JSON.stringify({ title: `${title} again` });
      await ask(writes, `${api}/events/${(next % 200) + 30}`, { method: 'PATCH', headers, body });
    }
  };
  const turns = (count: number): number[] => [...Array(count).keys()];
  await Promise.all([...turns(READERS).map(reader), ...turns(WRITERS).map(writer)]);
  return { reads, writes };
}

async function storm(node: string, seconds: number): Promise<boolean> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'daybook-storm-'));
  const env = { ...process.env, DAYBOOK_DATA_DIR: folder, DAYBOOK_LOG_LEVEL: 'error', PORT: '0' };
  const command = (...words: string[]): string =>
    execFileSync(node, [DAYBOOK, ...words], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    command('demo', '--fill-only');
    const { password }: { password: string } = JSON.parse(
      command('users', 'add', 'storm', '--role', 'administrator', '--json'),
    );
    const script = `data:text/javascript,${encodeURIComponent(COLLECTING)}`;
    const service = spawn(node, ['--expose-gc', '--import', script, DAYBOOK, 'serve'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(service, 'close');
    let printed = '';
    service.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    while (!/listens at \S+\n/.test(printed) && service.exitCode === null)
      await Promise.race([once(service.stdout, 'data'), ended]);
    const api = `${/listens at (\S+)/.exec(printed)?.[1]}/calendar/events/v1`;
    const authorization = `Basic ${Buffer.from(`storm:${password}`).toString('base64')}`;
    const isOver = (): boolean => service.exitCode !== null || service.signalCode !== null;
    const { reads, writes } = await blow(api, authorization, seconds, isOver);
    if (isOver()) throw new Error(`the service ended with ${service.exitCode ?? service.signalCode}`);
    service.kill('SIGTERM');
    const [code] = await ended;
    if (code !== 0) throw new Error(`SIGTERM ended it with ${code}`);
    command('verify');
    const faults = [...reads.faults(), ...writes.faults()];
    if (faults.length > 0) throw new Error(faults.join('; '));
    process.stdout.write(`${reads.total()} reads, ${writes.total()} writes, verified\n`);
    return true;
  } catch (error) {
    process.stdout.write(`FAILED: ${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const downloads = mkdtempSync(path.join(os.tmpdir(), 'daybook-nodes-'));
let isWell = positionals.length > 0;
if (!isWell) process.stderr.write('storm: name a Node: a program, or a release line such as 26\n');
try {
  for (const wanted of positionals) {
    const node = existsSync(wanted) ? wanted : fetchNode(wanted, downloads);
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    process.stdout.write(`storm on Node ${version.slice(1)}: `);
    isWell = (await storm(node, Number(values.seconds))) && isWell;
  }
} finally {
  rmSync(downloads, { recursive: true, force: true });
}
process.exitCode = isWell ? 0 : 1;
