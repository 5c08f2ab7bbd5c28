// Creating, changing and trashing venues and organizers, which differ only in their content.

import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { handleCommand, handleCommandOnce, recordDecision } from '../../../commands/handle-command.ts';
import {
  enterName,
  normalisedSlug,
  originOf,
  slugForChanged,
  slugForNew,
  streamOf,
  strikeName,
} from '../../../commands/reservations/reservations.ts';
import type { Attempt, UnitOfWork } from '../../../commands/unit-of-work.ts';
import { accepted, type Decision, type Evolve, type Fact, rejected } from '../../../domain/decider.ts';
import { invalidParameter, type Rejection, type RejectionCode } from '../../../domain/rejections.ts';
import { isSameName } from '../../../kernel/text/compared-name.ts';
import { slugFrom } from '../../../kernel/text/slug.ts';
import { may, maySeePost } from '../../../people/auth/policy.ts';
import {
  defaultStatus,
  newPostOf,
  postPatch,
  storedFields,
  storedText,
  trashFacts,
} from '../../resource/commands/post-input.ts';
import { postsNamed, survivorOf } from '../../resource/commands/references.ts';
import type { FieldInput } from '../../resource/domain/fields.ts';
import {
  type NewPostPatch,
  type Post,
  type PostContext,
  type PostInput,
  type PostPatch,
  settledStatus,
  statusAfter,
  wantedSlug,
} from '../../resource/domain/post.ts';
import {
  changeOrganizer,
  createOrganizer,
  evolveOrganizer,
  type ORGANIZER_FIELDS,
  ORGANIZER_ROWS,
  type Organizer,
  type OrganizerFact,
  type OrganizerInput,
} from '../domain/organizer.ts';
import {
  changeVenue,
  createVenue,
  evolveVenue,
  VENUE_ROWS,
  type Venue,
  type VenueFact,
  type VenueInput,
} from '../domain/venue.ts';

/** A venue or organizer, as far as the shared code needs it. */
export interface LinkedPost extends Post {
  readonly name: string;
  readonly description: string;
  readonly life: number;
}

/** What commands take of both. */
export interface LinkedPostInput
  extends PostInput,
    FieldInput<Pick<typeof ORGANIZER_FIELDS, 'name' | 'description' | 'image'>> {}

type Patch = PostPatch & { readonly name?: string; readonly description?: string };

/** What is specific to one kind. */
export interface LinkedPostKind<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput> {
  readonly kind: 'venue' | 'organizer';
  readonly noun: 'Venue' | 'Organizer';
  readonly evolve: Evolve<State, F>;
  readonly create: (id: number, patch: Patch & NewPostPatch, context: PostContext) => Decision<F>;
  readonly change: (state: State, patch: Patch, context: PostContext) => Decision<F>;
  /** The members of an input that only this kind has, ready for the patch; the same for a stored input. */
  readonly content: (context: CommandContext, input: Input) => object;
  /** The part of an input that overwrites an existing post found on creation. */
  readonly overwritten: (context: CommandContext, input: Input) => object;
  readonly blankName: RejectionCode;
  readonly inTrash: RejectionCode;
}

/**
 * Creates a post, or finds one of the same name (and description, if given) that is not in the trash. A post that the
 * caller may not read is not found, so its name reveals nothing else of it.
 */
export async function planCreation<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  context: CommandContext,
  of: LinkedPostKind<State, F, Input>,
  input: Input,
): Promise<Attempt<State, F>> {
  const name = storedText(context, input.name ?? '');
  if (name.trim() === '') return rejected({ code: of.blankName, parameter: of.kind });
  const described = storedText(context, input.description);
  const existing = input.id === undefined ? await findExisting(unit, context, of, name, described) : null;
  if (existing) return planReuse(unit, dependencies, context, of, existing, input);
  const author = input.author ?? context.caller?.id ?? 0;
  const outcome = await postPatch(unit, dependencies, context, input, newPostOf(context, author));
  if ('rejection' in outcome) return outcome;
  const status = settledStatus(
    outcome.patch.status ?? defaultStatus(context),
    outcome.patch.date ?? context.now,
    context.now,
  );
  const id = input.id ?? (await unit.nextId(dependencies.postIds, of.kind));
  const inputSlug = normalisedSlug(input.slug);
  const preferred = inputSlug || slugFrom(name) || String(id);
  const slug = await slugForNew(unit, { kind: of.kind, id, preferred, origin: originOf(inputSlug) }, status);
  const decision = of.create(
    id,
    { ...of.content(context, input), ...outcome.patch, name, description: described ?? '', author, status },
    { now: context.now, slug },
  );
  await enterName(unit, of.kind, id, name);
  return recordDecision(unit, of, id, decision, input.id === undefined ? 'begun' : 'created');
}

async function findExisting<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  unit: UnitOfWork,
  { caller }: CommandContext,
  { kind, evolve }: LinkedPostKind<State, F, Input>,
  name: string,
  description: string | undefined,
): Promise<State | null> {
  for (const id of await postsNamed(unit.store, kind, name)) {
    const { state: named } = await unit.load(streamOf(kind, id), evolve);
    if (!named || !isSameName(named.name, name)) continue;
    const isMerged = named.mergedInto !== undefined;
    const { state } = isMerged
      ? await unit.load(streamOf(kind, await survivorOf(unit.store, kind, named)), evolve)
      : { state: named };
    if (!state || state.status === 'trash' || !maySeePost(caller, { kind, ...state })) continue;
    // A merged post counts by its name alone.
    if (isMerged) return state;
    if (description && !isSameName(state.description, description)) continue;
    return state;
  }
  return null;
}

/** An existing post gets the contact data that was sent if the caller may edit it. */
async function planReuse<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  context: CommandContext,
  of: LinkedPostKind<State, F, Input>,
  existing: State,
  input: Input,
): Promise<Attempt<State, F>> {
  if (!may(context.caller, 'update', of.kind, existing)) return recordDecision(unit, of, existing.id, accepted([]));
  const image = input.image === undefined ? {} : { image: input.image };
  const outcome = await postPatch(unit, dependencies, context, image, existing);
  if ('rejection' in outcome) return outcome;
  const decision = of.change(
    existing,
    { ...of.overwritten(context, input), ...outcome.patch },
    { now: context.now, slug: existing.slug },
  );
  return recordDecision(unit, of, existing.id, decision);
}

export function createLinkedPost<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  dependencies: CommandDependencies,
  context: CommandContext,
  of: LinkedPostKind<State, F, Input>,
  input: Input,
) {
  return handleCommandOnce(dependencies, context, of, [], async (unit) => {
    if (!may(context.caller, 'create', of.kind)) return rejected('forbidden');
    return planCreation(unit, dependencies, context, of, input);
  });
}

export function changeLinkedPost<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  dependencies: CommandDependencies,
  context: CommandContext,
  of: LinkedPostKind<State, F, Input>,
  id: number,
  input: Input,
) {
  return handleCommand(dependencies, context, [streamOf(of.kind, id)], async (unit) => {
    const stream = streamOf(of.kind, id);
    const { state: post, revision } = await unit.load(stream, of.evolve);
    const rejection = await refusal(unit, context, of.kind, post, revision, 'update');
    if (!post || rejection) return rejected(rejection ?? invalidParameter('id'));
    const outcome = await postPatch(unit, dependencies, context, input, post);
    if ('rejection' in outcome) return outcome;
    const name = storedText(context, input.name);
    if (name?.trim() === '') return rejected(invalidParameter(of.kind));
    const patch: Patch = {
      ...of.content(context, input),
      ...outcome.patch,
      ...(name !== undefined && { name }),
      ...(input.description !== undefined && { description: storedText(context, input.description) }),
    };
    const status = statusAfter(post, patch, context.now);
    const inputSlug = normalisedSlug(input.slug);
    const preferred = wantedSlug(post, status, inputSlug, slugFrom(patch.name ?? post.name));
    const wish = { kind: of.kind, id, preferred, origin: originOf(inputSlug) };
    const slug = await slugForChanged(unit, post, wish, status);
    const decision = of.change(post, patch, { now: context.now, slug });
    await renameIn(unit, of.kind, post, patch.name);
    return recordDecision(unit, of, id, decision);
  });
}

/** Updates the reservations of names; undefined is none. */
export async function renameIn(
  unit: UnitOfWork,
  kind: string,
  post: LinkedPost,
  name: string | undefined,
): Promise<void> {
  if (name === undefined || name.toLowerCase() === post.name.toLowerCase()) return;
  await strikeName(unit, kind, post.id, post.name);
  await enterName(unit, kind, post.id, name);
}

/** Puts a post into the trash; its links end with the life that it leaves. */
export function trashLinkedPost<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  dependencies: CommandDependencies,
  context: CommandContext,
  of: LinkedPostKind<State, F, Input>,
  id: number,
) {
  return handleCommand(dependencies, context, [streamOf(of.kind, id)], async (unit) => {
    const { state: post, revision } = await unit.load(streamOf(of.kind, id), of.evolve);
    const rejection = await refusal(unit, context, of.kind, post, revision, 'delete');
    if (!post || rejection) return rejected(rejection ?? invalidParameter('id'));
    if (post.status === 'trash') return rejected(of.inTrash);
    const facts = await trashFacts(unit, of, post, context);
    // Every kind's facts include those of the life of a post.
    return recordDecision(unit, of, id, accepted(facts as unknown as readonly F[]));
  });
}

async function refusal(
  unit: UnitOfWork,
  context: CommandContext,
  kind: 'venue' | 'organizer',
  post: LinkedPost | null,
  revision: number,
  action: 'update' | 'delete',
): Promise<Rejection | null> {
  if (!may(context.caller, action, kind, post ?? undefined)) return { code: 'forbidden' };
  if (!post) return invalidParameter('id');
  if (post.mergedInto !== undefined)
    return { code: 'merged', details: { merged_into: await survivorOf(unit.store, kind, post) } };
  if (context.ifRevision !== undefined && context.ifRevision !== revision) return { code: 'precondition_failed' };
  return null;
}

/** Every linked post has a name and a description. */
const VENUE_OWN_ROWS = VENUE_ROWS.filter(({ kind }) => kind !== 'html');

const venueContent = (context: CommandContext, { coordinates, ...input }: VenueInput): object => ({
  ...storedFields(context, VENUE_OWN_ROWS, input),
  ...(coordinates === undefined ? {} : { coordinates }),
});

export const VENUES: LinkedPostKind<Venue, VenueFact, VenueInput> = {
  kind: 'venue',
  noun: 'Venue',
  evolve: evolveVenue,
  create: createVenue,
  change: changeVenue,
  content: venueContent,
  overwritten: (context, input) => ({ showMap: true, showMapLink: true, ...venueContent(context, input) }),
  blankName: 'could_not_create_venue',
  inTrash: 'venue_in_trash',
};

const ORGANIZER_OWN_ROWS = ORGANIZER_ROWS.filter(({ kind }) => kind !== 'html');

const organizerContent = (context: CommandContext, input: OrganizerInput): object =>
  storedFields(context, ORGANIZER_OWN_ROWS, input);

export const ORGANIZERS: LinkedPostKind<Organizer, OrganizerFact, OrganizerInput> = {
  kind: 'organizer',
  noun: 'Organizer',
  evolve: evolveOrganizer,
  create: createOrganizer,
  change: changeOrganizer,
  content: organizerContent,
  overwritten: organizerContent,
  blankName: 'could_not_create_organizer',
  inTrash: 'organizer_in_trash',
};
