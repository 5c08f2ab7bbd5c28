// However a source changes what its records are, from one poll to the next, the public list is what the source says now.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startElsewhere } from '../support/calendar-elsewhere.ts';
import { seededBelow } from '../support/seeded.ts';
import { type Body, startTestService } from '../support/service.ts';

const WALKS = Number(process.env.DAYBOOK_PROPERTY_STEPS ?? 5);
const SEED = Number(process.env.DAYBOOK_PROPERTY_SEED ?? 117);
const POLLS = 6;
const DAY = 86_400_000;
const COUNT = 4;

const test = suite('walks of a source');
const elsewhere = await startElsewhere();
const daybook = await startTestService({ environment: { DAYBOOK_IMPORT_NETWORK: 'any' } });

/** What a source says of one UID. */
interface Said {
  readonly master: 'none' | 'single' | 'series' | 'dates';
  readonly title: string;
  /** Of the first date, from a Monday. */
  readonly weekday: number;
  readonly hour: number;
  /** By the numbers of dates: under another name, at another time, or both. */
  readonly apart: ReadonlyMap<number, { readonly title: string; readonly later: number }>;
  readonly left: ReadonlySet<number>;
}

const first = Date.UTC(new Date().getUTCFullYear() + 1, 0, 4 + 21);
const iso = (at: number): string => new Date(at).toISOString().slice(0, 19);
const compact = (at: number): string => `${iso(at).replace(/[-:]/g, '')}Z`;
const dateOf = ({ weekday, hour }: Said, number: number): number =>
  first + (weekday + 7 * number) * DAY + hour * 3_600_000;

function nextOf(said: Said, name: string, below: (count: number) => number): Said {
  const apart = new Map(said.apart);
  const left = new Set(said.left);
  let { master, title, weekday, hour } = said;
  for (let changes = 1 + below(3); changes > 0; changes -= 1) {
    const number = below(COUNT);
    const kind = below(8);
    if (kind <= 1) master = (['none', 'single', 'series', 'series', 'dates'] as const)[below(5)] ?? 'none';
    else if (kind === 2) title = `${name} ${['early', 'late', 'grand'][below(3)]}`;
    else if (kind === 3) weekday = below(3);
    else if (kind === 4) hour = 17 + below(2);
    else if (kind === 5) left.has(number) ? left.delete(number) : left.add(number);
    else if (apart.has(number)) apart.delete(number);
    else apart.set(number, { title: below(2) === 0 ? `${name} gala ${number}` : '', later: below(2) * 26 });
  }
  return { master, title, weekday, hour, apart, left };
}

function textOf(said: Said, uid: string, sequence: number): string {
  const record = (at: number, title: string, ...lines: readonly string[]): string[] => [
    ...['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20270101T000000Z', `SUMMARY:${title}`, `DTSTART:${compact(at)}`],
    ...[`DTEND:${compact(at + 7_200_000)}`, `SEQUENCE:${sequence}`, ...lines, 'END:VEVENT'],
  ];
  const dates = Array.from({ length: COUNT }, (_, number) => dateOf(said, number));
  const rule = {
    none: [],
    single: [],
    series: [`RRULE:FREQ=WEEKLY;COUNT=${COUNT}`],
    dates: [`RDATE:${dates.map(compact).join(',')}`],
  }[said.master];
  const left =
    said.master === 'single' ? [] : [...said.left].map((number) => `EXDATE:${compact(dateOf(said, number))}`);
  return [
    ...(said.master === 'none' ? [] : record(dateOf(said, 0), said.title, ...rule, ...left)),
    ...[...said.apart].flatMap(([number, { title, later }]) => {
      const at = dateOf(said, number);
      return record(at + later * 3_600_000, title || said.title, `RECURRENCE-ID:${compact(at)}`);
    }),
  ].join('\r\n');
}

/** The public list of it, of which nothing is known but what it says. */
function listOf(said: Said): string[] {
  const numbers = { none: [], single: [0], series: [0, 1, 2, 3], dates: [0, 1, 2, 3] }[said.master];
  const { apart } = said;
  const plain = numbers.filter((number) => !apart.has(number) && !(said.master !== 'single' && said.left.has(number)));
  const all = [
    ...plain.map((number) => [dateOf(said, number), said.title] as const),
    ...[...apart].map(
      ([number, { title, later }]) => [dateOf(said, number) + later * 3_600_000, title || said.title] as const,
    ),
  ];
  return all.map(([at, title]) => `${iso(at).slice(5, 16)} ${title}`).toSorted();
}

const bystander = ['BEGIN:VEVENT', 'UID:bystander', 'DTSTAMP:20270101T000000Z', 'SUMMARY:bystander'];

function say(text: string): void {
  const calendar = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...bystander, `DTSTART:${compact(first)}`, 'END:VEVENT'],
    ...[text, 'END:VCALENDAR', ''],
  ].join('\r\n');
  elsewhere.answer = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/calendar' }).end(calendar);
}

async function shown(name: string): Promise<string[]> {
  const { body } = await daybook.get(`/events?search=${name}&start_date=2020-01-01&per_page=50`);
  const all = (body.events as Body[]).map((one) => `${one.utc_start_date.slice(5, 16).replace(' ', 'T')} ${one.title}`);
  return all.toSorted();
}

async function walk(seed: number): Promise<string | null> {
  const below = seededBelow(seed);
  const name = `walk${seed}x`;
  const uid = randomUUID();
  const story: string[] = [];
  let said: Said = {
    master: 'series',
    title: `${name} early`,
    weekday: 0,
    hour: 17,
    apart: new Map(),
    left: new Set(),
  };
  let id: number | null = null;
  for (let poll = 0; poll <= POLLS; poll += 1) {
    said = nextOf(said, name, below);
    say(textOf(said, uid, poll));
    if (id === null) {
      const address = `${elsewhere.address}/${uid}.ics`;
      id = Number((await daybook.created('editor', 'sources', { address, on_missing: 'bin' })).id);
      while ((await daybook.get(`/sources/${id}`, 'editor')).body.last_poll?.ended == null) await sleep(20);
      await daybook.request('editor', 'POST', `/sources/${id}/pause`, {});
    } else {
      const { status, text, body } = await daybook.request('editor', 'POST', `/sources/${id}/polls`, {});
      assert.is(status, 201, text);
      story.push(`   ${JSON.stringify(body.notes.map(({ name: of, reason }: Body) => `${of}: ${reason}`))}`);
    }
    const [wanted, found] = [listOf(said), await shown(name)];
    story.push(`${JSON.stringify({ ...said, apart: [...said.apart], left: [...said.left] })}\n   ${found.join(', ')}`);
    if (JSON.stringify(wanted) !== JSON.stringify(found))
      return [`walk ${seed}:`, ...story, `   wanted: ${wanted.join(', ')}`].join('\n');
  }
  await daybook.request('editor', 'DELETE', `/sources/${id}`);
  return null;
}

test('the list is what the source says', async () => {
  const wrong: string[] = [];
  for (let seed = SEED; seed < SEED + WALKS; seed += 1) wrong.push(...[await walk(seed)].filter((one) => one !== null));
  assert.is(wrong.length, 0, `${wrong.length} of ${WALKS} walks are wrong.\n${wrong.join('\n\n')}`);
});

test.after(async () => {
  elsewhere.server.close();
  await daybook.close();
});
test.run();
