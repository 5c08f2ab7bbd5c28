// What a start of the service does not load: each package costs every start tens of milliseconds of processor time.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('a start');

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Of values; types are gone when a module runs, and what is imported within a function is loaded when that is called. */
const IMPORT = /^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm;

/** What is loaded of each package, and the first file that does so. */
function packagesLoadedBy(entry: string): ReadonlyMap<string, string> {
  const files = new Set([entry]);
  const packages = new Map<string, string>();
  for (const file of files) {
    if (!file.endsWith('.ts')) continue;
    for (const [, name = ''] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(IMPORT)) {
      if (name.startsWith('.')) files.add(path.join(path.dirname(file), name));
      else if (!packages.has(name)) packages.set(name, file);
    }
  }
  return packages;
}

test('it loads nothing that only some requests, settings or commands need', () => {
  const loaded = packagesLoadedBy('src/cli/serve.ts');
  assert.ok(loaded.has('fastify') && loaded.has('better-sqlite3'), [...loaded.keys()].join());
  for (const later of [
    ...['typebox', 'typebox/value', '@fastify/swagger', '@fastify/swagger-ui'],
    ...['sanitize-html', 'sharp', 'ical.js', 'prom-client', 'nodemailer', 'zod', 'openid-client'],
    ...['ioredis', 'redis', '@grpc/grpc-js', '@eventstore/db-client', '@kurrent/kurrentdb-client'],
  ])
    assert.is(loaded.get(later), undefined, later);
});

test.run();
