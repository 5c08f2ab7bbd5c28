// The text shown in place of erased personal data.

export const ERASED = '[erased]';

/** An empty field stays empty. */
export const erasedText = (text: string): string => (text === '' ? '' : ERASED);

/** Slugs must be unique: the slug of a resource whose former one contained a name. */
export const erasedSlug = (id: number): string => `erased-${id}`;

/** Whether a slug is such a replacement, also with a uniqueness suffix or the mark of the trash. */
export const isErasedSlug = (slug: string, id: number): boolean =>
  slug === erasedSlug(id) || slug.startsWith(`${erasedSlug(id)}-`) || slug.startsWith(`${erasedSlug(id)}__`);

// The text shown in place of personal data whose key is lost. Unlike an erasure, this can be undone.

const UNREADABLE = '[unreadable]';

/** Slugs and logins must stay unique. */
const UNIQUE: ReadonlySet<string> = new Set(['slug', 'login']);

/** What is shown in a field of the resource `id`. */
export const unreadableValue = (field: string, id: number): string =>
  UNIQUE.has(field) ? `unreadable-${id}` : UNREADABLE;

/** Whether a value is such a placeholder; a slug also with its suffixes. */
export const isUnreadableValue = (field: string, id: number, value: string): boolean => {
  const mask = unreadableValue(field, id);
  return value === mask || (field === 'slug' && (value.startsWith(`${mask}-`) || value.startsWith(`${mask}__`)));
};
