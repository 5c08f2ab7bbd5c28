// `daybook history events/12`: what happened to one thing, read from the log alone.
import { parseArgs } from 'node:util';
import {
  type HistoryDependencies,
  type HistoryEntry,
  historyEntries,
  loadHistory,
} from '../queries/history/history.ts';
import type { ThingKey, ThingKind } from '../queries/history/resource.ts';
import { UsageError } from './usage-error.ts';

export interface HistoryCommandDependencies extends HistoryDependencies {
  /** Takes one line of the answer, without its end. */
  readonly out: (line: string) => void;
}

export const HISTORY_USAGE = 'daybook history THING [--json] [--limit N]   THING: events/12, venues/4, tags/7, …';

const KINDS: { readonly [collection: string]: ThingKind } = {
  events: 'event',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'category',
  tags: 'tag',
};

const OPTIONS = { json: { type: 'boolean', default: false }, limit: { type: 'string' } } as const;

/**
 * Carries out `daybook history ...`; `args` is what stands behind `history`. Newest first; whoever sits at the machine
 * sees all of it. Throws `UsageError`.
 */
export async function runHistory(args: readonly string[], dependencies: HistoryCommandDependencies): Promise<void> {
  const { values, positionals } = read(args);
  const [path, ...more] = positionals;
  if (path === undefined) throw new UsageError(`history: which THING is missing.\n${HISTORY_USAGE}`);
  if (more.length > 0) throw new UsageError(`history: one THING at a time; "${more.join(' ')}" is too much.`);
  const key = keyIn(path);
  const limit = values.limit === undefined ? Number.MAX_SAFE_INTEGER : limitIn(values.limit);
  const history = await loadHistory(dependencies, key);
  if (!history) throw new UsageError(`history: nothing was ever recorded of ${path}.`, 1);
  const entries = await historyEntries(dependencies, history, { offset: 0, limit }, 'operator');
  if (values.json) {
    dependencies.out(JSON.stringify(entries));
    return;
  }
  for (const line of entries.flatMap(linesOfEntry)) dependencies.out(line);
  const left = history.steps.length - entries.length;
  if (left > 0) dependencies.out(`(${left} more before that)`);
}

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    throw new UsageError(`history: ${problem}; allowed: --json, --limit.`);
  }
}

function keyIn(path: string): ThingKey {
  const [, collection = '', id = ''] = /^([a-z]+)\/([1-9]\d{0,14})$/.exec(path) ?? [];
  const kind = Object.hasOwn(KINDS, collection) ? KINDS[collection] : undefined;
  if (kind) return { kind, id: Number(id) };
  const known = Object.keys(KINDS).map((name) => `${name}/ID`);
  throw new UsageError(`history: "${path}" names nothing; say ${known.join(', ')}.`);
}

function limitIn(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new UsageError(`history: --limit takes a positive integer, not "${text}".`);
}

const LONGEST_VALUE = 100;

/** An entry as people read it. */
export function linesOfEntry({ revision, instant, actor, reason, summary, changes }: HistoryEntry): string[] {
  const who = actor.id === null ? actor.name : `${actor.name} (user ${actor.id})`;
  return [
    printable(`${revision}  ${instant}  ${who}  ${summary}`),
    ...(reason === null ? [] : [printable(`     reason: ${reason}`)]),
    ...changes.map(({ field, before, after }) =>
      printable(`     ${field}: ${shortened(before)} → ${shortened(after)}`),
    ),
  ];
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE).toWellFormed()}…`;
}

/** What somebody wrote into a title must not move the cursor of whoever reads it. */
export const printable = (line: string): string => line.replace(/\p{Cc}/gu, ' ');
