// `daybook tail`: follows the log on the terminal, one line per change.
import { command, type ValueType } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { interruption, printable } from '../../../cli/terminal.ts';
import { POSITIVE_INTEGER } from '../../../cli/values.ts';
import { historyOf, onLog } from '../../../cli/with-log.ts';
import { listOf } from '../../../kernel/text/wire-words.ts';
import { LOG_START, type Position } from '../../../log/envelope.ts';
import { withWholeSets } from '../../change-sets/facts/whole-sets.ts';
import { type ChangeEntry, type Changes, type ChangesDependencies, openChanges } from '../queries/changes.ts';
import { isCursor } from '../queries/log-reads.ts';
import { CHANGE_KINDS, type Selection, selectionOf } from '../queries/selection.ts';

interface TailDependencies extends ChangesDependencies {
  /** Writes one line, given without its end. */
  readonly out: (line: string) => void;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

const START = 'start';

const SELECTION: ValueType<Selection> = {
  must: `a list of ${CHANGE_KINDS.join(', ')} and types of domain events such as EventRescheduled`,
  read(text) {
    const selection = selectionOf(listOf(text));
    return 'unknown' in selection ? undefined : selection;
  },
};

const PAGE = 100;
/** How often the log is read without a notification. */
const HEARTBEAT_MS = 15_000;

/** Ends when its signal is aborted or the limit is reached; rejects with `EventStoreUnavailable`. */
export const tailCommand = command(
  {
    name: 'tail',
    description: ['Ctrl-C ends it. Changes of private resources are shown as well.'],
    options: {
      after: { value: 'POSITION', description: `begin behind this position, or "${START}"`, otherwise: 'now' },
      types: { value: 'TYPE,…', description: SELECTION.must, type: SELECTION, default: '', otherwise: 'everything' },
      limit: { value: 'N', description: 'end after so many changes', type: POSITIVE_INTEGER, otherwise: 'never' },
      json: { description: 'write a line of JSON for each change' },
    },
    examples: [
      ['daybook tail', 'follows the calendar until Ctrl-C'],
      ['daybook tail --after start --types EventRescheduled --limit 3', 'shows the first three events that moved'],
    ],
  },
  async ({ types: selection, after: position, limit, json }, dependencies: TailDependencies) => {
    let left = limit ?? Number.MAX_SAFE_INTEGER;
    const changes = openChanges(dependencies);
    const after = await positionIn(changes, position);
    const question = {
      after,
      selection,
      limit: PAGE,
      heartbeatMs: HEARTBEAT_MS,
      reader: async () => 'operator' as const,
    };
    for await (const page of changes.follow(question, [dependencies.signal])) {
      const batch = page.changes.slice(0, left);
      for (const change of batch) dependencies.out(json ? JSON.stringify(change) : lineOf(change));
      left -= batch.length;
      if (left === 0) break;
    }
    return 0;
  },
  onLog('read', (stores, config) => ({
    ...historyOf(stores, config),
    store: withWholeSets(stores.store),
    signal: interruption(),
  })),
);

async function positionIn(changes: Changes, text: string | undefined): Promise<Position> {
  if (text === START) return LOG_START;
  const head = await changes.head();
  if (text === undefined) return head;
  if (text !== '' && isCursor(text, head)) return text;
  throw new UsageError(`--after must be "${START}" or a position of this log, not "${text}".`);
}

function lineOf({ date, kind, id, revision, actor, summary, reason }: ChangeEntry): string {
  const why = reason === null ? '' : ` (${reason})`;
  return printable(`${date}  ${kind} ${id} r${revision}  ${actor.name}  ${summary}${why}`);
}
