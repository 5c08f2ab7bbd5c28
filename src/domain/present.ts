/** The members that are there; those that may be undefined are optional. */
export type Present<T> = { [Member in keyof T as undefined extends T[Member] ? never : Member]: T[Member] } & {
  [Member in keyof T as undefined extends T[Member] ? Member : never]?: Exclude<T[Member], undefined>;
};

/** Only members that are there: an input has none for what was not sent. */
export const present = <T extends object>(members: T): Present<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>; // What is left of it.
