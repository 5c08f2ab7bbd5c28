// What a review costs: opening and approving proposals, and writing under rules of review, in turns with plain changes.
import { percentile } from './load.ts';
import { administrator, type Running, startDaybook, temporaryFolder } from './processes.ts';
import { milliseconds, type Row, row } from './table.ts';

const ROUNDS = 300;
const WARM_UP = 60;
/** Changes of one set, and how long applying it may take. */
const IN_A_SET = 500;
const MAX_MS_FOR_A_SET = 2_000;
/** What one request may add to a set. */
const PORTION = 50;
/** The wanted ratio of a step to a plain change. */
const MOST = 1.5;
/** Of a plain change under rules to one without. */
const MAX_RATIO_FOR_RULES = 1.15;

interface Answer {
  readonly id: number;
  /** Of a new user. */
  readonly password: string;
}

type Send = (method: string, path: string, body: object, expected: number) => Promise<Answer>;

/** What is measured; in milliseconds, of each round. */
interface Measured {
  readonly plain: number[];
  readonly opening: number[];
  readonly approving: number[];
  readonly judged: number[];
  readonly reviewed: number[];
  readonly approvingReviewed: number[];
}

interface Team {
  readonly author: Send;
  readonly approver: Send;
}

/**
 * Everything is sent by one client; who approves is another administrator than who has opened. A second server has rules
 * of review: what editors write of events is reviewed, and what administrators write is judged, because of venues.
 */
export async function proposing(): Promise<Row[]> {
  const dataDirs = [temporaryFolder(), temporaryFolder()] as const;
  const signed = dataDirs.map((dataDir) => ({
    author: administrator(dataDir),
    approver: administrator(dataDir, {}, 'approver'),
  }));
  const servers = [await startDaybook(dataDirs[0]), await startDaybook(dataDirs[1])] as const;
  const [free, ruled] = servers.map(
    (server, at): Team => ({
      author: sender(server, signed[at]?.author ?? ''),
      approver: sender(server, signed[at]?.approver ?? ''),
    }),
  );
  if (!free || !ruled) throw new Error('there are two servers');
  const editor = await reviewedEditor(servers[1], ruled.author);
  const measured = { plain: [], opening: [], approving: [], judged: [], reviewed: [], approvingReviewed: [] };
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const durations = { ...(await freely(free, round)), ...(await underRules(ruled, editor, round)) };
    if (round >= WARM_UP) note(measured, durations);
  }
  const set = await applyingASet(free);
  for (const server of servers) await server.stop();
  return [...rowsOf(measured), ...set];
}

type Durations = { readonly [Step in keyof Measured]?: number };

function note(measured: Measured, durations: Durations): void {
  for (const step of Object.keys(measured) as (keyof Measured)[]) measured[step].push(durations[step] ?? 0);
}

async function freely({ author, approver }: Team, round: number): Promise<Durations> {
  const { id } = await author('POST', '/events', event(round), 201);
  const plain = await timed(() => author('PATCH', `/events/${id}`, change(round), 200));
  const opened = await timed(() => author('POST', `/events/${id}/proposals`, { title: `Moved ${round}` }, 201));
  const approved = await timed(() => approver('POST', `/proposals/${opened.answer.id}/approve`, {}, 200));
  return { plain: plain.duration, opening: opened.duration, approving: approved.duration };
}

async function underRules({ author, approver }: Team, editor: Send, round: number): Promise<Durations> {
  const { id } = await author('POST', '/events', event(round), 201);
  const judged = await timed(() => author('PATCH', `/events/${id}`, change(round), 200));
  const reviewed = await timed(() => editor('PATCH', `/events/${id}`, { title: `Moved ${round}` }, 202));
  const approved = await timed(() => approver('POST', `/proposals/${reviewed.answer.id}/approve`, {}, 200));
  return { judged: judged.duration, reviewed: reviewed.duration, approvingReviewed: approved.duration };
}

/** Sets the rules. */
async function reviewedEditor(server: Running, author: Send): Promise<Send> {
  const added = await author('POST', '/users', { login: 'editor', role: 'editor', label: 'bench' }, 201);
  const rules = { events: { editor: 'review' }, venues: { administrator: 'review' } };
  await author('PUT', '/policy', rules, 200);
  return sender(server, `Bearer ${added.password}`);
}

async function applyingASet({ author, approver }: Team): Promise<Row[]> {
  const proposals: number[] = [];
  for (let number = 0; number < IN_A_SET; number++) {
    const { id } = await author('POST', '/events', event(number), 201);
    proposals.push((await author('POST', `/events/${id}/proposals`, { title: `Later ${number}` }, 201)).id);
  }
  const { id } = await approver('POST', '/sets', { name: 'Programme' }, 201);
  for (let at = 0; at < IN_A_SET; at += PORTION)
    await approver('POST', `/sets/${id}/members`, { proposals: proposals.slice(at, at + PORTION) }, 200);
  const { duration } = await timed(() => approver('POST', `/sets/${id}/apply`, {}, 200));
  const isQuick = duration <= MAX_MS_FOR_A_SET;
  return [
    row(`applying a set of ${IN_A_SET}`, milliseconds(duration), `<= ${milliseconds(MAX_MS_FOR_A_SET)}`, isQuick),
  ];
}

function rowsOf({ plain, opening, approving, judged, reviewed, approvingReviewed }: Measured): Row[] {
  const base = percentile(plain, 0.5);
  const ratio = (name: string, durations: number[], most = MOST): Row => {
    const times = percentile(durations, 0.5) / base;
    return row(`${name}, times a PATCH, p50`, times.toFixed(2), `<= ${most}`, times <= most);
  };
  return [
    row('PATCH /events/{id}, one client in a row, p50', milliseconds(base)),
    ratio('opening a proposal', opening),
    ratio('approving a proposal', approving),
    ratio('PATCH that the rules judge and let pass', judged, MAX_RATIO_FOR_RULES),
    ratio('PATCH that the rules make a proposal (202)', reviewed),
    ratio('approving that proposal', approvingReviewed),
  ];
}

const event = (number: number): object => ({
  title: `Concert ${number}`,
  start_date: '2027-03-01 20:00:00',
  end_date: '2027-03-01 22:00:00',
  description: 'First set at eight.',
  categories: 'Music',
});

const change = (round: number): object => ({ description: `Doors at seven, round ${round}.` });

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
    return JSON.parse(text) as Answer; // Members that an answer lacks are not read.
  };

async function timed(send: () => Promise<Answer>): Promise<{ answer: Answer; duration: number }> {
  const started = performance.now();
  const answer = await send();
  return { answer, duration: performance.now() - started };
}
