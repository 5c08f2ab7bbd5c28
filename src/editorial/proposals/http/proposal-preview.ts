// The resource as a proposal would make it, with what the proposal would create beside it.

import type { FastifyRequest } from 'fastify';
import type { CalendarEvent } from '../../../calendar/event/domain/calendar-event.ts';
import type { Organizer } from '../../../calendar/linked-post/domain/organizer.ts';
import type { Venue } from '../../../calendar/linked-post/domain/venue.ts';
import { writtenEvent } from '../../../calendar/resource/queries/get-one.ts';
import type { Term, TermKind } from '../../../calendar/term/domain/term.ts';
import type { Written } from '../../../commands/context.ts';
import { evolveAll, type Fact } from '../../../domain/decider.ts';
import { readerOf } from '../../../http/reader.ts';
import type { RouteDependencies } from '../../../http/routes/writing.ts';
import { type DocumentMakers, writtenView } from '../../../http/routes/written-documents.ts';
import type { StreamAppend } from '../../../log/event-store.ts';
import { assembleLinkedPost, termObject } from '../../../queries/assemble.ts';
import type { AnswerSource } from '../../../queries/log-fallback.ts';
import type { LinkedPostDocument } from '../../../read-model/documents.ts';
import type { TermView } from '../../../read-model/queries.ts';
import type { DecidedWish } from '../commands/decide-wish.ts';
import { TARGETS } from '../commands/targets.ts';
import { TARGET_KINDS, type Target } from '../domain/proposal.ts';

/** As JSON. */
export async function previewOf(
  { documents, beyondViews }: Pick<RouteDependencies, 'documents' | 'beyondViews'>,
  request: FastifyRequest,
  { kind }: Target,
  { written, appends }: DecidedWish,
): Promise<string> {
  const post = (document: LinkedPostDocument): string =>
    assembleLinkedPost(document, readerOf(request), 'plain', new Set([document])).text;
  // What is decided as a kind is a state of that kind.
  switch (kind) {
    case 'event': {
      const document = documents.event(written as Written<CalendarEvent>);
      const source = withCreated(beyondViews.unseen, appends, documents, request.now);
      const event = await writtenEvent(source, document, readerOf(request));
      return event?.text ?? '{}';
    }
    case 'venue':
      return post(documents.venue(written as Written<Venue>));
    case 'organizer':
      return post(documents.organizer(written as Written<Organizer>));
    default: {
      const view = await writtenView(beyondViews.unseen, kind, written as Written<Term>);
      return JSON.stringify(termObject(view, request.links));
    }
  }
}

/** What would be created has ids below zero, where nothing is yet. */
const CREATED = /^([a-z]+)-(-\d+)$/;

function createdIn(appends: readonly StreamAppend[], now: number) {
  return appends.flatMap(({ stream, events }) => {
    const [, name, digits] = CREATED.exec(stream) ?? [];
    const kind = TARGET_KINDS.find((one) => one === name);
    if (kind === undefined) return [];
    const facts = events.map(({ type, data }): Fact => ({ type, data }));
    const state = evolveAll(TARGETS[kind].evolve, null, facts, now);
    const id = Number(digits);
    const place = { revision: events.length - 1, position: '', created: true };
    return state === null ? [] : [{ key: { kind, id }, written: { id, state, ...place } }];
  });
}

/** A source that has what the appends would create, too. */
function withCreated(
  source: AnswerSource,
  appends: readonly StreamAppend[],
  documents: DocumentMakers,
  now: number,
): AnswerSource {
  const created = createdIn(appends, now);
  if (created.length === 0) return source;
  const venues = new Map(
    created
      .filter(({ key }) => key.kind === 'venue')
      // What is folded as a kind is a state of that kind.
      .map(({ key, written }) => [key.id, documents.venue(written as Written<Venue>)]),
  );
  const terms = created.flatMap(({ key: { kind, id }, written }): [number, TermView][] =>
    kind === 'category' || kind === 'tag' ? [[id, viewOf(kind, written as Written<Term>)]] : [],
  );
  return {
    fetch: async (keys) => {
      const documents = await source.fetch(keys);
      return keys.map(({ kind, id }, at) => (kind === 'venue' ? venues.get(id) : undefined) ?? documents[at] ?? null);
    },
    terms: async (events) => new Map([...(await source.terms(events)), ...terms]),
    term: (kind, id) => source.term(kind, id),
  };
}

const viewOf = (kind: TermKind, { id, revision, state }: Written<Term>): TermView => {
  const { name, slug, description, parent } = state;
  return { kind, id, revision, name, slug, description, parent, ancestorSlugs: [], count: 0 };
};
