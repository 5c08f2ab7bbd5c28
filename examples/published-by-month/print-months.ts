import path from 'node:path';
import { openLog } from '../../src/composition.ts';
import { readConfig } from '../../src/config.ts';
import { catchUp } from './follow.ts';
import { openMonthFile } from './month-file.ts';

const log = await openLog(readConfig(process.env));
const view = openMonthFile(path.join(process.env.DAYBOOK_DATA_DIR ?? 'data', 'months.db'));
await catchUp(log.store, view);
for (const [month, count] of Object.entries(view.counts())) process.stdout.write(`${month}  ${count}\n`);
view.close();
await log.close();
