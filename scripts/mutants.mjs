// Whether tests notice faults: puts one small fault at a time into deciders, queries and rights, and runs the tests that are nearest
// to it by their imports and names; works on a copy of the last commit.
//   node scripts/mutants.mjs [--count 60] [--seed 1]    names each fault that no test has noticed, and ends with a line of figures.
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';

const ROOT = path.resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { count: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});

const MUTATED = ['src/**/domain/**/*.ts', 'src/**/queries/**/*.ts', 'src/people/auth/{policy,proposal-rights}.ts'];
/** What a fault replaces, and by what. Types have none of them. */
const FAULTS = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ \+ 1\b/g, ' - 1'],
  [/ \?\? /g, ' && '],
  [/\btrue\b(?=[,;)])/g, 'false'],
  [/\bfalse\b(?=[,;)])/g, 'true'],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/(?<=[(\s])!(?=[\w(])/g, ''],
];
/** How many test files are run, and how many more as long as those notice nothing. */
const STAGES = [3, 6, 12];
const TIMEOUT_MS = 300_000;

const sourcesIn = (patterns) => globSync(patterns, { cwd: ROOT }).sort();

/** All places where a fault can be. */
function places() {
  return sourcesIn(MUTATED).flatMap((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    return FAULTS.flatMap(([what, by]) =>
      [...text.matchAll(what)].map(({ 0: found, index }) => ({ file, found, by, index })),
    ).filter(({ index }) => !/^\s*(?:\/\/|\/?\*|import|export type|type)/.test(lineAt(text, index)));
  });
}

const lineAt = (text, index) => text.slice(text.lastIndexOf('\n', index - 1) + 1, text.indexOf('\n', index));

const IMPORT = /(?:from|import\()\s*'(\.[^']+)'/g;
const importsOf = new Map(
  sourcesIn(['{src,projections,test}/**/*.ts']).map((file) => [
    file,
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(IMPORT)].map(([, to]) =>
      path.join(path.dirname(file), to),
    ),
  ]),
);

const wordsOf = (file) => file.split(/[/.-]/).map((word) => word.replace(/s$/, ''));

/** Test files by how far they are from a source: by imports, nearer where they have words of its path, further if they start services. */
function nearest(source) {
  const words = new Set(wordsOf(source));
  const distances = new Map([[source, 0]]);
  for (const [file, distance] of distances)
    for (const [importer, imports] of importsOf)
      if (imports.includes(file) && !distances.has(importer)) distances.set(importer, distance + 1);
  const farness = (file) => {
    const alike = wordsOf(path.basename(file)).filter((word) => words.has(word)).length;
    return (distances.get(file) ?? 0) - 3 * alike + (file.startsWith('test/unit/') ? 0 : 2);
  };
  return [...distances.keys()]
    .filter((file) => /^test\/(unit|properties|e2e)\/.*\.test\.ts$/.test(file) && !startsProcesses(file))
    .sort((one, other) => farness(one) - farness(other))
    .map((file) => file.slice('test/'.length));
}

const startsProcesses = (file) => importsOf.get(file).some((to) => /(process|deployment|redis-server)\.ts$/.test(to));

function isNoticed(copy, files) {
  let from = 0;
  for (const count of STAGES) {
    const patterns = files.slice(from, from + count).map((file) => `^${file.replaceAll('.', '\\.')}$`);
    from += count;
    if (patterns.length === 0) return false;
    const ran = spawnSync(process.execPath, ['scripts/test.mjs', ...patterns], {
      ...{ cwd: copy, timeout: TIMEOUT_MS, stdio: 'ignore' },
      // Of one clock, so that one process has them all.
      env: { ...process.env, DAYBOOK_TEST_CLOCK: 'now', DAYBOOK_TEST_LANES: '1' },
    });
    if (ran.status !== 0) return true;
  }
  return false;
}

const copy = mkdtempSync(path.join(os.tmpdir(), 'daybook-mutants-'));
try {
  execFileSync('git', ['worktree', 'add', '--detach', copy], { cwd: ROOT, stdio: 'ignore' });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  const [minLength, seed] = [Number(values.count), Number(values.seed)];
  const drawing = fc.shuffledSubarray(places(), { minLength, maxLength: minLength });
  const [drawn] = fc.sample(drawing, { numRuns: 1, seed });
  let noticed = 0;
  for (const { file, found, by, index } of drawn) {
    const target = path.join(copy, file);
    const text = readFileSync(target, 'utf8');
    writeFileSync(target, text.slice(0, index) + by + text.slice(index + found.length));
    const isKilled = isNoticed(copy, nearest(file));
    writeFileSync(target, text);
    if (isKilled) noticed += 1;
    else {
      const line = text.slice(0, index).split('\n').length;
      process.stdout.write(`${file}:${line}: "${found}" as "${by}": ${lineAt(text, index).trim()}\n`);
    }
  }
  process.stdout.write(`${noticed} of ${drawn.length} faults were noticed\n`);
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', copy], { cwd: ROOT, stdio: 'ignore' });
  rmSync(copy, { recursive: true, force: true });
}
