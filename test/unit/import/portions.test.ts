// What the thread that reads a source sends: each portion holds up the thread that takes it.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PlannedEvent } from '../../../src/exchange/import/import-plan.ts';
import { openImportSummary } from '../../../src/exchange/import/import-summary.ts';
import { collectPortions } from '../../../src/exchange/import/jobs/portions.ts';
import { readInThread } from '../../../src/exchange/import/jobs/reading-thread.ts';
import type { ReadEnd, ReadPortion } from '../../../src/exchange/import/jobs/reading-worker.ts';
import { SILENT } from '../../../src/exchange/import/progress.ts';
import { readAll } from '../../../src/exchange/import/read-all.ts';
import { NEW_YORK, NOW } from '../../support/given.ts';
import { temporaryFolder } from '../../support/service.ts';

const LIMITS = { timeoutMs: 1_000, bytes: 64 * 1024 * 1024, pages: 1, network: 'any' } as const;
const DISPLAY = { signBefore: '$', signAfter: '', freeLabel: 'Free' };
/** As the thread has it. */
const MAX_LENGTH = 262_144;

const at = (day: number): string => new Date(Date.UTC(2027, 0, day)).toISOString().slice(0, 10).replaceAll('-', '');
const event = (...lines: readonly string[]): string[] => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
const words = (word: string): string => `DESCRIPTION:${`${word} `.repeat(10_000)}`;

/** A series of 300 dates with a text of 50 kB, of which 20 have one of their own, between two single events. */
const CALENDAR = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0'],
  ...event('UID:before', 'SUMMARY:Before', 'DTSTART;VALUE=DATE:20270101'),
  ...event('UID:series', 'SUMMARY:Daily', `DTSTART;VALUE=DATE:${at(1)}`, 'RRULE:FREQ=DAILY;COUNT=300', words('long')),
  ...Array.from({ length: 20 }, (_, index) => {
    const day = at(10 * index + 3);
    return event('UID:series', `RECURRENCE-ID;VALUE=DATE:${day}`, `DTSTART;VALUE=DATE:${day}`, words(`own${index}`));
  }).flat(),
  ...event('UID:behind', 'SUMMARY:Behind', 'DTSTART;VALUE=DATE:20270101'),
  ...['END:VCALENDAR', ''],
].join('\r\n');

/** As JSON, dates that differ by their dates. */
const inOrder = (events: Iterable<PlannedEvent>): unknown =>
  [...events].map(({ series, ...event }) => {
    const overrides = series?.overrides.toSorted(([one], [other]) => one.localeCompare(other));
    return JSON.parse(JSON.stringify({ ...event, series: series && { ...series, overrides } }));
  });

test('a large series is sent in many portions, and is the same behind them', async () => {
  const { folder, remove } = temporaryFolder();
  const file = path.join(folder, 'a.ics');
  writeFileSync(file, CALENDAR);
  const options = { rules: 'kept', until: NOW + 10 * 366 * 86_400, ownOrigin: null, now: NOW } as const;
  const { plan } = await readAll(
    {
      ...{ ...options, sources: [file], limits: LIMITS, authors: 'drop', html: 'cleaned', mapping: undefined },
      ...{ source: undefined, display: { ...DISPLAY, siteZone: NEW_YORK } },
    },
    openImportSummary(),
    SILENT,
  );
  const sizes: number[] = [];
  async function* measured(): AsyncGenerator<ReadPortion, ReadEnd> {
    const portions = readInThread(
      {
        ...{ ...options, source: file, folder: null, limits: LIMITS, display: DISPLAY, siteZone: NEW_YORK.name },
        ...{ mapping: null, resources: 50_000 },
      },
      () => {},
      new AbortController().signal,
    );
    for (;;) {
      const next = await portions.next();
      if (next.done) return next.value;
      sizes.push(JSON.stringify(next.value).length);
      yield next.value;
    }
  }
  const sent = await collectPortions(measured(), openImportSummary());
  remove();
  assert.is(plan.events.length, 3);
  assert.equal(inOrder(sent.plan.events), inOrder(plan.events));
  // No more than a portion may have, and one date.
  assert.ok(Math.max(...sizes) < MAX_LENGTH + 60_000, `${Math.max(...sizes)}`);
  // What all dates have in common is sent once: else these were 15 MB.
  const all = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(all < 2_000_000, `${all}`);
});

/** How many threads the process starts meanwhile. */
async function startedDuring(work: () => Promise<unknown>): Promise<number> {
  let started = 0;
  const count = (): void => {
    started += 1;
  };
  subscribe('worker_threads', count);
  await work().finally(() => unsubscribe('worker_threads', count));
  return started;
}

test('small sources are read by one thread, each as if it were alone; one that is ended has had its last', async () => {
  const { folder, remove } = temporaryFolder();
  const task = {
    ...({ rules: 'kept', ownOrigin: null } as const),
    ...{ until: NOW + 86_400, now: NOW, folder, limits: LIMITS, display: DISPLAY },
    ...{ siteZone: NEW_YORK.name, mapping: null, resources: 50_000 },
  } as const;
  const nameOf = (name: string): string => path.join(folder, `${name}.ics`);
  for (const name of ['a', 'b'])
    writeFileSync(
      nameOf(name),
      ['BEGIN:VCALENDAR', ...event(`UID:${name}`, `SUMMARY:${name}`, 'DTSTART:20261121'), 'END:VCALENDAR', ''].join(
        '\r\n',
      ),
    );
  const reading = (name: string, signal = new AbortController().signal) =>
    readInThread({ ...task, source: nameOf(name) }, () => {}, signal);
  const read = async (name: string) => {
    const { plan, end } = await collectPortions(reading(name), openImportSummary());
    return [[...plan.events].map(({ input }) => input.title), end.records, end.answer.hash];
  };
  const alone = await read('b');
  assert.equal(alone.slice(0, 2), [['b'], 1]);
  const started = await startedDuring(async () => {
    await read('a');
    assert.equal(await read('b'), alone);
    await read('nowhere').catch(() => {});
  });
  assert.is(started, 0);
  // Whatever fails ends its thread.
  const again = await startedDuring(async () => {
    const stopped = reading('a');
    await stopped.next();
    await stopped.return({} as ReadEnd); // Its reader wants no more of it.
    assert.equal(await read('b'), alone);
  });
  assert.is(again, 1);
  // Nor does one wait that has taken much memory.
  const events = Array.from({ length: 500 }, (_, at) =>
    event(`UID:${at}`, 'SUMMARY:Large', 'DTSTART:20261121', `DESCRIPTION:${'word '.repeat(8_000)}`).join('\r\n'),
  );
  writeFileSync(nameOf('large'), ['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR', ''].join('\r\n'));
  const afterLarge = await startedDuring(async () => {
    await read('large');
    assert.equal(await read('b'), alone);
  });
  assert.is(afterLarge, 1);
  remove();
});

test.run();
