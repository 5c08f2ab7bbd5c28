// What a start of the service does not load: each package costs every start tens of milliseconds of processor time.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('a start');

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Of values; types are gone when a module runs, and what is imported within a function is loaded when that is called. */
const IMPORT = /^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm;

interface Loaded {
  readonly files: ReadonlySet<string>;
  /** Of each package, the first file that loads it. */
  readonly packages: ReadonlyMap<string, string>;
}

/** What is loaded with these files. */
function loadedBy(...entries: readonly string[]): Loaded {
  const files = new Set(entries);
  const packages = new Map<string, string>();
  for (const file of files) {
    if (!file.endsWith('.ts')) continue;
    for (const [, name = ''] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(IMPORT)) {
      if (name.startsWith('.')) files.add(path.join(path.dirname(file), name));
      else if (!packages.has(name)) packages.set(name, file);
    }
  }
  return { files, packages };
}

test('it loads nothing that only some requests, settings or commands need', () => {
  const { packages: loaded } = loadedBy('src/cli/serve.ts', 'src/app.ts');
  assert.ok(loaded.has('fastify') && loaded.has('better-sqlite3'), [...loaded.keys()].join());
  for (const later of [
    ...['typebox', 'typebox/value', '@fastify/swagger', '@fastify/swagger-ui'],
    ...['sanitize-html', 'sharp', 'ical.js', 'prom-client', 'nodemailer', 'zod', 'openid-client'],
    ...['ioredis', 'redis', '@grpc/grpc-js', '@eventstore/db-client', '@kurrent/kurrentdb-client'],
  ])
    assert.is(loaded.get(later), undefined, later);
});

test('an API loads no page of the desk before it listens', () => {
  const { files } = loadedBy('src/cli/serve.ts', 'src/app.ts');
  assert.ok(files.has('src/pages/pages.ts'));
  for (const later of [
    'src/pages/desk/desk.ts',
    'src/pages/desk/sections.ts',
    'src/people/users/desk/account-routes.ts',
  ])
    assert.not(files.has(later), later);
});

test('a projector loads nothing of the API', () => {
  const { files } = loadedBy('src/cli/serve.ts');
  assert.ok(files.has('src/http/operations/operations-app.ts'));
  for (const later of ['src/app.ts', 'src/http/server.ts', 'src/http/routes/routes.ts', 'src/pages/pages.ts'])
    assert.not(files.has(later), later);
});

test('a thread that reads a source loads nothing that writes: one is started for many a reading', () => {
  const { files } = loadedBy('src/exchange/import/jobs/reading-worker.ts');
  assert.ok(files.has('src/exchange/import/formats/ical/ical-records.ts'));
  assert.equal(
    [...files].filter((file) => file.includes('/commands/') || file.includes('src/log/')),
    [],
  );
});

test.run();
