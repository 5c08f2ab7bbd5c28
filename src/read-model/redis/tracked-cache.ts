// Values of keys in the memory of this process, each until the server says that it has changed (RESP3 client-side
// caching). One connection carries replies and invalidations, in the order in which the server made them; from this
// follows what may be relied on:
//
// - A value is dropped before any reply is seen that was made after its key had changed. So nothing that is answered
//   from here is older than any other reply of the connection: the version, the checkpoint, the ids of a list.
// - A reply and the invalidation that follows it may arrive together, and code that waits for the reply goes on after both.
//   Therefore a value that is under way has a place here, an invalidation takes that place away, and without it the
//   value is used and not cached.
// - A lost connection loses invalidations: then everything is dropped, and another era begins. So does one when the server
//   was emptied.
//
// Only what is asked for here is tracked (OPTIN); what scripts read is not.
import { LRUCache } from 'lru-cache';
import { BasicClientSideCache } from 'redis';

/** A value as the server has it, and what it was parsed to. */
export interface Entry {
  readonly text: string | null;
  parsed?: unknown;
}

/** The place of a value that is under way. */
export interface Place {
  readonly key: string;
}

/** Of an entry that has no text, about. */
const ENTRY_BYTES = 200;

/** V8 keeps a character in one byte, or in two where any of a text needs that. */
const bytesOf = (text: string): number => (/[^\0-\xff]/.test(text) ? 2 : 1) * text.length;

const sizeOf = ({ text }: Entry, key: string): number =>
  ENTRY_BYTES + 2 * key.length + (text === null ? 0 : bytesOf(text));

export class TrackedCache extends BasicClientSideCache {
  readonly #entries: LRUCache<string, Entry>;
  readonly #underWay = new Map<string, Place>();
  /** How often everything was dropped: what was answered in different eras may be of different data. */
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

  /** Whether an entry that was found is still true. */
  keeps(key: string, entry: Entry): boolean {
    return this.#entries.peek(key) === entry;
  }

  /** Makes room for a value; to be called before it is asked for. Several that ask share the place: the first fills it. */
  expect(key: string): Place {
    const shared = this.#underWay.get(key);
    if (shared) return shared;
    const place = { key };
    this.#underWay.set(key, place);
    return place;
  }

  /** Keeps a value, if nothing has happened to it since it was expected. */
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
