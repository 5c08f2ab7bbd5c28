// The organizer: the person or group that runs calendar events.
import { accepted, type Decision, type Evolve, type Fact, UnfoldableFact } from './decider.ts';
import type { Image } from './image.ts';
import {
  bornPost,
  enteringFact,
  evolvePost,
  type Post,
  type PostFact,
  type PostPatch,
  postFacts,
  statusAfter,
  touchedBy,
} from './post.ts';
import { isPublicOrPlanned, type PostStatus } from './post-status.ts';
import type { PostContext } from './venue.ts';
import type { EpochSeconds } from './zone.ts';

export interface OrganizerContent {
  readonly name: string;
  readonly description: string;
  readonly phone: string;
  readonly website: string;
  readonly email: string;
  readonly image: Image | null;
}

export interface Organizer extends Post, OrganizerContent {
  /** How often it has been through the trash: links made in an earlier life are void. */
  readonly life: number;
}

export type OrganizerFact =
  | PostFact<'Organizer'>
  | Fact<
      'OrganizerDrafted',
      OrganizerContent & {
        readonly id: number;
        readonly author: number;
        readonly slug: string;
        readonly date: EpochSeconds;
        readonly dateFloats: boolean;
        readonly passwordHash: string | null;
      }
    >
  | Fact<'OrganizerRenamed', Pick<OrganizerContent, 'name'>>
  | Fact<'OrganizerDescribed', Pick<OrganizerContent, 'description'>>
  | Fact<'OrganizerContactChanged', Pick<OrganizerContent, 'phone' | 'website' | 'email'>>
  | Fact<'OrganizerImageChanged', Pick<OrganizerContent, 'image'>>;

/** What a command changes; absent members stay as they are. */
export interface OrganizerPatch extends PostPatch, Partial<OrganizerContent> {}

const BLANK_CONTENT: OrganizerContent = {
  name: '',
  description: '',
  phone: '',
  website: '',
  email: '',
  image: null,
};

/** Creates an organizer: drafted first, then brought into its (settled) status. */
export function createOrganizer(
  id: number,
  patch: OrganizerPatch & { readonly author: number; readonly status: PostStatus },
  { now, slug }: PostContext,
): Decision<OrganizerFact> {
  const { author, status, date, passwordHash, ...content } = patch;
  const floats = date === undefined && !isPublicOrPlanned(status) && status !== 'trash';
  const drafted: OrganizerFact = {
    type: 'OrganizerDrafted',
    data: {
      id,
      ...BLANK_CONTENT,
      ...content,
      author,
      slug,
      date: date ?? now,
      dateFloats: floats,
      passwordHash: passwordHash ?? null,
    },
  };
  if (status === 'draft') return accepted([drafted]);
  return accepted([drafted, enteringFact('Organizer', status, date ?? now, slug)]);
}

/** Changes an organizer; facts come out for what differs. */
export function changeOrganizer(
  organizer: Organizer,
  patch: OrganizerPatch,
  { now, slug }: PostContext,
): Decision<OrganizerFact> {
  const facts: OrganizerFact[] = [];
  const { name = organizer.name, description = organizer.description, image = organizer.image } = patch;
  if (name !== organizer.name) facts.push({ type: 'OrganizerRenamed', data: { name } });
  if (description !== organizer.description) facts.push({ type: 'OrganizerDescribed', data: { description } });
  const { phone = organizer.phone, website = organizer.website, email = organizer.email } = patch;
  if (phone !== organizer.phone || website !== organizer.website || email !== organizer.email)
    facts.push({ type: 'OrganizerContactChanged', data: { phone, website, email } });
  if (image?.id !== organizer.image?.id) facts.push({ type: 'OrganizerImageChanged', data: { image } });
  const status = statusAfter(organizer, patch, now);
  return accepted([...facts, ...postFacts('Organizer', organizer, patch, { status, slug, now })]);
}

export const evolveOrganizer: Evolve<Organizer, OrganizerFact> = (organizer, fact, at) => {
  if (fact.type === 'OrganizerDrafted') return { ...fact.data, ...bornPost(fact.data.date, at), life: 0 };
  if (!organizer) throw new UnfoldableFact(fact.type);
  const touched = { ...organizer, ...touchedBy(organizer, at) };
  switch (fact.type) {
    case 'OrganizerRenamed':
    case 'OrganizerDescribed':
    case 'OrganizerContactChanged':
    case 'OrganizerImageChanged':
      return { ...touched, ...fact.data };
    default: {
      const life = fact.type === 'OrganizerTrashed' ? organizer.life + 1 : organizer.life;
      return { ...touched, ...evolvePost(touched, fact.type, 'Organizer', fact.data), life };
    }
  }
};
