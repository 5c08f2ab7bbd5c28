export interface Lanes<Item> {
  /** Limit of concurrent items. */
  readonly atOnce: number;
  /** Items with one key are processed one after the other, in order, because they would conflict. */
  readonly laneOf: (item: Item) => string;
}

/** Processes all items, several at a time; rejects with the first failure, once running work has ended. */
export async function withKeyedConcurrency<Item>(
  items: readonly Item[],
  { atOnce, laneOf }: Lanes<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const lanes = new Map<string, Item[]>();
  for (const item of items) {
    const name = laneOf(item);
    const lane = lanes.get(name);
    if (lane) lane.push(item);
    else lanes.set(name, [item]);
  }
  const waiting = lanes.values();
  const failures: unknown[] = [];
  async function worker(): Promise<void> {
    for (const lane of waiting) await throughLane(lane);
  }
  async function throughLane(lane: readonly Item[]): Promise<void> {
    for (const item of lane) if (failures.length === 0) await work(item).catch((error) => void failures.push(error));
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, lanes.size) }, worker));
  if (failures.length > 0) throw failures[0];
}
