// The former names of resources that another one refers to.

import { askedOnce } from '../../../kernel/event-loop/shared-work.ts';
import type { Json, Position } from '../../../log/envelope.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayReadHistory, maySeePost } from '../../../people/auth/policy.ts';
import { hadHappened, recordedAt } from './moments.ts';
import { type LogDependencies, type ResourceKey, readResourceEvents, type StateOf, stepsOf } from './resource.ts';

/** The reader of a history: a caller, or the operator at the machine, who may see everything. */
export type HistoryReader = { readonly caller: Caller } | 'operator';

type NamedKind = Exclude<ResourceKey['kind'], 'event'>;

interface NamedKey {
  readonly kind: NamedKind;
  readonly id: number;
}

export interface Names {
  /** `{"id":4,"venue":"Town Hall"}`; only the id if there is no name, or none for this reader. */
  of(key: NamedKey): Promise<Json>;
}

/** The member with the name, as in the representation. */
const NAME_MEMBER: { readonly [Kind in NamedKind]: string } = {
  venue: 'venue',
  organizer: 'organizer',
  category: 'name',
  tag: 'name',
};

/** Reads each resource once, however often it is named. */
export function openNames(dependencies: LogDependencies, reader: HistoryReader): (upTo: Position) => Names {
  const read = askedOnce(
    async (key: NamedKey) => stepsOf(dependencies, key.kind, await readResourceEvents(dependencies, key)),
    new Map(),
    ({ kind, id }) => `${kind} ${id}`,
  );

  return (upTo) => ({
    async of({ kind, id }) {
      const steps = await read({ kind, id });
      const then = steps.findLast(({ event }) => hadHappened({ upTo }, recordedAt(event)))?.state;
      const today = steps.at(-1)?.state;
      if (!then || !today || !mayKnow(reader, kind, today)) return { id };
      return { id, [NAME_MEMBER[kind]]: then.name };
    },
  });
}

function mayKnow(reader: HistoryReader, kind: NamedKind, today: StateOf[NamedKind]): boolean {
  if (reader === 'operator' || kind === 'category' || kind === 'tag' || !('author' in today)) return true;
  return mayReadHistory(reader.caller, kind, today) || maySeePost(reader.caller, { kind, ...today });
}
