/** The members that are there; those that may be undefined are optional. */
type Present<T> = { [Member in keyof T as undefined extends T[Member] ? never : Member]: T[Member] } & {
  [Member in keyof T as undefined extends T[Member] ? Member : never]?: Exclude<T[Member], undefined>;
};

/** Only members that are there: an input has none for what was not sent. */
export function present<T extends object>(members: T): Present<T> {
  const left: { [member: string]: unknown } = {};
  for (const member in members) if (members[member] !== undefined) left[member] = members[member];
  return left as Present<T>; // What is left of it.
}
