// Signed audit trails: whatever is done to one afterwards is found, and said precisely.
import { createPublicKey } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  AUDIT_LAYOUTS,
  type AuditLayout,
  type AuditRow,
  writeAuditTrail,
} from '../../../src/editorial/audit/export/audit-trail.ts';
import {
  type AuditProblem,
  checkAuditTrail,
  type TrustedKey,
} from '../../../src/editorial/audit/export/check-audit-trail.ts';
import { openFileSink } from '../../../src/exchange/export/sink.ts';
import { Unusable } from '../../../src/exchange/export/unusable.ts';
import { auditKeysFile, openAuditKeys, rotateAuditKeys } from '../../../src/kernel/files/audit-keys.ts';
import { temporaryFolder } from '../../support/service.ts';

interface Context {
  folder: string;
  remove(): void;
}

const test = suite<Context>('signed audit trails');
test.before.each((context) => {
  Object.assign(context, temporaryFolder());
});
test.after.each(({ remove }) => remove());

const ROWS = 6;

const row = (number: number): AuditRow => ({
  position: String(number).padStart(16, '0'),
  stream: `event-${number}`,
  revision: 0,
  event_id: `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`,
  instant: '2030-01-01T00:00:00.000Z',
  kind: 'event',
  id: number,
  type: 'EventRetitled',
  summary: `Renamed to “Night, ${number}”.\nTwo lines; "quotes"`,
  actor_id: 2,
  actor: 'ann',
  role: 'editor',
  reason: number % 2 === 0 ? '=HYPERLINK("http://example.org")' : null,
  request: 'request-1',
  proposal: null,
  fields: ['title'],
  hash: 'sha256:00',
  changes: [{ field: 'title', before: 'a', after: 'b' }],
});

async function* rows(): AsyncGenerator<AuditRow> {
  for (let number = 1; number <= ROWS; number += 1) yield row(number);
}

const NOW = '2030-01-02T00:00:00.000Z';

/** Writes a trail into the folder; returns its file. */
async function written({ folder }: Context, layout: AuditLayout): Promise<string> {
  const file = path.join(folder, `audit.${layout}`);
  const sink = await openFileSink(file);
  const beside = layout === 'csv' ? await openFileSink(`${file}.sig`) : null;
  const header = { layout, daybook: '1', exported: NOW, from: null, to: null, head: '6' };
  const { present: signer } = openAuditKeys(auditKeysFile(folder), NOW);
  assert.is(await writeAuditTrail({ header, rows: rows(), signer }, sink, beside), ROWS);
  await beside?.commit();
  await sink.commit();
  return file;
}

const check = (file: string, trusted: TrustedKey | null = null) => checkAuditTrail(file, `${file}.sig`, trusted);

const said = (problems: readonly AuditProblem[]): string[] =>
  problems.map((one) => [one.problem, 'row' in one ? one.row : '', 'last' in one ? one.last : ''].join(' ').trim());

/** Lines of the file: a header, the rows (of two lines each in a table), and the trailer of JSON lines. */
function rewritten(
  file: string,
  rewrite: (rows: string[], ends: { header: string; trailer: string[] }) => string[],
): void {
  const text = readFileSync(file, 'utf8');
  const isTable = file.endsWith('.csv');
  const [header = '', ...rest] = isTable ? text.split(/\r?\n(?=number|\d+,0)/) : text.trimEnd().split('\n');
  const trailer = isTable ? [] : rest.splice(-1);
  const all = rest.map((one) => one.trimEnd());
  writeFileSync(file, `${[...rewrite(all, { header, trailer })].join('\n')}\n`);
}

type Rows = string[];

/** What is done to the rows of a trail, and what is said of it. */
const TAMPERINGS: readonly (readonly [what: string, tamper: (rows: Rows) => Rows, problems: readonly string[]])[] = [
  ['nothing', (all) => all, []],
  ['a row altered', (all) => all.with(2, String(all[2]).replace('ann', 'bob')), ['altered row 3']],
  ['a row removed', (all) => all.toSpliced(2, 1), ['removed rows 3 3']],
  ['rows removed', (all) => all.toSpliced(1, 3), ['removed rows 2 4']],
  ['the first row removed', (all) => all.slice(1), ['removed rows 1 1']],
  ['two rows exchanged', ([a, b, c, ...rest]) => [a, c, b, ...rest] as Rows, ['wrong order 2']],
  ['a row repeated', (all) => all.toSpliced(3, 0, String(all[1])), ['repeated row 2']],
  ['the last rows removed', (all) => all.slice(0, 4), ['cut off 4']],
  [
    'a row appended',
    (all) => [...all, String(all.at(-1)).replace(`${ROWS}`, `${ROWS + 1}`)],
    [`altered row ${ROWS + 1}`, `added rows ${ROWS + 1} ${ROWS + 1}`],
  ],
  ['everything removed', () => [], ['cut off 0']],
];

for (const layout of AUDIT_LAYOUTS) {
  for (const [what, tamper, problems] of TAMPERINGS)
    test(`${layout}: ${what}`, async (context) => {
      const file = await written(context, layout);
      rewritten(file, (all, { header, trailer }) => [header, ...tamper(all), ...trailer]);
      assert.equal(said((await check(file)).problems), problems);
    });

  test(`${layout}: a file cut off anywhere is noticed`, async (context) => {
    const file = await written(context, layout);
    const text = readFileSync(file, 'utf8').trimEnd();
    for (let end = text.length - 1; end > 0; end -= 97) {
      writeFileSync(file, text.slice(0, end));
      const outcome = await check(file).catch((error: unknown) => error);
      assert.ok(outcome instanceof Unusable || (outcome as { problems: [] }).problems.length > 0, `cut at ${end}`);
    }
  });

  test(`${layout}: any other character anywhere is found`, async (context) => {
    const file = await written(context, layout);
    for (const target of layout === 'csv' ? [file, `${file}.sig`] : [file]) {
      const text = readFileSync(target, 'utf8');
      const property = fc.asyncProperty(
        fc.nat(text.length - 2),
        fc.constantFrom('0', 'x', '"', '{'),
        async (at, by) => {
          fc.pre(text[at] !== by);
          // Where a field of a table is split changes no cell.
          fc.pre(layout === 'jsonl' || !/[\r\n"]/.test(`${text[at]}${by}`));
          writeFileSync(target, text.slice(0, at) + by + text.slice(at + 1));
          const outcome = await check(file).catch((error: unknown) => error);
          assert.ok(
            outcome instanceof Unusable || (outcome as { problems: [] }).problems.length > 0,
            `${by} at ${at}: ${text.slice(at - 60, at + 60)}`,
          );
        },
      );
      await fc.assert(property, { numRuns: 60 });
      writeFileSync(target, text);
    }
  });

  test(`${layout}: without its signature, and with that of another key`, async (context) => {
    const { folder } = context;
    const file = await written(context, layout);
    const keys = openAuditKeys(auditKeysFile(folder), NOW);
    const own = createPublicKey(keys.present.publicKey);
    assert.equal((await check(file, own)).problems, []);
    assert.equal((await check(file, keys.present.id)).problems, []);
    const other = rotateAuditKeys(auditKeysFile(folder), NOW).present;
    const expected = [{ problem: 'other key', found: keys.present.id, expected: other.id }];
    assert.equal((await check(file, createPublicKey(other.publicKey))).problems, expected);
    assert.equal((await check(file, other.id)).problems, expected);
    if (layout === 'csv')
      assert.equal(said((await checkAuditTrail(file, `${file}.gone`, null)).problems), ['no signature']);
    else {
      rewritten(file, (all, { header }) => [header, ...all]);
      assert.equal(said((await check(file)).problems), [`cut off ${ROWS}`, 'no signature']);
    }
  });
}

test('no cell of a table is a formula', async (context) => {
  const file = await written(context, 'csv');
  assert.not.match(readFileSync(file, 'utf8'), /(^|,|")=/m);
  assert.match(readFileSync(file, 'utf8'), "'=HYPERLINK");
});

test('the file of the keys is for its owner alone, and keeps no private key that was replaced', async ({ folder }) => {
  const file = auditKeysFile(folder);
  const first = openAuditKeys(file, NOW).present;
  assert.is(statSync(file).mode & 0o777, 0o600);
  assert.equal(openAuditKeys(file, NOW).present, first);
  const { present, retired } = rotateAuditKeys(file, '2030-02-01T00:00:00.000Z');
  assert.is.not(present.id, first.id);
  assert.equal(
    retired.map(({ id, retired: until }) => [id, until]),
    [[first.id, '2030-02-01T00:00:00.000Z']],
  );
  assert.is(readFileSync(file, 'utf8').match(/PRIVATE KEY/g)?.length, 2, 'begin and end of one');
  assert.is(statSync(file).mode & 0o777, 0o600);
  writeFileSync(file, '{}');
  assert.throws(() => openAuditKeys(file, NOW), /damaged/);
});

test.run();
