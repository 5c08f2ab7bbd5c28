// `npm run bench`: measures the built service and prints a table. Sections by name: writing reading growing;
// `--most N` sets the larger calendar of `growing` (default 1,000,000 events; it takes some minutes and gigabytes).
import { execSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { growing, reading } from './listing.ts';
import { printTable } from './table.ts';
import { importing, posting } from './writing.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { most: { type: 'string', default: '1000000' } },
});
const wanted = (section: string): boolean => positionals.length === 0 || positionals.includes(section);

execSync('npm run --silent build', { stdio: 'inherit' });
if (wanted('writing')) printTable('Writing', [...(await importing()), ...(await posting())]);
if (wanted('reading')) printTable('Reading, 100,000 events', await reading());
if (wanted('growing')) printTable('Growing', await growing([10_000, Number(values.most)]));
