// The pages for visitors against the JSON of the same: requests, bytes, time to the first byte, and the longest hold.
import http from 'node:http';
import path from 'node:path';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { load, pacedLoad } from './load.ts';
import { type Probed, startProbedDaybook, temporaryFolder } from './processes.ts';
import { fillStore, LARGE } from './sample-calendar.ts';
import { type Row, row } from './table.ts';

const ROOT = '/calendar/events/v1';
const AIM_MS = 20;
const P99_AIM_MS = 10;
const SECONDS = 3;
const RATE = 200;

/** A folder with 100,000 events. */
async function filled(): Promise<string> {
  const dataDir = temporaryFolder();
  const store = openSqliteEventStore({ file: path.join(dataDir, 'daybook.db') });
  await fillStore(store, LARGE, Math.floor(Date.now() / 1000));
  await store.close();
  return dataDir;
}

export async function paging(dataDir?: string): Promise<Row[]> {
  const service = await startProbedDaybook(dataDir ?? (await filled()), { DAYBOOK_RATE_LIMIT: '0' });
  try {
    const { events } = JSON.parse((await ask(service, `${ROOT}/events?start_date=today`)).text);
    const [{ id, slug, venue, categories }] = events;
    const month = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 7);
    const pages: readonly (readonly [what: string, page: string, json: string])[] = [
      ['list', '/', `${ROOT}/events?ends_after=now`],
      ['list of a category', `/?categories=${categories[0].slug}`, `${ROOT}/events?categories=${categories[0].slug}`],
      [
        'list near a city',
        '/?near=52,-1&geoloc_radius=100',
        `${ROOT}/events?geoloc_lat=52&geoloc_lng=-1&geoloc_radius=100`,
      ],
      ['search', '/?search=garden+history', `${ROOT}/events?search=garden+history`],
      ['day', `/events/day/${month}-12/`, `${ROOT}/events?start_date=${month}-12&end_date=${month}-12&per_page=50`],
      ['month', `/events/month/${month}/`, `${ROOT}/events?start_date=${month}-01&end_date=${month}-28&per_page=50`],
      [
        'month of a category',
        `/events/month/${month}/?categories=${categories[0].slug}`,
        `${ROOT}/events?categories=${categories[0].slug}&page=2`,
      ],
      ['event', `/event/${slug}/`, `${ROOT}/events/${id}`],
      ['venue', `/venue/${venue.slug}/`, `${ROOT}/venues/${venue.id}`],
      ['embedded list', '/embed/events?per_page=5', `${ROOT}/events?per_page=5`],
    ];
    const rows: Row[] = [];
    for (const [what, page, json] of pages) rows.push(await measured(service, { what, page, json }));
    return rows;
  } finally {
    await service.stop();
  }
}

interface Compared {
  readonly what: string;
  readonly page: string;
  readonly json: string;
}

async function measured(service: Probed, { what, page, json }: Compared): Promise<Row> {
  await service.begin();
  const first = await ask(service, page);
  const hold = await service.end();
  const ofPage = await load({ url: service.address + page, seconds: SECONDS, connections: 10 });
  const ofJson = await load({ url: service.address + json, seconds: SECONDS, connections: 10 });
  const { p99 } = await pacedLoad({
    ...{ address: service.address, nextPath: () => page, seconds: SECONDS, connections: 10, rate: RATE },
  });
  // The compressed form is made when it is asked for again.
  for (let turn = 0; turn < 3; turn += 1) await ask(service, page, { 'accept-encoding': 'br' });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const warm = await ask(service, page, { 'accept-encoding': 'br' });
  const told = [
    `first time ${first.firstByte.toFixed(1)} ms, hold ${hold.late.toFixed(1)} (processor ${hold.busy.toFixed(1)}) ms`,
    `warm first byte ${warm.firstByte.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms at ${RATE}/s`,
    `${Math.round(ofPage.perSecond)}/s against ${Math.round(ofJson.perSecond)}/s of the JSON`,
    `${first.bytes} bytes, ${warm.bytes} compressed`,
  ];
  const isWell = first.status === 200 && hold.busy < AIM_MS && p99 < P99_AIM_MS;
  return row(`${what}: ${page}`, told.join('; '), `hold < ${AIM_MS} ms, p99 < ${P99_AIM_MS} ms`, isWell);
}

interface Asked {
  readonly status: number;
  readonly bytes: number;
  readonly text: string;
  /** Milliseconds. */
  readonly firstByte: number;
}

function ask({ address }: Probed, target: string, headers: http.OutgoingHttpHeaders = {}): Promise<Asked> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    http
      .get(address + target, { headers }, (response) => {
        const firstByte = performance.now() - begun;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({ status: response.statusCode ?? 0, bytes: bytes.length, text: bytes.toString(), firstByte });
        });
      })
      .on('error', reject);
  });
}
