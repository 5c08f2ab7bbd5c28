// Slugs that a resource had before: its former addresses lead to it, until another one is given such a slug.
// decision 4
import type { EpochSeconds } from '../time/zone.ts';
import type { PostStatus } from './post.ts';

export interface FormerSlug {
  readonly slug: string;
  /** The most public status that it had with this slug: who could not read it then is not led to it now. */
  readonly status: PostStatus;
  /** When it was given up last. */
  readonly until: EpochSeconds;
}

/** A resource that may have had other slugs. Absent: it has had none. */
export interface FormerlyNamed {
  readonly formerSlugs?: readonly FormerSlug[];
}

/** Each slug once, the latest at the end. */
export function withFormerSlug({ formerSlugs = [] }: FormerlyNamed, given: FormerSlug): Required<FormerlyNamed> {
  const others = formerSlugs.filter(({ slug }) => slug !== given.slug);
  const wasPublic = formerSlugs.some(({ slug, status }) => slug === given.slug && status === 'publish');
  return { formerSlugs: [...others, wasPublic ? { ...given, status: 'publish' } : given] };
}
