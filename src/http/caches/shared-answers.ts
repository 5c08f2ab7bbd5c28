// Lists and single reads that several requests share: what their keys are made of, and which addresses lead to them. A cached
// answer is used only if it equals the one that would be made now. The key of a list has everything that it depends on: the
// query with every date resolved (so "now" is in it as far as it matters, and a passing midnight or start gives another
// key), the reader, and the base of links (so a forged host gets answers of its own). Single reads are shared by the public alone.
// decision 13
import type { FastifyRequest } from 'fastify';
import { roundOfTwo } from '../../kernel/event-loop/turns.ts';
import type { EpochSeconds } from '../../kernel/time/zone.ts';
import type { ErrorCode } from '../../locales/error-catalogue.ts';
import type { Language } from '../../locales/language.ts';
import type { Position, Revision } from '../../log/envelope.ts';
import type { Caller } from '../../people/auth/caller.ts';
import type { ListPlan, QueryRefusal } from '../../queries/arguments.ts';
import { inOneState } from '../../queries/one-state.ts';
import type { RecentChanges } from '../../read-model/followed-changes.ts';
import { type Freshness, openFreshness } from '../answers/freshness.ts';
import type { HeaderLines } from '../answers/headers.ts';
import { itemsIn, type StoredAnswer, type StoredList, storedList } from '../answers/stored-list.ts';
import { ApiError, invalidParameters } from '../errors.ts';
import { type AnswerCache, openAnswerCache } from './answer-cache.ts';

/** A body that is written already, with its entity tag. Cached ones are bytes: they are not encoded for each answer. */
export interface TaggedBody {
  readonly text: string | Buffer;
  readonly etag: string;
  /** Absent: it has no texts that depend on the language. */
  readonly language?: Language | undefined;
  /** Names of what it shows; see `FastifyReply.shows`. */
  readonly shows?: readonly string[];
}

/** An answer to the public that was found by the address alone. */
export type Recalled = RecalledList | RecalledBody;

interface RecalledList {
  readonly list: StoredList;
  readonly freshness: Freshness;
  /** Headers of this answer alone. */
  readonly lines: HeaderLines;
}

interface RecalledBody {
  readonly body: Buffer;
  readonly etag: string;
  readonly lines: HeaderLines;
}

/** What decides whose answer it is. */
export type SharedRequest = Pick<FastifyRequest, 'caller' | 'password' | 'context' | 'links' | 'now'>;

export type SharedAnswers = ReturnType<typeof openSharedAnswers>;

type PlanList = () => Promise<ListPlan | QueryRefusal> | ListPlan | QueryRefusal;

interface SharedAnswersOptions {
  /**
   * The read model's version. An answer is stored under the version that was read before anything was looked up for it.
   */
  readonly version: () => string | Promise<string>;
  /** The revision of the settings of the site, which answers depend on as well. */
  readonly settled?: () => Revision;
  /** What lets a list outlast changes; absent: it is used for one version of the read model. */
  readonly haveChanged?: RecentChanges['haveChanged'];
  /** Where they are cached; absent: in a cache of their own. */
  readonly answers?: AnswerCache;
  /** Whose answers these are; no others in that cache have it. */
  readonly name?: string;
  /** How many events an answer lacks that shows the log up to a position; absent: none. */
  readonly behind?: (position: Position) => number;
  /** Whether the read model lacks events of the log; then no single read is recalled, because they come from the log. */
  readonly isBehind?: () => boolean;
}

/** As long as a version of the read model, settings of the site and a second of the clock last. */
interface Moment {
  readonly version: string;
  readonly settled: Revision;
  readonly now: EpochSeconds;
}

interface CachedBody extends TaggedBody {
  readonly text: Buffer;
}

const bytesOf = ({ size, madeFrom }: StoredList): number => size() + (madeFrom?.bytes ?? 0);

const MAX_ADDRESSES = 2_000;
const MAX_ADDRESS_LENGTH = 2_000;

export function openSharedAnswers({
  version,
  settled = () => 0,
  answers = openAnswerCache(),
  name = 'now',
  behind = () => 0,
  isBehind = () => false,
  haveChanged = async () => true,
}: SharedAnswersOptions) {
  const freshnessAt = openFreshness(behind);
  const lists = answers.kind<StoredList>({
    name: `list ${name}`,
    version,
    bytesOf,
    content: itemsIn,
    keeps: 'repeated',
    isSameIn: async ({ madeFrom }, since, now) =>
      madeFrom !== undefined &&
      !(await haveChanged(madeFrom.documents.split(' '), since)) &&
      (await madeFrom.isFoundAgain(now)),
  });
  const reads = answers.kind<CachedBody>({
    name: `read ${name}`,
    version,
    bytesOf: ({ text }) => text.length,
    content: textIn,
    keeps: 'repeated',
  });
  /** What bodies are cached as: an answer with such a body is a shared one. */
  const places = new WeakMap<Buffer, { readonly key: string; readonly version: string }>();
  /** Addresses of one moment, each with how to find its answer in a version. They hold no answer, so that evicting one frees its memory. */
  let addresses = new Map<string, (version: string) => Recalled | null>();
  let moment: Moment = { version: '', settled: 0, now: Number.NaN };

  /** Only the last part has line ends. */
  const keyOf = (rights: string, { links }: Pick<SharedRequest, 'links'>, what: string): string =>
    [rights, links.site, links.root, links.host, settled(), what].join('\n');

  function remember(address: string, at: Moment, find: (version: string) => Recalled | null): void {
    if (address.length > MAX_ADDRESS_LENGTH) return;
    if (!isSame(moment, at)) {
      addresses = new Map();
      moment = at;
    }
    if (addresses.size < MAX_ADDRESSES) addresses.set(address, find);
  }

  return {
    lists,
    reads,
    /**
     * Answers with a list, made by `plan` unless it is cached. Throws if the plan is refused, and `pastTheEnd` if the
     * page has no items; neither is cached, nor is a list that was opened by a password.
     */
    async list(request: SharedRequest, plan: PlanList, pastTheEnd: ErrorCode) {
      await roundOfTwo();
      const current = await version();
      const planned = await plan();
      if ('refused' in planned) throw invalidParameters(planned.refused);
      if (presentsPassword(request)) {
        const list = await inOneState({
          version,
          startVersion: current,
          read: () => make(planned, () => {}),
          content: (answer) => (answer === null ? '' : itemsIn(answer)),
        });
        return answered(list, { place: null, freshness: freshnessAt(current) }, pastTheEnd);
      }
      const key = keyOf(rightsOf(request.caller), request, planned.key);
      const list = await lists.find(key, current, () => make(planned, (grown) => lists.weigh(key, grown)));
      const place = { version: current, now: request.now, key };
      return answered(list, { place, freshness: freshnessAt(current) }, pastTheEnd);
    },
    /**
     * The result of `makeRead` for this request, or a cached one of an equal request. `what` names the resource. Reads of
     * signed-in callers or with a password are made anew.
     */
    async read(request: SharedRequest, what: string, makeRead: () => Promise<TaggedBody>): Promise<TaggedBody> {
      const current = await version();
      const { caller, password, context } = request;
      if (caller !== null || password !== undefined || context !== undefined)
        return inOneState({ version, startVersion: current, read: makeRead, content: textIn });
      const key = keyOf(rightsOf(null), request, what);
      return reads.find(key, current, async () => {
        const answer = await makeRead();
        const entry = { ...answer, text: Buffer.from(answer.text) };
        places.set(entry.text, { key, version: current });
        return entry;
      });
    },
    /**
     * Notes that a request of the public to this address is answered with this list: site and URL as they were sent, in one
     * moment.
     */
    rememberList(address: string, { place }: StoredAnswer, lines: HeaderLines) {
      if (place === null) return;
      const listAt = lists.holding(place.key);
      if (listAt === null) return;
      remember(address, { ...place, settled: settled() }, (of) => {
        const list = listAt(of);
        return list && { list, freshness: freshnessAt(of), lines };
      });
    },
    /** Notes the same of an address whose answer has this body, if the body is a cached one. */
    rememberRead(address: string, now: EpochSeconds, payload: unknown, linesOf: () => HeaderLines) {
      const place = Buffer.isBuffer(payload) ? places.get(payload) : undefined;
      if (place === undefined) return;
      const bodyAt = reads.holding(place.key);
      if (bodyAt === null) return;
      const lines = linesOf();
      remember(address, { version: place.version, settled: settled(), now }, (of) => {
        const answer = isBehind() ? null : bodyAt(of);
        return answer && { body: answer.text, etag: answer.etag, lines };
      });
    },
    /** What was remembered in this very moment; at once where nothing has to be waited for. */
    recall(address: string, now: EpochSeconds) {
      if (moment.now !== now || !addresses.has(address)) return null;
      // Another moment may have begun while the version was waited for.
      const find = (of: string): Recalled | null =>
        isSame(moment, { version: of, settled: settled(), now }) ? (addresses.get(address)?.(of) ?? null) : null;
      const current = version();
      return typeof current === 'string' ? find(current) : current.then(find);
    },
  };
}

const isSame = (one: Moment, other: Moment): boolean =>
  one.version === other.version && one.settled === other.settled && one.now === other.now;

/** `grown` is called when the list has been compressed. */
async function make(plan: ListPlan, grown: (list: StoredList) => void): Promise<StoredList | null> {
  const { body, ...totals } = await plan.read();
  return body === null ? null : storedList({ body, ...totals }, grown);
}

const textIn = ({ text }: TaggedBody): string => String(text);

/** Whose answers may be shared: all of the public, and each signed-in caller's own, since own posts show in them. */
const rightsOf = (caller: Caller): string => (caller === null ? 'public' : `${caller.role} ${caller.id}`);

const presentsPassword = ({ password = '' }: SharedRequest): boolean => password !== '';

function answered(list: StoredList | null, of: Omit<StoredAnswer, 'list'>, pastTheEnd: ErrorCode): StoredAnswer {
  if (list === null) throw new ApiError(pastTheEnd);
  return { list, ...of };
}
