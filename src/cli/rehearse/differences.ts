// Where two JSON values differ, and how often which place does.

/** What `JSON.parse` gives. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export interface Difference {
  /** `events[].cost_details.values[]`: places in arrays are not told apart. Empty: the value as a whole. */
  readonly place: string;
  /** Undefined: there was nothing. */
  readonly was: Json | undefined;
  readonly will: Json | undefined;
}

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Null unless all members are objects with an id. */
function idsOf(members: readonly Json[]): readonly Json[] | null {
  const ids = members.flatMap((member) => (isObject(member) && member.id !== undefined ? [member.id] : []));
  return ids.length === members.length ? ids : null;
}

/** Members of arrays are paired by their ids if they have any, otherwise by their places. */
export function* differencesOf(was: Json | undefined, will: Json | undefined, place = ''): Generator<Difference> {
  if (was === will) return;
  if (isArray(was) && isArray(will)) return yield* differencesOfArrays(was, will, place);
  if (!isObject(was) || !isObject(will)) return yield { place, was, will };
  for (const name of new Set([...Object.keys(was), ...Object.keys(will)]))
    yield* differencesOf(was[name], will[name], place === '' ? name : `${place}.${name}`);
}

function* differencesOfArrays(was: readonly Json[], will: readonly Json[], place: string): Generator<Difference> {
  const [idsBefore, idsAfter] = [idsOf(was), idsOf(will)];
  const areNamed = idsBefore !== null && idsAfter !== null && was.length + will.length > 0;
  if (areNamed && JSON.stringify(idsBefore) !== JSON.stringify(idsAfter))
    yield { place: `${place}[].id`, was: idsBefore, will: idsAfter };
  if (!areNamed && was.length !== will.length) return yield { place, was, will };
  for (const [index, member] of was.entries()) {
    const other = areNamed ? will[idsAfter.indexOf(idsBefore[index] ?? null)] : will[index];
    if (other !== undefined) yield* differencesOf(member, other, `${place}[]`);
  }
}

/** All differences of one place in answers of one kind. */
export interface Found {
  /** `events`, `lists of events`, … */
  readonly subject: string;
  readonly place: string;
  /** In how many answers. */
  answers: number;
  readonly first: { readonly path: string } & Pick<Difference, 'was' | 'will'>;
}

export interface Findings {
  /** Differences between two answers of one path. */
  add(subject: string, path: string, differences: Iterable<Difference>): void;
  /** The most frequent first. */
  all(): readonly Found[];
}

export function openFindings(): Findings {
  const found = new Map<string, Found>();
  return {
    add(subject, path, differences) {
      const places = new Set<string>();
      for (const { place, was, will } of differences) {
        if (places.has(place)) continue;
        places.add(place);
        const key = `${subject} ${place}`;
        const known = found.get(key) ?? { subject, place, answers: 0, first: { path, was, will } };
        known.answers += 1;
        found.set(key, known);
      }
    },
    all: () => [...found.values()].sort((one, other) => other.answers - one.answers),
  };
}
