// What will happen by itself, in the order of instants: scheduled publications, and whatever else has a source.

import { isPostKind, POST_KINDS, type PostKind } from '../../../calendar/resource/domain/post.ts';
import { inPortions } from '../../../kernel/event-loop/turns.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { readableBy } from '../../../people/auth/policy.ts';
import { isVisible, type PageOf, type PageWindow } from '../../../read-model/queries.ts';
import type { ReadModel } from '../../../read-model/read-model.ts';
import { SCHEDULED_KINDS, type ScheduledAction, type ScheduledKind } from '../domain/upcoming.ts';

/** Something that will happen. */
interface Scheduled {
  readonly kind: ScheduledKind;
  readonly id: number;
  readonly at: EpochSeconds;
}

/** What will happen, as readers see it. */
export interface ScheduledItem extends Scheduled {
  readonly action: ScheduledAction;
  readonly title: string;
  readonly author: number;
}

export interface ScheduleSource {
  readonly kinds: readonly ScheduledKind[];
  /** Everything of these kinds that the caller may see, in any order. */
  upcoming(caller: Caller, kinds: readonly ScheduledKind[]): Promise<readonly Scheduled[]>;
  /** Returns as many, in the same order; null for what is no longer scheduled. */
  describe(page: readonly Scheduled[]): Promise<readonly (ScheduledItem | null)[]>;
}

interface ScheduleFilter {
  /** Default: all. */
  readonly kinds?: readonly ScheduledKind[];
  /** Both inclusive. */
  readonly from?: EpochSeconds;
  readonly to?: EpochSeconds;
}

/** A page, and the version of the read model that it shows, at least. */
interface SchedulePage extends PageOf<ScheduledItem> {
  readonly version: string;
}

const MAX_ATTEMPTS = 3;

/** A page of what the caller may see, the earliest first, with the number of all of it. */
export async function listSchedule(
  readModel: Pick<ReadModel, 'version'>,
  sources: readonly ScheduleSource[],
  caller: Caller,
  filter: ScheduleFilter,
  window: PageWindow,
): Promise<SchedulePage> {
  for (let attempt = 1; ; attempt += 1) {
    const version = await readModel.version();
    const page = await readPage(sources, caller, filter, window);
    // Several reads make one page only if nothing was applied between them.
    const isOneMoment = (await readModel.version()) === version;
    if (isOneMoment || attempt === MAX_ATTEMPTS) return { ...page, version };
  }
}

async function readPage(
  sources: readonly ScheduleSource[],
  caller: Caller,
  { kinds = SCHEDULED_KINDS, from = -Infinity, to = Infinity }: ScheduleFilter,
  { offset, limit }: PageWindow,
): Promise<PageOf<ScheduledItem>> {
  const lists = await Promise.all(
    sources.map((source) => {
      const ownKinds = source.kinds.filter((kind) => kinds.includes(kind));
      return ownKinds.length === 0 ? [] : source.upcoming(caller, ownKinds);
    }),
  );
  const all = lists.flat().filter(({ at }) => at >= from && at <= to);
  const inOrder = all.sort((one, other) => one.at - other.at || byKindAndId(one, other));
  const page = inOrder.slice(offset, offset + limit);
  return { items: await described(sources, page), total: all.length };
}

const byKindAndId = (one: Scheduled, other: Scheduled): number =>
  SCHEDULED_KINDS.indexOf(one.kind) - SCHEDULED_KINDS.indexOf(other.kind) || one.id - other.id;

async function described(
  sources: readonly ScheduleSource[],
  page: readonly Scheduled[],
): Promise<readonly ScheduledItem[]> {
  const items = new Map<Scheduled, ScheduledItem>();
  for (const source of sources) {
    const own = page.filter(({ kind }) => source.kinds.includes(kind));
    const descriptions = own.length === 0 ? [] : await source.describe(own);
    for (const [index, item] of descriptions.entries()) if (item && own[index]) items.set(own[index], item);
  }
  return page.flatMap((one) => items.get(one) ?? []);
}

// Posts with the status `future`.

type ScheduledPost = Scheduled & { readonly kind: PostKind };

const isPost = (one: Scheduled): one is ScheduledPost => one.kind !== 'set';

/** How many scheduled posts are read: all that there are, as the index holds nothing but their dates. */
const MAX_POSTS = 1_000_000;

export function openPostSchedule(readModel: Pick<ReadModel, 'scheduledUntil' | 'fetch'>): ScheduleSource {
  const seesAll = (caller: Caller, kind: PostKind): boolean => readableBy(caller, kind).statuses.includes('future');

  /** Callers who do not see all posts of a kind see their own: the index does not know whose they are. */
  async function seenBy(caller: Caller, posts: readonly ScheduledPost[]): Promise<readonly Scheduled[]> {
    const documents = await inPortions(posts, readModel.fetch);
    return posts.filter((_, index) => {
      const post = documents[index];
      return post && 'status' in post && isVisible(post, readableBy(caller, post.kind));
    });
  }

  return {
    kinds: POST_KINDS,
    async upcoming(caller, kinds) {
      const scheduled = await readModel.scheduledUntil(Number.MAX_SAFE_INTEGER, MAX_POSTS);
      const posts = scheduled
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ kind, id, date }): ScheduledPost => ({ kind, id, at: date }));
      const open = posts.filter(({ kind }) => seesAll(caller, kind));
      return open.length === posts.length
        ? posts
        : [
            ...open,
            ...(await seenBy(
              caller,
              posts.filter((one) => !open.includes(one)),
            )),
          ];
    },
    async describe(page) {
      const posts = page.filter(isPost);
      const documents = await readModel.fetch(posts);
      return posts.map((one, index): ScheduledItem | null => {
        const post = documents[index];
        if (!post || !isPostKind(post.kind) || !('status' in post) || post.status !== 'future') return null;
        return { ...one, action: 'publish', title: 'title' in post ? post.title : post.name, author: post.author };
      });
    },
  };
}
