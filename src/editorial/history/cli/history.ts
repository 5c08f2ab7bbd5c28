// `daybook history events/12`: what happened to one resource, read from the log alone.
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { command, type Output, type ValueType } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { printable } from '../../../cli/terminal.ts';
import { COLLECTION, JSON_FLAG, POSITIVE_INTEGER } from '../../../cli/values.ts';
import { historyOf, onLog } from '../../../cli/with-log.ts';
import { type HistoryDependencies, type HistoryEntry, historyEntries, loadHistory } from '../queries/history.ts';
import type { ResourceKey } from '../queries/resource.ts';

const RESOURCE: ValueType<ResourceKey> = {
  must: `one of ${Object.values(COLLECTIONS)
    .map((name) => `${name}/ID`)
    .join(', ')}`,
  read(text) {
    const [, collection = '', id = ''] = /^([a-z]+)\/([1-9]\d{0,14})$/.exec(text) ?? [];
    const kind = COLLECTION.read(collection);
    return kind && { kind, id: Number(id) };
  },
};

export const historyCommand = command(
  {
    name: 'history',
    description: ['Newest first. Private and deleted resources are shown as well.'],
    arguments: { resource: { label: 'RESOURCE', description: 'the resource', type: RESOURCE } },
    options: {
      limit: { value: 'N', description: 'number of entries', type: POSITIVE_INTEGER, otherwise: 'all' },
      json: JSON_FLAG,
    },
    examples: [['daybook history events/295 --limit 3', 'shows the last three changes of event 295']],
  },
  async ({ resource, limit = Number.MAX_SAFE_INTEGER }, dependencies: HistoryDependencies & Output) => {
    const history = await loadHistory(dependencies, resource);
    if (!history) throw new UsageError(`no ${resource.kind} ${resource.id} was ever recorded.`, 1);
    const entries = await historyEntries(dependencies, history, { offset: 0, limit }, 'operator');
    const left = history.steps.length - entries.length;
    return {
      json: entries,
      lines: [...entries.flatMap(linesOfEntry), ...(left > 0 ? [`(${left} more before that)`] : [])],
    };
  },
  onLog('read', historyOf),
);

const MAX_VALUE_LENGTH = 100;

/** An entry for people. */
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
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH).toWellFormed()}…`;
}
