// Single reads of the public that have been answered before, kept per process for as long as the read model stands still.
import type { FastifyRequest } from 'fastify';
import type { CountedCache } from '../observability/metrics.ts';

/** A body that is written already, with its entity tag. Cached ones are bytes: they are not encoded for each answer. */
export interface Read {
  readonly text: string | Buffer;
  readonly etag: string;
}

/** What decides whose read it is. */
export type SharedRead = Pick<FastifyRequest, 'caller' | 'given' | 'links'>;

export interface KeptReads {
  /**
   * What `make` answers for this request, or answered before for one like it. `what` names the thing. Only the public's
   * reads are shared: what a signed-in caller or one with a password sees is made anew.
   */
  find(request: SharedRead, what: string, make: () => Promise<Read>): Promise<Read>;
}

const MAX_READS = 2_000;
/** Of all texts together: a feed is large, and clients choose their Host header, which links in it name. */
const MAX_BYTES = 16 * 1_048_576;

/** `version`: that of the read model; with the next one everything kept goes. */
export function createKeptReads(version: () => Promise<string>): KeptReads & CountedCache {
  /** What is not shared counts as neither. */
  const counts = { hits: 0, misses: 0 };
  let reads = new Map<string, Read>();
  let keptVersion = '';
  let bytes = 0;

  function forget(): void {
    reads = new Map();
    bytes = 0;
  }

  function keep(key: string, made: Read): void {
    if (made.text.length > MAX_BYTES || reads.has(key)) return;
    const text = Buffer.from(made.text);
    if (reads.size >= MAX_READS || bytes + text.length > MAX_BYTES) forget();
    bytes += text.length;
    reads.set(key, { text, etag: made.etag });
  }

  return {
    async find({ caller, given, links }, what, make) {
      if (caller !== null || given.password !== undefined || given.context !== undefined) return make();
      const current = await version();
      if (current !== keptVersion) {
        forget();
        keptVersion = current;
      }
      const key = `${links.root} ${links.site} ${links.host} ${what}`;
      const kept = reads.get(key);
      counts[kept ? 'hits' : 'misses'] += 1;
      if (kept) return kept;
      const made = await make();
      // Made of what is there now, it may be of a later version already; never of an earlier one.
      if (current === keptVersion) keep(key, made);
      return made;
    },
    counts: () => ({ ...counts }),
  };
}
