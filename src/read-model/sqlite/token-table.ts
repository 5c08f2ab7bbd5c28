// Numbers for tokens, in order of first occurrence. A token is looked up in place in its text, by a hash from splitting
// the text: most are known already, and need not become strings again.

/** Initial slots; always a power of two. */
const SLOTS = 2 ** 16;
const FREE = -1;

export interface TokenTable {
  /** The number of `text.slice(from, to)`. */
  numberOf(text: string, from: number, to: number, hash: number): number;
  /** By their numbers. */
  readonly tokens: readonly string[];
  clear(): void;
}

export function tokenTable(): TokenTable {
  const tokens: string[] = [];
  const hashes: number[] = [];
  let slots = new Int32Array(SLOTS).fill(FREE);

  const isAt = (number: number, text: string, from: number, to: number, hash: number): boolean =>
    hashes[number] === hash && tokens[number]?.length === to - from && text.startsWith(tokens[number] ?? '', from);

  /** Half of the slots stay free, so that there is always one near. */
  function grow(): void {
    slots = new Int32Array(slots.length * 2).fill(FREE);
    for (const [number, hash] of hashes.entries()) slots[freeSlot(hash)] = number;
  }

  function freeSlot(hash: number): number {
    let slot = hash & (slots.length - 1);
    while (slots[slot] !== FREE) slot = (slot + 1) & (slots.length - 1);
    return slot;
  }

  return {
    numberOf(text, from, to, hash) {
      const mask = slots.length - 1;
      let slot = hash & mask;
      for (let number = slots[slot] ?? FREE; number !== FREE; number = slots[slot] ?? FREE) {
        if (isAt(number, text, from, to, hash)) return number;
        slot = (slot + 1) & mask;
      }
      slots[slot] = tokens.length;
      tokens.push(text.slice(from, to));
      hashes.push(hash);
      if (tokens.length * 2 > slots.length) grow();
      return tokens.length - 1;
    },
    tokens,
    clear() {
      tokens.length = 0;
      hashes.length = 0;
      slots.fill(FREE);
    },
  };
}
