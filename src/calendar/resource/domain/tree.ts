// Trees stored as links from child to parent: categories, and events with a parent.
// decision 3

/** Id to parent id, as written. Roots have no entry. */
export type Parents = ReadonlyMap<number, number>;

/**
 * The effective links. Commands create no circles, but an older log may hold some; each is broken in the same place
 * wherever it is read: the link of its lowest id is ignored. Linear in the number of links.
 */
export function withoutCircles(parents: Parents): Parents {
  const open = new Map(parents);
  const walkOf = new Map<number, number>();
  for (const start of parents.keys()) {
    let id: number | undefined = start;
    while (id !== undefined && !walkOf.has(id)) {
      walkOf.set(id, start);
      id = parents.get(id);
    }
    // Only a walk that meets itself has found a circle; one that meets an earlier walk ends there.
    if (id !== undefined && walkOf.get(id) === start) open.delete(lowestOfCircle(parents, id));
  }
  return open;
}

function lowestOfCircle(parents: Parents, member: number): number {
  let lowest = member;
  for (let id = parents.get(member); id !== undefined && id !== member; id = parents.get(id))
    lowest = Math.min(lowest, id);
  return lowest;
}

/** Links from some ids upwards, as written, as far as `parentOf` knows them; null for none. Asks once per id. */
export async function linksAbove(
  ids: Iterable<number>,
  parentOf: (id: number) => Promise<number | null>,
): Promise<Parents> {
  const parents = new Map<number, number>();
  const visited = new Set<number>();
  for (const start of ids) {
    for (let id: number | null = start; id !== null && !visited.has(id); ) {
      visited.add(id);
      const parent = await parentOf(id);
      if (parent !== null) parents.set(id, parent);
      id = parent;
    }
  }
  return parents;
}
