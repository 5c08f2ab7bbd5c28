// Writes venues and organizers.

import {
  changeLinkedPost,
  createLinkedPost,
  type LinkedPost,
  type LinkedPostInput,
  type LinkedPostKind,
  trashLinkedPost,
} from '../../../calendar/linked-post/commands/linked-posts.ts';
import { loadMergeable, postsNamed, survivorOf } from '../../../calendar/resource/commands/references.ts';
import { metadataOf } from '../../../commands/context.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { Fact } from '../../../domain/decider.ts';
import { comparedName, isSameName } from '../../../kernel/text/compared-name.ts';
import { fold } from '../../../log/envelope.ts';
import { ANY_FILE, changedOf, type PlannedPost } from '../import-plan.ts';
import {
  authorOf,
  contextOf,
  importReason,
  isOfSource,
  presentOf,
  refuse,
  type Target,
  type Writing,
} from './writing.ts';

/**
 * Creates a venue or organizer, applies changes to it, or uses an existing one of the same name (and description, if
 * there is one) unchanged: resources from before the import are not overwritten.
 */
export async function writeLinkedPost<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  writing: Writing,
  of: LinkedPostKind<State, F, Input>,
  planned: PlannedPost<Input>,
): Promise<void> {
  const { ids, summary } = writing;
  const present = await presentOf(writing, planned.origin, of.evolve, {
    origin: planned.origin,
    likeness: ({ name }) => (isSameName(name, planned.input.name ?? '') ? 'some' : 'none'),
  });
  if (present) return keepUp(writing, of, planned, present);
  const match = planned.disposition === 'trash' ? null : await existingOf(writing, of, planned);
  if (match === null) return create(writing, of, planned);
  if (typeof match !== 'number') return keepUp(writing, of, { ...planned, upkeep: 'follow' }, match);
  ids.set(planned.origin.key, match);
  summary.count(of.kind, planned.origin, 'unchanged');
}

/** Where a venue is. */
const PLACE = ['address', 'city', 'zip', 'province', 'country'];

/**
 * Two of one name from the same source, each with an id of its own, stay two. The one of its name that this source has brought
 * without saying where it is, and nothing has changed since, is answered as a whole: it follows what the source says of it now.
 */
async function existingOf<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  writing: Writing,
  { kind, evolve }: LinkedPostKind<State, F, Input>,
  { input, id: ownId, origin }: PlannedPost<Input>,
): Promise<number | Target<State> | null> {
  const { store } = writing.commands;
  const { name = '', description } = input;
  const ids = await postsNamed(store, kind, name);
  for (const id of ids) {
    const events = await store.readStream(streamOf(kind, id));
    const state = fold(events, evolve);
    if (!state || !isSameName(state.name, name)) continue;
    const isFollowed =
      ids.length === 1 &&
      ownId === undefined &&
      origin.source !== ANY_FILE &&
      !hasPlace(state) &&
      events.every(({ metadata }) => metadata.reason === importReason(origin));
    if (
      isElsewhere(state, input) ||
      (!isFollowed && isOfOtherTown(state, input) && (ids.length > 1 || placePart(input, 'city') !== ''))
    )
      continue;
    const staying = state.mergedInto === undefined ? undefined : await stayingOf(writing, kind, state);
    if (staying !== undefined) return staying;
    if (state.status === 'trash') continue;
    if (description && !isSameName(state.description, description)) continue;
    if (isFollowed && hasPlace(input)) return { id, state, revision: events.length - 1 };
    if (ownId === undefined || !(await isOfSource(writing, streamOf(kind, id), origin))) return id;
  }
  return null;
}

const hasPlace = (post: object): boolean => PLACE.some((part) => placePart(post, part) !== '');

const placePart = (post: object, part: string): string => {
  const value: unknown = part in post ? Object(post)[part] : '';
  return typeof value === 'string' ? comparedName(value) : '';
};

/** Venues of one name are in many towns; one that is named without its town may be the only one of its name. */
const isOfOtherTown = (post: LinkedPost, input: LinkedPostInput): boolean =>
  placePart(post, 'city') !== placePart(input, 'city');

/** Towns of one name are in many states. */
function isElsewhere(post: LinkedPost, input: LinkedPostInput): boolean {
  const [here, there] = [placePart(post, 'province'), placePart(input, 'province')];
  return here !== '' && there !== '' && here !== there;
}

/** The id of the one that stays of a merged one; undefined if it is in the trash itself. */
async function stayingOf({ commands }: Writing, kind: 'venue' | 'organizer', post: LinkedPost) {
  const id = await survivorOf(commands.store, kind, post);
  const stays = await loadMergeable(commands.store, kind, id);
  return stays && 'status' in stays && stays.status !== 'trash' ? id : undefined;
}

async function create<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  writing: Writing,
  of: LinkedPostKind<State, F, Input>,
  { origin, input, disposition }: PlannedPost<Input>,
): Promise<void> {
  const { commands, grantedIds, ids, summary } = writing;
  const context = contextOf(writing, origin);
  const id = grantedIds.get(origin.key) ?? (await commands.postIds.next(metadataOf(context)));
  const result = await createLinkedPost(commands, context, of, { ...authorOf(writing), ...input, id });
  if (result.kind === 'rejected') return refuse(writing, of.kind, origin, result.rejection);
  const { written } = result;
  if (disposition === 'trash') await trashLinkedPost(commands, context, of, written.id);
  else if (written.state.status !== 'trash') ids.set(origin.key, written.id);
  summary.count(of.kind, origin, written.created ? 'created' : 'unchanged');
}

async function keepUp<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  writing: Writing,
  of: LinkedPostKind<State, F, Input>,
  { origin, input, upkeep, unchanged, disposition = 'stay' }: PlannedPost<Input>,
  present: Target<State>,
): Promise<void> {
  const { commands, ids, summary } = writing;
  if (present.state.mergedInto !== undefined) {
    const staying = await stayingOf(writing, of.kind, present.state);
    if (staying !== undefined) ids.set(origin.key, staying);
    return summary.count(of.kind, origin, 'unchanged');
  }
  if (present.state.status === 'trash') {
    if (input.status !== 'trash' && disposition === 'stay')
      summary.note(of.kind, origin, 'it is in the trash here; it stays there');
    return summary.count(of.kind, origin, 'unchanged');
  }
  if (disposition === 'trash') {
    await trashLinkedPost(commands, contextOf(writing, origin), of, present.id);
    return summary.count(of.kind, origin, 'changed', present.id);
  }
  if (input.status !== 'trash') ids.set(origin.key, present.id);
  if (upkeep === 'leave') return summary.count(of.kind, origin, 'unchanged');
  const change = changedOf(input, unchanged);
  const result = await changeLinkedPost(commands, contextOf(writing, origin), of, present.id, change);
  if (result.kind === 'rejected') return refuse(writing, of.kind, origin, result.rejection);
  summary.count(of.kind, origin, result.written.revision > present.revision ? 'changed' : 'unchanged', present.id);
}
