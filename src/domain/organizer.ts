// The organizer: the person or group that runs calendar events.
import { accepted, type Decision, type Evolve, type Fact, UnfoldableFact } from './decider.ts';
import type { Image } from './image.ts';
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
  type PostPatch,
  postFacts,
  statusAfter,
  touchedBy,
} from './post.ts';

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
  | Fact<'OrganizerDrafted', OrganizerContent & DraftedPost>
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
  patch: OrganizerPatch & NewPostPatch,
  context: PostContext,
): Decision<OrganizerFact> {
  const { author: _author, status: _status, date: _date, passwordHash: _hash, ...content } = patch;
  const post = draftedPost(id, patch, context);
  const drafted = { ...BLANK_CONTENT, ...content, ...post };
  return accepted([{ type: 'OrganizerDrafted', data: drafted }, ...firstStatusFacts('Organizer', patch, post)]);
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
  if (fact.type === 'OrganizerDrafted') return Object.assign({}, fact.data, bornPost(fact.data.date, at), { life: 0 });
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
