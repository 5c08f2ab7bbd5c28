// Commands shown for pasting: they work from any folder, on the stores of this process.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../../config.ts';
import { quoted } from '../../../kernel/files/private-files.ts';

const DAYBOOK = fileURLToPath(import.meta.resolve('#launcher'));

/** Completes the words after `daybook` to a command line. */
export type Paste = (...words: readonly string[]) => string;

/** For a POSIX shell. Addresses of servers may contain passwords: those are left to the environment. */
export function pasteFor({ dataDir, eventStore, keys, readModel }: Config): Paste {
  const stores = [
    ['DAYBOOK_EVENT_STORE', eventStore, 'daybook.db'],
    ['DAYBOOK_KEYS', keys, 'keys.db'],
    ['DAYBOOK_READ_MODEL', readModel, 'views.db'],
  ] as const;
  const settings = stores.flatMap(([name, address, usual]) => {
    if (address.engine !== 'sqlite' || address.file === path.join(dataDir, usual)) return [];
    return [`${name}=${quoted(`sqlite:${address.file}`)}`];
  });
  const before = [`DAYBOOK_DATA_DIR=${quoted(dataDir)}`, ...settings, quoted(DAYBOOK)].join(' ');
  return (...words) => [before, ...words.map(quoted)].join(' ');
}
