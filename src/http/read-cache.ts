// Single reads of the public that have been answered before, kept per process for as long as the read model stands still.
import type { FastifyRequest } from 'fastify';
import type { CountedCache } from '../observability/metrics.ts';

/** A body that is JSON text already, with its entity tag. */
export interface Read {
  readonly text: string;
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
const MAX_CHARACTERS = 16 * 1_048_576;

/** `version`: that of the read model; with the next one everything kept goes. */
export function createKeptReads(version: () => Promise<string>): KeptReads & CountedCache {
  /** What is not shared counts as neither. */
  const counts = { hits: 0, misses: 0 };
  let reads = new Map<string, Read>();
  let keptVersion = '';
  let characters = 0;

  function forget(): void {
    reads = new Map();
    characters = 0;
  }

  function keep(key: string, made: Read): void {
    const size = made.text.length;
    if (size > MAX_CHARACTERS || reads.has(key)) return;
    if (reads.size >= MAX_READS || characters + size > MAX_CHARACTERS) forget();
    characters += size;
    reads.set(key, made);
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
