// Two texts word by word, as far as that takes some milliseconds.
import { type ChangeObject, diffLines, diffWordsWithSpace } from 'diff';
import { nextTurn } from '../../../kernel/event-loop/turns.ts';
import type { Json } from '../../../log/envelope.ts';
import type { Change } from '../../history/queries/field-changes.ts';

export interface TextChange {
  readonly change: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Taking a text apart takes time for each character, comparing it for the square of what differs: at most some milliseconds. */
const MAX_CHARACTERS = 30_000;
const MAX_EDITS = 200;

/** The parts in order: those that are the same or removed make up the first text, those the same or added the second one. */
export function textChanges(before: string, after: string): TextChange[] {
  const isShort = before.length + after.length <= MAX_CHARACTERS;
  const options = { maxEditLength: MAX_EDITS };
  const words: ChangeObject<string>[] | undefined = isShort ? diffWordsWithSpace(before, after, options) : undefined;
  const changes = words ?? diffLines(before, after, options);
  if (changes === undefined) return whole(before, after);
  return changes.map(({ added, removed, value }) => ({
    change: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}

/** The change of texts that have next to nothing in common. */
const whole = (before: string, after: string): TextChange[] => [
  { change: 'removed', text: before },
  { change: 'added', text: after },
];

export interface ComparedField extends Change {
  /** The words of texts that were there before and after. */
  readonly words?: readonly TextChange[];
}

/** The fields that are texts. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'venue', 'organizer', 'name', 'description', 'excerpt']);

/** A change, of a text with its words. A field of an embedded resource has the name of its member before it: `venue.description`. */
export function withWords(change: Change): ComparedField {
  const { field, before, after } = change;
  const isText = TEXTS.has(field.slice(field.lastIndexOf('.') + 1));
  if (!isText || typeof before !== 'string' || typeof after !== 'string') return change;
  return { ...change, words: textChanges(before, after) };
}

/** How many texts one answer compares: it is no longer than some of its texts, and takes less than a second. */
const MAX_TEXTS = 100;
const MAX_ANSWERED = 300_000;

export type CompareWords = (changes: readonly Change[]) => Promise<readonly ComparedField[]>;

/** Texts by their words until an answer has enough of them; the rest without. Others have their turn in between. */
export function openWords(): CompareWords {
  let [texts, characters] = [0, 0];

  async function compared(change: Change): Promise<ComparedField> {
    const size = lengthOf(change.before) + lengthOf(change.after);
    if (texts >= MAX_TEXTS || characters + size > MAX_ANSWERED) return change;
    const field = withWords(change);
    if (!field.words) return change;
    texts += 1;
    characters += size;
    await nextTurn();
    return field;
  }

  return async (changes) => {
    const fields: ComparedField[] = [];
    for (const change of changes) fields.push(await compared(change));
    return fields;
  };
}

const lengthOf = (value: Json): number => (typeof value === 'string' ? value.length : 0);
