// Writes docs/figures.md from the raw results of `npm run bench` (test/perf/results): one table, each section with its day,
// commit and machine.
//   node scripts/figures.mjs
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const RESULTS = path.join(ROOT, 'test/perf/results');

const HEAD = `# Figures

Written by \`node scripts/figures.mjs\` from the raw results in [test/perf/results](../test/perf/results), which \`npm run bench -- SECTION\` replaces; their
\`notes\` say how each was measured. Two cores that the load shares with the service, SQLite for both stores where nothing else is said, 100,000 events over
four years with 2,000 venues, 500 organizers, 50 categories and 500 tags. "First-time" is a request that no cache can answer; "bare" is Fastify that sends
the same bytes. Compare rows of one section only: days, commits and load differ. Processor time and ratios say more than rates on a machine that is loaded.

| what | measured | before | aim |
|---|---|---|---|
`;

const cell = (text) => text.replaceAll('|', '\\|');

/** The page that the results give. */
export function figures() {
  const sections = globSync('*.json', { cwd: RESULTS })
    .sort()
    .map((file) => JSON.parse(readFileSync(path.join(RESULTS, file), 'utf8')));
  const lines = sections.flatMap(({ title, measured, commit, before, machine, rows }) => [
    [
      `**${title}**: ${measured}, ${commit ? `commit \`${commit}\`` : 'commit not recorded'}, Node ${machine.node}, ${machine.load}`,
      '',
      before ?? '',
      '',
    ],
    ...rows.map((row) => [row.what, row.measured, row.before ?? '', row.aim]),
  ]);
  return HEAD + lines.map((cells) => `| ${cells.map(cell).join(' | ')} |\n`).join('');
}

if (process.argv[1] === import.meta.filename) writeFileSync(path.join(ROOT, 'docs/figures.md'), figures());
