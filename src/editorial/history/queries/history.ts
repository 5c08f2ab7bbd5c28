// The history of one resource: what happened to it, who did it, when, why, and which fields changed. Read from the log
// alone.

import { toWallClock, type WallClock } from '../../../kernel/time/zone.ts';
import type { Sentences } from '../../../locales/language.ts';
import { ENGLISH } from '../../../locales/languages.ts';
import type { Actor, RecordedEvent, Revision } from '../../../log/envelope.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayManageTerms, mayReadHistory } from '../../../people/auth/policy.ts';
import { type Actors, openActors } from '../../../people/users/facts/actors.ts';
import type { RenderingSettings } from '../../../rendering/post-fragment.ts';
import type { Fields } from '../../../rendering/public-fields.ts';
import {
  sentenceFor,
  sentenceForBypassed,
  sentenceForProposed,
  sentenceForUnknown,
  sentenceWithoutContent,
} from './describe-change.ts';
import { type Change, changedFields, changesOf, erasedFields, fieldsOf, withNames } from './field-changes.ts';
import { recordedAt } from './moments.ts';
import { type HistoryReader, type Names, openNames } from './reference-names.ts';
import {
  type LogDependencies,
  type ResourceKey,
  readResourceEvents,
  type StateOf,
  type Step,
  stepsOf,
} from './resource.ts';

/** One revision, as clients see it. */
export interface HistoryEntry {
  readonly revision: Revision;
  /** ISO 8601 in UTC. */
  readonly instant: string;
  /** The instant in the zone of the site. */
  readonly date: WallClock;
  readonly actor: Actor;
  readonly reason: string | null;
  /** The type of the fact; independent of the language. */
  readonly type: string;
  readonly summary: string;
  /** The proposal that was carried out; absent on all other changes. */
  readonly proposal?: { readonly id: number; readonly author: Actor };
  /** Why it was made without the review that the rules demand; absent on all other changes. */
  readonly bypassed_review?: string;
  readonly changes: readonly Change[];
  /** Shared by everything that one request or one import did. */
  readonly correlation_id: string;
}

export interface HistoryDependencies extends LogDependencies {
  readonly display: RenderingSettings;
  /** Default: English. */
  readonly sentences?: Sentences;
  /** Share it between entries that are built one by one; by default each answer has its own. */
  readonly actors?: Actors;
}

/** The folded log of a resource; entries are built on request. */
export interface ResourceHistory<Kind extends ResourceKey['kind'] = ResourceKey['kind']> {
  readonly kind: Kind;
  readonly steps: readonly Step<StateOf[Kind]>[];
  /** The present state of the resource; null if it no longer exists, or cannot be folded. */
  readonly state: StateOf[Kind] | null;
  /** Whether a fact has erased everything: what was said before it is not shown again. */
  readonly isErased: boolean;
}

/** Reads and folds a resource; null if nothing was ever recorded of it. Rights depend on its `state`. */
export async function loadHistory<Kind extends ResourceKey['kind']>(
  dependencies: LogDependencies,
  key: { readonly kind: Kind; readonly id: number },
): Promise<ResourceHistory<Kind> | null> {
  const events = await readResourceEvents(dependencies, key);
  if (events.length === 0) return null;
  const steps = stepsOf(dependencies, key.kind, events);
  const state = steps.at(-1)?.state ?? null;
  const isErased = state === null && steps.some((step) => step.understood && step.state === null);
  return { kind: key.kind, steps, state, isErased };
}

/** Whether a caller may read a history, and the fields of the resource as they were written: histories tell them. */
export function mayRead(caller: Caller, { kind, state }: ResourceHistory): boolean {
  if (kind === 'category' || kind === 'tag') return mayManageTerms(caller, kind);
  return mayReadHistory(caller, kind, state && 'author' in state ? state : null);
}

/** Entries, newest first: `limit` of them from the `offset`th on. */
export function historyEntries(
  dependencies: HistoryDependencies,
  { kind, steps, isErased }: ResourceHistory,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  reader: HistoryReader,
): Promise<HistoryEntry[]> {
  const namesAt = openNames(dependencies, reader);
  const { actors = openActors(dependencies.store) } = dependencies;
  const end = Math.max(0, steps.length - offset);
  const page = steps.slice(Math.max(0, end - limit), end);
  const first = end - page.length;
  return Promise.all(
    page
      .map((step, index) => {
        if (isErased) return entryWithoutContent(dependencies, step, actors);
        const previousState = steps[first + index - 1]?.state ?? null;
        return entryOf({ ...dependencies, actors }, kind, previousState, step, namesAt(step.event.position));
      })
      .reverse(),
  );
}

async function entryOf(
  dependencies: HistoryDependencies & { readonly actors: Actors },
  kind: ResourceKey['kind'],
  stateBefore: AnyState,
  { event, state, understood }: Step<StateOf[ResourceKey['kind']]>,
  names: Names,
): Promise<HistoryEntry> {
  const { display, sentences = ENGLISH.sentences } = dependencies;
  const [before, after] = fieldsAround(display, kind, stateBefore, state);
  const changed = understood ? fieldsChanged(event, before, after) : [];
  const namedBefore = before && (await withNames(kind, before, changed, names));
  const namedAfter = await withNames(kind, after, changed, names);
  const passwordChange = isExchangeOfPassword(stateBefore, state) ? ['password'] : [];
  const summary = understood
    ? sentenceFor(sentences, event, namedBefore, namedAfter)
    : sentenceForUnknown(sentences, event.type);
  const frame = await frameOf(event, display, dependencies.actors);
  const proposal = await proposalOf(event, dependencies.actors);
  return {
    ...frame,
    reason: event.metadata.reason ?? null,
    type: event.type,
    summary: markedIfBypassed(
      sentences,
      event,
      proposal ? sentenceForProposed(sentences, summary, frame.actor, proposal) : summary,
    ),
    ...(proposal && { proposal }),
    ...bypassOf(event),
    changes: changesOf([...changed, ...passwordChange], namedBefore, namedAfter),
    correlation_id: event.metadata.correlationId,
  };
}

type AnyState = StateOf[ResourceKey['kind']] | null;

function fieldsAround(
  display: RenderingSettings,
  kind: ResourceKey['kind'],
  ...[before, after]: readonly [AnyState, AnyState]
): readonly [Fields | null, Fields] {
  const fields = (of: AnyState): Fields | null => of && fieldsOf(kind, of, display);
  return [fields(before), fields(after) ?? {}];
}

const fieldsChanged = ({ data }: RecordedEvent, before: Fields | null, after: Fields): readonly string[] => [
  ...new Set([...changedFields(before, after), ...erasedFields(data, after)]),
];

/** What the entry of one step says, without its words and values: to find it among many. */
export function contentOfStep(
  { display }: Pick<HistoryDependencies, 'display'>,
  { kind, steps, isErased }: ResourceHistory,
  index: number,
): { readonly reason: string | null; readonly fields: readonly string[] } {
  const step = steps[index];
  if (!step) return { reason: null, fields: [] };
  const { event, state, understood } = step;
  const reason = event.metadata.reason ?? null;
  if (isErased) return { reason: state === null ? reason : null, fields: [] };
  if (!understood) return { reason, fields: [] };
  const former = steps[index - 1]?.state ?? null;
  const [before, after] = fieldsAround(display, kind, former, state);
  const password = isExchangeOfPassword(former, state) ? ['password'] : [];
  return { reason, fields: [...fieldsChanged(event, before, after), ...password] };
}

/** Both states only say that there is a password; a change of password is shown all the same. */
export function isExchangeOfPassword(before: AnyState, after: AnyState): boolean {
  const [former, present] = [passwordHashOf(before), passwordHashOf(after)];
  return former !== null && present !== null && former !== present;
}

const passwordHashOf = (state: AnyState): string | null =>
  state && 'passwordHash' in state ? state.passwordHash : null;

/** That it happened stays; content and reason are gone with the rest. */
async function entryWithoutContent(
  { display, sentences = ENGLISH.sentences }: HistoryDependencies,
  { event, state }: Step,
  actors: Actors,
): Promise<HistoryEntry> {
  return {
    ...(await frameOf(event, display, actors)),
    // The reason for the erasure itself reveals nothing of what was erased.
    reason: state === null ? (event.metadata.reason ?? null) : null,
    type: event.type,
    summary: sentenceWithoutContent(sentences, event.type),
    changes: [],
    correlation_id: event.metadata.correlationId,
  };
}

const bypassOf = ({ metadata: { bypassedReview } }: RecordedEvent): Pick<HistoryEntry, 'bypassed_review'> =>
  bypassedReview === undefined ? {} : { bypassed_review: bypassedReview };

/** Says it where review was bypassed. */
const markedIfBypassed = (
  sentences: Sentences,
  { metadata: { bypassedReview } }: RecordedEvent,
  summary: string,
): string => (bypassedReview === undefined ? summary : sentenceForBypassed(sentences, summary, bypassedReview));

/** The proposal that an event carries out, with the present name of its author. */
async function proposalOf(
  { metadata: { proposal } }: RecordedEvent,
  actors: Actors,
): Promise<HistoryEntry['proposal']> {
  if (!proposal) return undefined;
  const { id, author } = proposal;
  return { id, author: await actors.person(author) };
}

/** Which revision it is, since when, and by whom. */
export async function frameOf(event: RecordedEvent, { siteZone }: Pick<RenderingSettings, 'siteZone'>, actors: Actors) {
  const { instant, actor } = event.metadata;
  return {
    revision: event.revision,
    instant,
    date: toWallClock(recordedAt(event).at, siteZone),
    actor: { id: actor.id, name: await actors.nameOf(actor) },
  };
}
