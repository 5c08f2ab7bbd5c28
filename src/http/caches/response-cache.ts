// Lists, cached per process. A cached list is used only if it equals the one that would be made now. Its key has
// everything that it depends on: the query with every date resolved (so "now" is in it as far as it matters, and a
// passing midnight or start gives another key), the reader, and the base of links (so a forged host gets lists of its
// own).
// decision 13
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import type { Position, Revision } from '../../event-store/envelope.ts';
import type { ErrorCode } from '../../locales/error-catalogue.ts';
import type { CountedCache } from '../../observability/metrics.ts';
import type { ListPlan, QueryRefusal } from '../../queries/arguments.ts';
import { isUntouched } from '../../queries/made-from.ts';
import { inOneState } from '../../queries/one-state.ts';
import type { RecentChanges } from '../../read-model/followed-changes.ts';
import { shareLook } from '../../read-model/one-look.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import type { HeaderLines } from '../answers/headers.ts';
import { openShownPosition, type ShownPosition } from '../answers/shown-position.ts';
import { type StoredAnswer, type StoredList, shownItems, storedList } from '../answers/stored-list.ts';
import { ApiError, invalidParameters } from '../errors.ts';
import { type AnswerCache, openAnswerCache } from './answer-cache.ts';

/** An answer to the public that was found by the address alone. */
export interface RecalledAnswer {
  readonly list: StoredList;
  readonly shown: ShownPosition;
  /** Headers of this answer alone. */
  readonly own: HeaderLines;
}

/** What decides whose list it is. */
export type SharedRequest = Pick<FastifyRequest, 'caller' | 'password' | 'links' | 'now'>;

export interface ResponseCache {
  /**
   * Answers with a list, made by `plan` unless it is cached. Throws if the plan is refused, and `pastTheEnd` if the
   * page has no items; neither is cached, nor is a list that was opened by a password.
   */
  answer(request: SharedRequest, plan: PlanList, pastTheEnd: ErrorCode): Promise<StoredAnswer>;
  /** Notes that a request of the public to this address is answered so. `address`: site and URL as they were sent. */
  remember(address: string, answer: StoredAnswer, own: HeaderLines): void;
  /** The answer that was remembered in this very moment. */
  recall(address: string, now: EpochSeconds): Promise<RecalledAnswer | null> | null;
}

type PlanList = () => Promise<ListPlan | QueryRefusal> | ListPlan | QueryRefusal;

export interface ResponseCacheOptions {
  /**
   * The read model's version. A list is stored under the version that was read before anything was looked up for it.
   */
  readonly version: () => Promise<string>;
  /** Of the settings of the site, which lists depend on as well. */
  readonly settled?: () => Revision;
  /** What decides whether a list outlasts changes; absent: it is used for one version of the read model. */
  readonly outlasting?: Outlasting;
  /** Where they are cached; absent: in one of their own. */
  readonly answers?: AnswerCache;
  /** Whose lists these are; no other lists in that cache have it. */
  readonly name?: string;
  /** How many events a list lacks that shows the log up to a position; absent: none. */
  readonly behind?: (shown: Position) => number;
}

/** What has changed in the read model of late, and what it finds now. */
export interface Outlasting extends RecentChanges {
  readonly readModel: Pick<ReadModel, 'findEvents' | 'terms' | 'version'>;
}

/** Whether none of the changes between two versions can have touched a list. */
const sameIn =
  ({ since, readModel }: Outlasting) =>
  async ({ madeFrom }: StoredList, made: string, now: string): Promise<boolean> => {
    if (madeFrom === undefined) return false;
    const changes = await since(made, now);
    return changes !== null && isUntouched(madeFrom, changes, readModel, now);
  };

/** Of a name and its place in what a list was made from, roughly. */
const NAME_BYTES = 100;

const bytesOf = (list: StoredList): number =>
  list.size() + NAME_BYTES * ((list.madeFrom?.documents.size ?? 0) + (list.madeFrom?.terms.size ?? 0));

export function createResponseCache({
  version,
  settled = () => 0,
  answers = openAnswerCache(),
  name = 'list',
  behind = () => 0,
  outlasting,
}: ResponseCacheOptions): ResponseCache & CountedCache {
  const shownAt = openShownPosition(behind);
  const cache = answers.kind<StoredList, HeaderLines>({
    ...{ name, version, bytesOf, shown: shownItems },
    ...(outlasting && { isSameIn: sameIn(outlasting) }),
  });

  const hot = (address: string): string => `${settled()} ${address}`;

  return {
    async answer(request, plan, pastTheEnd) {
      shareLook();
      const current = await version();
      const planned = await plan();
      if ('refused' in planned) throw invalidParameters(planned.refused);
      const { links, caller, now } = request;
      if (presentsPassword(request)) {
        const list = await inOneState({
          ...{ version, before: current, read: () => make(planned, () => {}) },
          shown: (made) => (made === null ? '' : shownItems(made)),
        });
        return answered(list, { found: null, shown: shownAt(current) }, pastTheEnd);
      }
      // Only the last of them has line ends.
      const key = [rightsOf(caller), links.site, links.root, links.host, settled(), planned.key].join('\n');
      const list = await cache.find(key, current, () => make(planned, (grown) => cache.weigh(key, grown)));
      return answered(list, { found: { version: current, now, key }, shown: shownAt(current) }, pastTheEnd);
    },
    remember(address, { found }, own) {
      if (found !== null) cache.remember(hot(address), found, found.key, own);
    },
    recall: (address, now) =>
      cache
        .recall(hot(address), now)
        ?.then((found) => found && { list: found.value, shown: shownAt(found.version), own: found.note }) ?? null,
    counts: cache.counts,
  };
}

/** `grown` is called when the list has been compressed. */
async function make(plan: ListPlan, grown: (list: StoredList) => void): Promise<StoredList | null> {
  const { body, ...totals } = await plan.read();
  return body === null ? null : storedList({ body, ...totals }, grown);
}

/** Whose lists may be shared: all of the public, and each signed-in caller's own, since own posts show in them. */
const rightsOf = (caller: Caller): string => (caller === null ? 'public' : `${caller.role} ${caller.id}`);

const presentsPassword = ({ password = '' }: SharedRequest): boolean => password !== '';

function answered(list: StoredList | null, of: Omit<StoredAnswer, 'list'>, pastTheEnd: ErrorCode): StoredAnswer {
  if (list === null) throw new ApiError(pastTheEnd);
  return { list, ...of };
}
