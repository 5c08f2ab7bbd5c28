/** `1 event`, `2 events`: for nouns whose plural ends in s. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
