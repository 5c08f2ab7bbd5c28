// One resource in the log: its facts in order, and its state after each of them.
import { keptOf } from '../../../../projections/changes.ts';
import type { CalendarEvent } from '../../../calendar/event/domain/calendar-event.ts';
import type { Organizer } from '../../../calendar/linked-post/domain/organizer.ts';
import type { Venue } from '../../../calendar/linked-post/domain/venue.ts';
import type { PostKind } from '../../../calendar/resource/domain/post.ts';
import type { Term, TermKind } from '../../../calendar/term/domain/term.ts';
import { drawAhead } from '../../../kernel/text/paragraphs.ts';
import type { Position, RecordedEvent, Revision } from '../../../log/envelope.ts';
import type { EventStore, ReadStreamOptions } from '../../../log/event-store.ts';
import type { Document, DocumentKind } from '../../../read-model/documents.ts';

/** Kinds with a history. */
export type ResourceKind = PostKind | TermKind;
export const RESOURCE_KINDS: readonly ResourceKind[] = ['event', 'venue', 'organizer', 'category', 'tag'];

export interface ResourceKey {
  readonly kind: ResourceKind;
  readonly id: number;
}

/** The state that facts of a kind lead to. */
export interface StateOf {
  readonly event: CalendarEvent;
  readonly venue: Venue;
  readonly organizer: Organizer;
  readonly category: Term;
  readonly tag: Term;
}

/** The state of a resource of any kind. */
export type AnyState = StateOf[ResourceKind];

/** How resources of a kind are folded and shown: the part of a projection that needs no read model. */
interface Folding {
  readonly kind: DocumentKind;
  readonly prefix: string;
  readonly fold: (state: unknown, event: RecordedEvent) => unknown;
  readonly document: (state: unknown, at: { readonly revision: Revision; readonly position: Position }) => Document;
}

export interface LogDependencies {
  readonly store: Pick<EventStore, 'readStream' | 'readAll'>;
  readonly foldings: readonly Folding[];
}

/** A fact and the state after it; null if there is none. */
export interface Step<State = unknown> {
  readonly event: RecordedEvent;
  readonly state: State | null;
  /** False for a fact that this version cannot read: it is listed, and assumed to change nothing. */
  readonly understood: boolean;
}

export function foldingOf({ foldings }: LogDependencies, kind: ResourceKind): Folding {
  const folding = foldings.find((one) => one.kind === kind);
  if (!folding) throw new Error(`nothing folds resources of the kind ${kind}`);
  return folding;
}

/** Everything recorded of a resource; empty if there is nothing. */
export const readResourceEvents = (
  dependencies: LogDependencies,
  { kind, id }: ResourceKey,
  options?: Pick<ReadStreamOptions, 'unknown'>,
) => dependencies.store.readStream(`${foldingOf(dependencies, kind).prefix}${id}`, options);

/** The states of a resource after each of its facts, oldest first. */
export function stepsOf<Kind extends ResourceKind>(
  dependencies: LogDependencies,
  kind: Kind,
  events: readonly RecordedEvent[],
): Step<StateOf[Kind]>[] {
  const { fold } = foldingOf(dependencies, kind);
  let state: unknown = null;
  return events.map((event) => {
    const next = foldedOr(fold, state, event);
    if (next !== NOT_UNDERSTOOD) state = next;
    // The projection of a kind folds states of that kind.
    return { event, state: state as StateOf[Kind] | null, understood: next !== NOT_UNDERSTOOD };
  });
}

const NOT_UNDERSTOOD = Symbol('not understood');

/** Stopping at one fact of a newer version would hide all the others. */
function foldedOr(fold: Folding['fold'], state: unknown, event: RecordedEvent): unknown {
  try {
    return fold(state, event);
  } catch {
    return NOT_UNDERSTOOD;
  }
}

/** The document below, before which the long texts in these events are drawn one by one: it is made in one go. */
export async function documentInTurns(
  dependencies: LogDependencies,
  key: ResourceKey,
  events: readonly RecordedEvent[],
  turn: () => Promise<void> | undefined,
): Promise<Document | null> {
  const last = new Map<string, unknown>();
  for (const { data } of events) for (const [member, value] of Object.entries(data ?? {})) last.set(member, value);
  await drawAhead(last.values(), turn);
  return documentOf(dependencies, key, events);
}

/** The document that a read model has after these events; null if the resource no longer exists, or must not be shown. */
const documentOf = (
  dependencies: LogDependencies,
  key: ResourceKey,
  events: readonly RecordedEvent[],
): Document | null => keptOf({ key, projection: foldingOf(dependencies, key.kind), events }, null).document;
