// A resource as it was: at one of its revisions, or at an instant.
// decision 23

import { nextTurn, openTurns } from '../../../kernel/event-loop/turns.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { RecordedEvent, Revision } from '../../../log/envelope.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayManageTerms, mayReadHistory, maySeePost, rightsSubjectOf } from '../../../people/auth/policy.ts';
import { assembleEvents, assembleLinkedPost } from '../../../queries/assemble.ts';
import type { Assembled } from '../../../queries/bodies.ts';
import type { EmbeddedSource, Reader } from '../../../queries/reader.ts';
import {
  type Document,
  type DocumentKey,
  type EventDocument,
  keyText,
  type LinkedPostDocument,
  type TermDocument,
} from '../../../read-model/documents.ts';
import type { TermView } from '../../../read-model/queries.ts';
import { type Terms, termViews } from '../../../read-model/term-queries.ts';
import { happenedBy, type Moment } from '../../history/queries/moments.ts';
import {
  documentInTurns,
  type LogDependencies,
  RESOURCE_KINDS,
  type ResourceKey,
  readResourceEvents,
} from '../../history/queries/resource.ts';
import type { TermCounts } from '../../history/queries/term-counts.ts';

/** Which state of a resource is requested. */
export type WhichState = { readonly revision: Revision } | { readonly asOf: EpochSeconds };

/** Why there is no state to show. */
export type AsOfRefusal =
  /** The resource cannot be read as it is today, for the same reason as in a plain read. */
  | { readonly why: 'unknown' }
  | { readonly why: 'in trash' }
  | { readonly why: 'not accessible' }
  /** Revisions are for readers of the history. */
  | { readonly why: 'no right' }
  /** It has a password today. */
  | { readonly why: 'protected' }
  | { readonly why: 'no such revision'; readonly last: Revision }
  /** `since`: its first instant, for readers who may know; null if it did not exist or was not public. */
  | { readonly why: 'not there'; readonly since: string | null };

export type AsOfState =
  | { readonly kind: 'post'; readonly revision: Revision; readonly answer: Assembled }
  | { readonly kind: 'term'; readonly term: TermView };

type ReadAsOf = AsOfState | { readonly refused: AsOfRefusal };

const refused = (refusal: AsOfRefusal): ReadAsOf => ({ refused: refusal });

/**
 * The representation of an event, venue, organizer or term as it was, embedding other resources as they were then.
 * Readers of its history get every state, protected ones whole. All others get by `asOf` what was public then, if it is
 * public and without a password today. What cannot be folded is left out, as in the read model.
 */
export async function readAsOf(
  dependencies: AsOfDependencies,
  key: ResourceKey,
  which: WhichState,
  reader: Reader,
): Promise<ReadAsOf> {
  // A resource may have changed thousands of times.
  const events = await readResourceEvents(dependencies, key, { unknown: 'in place' });
  await nextTurn();
  const turn = openTurns();
  const today = await documentInTurns(dependencies, key, events, turn);
  if (!isShown(today)) return refused({ why: 'unknown' });
  const seesAll = seesHistory(reader.caller, today);
  const closed = seesAll ? null : whyClosed(reader.caller, today, which);
  if (closed) return refused(closed);
  const choice = choose(events, which);
  if ('why' in choice) return refused(choice.why === 'not there' && !seesAll ? { ...choice, since: null } : choice);
  const isToday = choice.events.length === events.length;
  const then = isToday ? today : await documentInTurns(dependencies, key, choice.events, turn);
  if (!isShown(then) || !(seesAll || isPublic(reader.caller, then))) return refused({ why: 'not there', since: null });
  return render(dependencies, then, choice.moment, reader, seesAll ? 'all' : 'public');
}

type ReadDocument = EventDocument | LinkedPostDocument | TermDocument;

const isShown = (document: Document | null): document is ReadDocument =>
  document !== null && !['user', 'proposal', 'picture'].includes(document.kind);

const seesHistory = (caller: Caller, today: ReadDocument): boolean =>
  isTerm(today) ? mayManageTerms(caller, today.kind) : mayReadHistory(caller, today.kind, today);

/** Why a reader without a right to the history may not see old states of a resource, as it is today. */
function whyClosed(caller: Caller, today: ReadDocument, which: WhichState): AsOfRefusal | null {
  if ('revision' in which) return { why: 'no right' };
  if (isTerm(today)) return today.deleted ? { why: 'unknown' } : null;
  if (today.kind === 'event' && today.status === 'trash') return { why: 'in trash' };
  if (!maySeePost(caller, { kind: today.kind, ...rightsSubjectOf(today) })) return { why: 'not accessible' };
  return today.protected ? { why: 'protected' } : null;
}

function isPublic(caller: Caller, then: ReadDocument): boolean {
  if (isTerm(then)) return !then.deleted;
  return !then.protected && maySeePost(caller, { kind: then.kind, ...rightsSubjectOf(then) });
}

interface Chosen {
  readonly events: readonly RecordedEvent[];
  readonly moment: Moment;
}

function choose(events: readonly RecordedEvent[], which: WhichState): Chosen | AsOfRefusal {
  if ('revision' in which) {
    const end = events.findIndex(({ revision }) => revision === which.revision);
    const event = events[end];
    if (!event) return { why: 'no such revision', last: events.at(-1)?.revision ?? 0 };
    return { events: events.slice(0, end + 1), moment: { upTo: event.position } };
  }
  const moment = { at: which.asOf };
  const happened = happenedBy(moment, events);
  const since = events[0]?.metadata.instant ?? null;
  return happened.length === 0 ? { why: 'not there', since } : { events: happened, moment };
}

async function render(
  dependencies: AsOfDependencies,
  then: ReadDocument,
  moment: Moment,
  reader: Reader,
  scope: 'all' | 'public',
): Promise<ReadAsOf> {
  const source = sourceAsOf(dependencies, moment, reader.caller);
  if (isTerm(then)) return { kind: 'term', term: (await source.termsOf([then])).get(then.id) ?? formerTerm(then) };
  const unlocked = new Set(scope === 'all' ? [then] : []);
  if (then.kind !== 'event')
    return { kind: 'post', revision: then.revision, answer: assembleLinkedPost(then, reader, 'single', unlocked) };
  const [answer] = await assembleEvents({ readModel: source }, [then], reader, 'single', unlocked);
  return answer ? { kind: 'post', revision: then.revision, answer } : refused({ why: 'unknown' });
}

/** A term that was deleted then: it was not shown any more. */
export const formerTerm = ({ kind, id, revision, name, slug, description, parent }: TermDocument): TermView => ({
  kind,
  id,
  revision,
  name,
  slug,
  description,
  parent,
  ancestorSlugs: [],
  count: 0,
});

export interface AsOfDependencies extends LogDependencies {
  readonly termCounts: TermCounts;
}

interface AsOfSource extends EmbeddedSource {
  /** These terms and all their ancestors. */
  termsOf(keys: readonly DocumentKey[]): Promise<Terms>;
}

const NO_TERMS: Terms = new Map();

/**
 * Documents and terms of a moment, from the log alone. What was public then and is no longer is left out, unless the
 * caller may read its history: time travel opens nothing that has been closed since.
 */
export function sourceAsOf(dependencies: AsOfDependencies, moment: Moment, caller: Caller): AsOfSource {
  /** A category may have hundreds of ancestors, each a stream of its own. */
  const turn = openTurns();

  async function documentAt(key: DocumentKey): Promise<Document | null> {
    if (!isResource(key)) return null;
    await turn();
    const events = await readResourceEvents(dependencies, key, { unknown: 'in place' });
    const then = await documentInTurns(dependencies, key, happenedBy(moment, events), turn);
    const today = await documentInTurns(dependencies, key, events, turn);
    if (!then || !today) return null;
    if (isTerm(then) && isTerm(today)) return isClosedTerm(caller, today) ? { ...then, deleted: true } : then;
    // Nothing is shown of an event but its parent.
    if (today.kind === 'event') return then;
    return isLinkedPost(today) && isOpenPost(caller, today) ? then : null;
  }

  async function withAncestors(keys: readonly DocumentKey[]): Promise<TermDocument[]> {
    const all: TermDocument[] = [];
    const visited = new Set<string>();
    for (let level = keys; level.length > 0; ) {
      for (const key of level) visited.add(keyText(key));
      const terms = (await Promise.all(level.map(documentAt))).filter(isTerm);
      all.push(...terms);
      const parents = terms.filter(({ parent }) => parent > 0).map(({ kind, parent }) => ({ kind, id: parent }));
      level = parents.filter((key) => !visited.has(keyText(key)));
    }
    return all;
  }

  async function termsOf(keys: readonly DocumentKey[]): Promise<Terms> {
    if (keys.length === 0) return NO_TERMS;
    const [documents, countOf] = await Promise.all([withAncestors(keys), dependencies.termCounts.at(moment)]);
    return termViews(documents, ({ kind, id }) => countOf(kind, id));
  }

  return {
    fetch: (keys) => Promise.all(keys.map(documentAt)),
    terms: (events) =>
      termsOf(
        events.flatMap(({ categories, tags }) => [
          ...categories.map((id) => ({ kind: 'category', id }) as const),
          ...tags.map((id) => ({ kind: 'tag', id }) as const),
        ]),
      ),
    termsOf,
  };
}

/** Whether this caller may see all of a post as it is today. */
const isOpenPost = (caller: Caller, today: LinkedPostDocument): boolean =>
  mayReadHistory(caller, today.kind, today) ||
  (!today.protected && maySeePost(caller, { kind: today.kind, ...rightsSubjectOf(today) }));

const isClosedTerm = (caller: Caller, today: TermDocument): boolean =>
  today.deleted && !mayManageTerms(caller, today.kind);

const isResource = (key: DocumentKey): key is ResourceKey => RESOURCE_KINDS.some((kind) => kind === key.kind);

const isTerm = (document: Document | null): document is TermDocument =>
  document?.kind === 'category' || document?.kind === 'tag';

const isLinkedPost = (document: Document): document is LinkedPostDocument =>
  document.kind === 'venue' || document.kind === 'organizer';
