// A large calendar beside others: caches in front, a larger calendar.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { openIdSequence } from '../../src/commands/reservations/ids.ts';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { systemActor, systemMetadata } from '../../src/log/writing.ts';
import { fronting } from './fronting.ts';
import { load } from './load.ts';
import { administrator, type Running, startDaybook, temporaryFolder } from './processes.ts';
import { type CalendarSize, fillStore, firstEventId, LARGE } from './sample-calendar.ts';
import { milliseconds, type Row, row } from './table.ts';

const SECONDS = 8;
const ROOT = '/calendar/events/v1';

/** A service over a calendar of this size, and credentials that may write to it. */
async function serviceOf(size: CalendarSize): Promise<{ readonly service: Running; readonly authorization: string }> {
  const { dataDir, authorization } = await calendarOf(size);
  return { service: await startDaybook(dataDir), authorization };
}

/** The data folder of such a calendar, and credentials that may write to it. */
export async function calendarOf(
  size: CalendarSize,
): Promise<{ readonly dataDir: string; readonly authorization: string }> {
  const dataDir = temporaryFolder();
  const store = openSqliteEventStore({ file: path.join(dataDir, 'daybook.db') });
  const now = Math.floor(Date.now() / 1000);
  await fillStore(store, size, now);
  // The ids of the calendar are taken: what is written later has others.
  const postIds = { stream: 'ids-post', first: 1, blockSize: firstEventId(size) + size.events } as const;
  const metadata = systemMetadata({ actor: systemActor('bench'), now, correlationId: 'bench' });
  await openIdSequence(store, { ...postIds, newEventId: randomUUID }).next(metadata);
  await store.close();
  return { dataDir, authorization: administrator(dataDir) };
}

/** Lists through caches in front, which may keep them for an hour. */
export async function readingThroughCaches(): Promise<Row[]> {
  const { dataDir, authorization } = await calendarOf(LARGE);
  const service = await startDaybook(dataDir, { DAYBOOK_CACHE_SECONDS: '3600' });
  const [, token = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
  const rows = await fronting({ service, authorization, token, event: firstEventId(LARGE) });
  await service.stop();
  return rows;
}

/** How the cost of a page with a month's window grows with the calendar. */
export async function growing(sizes: readonly [number, number]): Promise<Row[]> {
  const costs: number[] = [];
  for (const events of sizes) {
    const { service } = await serviceOf({ ...LARGE, events });
    let index = 0;
    const nextPath = (): string => monthPath(index++);
    const { perSecond } = await load({ url: service.address, nextPath, seconds: SECONDS, connections: 1 });
    costs.push(1000 / perSecond);
    await service.stop();
  }
  const [small = 0, large = 0] = costs;
  const growth = large / small;
  const measured = `${milliseconds(small)} -> ${milliseconds(large)} = ${growth.toFixed(2)} x`;
  const what = `page of a month, ${sizes.map((size) => size.toLocaleString('en')).join(' -> ')} events`;
  return [row(what, measured, '< 3 x', growth < 3)];
}

function monthPath(index: number): string {
  const from = new Date(Date.now() + ((index % 900) - 450) * 86_400_000);
  const until = new Date(from.getTime() + 30 * 86_400_000);
  const [start, end] = [from, until].map((date) => date.toISOString().slice(0, 10));
  return `${ROOT}/events?start_date=${start}&end_date=${end}&per_page=${1 + (index % 50)}`;
}
