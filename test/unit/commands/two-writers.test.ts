import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../../src/log/envelope.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { temporaryDirectory } from '../../support/events.ts';

const PER_WRITER = 200;
const test = suite('two writers');
const script = fileURLToPath(new URL('../../support/colliding-writer.ts', import.meta.url));

interface Report {
  readonly created: readonly { readonly id: number; readonly slug: string }[];
  readonly conflicts: number;
}

async function startWriter(file: string): Promise<Report> {
  const args = [script, file, String(PER_WRITER)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Report;
}

test('two processes on one file lose no write and share neither an id nor a slug', async () => {
  const { directory, remove } = await temporaryDirectory();
  const file = join(directory, 'log.db');
  // Neither finds the file: making it is part of the race.
  const reports = await Promise.all([startWriter(file), startWriter(file)]);
  const store = openSqliteEventStore({ file });
  const log = await store.readAll({ after: LOG_START, limit: 10_000 });
  const resources = log.filter((event) => event.type === 'EventCreated');
  await store.close();
  await remove();

  const reported = reports.flatMap((report) => report.created);
  assert.is(reported.length, 2 * PER_WRITER);
  assert.is(new Set(reported.map(({ id }) => id)).size, 2 * PER_WRITER);
  assert.is(new Set(reported.map(({ slug }) => slug)).size, 2 * PER_WRITER);
  const written = new Map(resources.map((event) => [event.stream, event.data]));
  assert.equal(written, new Map(reported.map(({ id, slug }) => [`event-${id}`, { slug }])));
  assert.is(resources.length, 2 * PER_WRITER);
  const positions = log.map((event) => Number(event.position));
  assert.equal(
    positions,
    positions.map((_, index) => index + 1),
  );
});

test.run();
