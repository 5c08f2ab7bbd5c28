// `daybook tail`: follows the log on the terminal, one line for each change.
import { parseArgs } from 'node:util';
import { LOG_START, type Position } from '../event-store/envelope.ts';
import { listOf } from '../http/schemas/words.ts';
import { type ChangeEntry, type Changes, type ChangesDependencies, openChanges } from '../queries/changes/changes.ts';
import { isCursor } from '../queries/changes/cursor.ts';
import { type Selection, selectionOf } from '../queries/changes/selection.ts';
import { THING_KINDS } from '../queries/history/resource.ts';
import { UsageError } from './usage-error.ts';

export interface TailDependencies extends ChangesDependencies {
  /** Takes one line, without its end. */
  readonly out: (line: string) => void;
  /** Ends it in good order: Ctrl-C. */
  readonly signal: AbortSignal;
}

export const TAIL_USAGE = 'daybook tail [--after start|POSITION] [--types KIND|FACT,…] [--limit N] [--json]';

const OPTIONS = {
  after: { type: 'string' },
  types: { type: 'string', default: '' },
  limit: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

const START = 'start';
const PAGE = 100;
/** How often the log is looked at without being told of news. */
const HEARTBEAT_MS = 15_000;

/**
 * Carries out `daybook tail ...`; `args` is what stands behind `tail`. Without `--after` it tells what happens from now
 * on. Whoever sits at the machine sees all of it. Resolves when `signal` is aborted, or behind the last of `--limit`.
 * Throws `UsageError`; rejects with `EventStoreUnavailable`.
 */
export async function runTail(args: readonly string[], dependencies: TailDependencies): Promise<void> {
  const values = read(args);
  const selection = selectionIn(values.types);
  let left = values.limit === undefined ? Number.MAX_SAFE_INTEGER : limitIn(values.limit);
  const changes = openChanges(dependencies);
  const after = await positionIn(changes, values.after);
  const question = {
    after,
    selection,
    limit: PAGE,
    heartbeatMs: HEARTBEAT_MS,
    reader: async () => 'operator' as const,
  };
  for await (const page of changes.follow(question, [dependencies.signal])) {
    const shown = page.changes.slice(0, left);
    for (const change of shown) dependencies.out(values.json ? JSON.stringify(change) : lineOf(change));
    left -= shown.length;
    if (left === 0) return;
  }
}

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    throw new UsageError(`tail: ${problem}; allowed: --after, --types, --limit, --json.`);
  }
}

function selectionIn(types: string): Selection {
  const selection = selectionOf(listOf(types));
  if (!('unknown' in selection)) return selection;
  const kinds = THING_KINDS.join(', ');
  throw new UsageError(
    `tail: --types takes ${kinds} and sorts of facts such as EventRescheduled, not "${selection.unknown}".`,
  );
}

function limitIn(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new UsageError(`tail: --limit takes a positive integer, not "${text}".`);
}

async function positionIn(changes: Changes, text: string | undefined): Promise<Position> {
  if (text === START) return LOG_START;
  const head = await changes.head();
  if (text === undefined) return head;
  if (text !== '' && isCursor(text, head)) return text;
  throw new UsageError(`tail: --after takes "${START}" or a position of this log, not "${text}".`);
}

function lineOf({ date, kind, id, revision, actor, summary, reason }: ChangeEntry): string {
  const why = reason === null ? '' : ` (${reason})`;
  return printable(`${date}  ${kind} ${id} r${revision}  ${actor.name}  ${summary}${why}`);
}

/** What somebody wrote into a title must not move the cursor of whoever reads it. */
const printable = (line: string): string => line.replace(/\p{Cc}/gu, ' ');
