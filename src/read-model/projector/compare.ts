// Compares a newly built generation with the one in use, document by document, while the latter keeps changing.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '../../log/envelope.ts';
import { fetchReadable } from '../damage.ts';
import { type Document, type DocumentKey, type DocumentKind, keyText } from '../documents.ts';
import type { Generation } from '../generations.ts';

/** What differs at one place of documents of one kind. */
export interface Difference {
  readonly kind: DocumentKind;
  readonly what:
    | 'missing in the one in use'
    | 'only in the one in use'
    | 'damaged in the one in use'
    | 'of another revision'
    | 'of other content';
  /** `state.title`. Empty: the document as a whole. */
  readonly place: string;
  /** In how many documents. */
  documents: number;
  /** What the two have there; undefined: nothing. */
  readonly first: { readonly id: number; readonly live: unknown; readonly built: unknown };
}

export interface Verification {
  /** Number of compared documents per kind. */
  readonly counts: readonly { readonly kind: DocumentKind; readonly live: number; readonly built: number }[];
  /** Over all compared documents, in any order, in hexadecimal. */
  readonly digests: { readonly live: string; readonly built: string };
  readonly different: number;
  /** Those that could not be read in the generation in use. */
  readonly damaged: number;
  /** In the order in which they were found. */
  readonly differences: readonly Difference[];
  /** Documents that one generation had not brought up to date each time they were compared. */
  readonly notCompared: number;
}

/** What is compared of a generation. */
type Compared = Pick<Generation, 'model' | 'keys'>;

interface VerifyOptions {
  readonly live: Compared;
  readonly built: Compared;
  /** Brings the new generation up to the end of the log. */
  readonly advance: () => Promise<void>;
  /** The position up to which a generation is complete; later than its checkpoint if nothing since concerns it. */
  readonly reach: (generation: Compared) => Promise<Position>;
  /** Called with the number of documents compared so far. */
  readonly onProgress: (documents: number) => void;
}

const PORTION = 500;
const MAX_ROUNDS = 10;

type Verdict = 'same' | 'unknown' | Difference['what'];

/** How far both are before the comparison, and whether the one in use changed meanwhile. */
interface ProgressOfBoth {
  readonly live: Position;
  readonly built: Position;
  readonly stood: boolean;
}

export async function verify(options: VerifyOptions): Promise<Verification> {
  const { live, built, advance } = options;
  const tally = openTally();
  let open: DocumentKey[] = [];
  let count = 0;
  for await (const keys of allKeys(live, built)) {
    open.push(...(await look(options, keys, tally)));
    count += keys.length;
    await nextTurn();
    options.onProgress(count);
  }
  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round++) {
    await advance();
    const again: DocumentKey[] = [];
    for (let at = 0; at < open.length; at += PORTION)
      again.push(...(await look(options, open.slice(at, at + PORTION), tally)));
    open = again;
  }
  return { ...tally.result(), notCompared: open.length };
}

async function whileAt<Found>(
  { live, built, reach }: VerifyOptions,
  work: () => Promise<Found>,
): Promise<readonly [ProgressOfBoth, Found]> {
  const checkpoint = await live.model.checkpoint();
  const [liveAt, builtAt] = [await reach(live), await reach(built)];
  const result = await work();
  return [{ live: liveAt, built: builtAt, stood: (await live.model.checkpoint()) === checkpoint }, result];
}

/** Compares some documents, records the certain results, and returns the keys of the undecided ones. */
async function look(options: VerifyOptions, keys: readonly DocumentKey[], tally: Tally): Promise<DocumentKey[]> {
  const { live, built } = options;
  const [at, [liveDocuments, builtDocuments]] = await whileAt(options, () =>
    Promise.all([fetchReadable(live.model, keys), built.model.fetch(keys)]),
  );
  return keys.filter((key, index) => {
    const [live = null, built = null] = [liveDocuments[index], builtDocuments[index]];
    const hashes = { live: hashOf(live), built: hashOf(built) };
    const verdict = hashes.live === hashes.built ? 'same' : judge({ live, built }, at);
    if (verdict === 'unknown') return true;
    tally.note(key, hashes, verdict, { live, built });
    return false;
  });
}

interface Pair {
  readonly live: Document | 'damaged' | null;
  readonly built: Document | null;
}

/** The verdict on two documents that differ: one may just be older. */
function judge({ live, built }: Pair, at: ProgressOfBoth): Verdict {
  if (live === 'damaged') return 'damaged in the one in use';
  const areAlongside = at.stood && at.live >= at.built;
  if (!live) return areAlongside ? 'missing in the one in use' : 'unknown';
  if (!built) return areAlongside && live.position <= at.built ? 'only in the one in use' : 'unknown';
  if (live.revision === built.revision) return 'of other content';
  const [behind, later] = live.revision < built.revision ? [at.live, built] : [at.built, live];
  return later.position <= behind ? 'of another revision' : 'unknown';
}

/** The keys of both, without duplicates. */
async function* allKeys(live: Compared, built: Compared): AsyncIterable<readonly DocumentKey[]> {
  const met = new Set<string>();
  for (const generation of [built, live])
    for await (const keys of generation.keys()) {
      const fresh = keys.filter((key) => !met.has(keyText(key)));
      for (const key of fresh) met.add(keyText(key));
      if (fresh.length > 0) yield fresh;
    }
}

interface Hashes {
  readonly live: bigint;
  readonly built: bigint;
}

interface Tally {
  note(key: DocumentKey, hashes: Hashes, verdict: Exclude<Verdict, 'unknown'>, pair: Pair): void;
  result(): Omit<Verification, 'notCompared'>;
}

function openTally(): Tally {
  const counts = new Map<DocumentKind, { live: number; built: number }>();
  const sums = { live: 0n, built: 0n };
  let different = 0;
  let damaged = 0;
  const differences = new Map<string, Difference>();
  return {
    note(key, hashes, verdict, pair) {
      const count = counts.get(key.kind) ?? { live: 0, built: 0 };
      counts.set(key.kind, count);
      for (const side of ['live', 'built'] as const) {
        if (hashes[side] !== NOTHING) count[side]++;
        sums[side] = BigInt.asUintN(HASH_BITS, sums[side] + hashes[side]);
      }
      if (verdict === 'same') return;
      different++;
      if (verdict === 'damaged in the one in use') damaged++;
      for (const { place, live, built } of placesOf(pair)) {
        const name = `${key.kind} ${verdict} ${place}`;
        const existing = differences.get(name);
        if (existing) existing.documents += 1;
        else
          differences.set(name, {
            kind: key.kind,
            what: verdict,
            place,
            documents: 1,
            first: { id: key.id, live, built },
          });
      }
    },
    result: () => ({
      counts: [...counts].map(([kind, count]) => ({ kind, ...count })),
      digests: { live: hexadecimal(sums.live), built: hexadecimal(sums.built) },
      different,
      damaged,
      differences: [...differences.values()],
    }),
  };
}

interface Place {
  readonly place: string;
  readonly live: unknown;
  readonly built: unknown;
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The places where the two differ, as deep as both have objects. */
function placesOf({ live, built }: Omit<Place, 'place'>, place = ''): readonly Place[] {
  if (canonical(live) === canonical(built)) return [];
  if (!isObject(live) || !isObject(built)) return [{ place, live, built }];
  const names = [...new Set([...Object.keys(live), ...Object.keys(built)])];
  return names.flatMap((name) =>
    placesOf({ live: live[name], built: built[name] }, place === '' ? name : `${place}.${name}`),
  );
}

const HASH_BITS = 128;
const NOTHING = 0n;

const hexadecimal = (sum: bigint): string => sum.toString(16).padStart(HASH_BITS / 4, '0');

/** A sum, so the order of documents does not matter. */
function hashOf(document: Document | 'damaged' | null): bigint {
  if (document === null) return NOTHING;
  const digest = createHash('sha256').update(canonical(document)).digest('hex');
  return BigInt(`0x${digest.slice(0, HASH_BITS / 4)}`);
}

/** JSON with the members of objects sorted by name. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
