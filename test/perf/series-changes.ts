// How long a change of a whole series takes, up to its answer.
import path from 'node:path';
import { someEvent, startTestService } from '../support/service.ts';
import { percentile } from './load.ts';
import { temporaryFolder } from './processes.ts';
import { milliseconds, type Row, row } from './table.ts';

const DATES = 500;
const TURNS = 12;
const MAX_MS = 100;

/** Requests in the process, over files. */
export async function changingSeries(): Promise<Row[]> {
  const folder = temporaryFolder();
  const daybook = await startTestService({
    environment: {
      DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'daybook.db')}`,
      DAYBOOK_READ_MODEL: `sqlite:${path.join(folder, 'views.db')}`,
      DAYBOOK_DATA_DIR: folder,
    },
  });
  const times = { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' };
  const recurrence = { rrule: `FREQ=DAILY;COUNT=${DATES}` };
  const { id } = await daybook.created('editor', 'events', { ...someEvent(times), recurrence });
  const changed = async (what: string, body: (turn: number) => object): Promise<Row> => {
    const took: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const begun = performance.now();
      const answer = await daybook.request('editor', 'PATCH', `/events/${id}`, { scope: 'all', ...body(turn) });
      took.push(performance.now() - begun);
      if (answer.status !== 200) throw new Error(`${what}: ${answer.text}`);
    }
    const median = percentile(took, 0.5);
    return row(
      what,
      `${milliseconds(median)}, least ${milliseconds(Math.min(...took))}`,
      `< ${MAX_MS} ms`,
      median < MAX_MS,
    );
  };
  const rows = [
    await changed(`another rule for a series of ${DATES} dates`, (turn) => ({
      recurrence: { rrule: `FREQ=DAILY;INTERVAL=${1 + ((turn + 1) % 2)};COUNT=${DATES}` },
    })),
    await changed(`another title for all ${DATES} dates`, (turn) => ({ title: `Choir ${turn}` })),
  ];
  await daybook.close();
  return rows;
}
