// The organizer: the person or group that runs calendar events.

import { accepted, type Decision, type Evolve, type Fact, rejected, UnexpectedFact } from '../../../domain/decider.ts';
import { type MergeFact, mergedPost, unmerged } from '../../../editorial/merges/domain/merge.ts';
import { trashedSlug } from '../../../kernel/text/slug.ts';
import { ERASED, erasedSlug, erasedText, isErasedSlug } from '../../../people/personal-data/domain/erasure.ts';
import {
  blankOf,
  type Content,
  type FieldFact,
  type FieldInput,
  fieldFacts,
  fieldFold,
  html,
  line,
  plainRows,
  takes,
  url,
  value,
} from '../../resource/domain/fields.ts';
import type { Image, ImageReference } from '../../resource/domain/image.ts';
import {
  bornPost,
  type DraftedPost,
  draftedPost,
  evolvePost,
  firstStatusFacts,
  type NewPostPatch,
  type Post,
  type PostContext,
  type PostFact,
  type PostInput,
  type PostPatch,
  postFacts,
  statusAfter,
  touchedBy,
} from '../../resource/domain/post.ts';

export const ORGANIZER_FIELDS = {
  name: html('organizer', 'OrganizerRenamed'),
  description: html('description', 'OrganizerDescribed'),
  phone: line('phone', 'OrganizerContactChanged'),
  website: url('website', 'OrganizerContactChanged'),
  email: line('email', 'OrganizerContactChanged'),
  image: value('image', 'OrganizerImageChanged', null as Image | null, takes<ImageReference | null>()),
};

export const ORGANIZER_ROWS = plainRows(ORGANIZER_FIELDS);
/** All but name and description. */
export const CONTACT_ROWS = ORGANIZER_ROWS.filter(({ kind }) => kind !== 'html');

type OrganizerContent = Content<typeof ORGANIZER_FIELDS>;

export interface Organizer extends Post, OrganizerContent {
  /** How often it has been in the trash: links made in an earlier life are void. */
  readonly life: number;
  /** Only set if its personal data has been erased: none can be added again. */
  readonly erased?: true;
}

export type OrganizerFact =
  | PostFact<'Organizer'>
  | MergeFact<'Organizer'>
  | Fact<'OrganizerDrafted', OrganizerContent & DraftedPost>
  | FieldFact<typeof ORGANIZER_FIELDS>
  /** Replaces the former slug. */
  | Fact<'OrganizerErased', { readonly slug: string }>;

/** What commands take; absent members were not sent. */
export interface OrganizerInput extends PostInput, FieldInput<typeof ORGANIZER_FIELDS> {}

/** What a command changes; absent members stay as they are. */
export interface OrganizerPatch extends PostPatch, Partial<OrganizerContent> {}

const BLANK_CONTENT: OrganizerContent = blankOf(ORGANIZER_FIELDS);

/** Creates an organizer: first as a draft, then with its (settled) status. */
export function createOrganizer(
  id: number,
  patch: OrganizerPatch & NewPostPatch,
  context: PostContext,
): Decision<OrganizerFact> {
  const { author: _author, status: _status, date: _date, passwordHash: _hash, ...content } = patch;
  const post = draftedPost(id, patch, context);
  const drafted = { ...BLANK_CONTENT, ...content, ...post };
  return accepted([{ type: 'OrganizerDrafted', data: drafted }, ...firstStatusFacts('Organizer', patch, post)]);
}

/** The first personal field in a patch for an erased organizer; null if there is none. */
function personalFieldIn(organizer: Organizer, patch: OrganizerPatch, slug: string): string | null {
  if (!organizer.erased) return null;
  const { name, phone, website, email } = { ...organizer, ...patch };
  if (name !== organizer.name) return 'organizer';
  if (phone !== organizer.phone) return 'phone';
  if (website !== organizer.website) return 'website';
  if (email !== organizer.email) return 'email';
  return slug === organizer.slug || isErasedSlug(slug, organizer.id) ? null : 'slug';
}

/**
 * Erases the personal data of an organizer, at most once; `slug` is the one reserved for `slugAfterErasure`.
 * Description and image stay and can still be changed.
 */
export const eraseOrganizer = (organizer: Organizer, slug: string): Decision<OrganizerFact> =>
  accepted(organizer.erased ? [] : [{ type: 'OrganizerErased', data: { slug } }]);

/** In the trash the slug gets its trash suffix; a draft without a slug needs none. */
export function slugAfterErasure({ id, slug, status }: Organizer): string {
  if (slug === '') return '';
  return status === 'trash' ? trashedSlug(erasedSlug(id)) : erasedSlug(id);
}

/** An earlier state as far as it can be restored: what has been erased since stays erased. */
export function withoutErased(now: Organizer, then: Organizer): Organizer {
  if (!now.erased) return then;
  const { name, phone, website, email } = now;
  const own = now.before?.slug ?? now.slug;
  return { ...then, name, phone, website, email, slug: then.status === 'trash' ? trashedSlug(own) : own };
}

function withoutPerson({ formerSlugs: _former, ...organizer }: Organizer, slug: string): Organizer {
  const { id, phone, website, email, before } = organizer;
  return {
    ...organizer,
    name: ERASED,
    phone: erasedText(phone),
    website: erasedText(website),
    email: erasedText(email),
    slug,
    before: before && { ...before, slug: before.slug === '' ? '' : erasedSlug(id) },
    erased: true,
  };
}

/** Changes an organizer; returns facts for differences only. An erased one accepts no personal data. */
export function changeOrganizer(
  organizer: Organizer,
  patch: OrganizerPatch,
  { now, slug }: PostContext,
): Decision<OrganizerFact> {
  const parameter = personalFieldIn(organizer, patch, slug);
  if (parameter !== null) return rejected({ code: 'organizer_erased', parameter });
  const status = statusAfter(organizer, patch, now);
  return accepted([
    ...fieldFacts(ORGANIZER_FIELDS, organizer, patch),
    ...postFacts('Organizer', organizer, patch, { status, slug, now }),
  ]);
}

const contentIn = fieldFold(ORGANIZER_FIELDS);

export const evolveOrganizer: Evolve<Organizer, OrganizerFact> = (organizer, fact, at) => {
  if (fact.type === 'OrganizerDrafted') return Object.assign({}, BLANK_CONTENT, fact.data, bornPost(at), { life: 0 });
  if (!organizer) throw new UnexpectedFact(fact);
  const touched = { ...organizer, ...touchedBy(organizer, at) };
  if (fact.type === 'OrganizerErased') return withoutPerson(touched, fact.data.slug);
  if (fact.type === 'OrganizerMerged') return mergedPost(touched, fact.data);
  if (fact.type === 'OrganizerAbsorbed') return touched;
  const content = contentIn(fact);
  if (content) return { ...touched, ...content };
  const life = fact.type === 'OrganizerTrashed' ? organizer.life + 1 : organizer.life;
  const lived = { ...touched, ...evolvePost(touched, fact.type, 'Organizer', fact.data), life };
  return fact.type === 'OrganizerRestored' ? unmerged(lived) : lived;
};
