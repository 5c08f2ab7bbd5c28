// The post that a slug leads to. What a caller may not read counts as not there: it neither answers nor stands in the way
// of another one of the same slug.

import { postInstead, termInstead } from '../../../editorial/merges/queries/merged.ts';
import { normaliseForLookup } from '../../../kernel/text/slug.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { may, maySeePost, rightsSubjectOf } from '../../../people/auth/policy.ts';
import { type EventDocument, formerly, type LinkedPostDocument } from '../../../read-model/documents.ts';
import type { TermView } from '../../../read-model/queries.ts';
import type { ReadModel } from '../../../read-model/read-model.ts';
import type { TermKind } from '../../term/domain/term.ts';
import { isPostKind, type PostKind } from '../domain/post.ts';

export type PostDocument<Kind extends PostKind = PostKind> = (EventDocument | LinkedPostDocument) & {
  readonly kind: Kind;
};

/** A read model, or the log. */
export type SlugSource = Pick<ReadModel, 'fetch' | 'findBySlug' | 'namedPage'>;

/** `post` has the slug; `moved` had it, and has another one now. */
export type PostOfSlug<Kind extends PostKind = PostKind> =
  | { readonly post: PostDocument<Kind> }
  | { readonly moved: PostDocument<Kind> };

/** Drafts may share a slug, and several may have had it: so many of them are looked at, the newest ones. */
const MAX_BEARERS = 50;

/**
 * Null if this caller knows no post by the slug. What is nothing but signs is no slug: posts that have none yet are not
 * found by it. Rejections: those of the source.
 */
export async function postOfSlug<Kind extends PostKind>(
  source: SlugSource,
  kind: Kind,
  slug: string,
  caller: Caller,
): Promise<PostOfSlug<Kind> | null> {
  const name = normaliseForLookup(slug);
  if (name === '') return null;
  const first = (await source.findBySlug(kind, name)) as PostDocument<Kind> | null; // Of that kind.
  const bearers = first === null || (await mayKnow(source, first, caller)) ? [first] : await named(source, kind, name);
  for (const post of bearers) if (post && (await mayKnow(source, post, caller))) return { post };
  const moved = await movedFrom(source, kind, name, caller);
  return moved && { moved };
}

/** Readers know what they may read, and what leads them on after a merge; who may change a post knows it in the trash. */
async function mayKnow(source: SlugSource, post: PostDocument, caller: Caller): Promise<boolean> {
  const subject = rightsSubjectOf(post);
  const { kind } = post;
  if (maySeePost(caller, { kind, ...subject })) return true;
  if (may(caller, 'update', kind, subject) || may(caller, 'delete', kind, subject)) return true;
  return post.kind !== 'event' && (await postInstead(source, post, caller)) !== null;
}

async function named<Kind extends PostKind>(source: SlugSource, kind: Kind, name: string) {
  const ids = await source.namedPage(kind, name, { offset: 0, limit: MAX_BEARERS });
  const documents = await source.fetch(ids.map((id) => ({ kind, id })));
  return documents.filter((document): document is PostDocument<Kind> => isPostKind(document?.kind));
}

/** The post that had the slug last, of those that the caller could read then and may read now. */
async function movedFrom<Kind extends PostKind>(
  source: SlugSource,
  kind: Kind,
  name: string,
  caller: Caller,
): Promise<PostDocument<Kind> | null> {
  let latest: { readonly post: PostDocument<Kind>; readonly until: number } | null = null;
  for (const post of await named(source, kind, formerly(name))) {
    const former = post.formerSlugs?.find(({ slug }) => slug === name);
    if (!former || !maySeePost(caller, { kind, author: post.author, status: former.status })) continue;
    if (latest && latest.until > former.until) continue;
    const present = await presentOf(source, post, caller);
    if (present && present.slug !== '') latest = { post: present, until: former.until };
  }
  return latest?.post ?? null;
}

/** The term that had the slug last, or the one that it was merged into; null if there is none. */
export async function termMovedFrom(
  source: Pick<SlugSource, 'fetch' | 'namedPage'>,
  terms: ReadonlyMap<number, TermView>,
  kind: TermKind,
  slug: string,
): Promise<TermView | null> {
  const ids = await source.namedPage(kind, formerly(slug), { offset: 0, limit: MAX_BEARERS });
  const documents = await source.fetch(ids.map((id) => ({ kind, id })));
  let latest: { readonly term: TermView; readonly until: number } | null = null;
  for (const document of documents) {
    if (document?.kind !== kind) continue;
    const until = document.formerSlugs?.find((former) => former.slug === slug)?.until ?? 0;
    const term = terms.get(document.id) ?? terms.get((await termInstead(source, kind, document.id)) ?? 0);
    if (term && (!latest || until >= latest.until)) latest = { term, until };
  }
  return latest?.term ?? null;
}

/** The post itself, or the one that it was merged into; null if the caller may not read it. */
export async function presentOf<Kind extends PostKind>(
  source: Pick<SlugSource, 'fetch'>,
  post: PostDocument<Kind>,
  caller: Caller,
): Promise<PostDocument<Kind> | null> {
  const instead = post.kind === 'event' ? null : await postInstead(source, post as LinkedPostDocument, caller);
  if (instead === null) return maySeePost(caller, { kind: post.kind, ...rightsSubjectOf(post) }) ? post : null;
  const [stays] = await source.fetch([{ kind: post.kind, id: instead }]);
  return (stays ?? null) as PostDocument<Kind> | null; // Of the same kind.
}
