// The slots of events by their ids, in about ten bytes an event: a map took 45.

/** At least one place in so many is free. */
const ROOM = 2;
const FIRST_BITS = 11;
/** Spreads ids that follow one another over all places (Knuth, The Art of Computer Programming, 6.4). */
const SPREADING = 0x9e3779b1;

export type SlotsById = ReturnType<typeof openSlotsById>;

/** `ids`: by slot; `expected`: so many are added without making room, which takes some milliseconds for 100,000. */
export function openSlotsById(ids: () => Float64Array, expected = 0) {
  let bits = Math.max(FIRST_BITS, Math.ceil(Math.log2(ROOM * (expected + 1))));
  /** A slot and one; 0: a free place. */
  let places = new Int32Array(2 ** bits);
  let size = 0;

  const idAt = (place: number): number | undefined => ids()[(places[place] ?? 0) - 1];
  const placeFor = (id: number): number => Math.imul(id, SPREADING) >>> (32 - bits);
  const after = (place: number): number => (place + 1) & (places.length - 1);

  /** Where an id is, or would be. */
  function placeOf(id: number): number {
    let place = placeFor(id);
    while (places[place] !== 0 && idAt(place) !== id) place = after(place);
    return place;
  }

  /** In ascending order. */
  function all(): Int32Array {
    const isUsed = new Uint8Array(ids().length);
    for (const place of places) if (place !== 0) isUsed[place - 1] = 1;
    const slots = new Int32Array(size);
    let count = 0;
    for (let slot = 0; slot < isUsed.length; slot++) if (isUsed[slot] === 1) slots[count++] = slot;
    return slots;
  }

  function grow(): void {
    const slots = all();
    bits += 1;
    places = new Int32Array(2 ** bits);
    for (const slot of slots) places[placeOf(ids()[slot] ?? 0)] = slot + 1;
  }

  return {
    get(id: number) {
      const slot = places[placeOf(id)] ?? 0;
      return slot === 0 ? undefined : slot - 1;
    },
    /** The id of the slot must be in its column. */
    add(slot: number) {
      if ((size + 1) * ROOM > places.length) grow();
      size += 1;
      places[placeOf(ids()[slot] ?? 0)] = slot + 1;
    },
    /** The id of the slot must still be in its column. */
    remove(slot: number) {
      size -= 1;
      let free = placeOf(ids()[slot] ?? 0);
      places[free] = 0;
      // What is behind it may be looked for from before it.
      for (let place = after(free); places[place] !== 0; place = after(place)) {
        const distance = (place - placeFor(idAt(place) ?? 0)) & (places.length - 1);
        if (distance < ((place - free) & (places.length - 1))) continue;
        places[free] = places[place] ?? 0;
        places[place] = 0;
        free = place;
      }
    },
    size: () => size,
    all,
    /** Bytes of memory. */
    bytes: () => places.byteLength,
  };
}
