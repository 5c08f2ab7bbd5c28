// Texts and planned events of large imports, kept as bytes outside the heap: as objects, a file of 50,000 events fills
// hundreds of megabytes, and the heap grows in proportion to what is in use.
import type { EventList, PlannedEvent } from './import-plan.ts';

/** Of one block of memory. */
const BLOCK_BYTES = 1_048_576;

interface Block {
  readonly bytes: Buffer;
  /** Texts that have not been dropped. */
  liveTexts: number;
}

export function openPackedTexts() {
  /** Null: all its texts were dropped, and it takes no more. */
  const blocks: (Block | null)[] = [];
  let length = 0;
  /** Per text: block, first byte, number of bytes. */
  const places: number[] = [];

  function release(number: number): void {
    if (blocks[number]?.liveTexts === 0) blocks[number] = null;
  }

  return {
    /** The index of the text, from 0. Lone surrogates are not kept. */
    add(text: string) {
      const bytes = Buffer.byteLength(text);
      if (blocks.length === 0 || length + bytes > BLOCK_BYTES) {
        release(blocks.length - 1);
        blocks.push({ bytes: Buffer.allocUnsafeSlow(Math.max(bytes, BLOCK_BYTES)), liveTexts: 0 });
        length = 0;
      }
      const block = blocks.at(-1);
      block?.bytes.write(text, length);
      if (block) block.liveTexts += 1;
      places.push(blocks.length - 1, length, bytes);
      length += bytes;
      return places.length / 3 - 1;
    },
    /** Throws for an index that was not given, or dropped. */
    at(index: number) {
      const [block = -1, from = 0, bytes = 0] = places.slice(index * 3, index * 3 + 3);
      const entry = blocks[block];
      if (!entry) throw new Error(`there is no text ${index}`);
      return entry.bytes.toString('utf8', from, from + bytes);
    },
    /** The text is not needed any more. */
    drop(index: number) {
      const number = places[index * 3] ?? -1;
      const block = blocks[number];
      if (!block) return;
      block.liveTexts -= 1;
      if (number < blocks.length - 1) release(number);
    },
  };
}

interface PackedEvents extends EventList {
  /** The index of the event. */
  add(event: PlannedEvent): number;
  replace(index: number, event: PlannedEvent): void;
}

const DROPPED = -1;

/** Events as JSON: plain data, so without `unchanged`. */
export function openPackedEvents(): PackedEvents {
  const texts = openPackedTexts();
  const numbers: number[] = [];
  const pack = (event: PlannedEvent): number => texts.add(JSON.stringify(event));
  const at = (index: number): PlannedEvent | undefined => {
    const text = numbers[index];
    return text === undefined || text === DROPPED ? undefined : (JSON.parse(texts.at(text)) as PlannedEvent); // As `pack` made it.
  };
  return {
    get length() {
      return numbers.length;
    },
    at,
    add: (event) => numbers.push(pack(event)) - 1,
    replace(index, event) {
      texts.drop(numbers[index] ?? -1);
      numbers[index] = pack(event);
    },
    drop(index) {
      texts.drop(numbers[index] ?? -1);
      numbers[index] = DROPPED;
    },
    *[Symbol.iterator]() {
      for (let index = 0; index < numbers.length; index++) {
        const event = at(index);
        if (event) yield event;
      }
    },
  };
}
