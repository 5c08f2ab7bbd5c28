// Where merged resources lead: the one that stays answers in their place.

import type { EventListInput } from '../../../calendar/event/http/event-schema.ts';
import type { Post } from '../../../calendar/resource/domain/post.ts';
import type { IdFilter } from '../../../kernel/text/wire-words.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { maySeePost, rightsSubjectOf } from '../../../people/auth/policy.ts';
import type { EmbeddedSource } from '../../../queries/reader.ts';
import type { Document, LinkedPostDocument, TermDocument } from '../../../read-model/documents.ts';

type Source = Pick<EmbeddedSource, 'fetch'>;
type Mergeable = LinkedPostDocument | TermDocument;

const isMergeable = (document: Document | null | undefined): document is Mergeable =>
  document !== null && document !== undefined && 'mergedInto' in document;

/** The one that stays of a merged resource, through later merges; null if it was not merged. */
async function stayingOf(source: Source, merged: Mergeable): Promise<Document | null> {
  const passed = new Set<number>();
  let next: Document | null = null;
  for (
    let at: Document | null = merged;
    isMergeable(at) && at.mergedInto !== undefined && !passed.has(at.id);
    at = next
  ) {
    passed.add(at.id);
    next = (await source.fetch([{ kind: at.kind, id: at.mergedInto }]))[0] ?? null;
  }
  return next;
}

/**
 * The id that a reader of a merged venue or organizer is sent to; null if it was not merged, or if the reader may not
 * see the one that stays, or might not have seen the merged one.
 */
export async function postInstead(source: Source, merged: LinkedPostDocument, caller: Caller): Promise<number | null> {
  if (merged.mergedInto === undefined) return null;
  const stays = await stayingOf(source, merged);
  if (stays?.kind !== merged.kind || !('status' in stays)) return null;
  const { before } = (merged.state as Pick<Post, 'before'> | null) ?? { before: null };
  const { author, kind } = merged;
  const wasSeen = maySeePost(caller, { kind, author, status: before?.status ?? 'trash' });
  return wasSeen && maySeePost(caller, { kind, ...rightsSubjectOf(stays) }) ? stays.id : null;
}

/** The id that readers of a merged term are sent to; null if it was not merged. */
export async function termInstead(source: Source, kind: 'category' | 'tag', id: number): Promise<number | null> {
  const [merged] = await source.fetch([{ kind, id }]);
  if (!isMergeable(merged)) return null;
  const stays = await stayingOf(source, merged);
  return stays?.kind === kind && 'deleted' in stays && !stays.deleted ? stays.id : null;
}

/** A filter of events in which merged venues and organizers are those that stay. */
export async function withStaying(source: Source, input: EventListInput): Promise<EventListInput> {
  const { venue, organizer } = input;
  return {
    ...input,
    ...(venue && { venue: await stayingIds(source, 'venue', venue) }),
    ...(organizer && { organizer: await stayingIds(source, 'organizer', organizer) }),
  };
}

async function stayingIds(source: Source, kind: 'venue' | 'organizer', { ids, text }: IdFilter): Promise<IdFilter> {
  const documents = await source.fetch(ids.map((id) => ({ kind, id })));
  const staying = ids.map(async (id, index) => {
    const document = documents[index];
    return (isMergeable(document) && (await stayingOf(source, document))?.id) || id;
  });
  return { ids: await Promise.all(staying), text };
}
