// One resource as the log has it: its facts in order, and what it was after each of them.
import type { CalendarEvent } from '../../domain/calendar-event.ts';
import type { Organizer } from '../../domain/organizer.ts';
import type { PostKind } from '../../domain/post.ts';
import type { Term, TermKind } from '../../domain/term.ts';
import type { Venue } from '../../domain/venue.ts';
import type { Position, RecordedEvent, Revision } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { Document, DocumentKind } from '../../read-model/documents.ts';
import { openTurns } from '../time-slices.ts';

/** What has a history of its own. */
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

/** How resources of a kind are folded and shown: the part of a projection that asks no read model. */
export interface Folding {
  readonly kind: DocumentKind;
  readonly prefix: string;
  readonly fold: (state: unknown, event: RecordedEvent) => unknown;
  readonly document: (state: unknown, at: { readonly revision: Revision; readonly position: Position }) => Document;
}

export interface LogDependencies {
  readonly store: Pick<EventStore, 'readStream' | 'readAll'>;
  readonly foldings: readonly Folding[];
}

/** A fact and what stands once it has happened; null when nothing does. */
export interface Step<State = unknown> {
  readonly event: RecordedEvent;
  readonly state: State | null;
  /** False for a fact that this version cannot make sense of: it is told, and taken to change nothing. */
  readonly understood: boolean;
}

export function foldingOf({ foldings }: LogDependencies, kind: ResourceKind): Folding {
  const folding = foldings.find((one) => one.kind === kind);
  if (!folding) throw new Error(`nothing folds things of the kind ${kind}`);
  return folding;
}

/** Everything that was recorded of a thing; empty when nothing ever was. */
export const readResourceEvents = (
  dependencies: LogDependencies,
  { kind, id }: ResourceKey,
): Promise<RecordedEvent[]> => dependencies.store.readStream(`${foldingOf(dependencies, kind).prefix}${id}`);

/** What a resource was after each of its facts, oldest first. */
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

/** A history that breaks off at the one fact that a newer version wrote would hide all the others. */
function foldedOr(fold: Folding['fold'], state: unknown, event: RecordedEvent): unknown {
  try {
    return fold(state, event);
  } catch {
    return NOT_UNDERSTOOD;
  }
}

/**
 * The document that views hold after these events; null when nothing is left. Rejects where `stepsOf` passes over a fact:
 * a representation must not be guessed. Others have their turn meanwhile.
 */
export async function documentOf(
  dependencies: LogDependencies,
  kind: ResourceKind,
  events: readonly RecordedEvent[],
): Promise<Document | null> {
  const { fold, document } = foldingOf(dependencies, kind);
  const last = events.at(-1);
  const turn = openTurns();
  let state: unknown = null;
  for (const event of events) {
    await turn();
    state = fold(state, event);
  }
  return last && state !== null ? document(state, { revision: last.revision, position: last.position }) : null;
}
