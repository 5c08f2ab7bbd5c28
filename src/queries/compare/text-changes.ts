// Two texts word by word, as far as that takes some milliseconds.
import { type ChangeObject, diffLines, diffWordsWithSpace } from 'diff';

export interface TextChange {
  readonly change: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Taking a text apart takes time for each character, comparing it for the square of what differs: at most some milliseconds. */
const MAX_CHARACTERS = 30_000;
const MAX_EDITS = 200;

/** In order: what is the same or removed makes up the first text, what is the same or added the second one. */
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

/** Next to nothing is the same. */
const whole = (before: string, after: string): TextChange[] => [
  { change: 'removed', text: before },
  { change: 'added', text: after },
];
