// Lists that have been answered before, kept per process. Nothing is kept for a while: a list is given out again only
// when it is what would be made now.
//
// That holds by how it is found. Its key has everything that the list is made from: the query with every date resolved
// (so "now" is in it as far as it matters, and a passing midnight or start makes another key), who reads, and where links
// point (so a forged host gets lists of its own). All keys are of one version of the read model; with the next one
// everything goes.
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import type { Position } from '../event-store/envelope.ts';
import type { ErrorCode } from '../locales/error-catalogue.ts';
import type { CountedCache } from '../observability/metrics.ts';
import type { ListPlan, QueryRefusal } from '../queries/arguments.ts';
import type { EpochSeconds } from '../time/zone.ts';
import { ApiError, invalidParameters } from './errors.ts';
import { type Moment, openRecentAddresses } from './recent-addresses.ts';
import type { ApiAnswer } from './route.ts';
import { openShownPosition, type ShownPosition } from './shown-position.ts';
import { type StoredAnswer, type StoredList, storedList } from './stored-list.ts';

/** An answer to the public that was found by the address alone. */
export interface RecalledAnswer {
  readonly list: StoredList;
  readonly shown: ShownPosition;
  readonly allow: string;
}

/** What decides whose list it is. */
export type SharedRequest = Pick<FastifyRequest, 'caller' | 'given' | 'links' | 'now'>;

export interface ResponseCache {
  /**
   * Answers with a list, made by `plan` unless it is kept. Throws when the plan is refused, and `pastTheEnd` when the
   * page has no items; neither is kept. A list made for a password is never kept.
   */
  answer(request: SharedRequest, plan: PlanList, pastTheEnd: ErrorCode): Promise<ApiAnswer>;
  /** Notes that a request of the public to this address is answered so. `address`: site and URL as they were sent. */
  remember(address: string, answer: StoredAnswer, allow: string): void;
  /** What `remember` was told in this very moment. */
  recall(address: string, now: EpochSeconds): Promise<RecalledAnswer | null> | null;
  /** Bytes of all that is kept. */
  size(): number;
}

type PlanList = () => Promise<ListPlan | QueryRefusal> | ListPlan | QueryRefusal;

export interface ResponseCacheOptions {
  /** The read model's version. A list is stored under the version that was asked before anything was looked up for it. */
  readonly version: () => Promise<string>;
  /** What all kept lists may take; what was not asked for the longest goes first. 0: nothing is kept. */
  readonly maxBytes?: number;
  /** How many events a list lacks that shows the log up to a position; absent: none. */
  readonly behind?: (shown: Position) => number;
}

const DEFAULT_MAX_BYTES = 64 * 1_048_576;
/** What an entry takes beside its text, roughly. */
const ENTRY_BYTES = 1_024;

type Recalled = Moment & { readonly answer: { readonly key: string; readonly allow: string } };

interface Entry {
  readonly list: StoredList;
  /** As counted. */
  bytes: number;
}

export function createResponseCache({
  version,
  maxBytes = DEFAULT_MAX_BYTES,
  behind = () => 0,
}: ResponseCacheOptions): ResponseCache & CountedCache {
  const shownAt = openShownPosition(behind);
  /** What is made for a password counts as neither: it is not looked for. */
  const counts = { hits: 0, misses: 0 };
  /** Of one version; what was asked for last stands last. */
  let entries = new Map<string, Entry>();
  let entriesVersion = '';
  let bytes = 0;
  /** Lists that are being made, by version and key: many clients may ask for a new one at once. */
  const underWay = new Map<string, Promise<StoredList | null>>();
  const addresses = openRecentAddresses<{ readonly key: string; readonly allow: string }>(version);

  function find(key: string, at: string): StoredList | null {
    const entry = at === entriesVersion ? entries.get(key) : undefined;
    if (entry === undefined) return null;
    entries.delete(key);
    entries.set(key, entry);
    return entry.list;
  }

  function keep(key: string, list: StoredList, madeAt: string): void {
    if (madeAt !== entriesVersion) return;
    entries.set(key, { list, bytes: 0 });
    recount(key, list);
  }

  function recount(key: string, list: StoredList): void {
    const entry = entries.get(key);
    if (entry?.list !== list) return;
    const now = list.size() + 2 * key.length + ENTRY_BYTES;
    bytes += now - entry.bytes;
    entry.bytes = now;
    for (const [oldest, { bytes: freed }] of entries) {
      if (bytes <= maxBytes) break;
      entries.delete(oldest);
      bytes -= freed;
    }
  }

  /** Drops what belongs to another version than the one that is now. */
  function standAt(current: string): void {
    if (current === entriesVersion) return;
    entries = new Map();
    entriesVersion = current;
    bytes = 0;
  }

  async function make(key: string, plan: ListPlan, madeAt: string): Promise<StoredList | null> {
    const { body, ...totals } = await plan.read();
    if (body === null) return null;
    const list = await storedList({ body, ...totals }, (grown) => recount(key, grown));
    keep(key, list, madeAt);
    return list;
  }

  function makeOnce(key: string, plan: ListPlan, madeAt: string): Promise<StoredList | null> {
    const flight = `${madeAt} ${key}`;
    const before = underWay.get(flight);
    if (before !== undefined) return before;
    const made = make(key, plan, madeAt).finally(() => underWay.delete(flight));
    underWay.set(flight, made);
    return made;
  }

  function recalled({ version: current, answer: { key, allow } }: Recalled): RecalledAnswer | null {
    const list = find(key, current);
    if (list === null) return null;
    counts.hits += 1;
    return { list, shown: shownAt(current), allow };
  }

  return {
    async answer(request, plan, pastTheEnd) {
      const current = await version();
      const planned = await plan();
      if ('refused' in planned) throw invalidParameters(planned.refused);
      const { links, caller, now } = request;
      if (presentsPassword(request)) {
        return answered(await makeForOne(planned), { found: null, shown: shownAt(current) }, pastTheEnd);
      }
      standAt(current);
      const key = JSON.stringify([rightsOf(caller), links.site, links.root, links.host, planned.key]);
      const kept = find(key, current);
      counts[kept ? 'hits' : 'misses'] += 1;
      const list = kept ?? (await makeOnce(key, planned, current));
      return answered(list, { found: { version: current, now, key }, shown: shownAt(current) }, pastTheEnd);
    },
    remember(address, { found }, allow) {
      if (found !== null) addresses.remember(address, found, { key: found.key, allow });
    },
    recall: (address, now) => addresses.recall(address, now)?.then((found) => found && recalled(found)) ?? null,
    size: () => bytes,
    counts: () => ({ ...counts }),
  };
}

/** Whose lists may be shared: all of the public, and each signed-in caller's own, since own posts show in them. */
const rightsOf = (caller: Caller): string => (caller === null ? 'public' : `${caller.role} ${caller.id}`);

const presentsPassword = ({ given }: SharedRequest): boolean =>
  typeof given.password === 'string' && given.password !== '';

async function makeForOne(plan: ListPlan): Promise<StoredList | null> {
  const { body, ...totals } = await plan.read();
  return body === null ? null : storedList({ body, ...totals }, () => {});
}

function answered(list: StoredList | null, of: Omit<StoredAnswer, 'list'>, pastTheEnd: ErrorCode): ApiAnswer {
  if (list === null) throw new ApiError(pastTheEnd);
  return { status: 200, body: '', stored: { list, ...of } };
}
