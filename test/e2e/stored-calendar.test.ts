// Files that an earlier release wrote (test/fixtures/stored-calendar) are read as they are: same answers, no problem found.
// The read model is of an earlier version of the projections, so it is filled anew.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runHere } from '../support/here.ts';
import { type Serving, serving } from '../support/process.ts';
import { temporaryFolder } from '../support/service.ts';

interface Recorded {
  readonly as: string | null;
  readonly target: string;
  readonly headers: { readonly [name: string]: string };
  readonly answer: {
    readonly status: number;
    readonly headers: { readonly [name: string]: string };
    readonly text: string;
  };
}

const FIXTURE = path.resolve(import.meta.dirname, '../fixtures/stored-calendar');
const [tokenLine = '', ...answerLines] = readFileSync(path.join(FIXTURE, 'answers.jsonl'), 'utf8').trim().split('\n');
const { tokens } = JSON.parse(tokenLine) as { tokens: { readonly [name: string]: string } };
const recorded = answerLines.map((line) => JSON.parse(line) as Recorded);

/** The process that answers, and the folder of its files. */
interface Context {
  settings: { readonly [name: string]: string };
  remove(): void;
  process: Serving;
  /** Of the read model before it was served. */
  epoch: string;
}

const test = suite<Context>('a calendar stored by an earlier release');

const epochOf = (folder: string): string => {
  const views = new Database(path.join(folder, 'views.db'), { readonly: true });
  try {
    return (views.prepare('SELECT epoch FROM meta').get() as { epoch: string }).epoch;
  } finally {
    views.close();
  }
};

test.before(async (context) => {
  const { folder: parent, remove } = temporaryFolder();
  const folder = path.join(parent, 'data');
  mkdirSync(folder, { mode: 0o700 });
  for (const name of readdirSync(FIXTURE).filter((file) => file.endsWith('.db.gz'))) {
    const file = path.join(folder, name.replace(/\.gz$/, ''));
    writeFileSync(file, gunzipSync(readFileSync(path.join(FIXTURE, name))));
    chmodSync(file, 0o600);
  }
  const settings = {
    DAYBOOK_DATA_DIR: folder,
    DAYBOOK_LOG_LEVEL: 'silent',
    DAYBOOK_TIMEZONE: 'Europe/Berlin',
    DAYBOOK_SITE_URL: 'https://calendar.example',
    DAYBOOK_SITE_NAME: 'Fixture',
    DAYBOOK_TRUST_PROXY: '0',
  };
  Object.assign(context, { settings, remove, epoch: epochOf(folder), process: await serving(settings) });
});
test.after(async ({ process, remove }) => {
  await process?.stop();
  remove?.();
});

for (const { as, target, headers, answer } of recorded) {
  const language = headers['accept-language'] ? ` in ${headers['accept-language']}` : '';
  test(`${as ?? 'anonymous'}: ${target}${language} is answered as it was recorded`, async ({ process }) => {
    const authorization = as === null ? {} : { authorization: `Bearer ${tokens[as]}` };
    const got = await fetch(`${process.api}${target}`, { headers: { ...headers, ...authorization } });
    assert.is(await got.text(), answer.text);
    assert.is(got.status, answer.status);
    for (const [name, value] of Object.entries(answer.headers)) assert.is(got.headers.get(name), value, name);
  });
}

test('its read model, which lacks indexes that came later, has been filled anew', ({ settings, epoch }) => {
  assert.is.not(epochOf(settings.DAYBOOK_DATA_DIR ?? ''), epoch);
});

test('doctor finds no problem', async ({ settings }) => {
  const { code, out } = await runHere(['doctor', '--json'], settings);
  assert.is(code, 0, out);
  assert.is((JSON.parse(out) as { problems: number }).problems, 0);
});

test('verify finds every event, and every document right', async ({ settings }) => {
  const { code, out } = await runHere(['verify', '--json'], settings);
  assert.is(code, 0, out);
  const { log, unreadable, views } = JSON.parse(out);
  assert.ok(log.events >= 244);
  assert.equal([log.findings, unreadable], [[], []]);
  assert.equal([views[0].findings, views[0].documents], [[], 39]);
});

test.run();
