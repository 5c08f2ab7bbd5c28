// Ascending numbers for each of many words, in one block of bytes: each word has a chain of slices that double in size, with
// the differences of its numbers in them. A number takes a byte or two, and a word that occurs once eight bytes.

const FIRST_SLICE = 8;
const LARGEST_SLICE = 1_024;
/** At the end of a slice: where the next one begins. */
const POINTER = 4;
const FIRST_BYTES = 2 ** 16;
const FIRST_WORDS = 1_024;

const sliceAfter = (size: number): number => Math.min(LARGEST_SLICE, 2 * size);

export function openPostings() {
  let block = new Uint8Array(FIRST_BYTES);
  let used = 0;
  /** For each word: where it begins, where it ends, how many bytes its last slice has left, that slice, the last number. */
  let begins = new Int32Array(FIRST_WORDS);
  let ends = new Int32Array(FIRST_WORDS);
  let left = new Uint16Array(FIRST_WORDS);
  let slices = new Uint16Array(FIRST_WORDS);
  let last = new Int32Array(FIRST_WORDS);

  function reserveWord(word: number): void {
    if (word < begins.length) return;
    const size = 2 * word;
    begins = grown(begins, new Int32Array(size));
    ends = grown(ends, new Int32Array(size));
    left = grown(left, new Uint16Array(size));
    slices = grown(slices, new Uint16Array(size));
    last = grown(last, new Int32Array(size));
  }

  function newSlice(size: number): number {
    if (used + size > block.length) block = grown(block, new Uint8Array(2 * block.length));
    used += size;
    return used - size;
  }

  function put(word: number, byte: number): void {
    const room = left[word] ?? 0;
    const at = ends[word] ?? 0;
    if (room > 0) {
      block[at] = byte;
      ends[word] = at + 1;
      left[word] = room - 1;
      return;
    }
    const size = sliceAfter(slices[word] ?? 0);
    const next = newSlice(size);
    for (let part = 0; part < POINTER; part++) block[at + part] = next >>> (8 * part);
    slices[word] = size;
    block[next] = byte;
    ends[word] = next + 1;
    left[word] = size - POINTER - 1;
  }

  function begin(word: number): void {
    reserveWord(word);
    const at = newSlice(FIRST_SLICE);
    begins[word] = at;
    ends[word] = at;
    left[word] = FIRST_SLICE - POINTER;
    slices[word] = FIRST_SLICE;
    last[word] = 0;
  }

  return {
    /** Adds a number, which is above all others of that word. A word that is new must be the next one. */
    add(word: number, value: number) {
      if (word >= slices.length || slices[word] === 0) begin(word);
      let rest = value - (last[word] ?? 0);
      last[word] = value;
      for (; rest >= 0x80; rest >>>= 7) put(word, (rest & 0x7f) | 0x80);
      put(word, rest);
    },
    /** Gives the numbers of a word that have the mark `before` the mark `after`, and returns how many. Numbers without a mark are passed over. */
    mark(word: number, marks: Uint8Array, before: number, after: number) {
      let marked = 0;
      let at = begins[word] ?? 0;
      const to = ends[word] ?? 0;
      let size = FIRST_SLICE;
      let sliceEnd = at + size - POINTER;
      let value = 0;
      let difference = 0;
      let shift = 0;
      while (at !== to) {
        if (at === sliceEnd) {
          at = pointerAt(block, at);
          size = sliceAfter(size);
          sliceEnd = at + size - POINTER;
        }
        const byte = block[at++] ?? 0;
        difference |= (byte & 0x7f) << shift;
        if (byte >= 0x80) {
          shift += 7;
          continue;
        }
        value += difference;
        difference = 0;
        shift = 0;
        if (marks[value] !== before) continue;
        marks[value] = after;
        marked += 1;
      }
      return marked;
    },
    /** Bytes of memory. */
    bytes: () => block.length + begins.length * 16,
  };
}

const pointerAt = (block: Uint8Array, at: number): number =>
  (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8) | ((block[at + 2] ?? 0) << 16) | ((block[at + 3] ?? 0) << 24);

function grown<Numbers extends Uint8Array | Uint16Array | Int32Array>(from: Numbers, into: Numbers): Numbers {
  into.set(from);
  return into;
}
