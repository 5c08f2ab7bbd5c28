// Single reads: existence, rights and representation.
import { may, maySeePost, rightsSubjectOf } from '../../../people/auth/policy.ts';
import { assembleEvents, assembleLinkedPost, type Shape } from '../../../queries/assemble.ts';
import type { Assembled } from '../../../queries/bodies.ts';
import type { EmbeddedSource, Reader } from '../../../queries/reader.ts';
import { type UnlockDependencies, unlockedBy, unlockedForEditor } from '../../../queries/unlock.ts';
import type { EventDocument, LinkedPostDocument } from '../../../read-model/documents.ts';

/** Why there is nothing to read. */
export type Unreadable = 'unknown' | 'in trash' | 'not accessible' | 'password needed';

type ReadOne<Document> =
  | { readonly document: Document; readonly answer: Assembled }
  | { readonly unreadable: Unreadable };

/** The documents for a single read. */
interface SingleReadDependencies extends UnlockDependencies {
  readonly readModel: EmbeddedSource;
}

/** An event for a reader. `editing`: the reader wants to edit it, and with the right to do so needs no password. */
export async function readEvent(
  dependencies: SingleReadDependencies,
  event: EventDocument | null,
  reader: Reader,
  purpose: 'reading' | 'editing',
): Promise<ReadOne<EventDocument>> {
  if (!event) return { unreadable: 'unknown' };
  if (event.status === 'trash') return { unreadable: 'in trash' };
  if (!maySeePost(reader.caller, event)) return { unreadable: 'not accessible' };
  const forEditor = purpose === 'editing' && may(reader.caller, 'update', 'event', rightsSubjectOf(event));
  const unlocked = forEditor ? unlockedForEditor(event, reader) : await unlockedBy(dependencies, [event], reader);
  if (event.protected && !unlocked.has(event)) return { unreadable: 'password needed' };
  const [answer] = await assembleEvents(dependencies, [event], reader, 'single', unlocked);
  return answer ? { document: event, answer } : { unreadable: 'unknown' };
}

/** A venue or organizer for a reader; a protected one is masked. */
export async function readLinkedPost(
  dependencies: SingleReadDependencies,
  post: LinkedPostDocument | null,
  reader: Reader,
): Promise<ReadOne<LinkedPostDocument>> {
  if (!post) return { unreadable: 'unknown' };
  if (!maySeePost(reader.caller, { kind: post.kind, ...rightsSubjectOf(post) }))
    return { unreadable: 'not accessible' };
  const unlocked = await unlockedBy(dependencies, [post], reader);
  return { document: post, answer: assembleLinkedPost(post, reader, 'single', unlocked) };
}

/**
 * The body that answers a write: complete, for callers who were allowed to write. A repeated creation may return a post
 * that others have protected since. Embedded resources come from `source`.
 */
export async function writtenEvent(
  source: EmbeddedSource,
  event: EventDocument,
  reader: Reader,
): Promise<Assembled | undefined> {
  const shape: Shape = 'plain';
  const [answer] = await assembleEvents(
    { readModel: source },
    [event],
    reader,
    shape,
    unlockedForEditor(event, reader),
  );
  return answer;
}
