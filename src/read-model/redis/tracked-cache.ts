// Values of keys in the memory of this process, each until the server says that it has changed (RESP3 client-side
// caching). Twenty documents of 5 kB take 25–60 µs of processor time with it, 800–1,000 µs and a round trip without. One
// connection carries replies and invalidations, in the order in which the server made them, which guarantees:
//
// - A value is dropped before any reply is seen that was made after its key had changed. So nothing answered from the
//   cache is older than any other reply of the connection: the version, the checkpoint, the ids of a list.
// - A reply and the invalidation that follows it may arrive together, and code that awaits the reply continues after
//   both. Therefore a pending value has a placeholder here, an invalidation removes the placeholder, and without it the
//   value is used and not cached.
// - A lost connection loses invalidations: then everything is dropped, and another era begins. The same happens when
//   the server was emptied.
//
// Only reads through this cache are tracked (OPTIN); reads of scripts are not.
import { LRUCache } from 'lru-cache';
import { BasicClientSideCache } from 'redis';

/** A value as the server has it, and its parsed form. */
export interface Entry {
  readonly text: string | null;
  parsed?: unknown;
}

/** The placeholder of a pending value. */
interface Place {
  readonly key: string;
}

/** Size of an entry without its text, approximately. */
const ENTRY_BYTES = 200;

/** V8 stores one byte per character, or two if any character of a text needs it. */
const bytesOf = (text: string): number => (/[^\0-\xff]/.test(text) ? 2 : 1) * text.length;

const sizeOf = ({ text }: Entry, key: string): number =>
  ENTRY_BYTES + 2 * key.length + (text === null ? 0 : bytesOf(text));

export class TrackedCache extends BasicClientSideCache {
  readonly #entries: LRUCache<string, Entry>;
  readonly #underWay = new Map<string, Place>();
  /** How often everything was dropped: answers of different eras may be of different data. */
  era = 0;
  hits = 0;
  misses = 0;

  constructor(maxBytes: number) {
    super({ recordStats: false });
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf });
  }

  override trackingOn(): string[] {
    return ['CLIENT', 'TRACKING', 'ON', 'OPTIN'];
  }

  find(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry) this.hits++;
    else this.misses++;
    return entry;
  }

  /** Whether an entry is still valid. */
  keeps(key: string, entry: Entry): boolean {
    return this.#entries.peek(key) === entry;
  }

  /**
   * Reserves a placeholder; call it before reading the value. Concurrent readers share the placeholder: the first fills
   * it.
   */
  expect(key: string): Place {
    const shared = this.#underWay.get(key);
    if (shared) return shared;
    const place = { key };
    this.#underWay.set(key, place);
    return place;
  }

  /** Caches a value, unless it was invalidated since `expect`. */
  fill(place: Place, entry: Entry): void {
    const { key } = place;
    if (this.#underWay.get(key) !== place) return;
    this.#underWay.delete(key);
    this.#entries.set(key, entry);
  }

  /** The value never came. */
  abandon(place: Place): void {
    if (this.#underWay.get(place.key) === place) this.#underWay.delete(place.key);
  }

  /** A key has changed; null: all have. */
  override invalidate(key: string | Buffer | null): void {
    if (key === null) {
      this.clear();
      return;
    }
    this.#underWay.delete(key.toString());
    this.#entries.delete(key.toString());
  }

  override clear(): void {
    this.era++;
    this.#entries.clear();
    this.#underWay.clear();
  }
}
