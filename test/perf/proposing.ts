// What a review costs: opening and approving proposals, in turns with plain changes of the same events.
import { percentile } from './load.ts';
import { administrator, type Running, startDaybook, temporaryFolder } from './processes.ts';
import { milliseconds, type Row, row } from './table.ts';

const ROUNDS = 300;
const WARM_UP = 60;
/** The wanted ratio of a step to a plain change. */
const MOST = 1.5;

type Send = (method: string, path: string, body: object, expected: number) => Promise<{ readonly id: number }>;

/** Everything is sent by one client; who approves is another administrator than who has opened. */
export async function proposing(): Promise<Row[]> {
  const dataDir = temporaryFolder();
  const authors = { author: administrator(dataDir), approver: administrator(dataDir, {}, 'approver') };
  const server = await startDaybook(dataDir);
  const author = sender(server, authors.author);
  const approver = sender(server, authors.approver);
  const plain: number[] = [];
  const opening: number[] = [];
  const approving: number[] = [];
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const { id } = await author('POST', '/events', event(round), 201);
    const change = { description: `Doors at seven, round ${round}.` };
    const patched = await timed(() => author('PATCH', `/events/${id}`, change, 200));
    const opened = await timed(() => author('POST', `/events/${id}/proposals`, { title: `Moved ${round}` }, 201));
    const approved = await timed(() => approver('POST', `/proposals/${opened.answer.id}/approve`, {}, 200));
    if (round < WARM_UP) continue;
    plain.push(patched.duration);
    opening.push(opened.duration);
    approving.push(approved.duration);
  }
  await server.stop();
  const base = percentile(plain, 0.5);
  const ratio = (name: string, durations: number[]): Row => {
    const times = percentile(durations, 0.5) / base;
    return row(`${name}, times a PATCH, p50`, times.toFixed(2), `<= ${MOST}`, times <= MOST);
  };
  return [
    row('PATCH /events/{id}, one client in a row, p50', milliseconds(base)),
    ratio('opening a proposal', opening),
    ratio('approving a proposal', approving),
  ];
}

const event = (number: number): object => ({
  title: `Concert ${number}`,
  start_date: '2027-03-01 20:00:00',
  end_date: '2027-03-01 22:00:00',
  description: 'First set at eight.',
  categories: 'Music',
});

const sender =
  ({ address }: Running, authorization: string): Send =>
  async (method, path, body, expected) => {
    const answer = await fetch(`${address}/calendar/events/v1${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (answer.status !== expected) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as { readonly id: number };
  };

async function timed<Answer>(send: () => Promise<Answer>): Promise<{ answer: Answer; duration: number }> {
  const started = performance.now();
  const answer = await send();
  return { answer, duration: performance.now() - started };
}
