// Public single reads, cached per process for one version of the read model.
import type { FastifyRequest } from 'fastify';
import type { Revision } from '../../event-store/envelope.ts';
import type { Language } from '../../locales/language.ts';
import type { CountedCache } from '../../observability/metrics.ts';
import { inOneState } from '../../queries/one-state.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import type { HeaderLines } from '../answers/headers.ts';
import { type AnswerCache, openAnswerCache, type Recalled } from './answer-cache.ts';

/** A body that is written already, with its entity tag. Cached ones are bytes: they are not encoded for each answer. */
export interface Read {
  readonly text: string | Buffer;
  readonly etag: string;
  /** Absent: it has no texts that depend on the language. */
  readonly language?: Language | undefined;
  /** Names of what it shows; see `FastifyReply.shows`. */
  readonly shows?: readonly string[];
}

/** A cached read that was found by its address alone. */
export interface RecalledRead {
  readonly body: Buffer;
  readonly etag: string;
  readonly lines: HeaderLines;
}

/** What decides whose read it is. */
export type SharedRead = Pick<FastifyRequest, 'caller' | 'password' | 'context' | 'links'>;

export interface ReadCache {
  /**
   * The result of `make` for this request, or a cached one of an equal request. `what` names the resource. Only public
   * reads are shared: those of signed-in callers or with a password are made anew.
   */
  find(request: SharedRead, what: string, make: () => Promise<Read>): Promise<Read>;
}

/** The same reads by the address of their requests; see `CachedAnswers`. */
export interface HotReads {
  /** Notes that a request of the public to this address was answered with `payload`, if that is a cached body. */
  remember(address: string, now: EpochSeconds, payload: unknown, lines: () => HeaderLines): void;
  recall(address: string, now: EpochSeconds): Promise<RecalledRead | null> | null;
}

interface CachedRead extends Read {
  readonly text: Buffer;
}

export interface ReadCacheOptions {
  /** That of the read model. */
  readonly version: () => Promise<string>;
  /** Of the settings of the site, which texts depend on as well. */
  readonly settled?: () => Revision;
  /** Whether the read model lacks events of the log; then nothing is taken from the cache, because single reads come from the log. */
  readonly isBehind?: () => boolean;
  /** Where they are cached; absent: in one of their own. */
  readonly answers?: AnswerCache;
}

export function createReadCache({
  version,
  settled = () => 0,
  isBehind = () => false,
  answers = openAnswerCache(),
}: ReadCacheOptions): ReadCache & HotReads & CountedCache {
  const cache = answers.kind<CachedRead, HeaderLines>({
    name: 'read',
    version,
    bytesOf: ({ text }) => text.length,
    shown: textIn,
  });
  /** What bodies are cached as: an answer with such a body is a shared one. */
  const places = new WeakMap<Buffer, { readonly key: string; readonly version: string }>();

  const hot = (address: string): string => `${settled()} ${address}`;

  return {
    async find({ caller, password, context, links }, what, make) {
      const current = await version();
      if (caller !== null || password !== undefined || context !== undefined)
        return inOneState({ version, before: current, read: make, shown: textIn });
      const key = `${links.root} ${links.site} ${links.host} ${settled()} ${what}`;
      return cache.find(key, current, async () => {
        const made = await make();
        const read = { ...made, text: Buffer.from(made.text) };
        places.set(read.text, { key, version: current });
        return read;
      });
    },
    remember(address, now, payload, lines) {
      const place = Buffer.isBuffer(payload) ? places.get(payload) : undefined;
      if (place) cache.remember(hot(address), { version: place.version, now }, place.key, lines());
    },
    recall: (address, now) => (isBehind() ? null : (cache.recall(hot(address), now)?.then(recalled) ?? null)),
    counts: cache.counts,
  };
}

const textIn = ({ text }: Read): string => String(text);

const recalled = (found: Recalled<CachedRead, HeaderLines> | null): RecalledRead | null =>
  found && { body: found.value.text, etag: found.value.etag, lines: found.note };
