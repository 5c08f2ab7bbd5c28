// What is shown in place of erased personal data.

export const ERASED = '[erased]';

/** Where nothing was, there is nothing to erase. */
export const erasedText = (text: string): string => (text === '' ? '' : ERASED);

/** Addresses must be unique: the slug of a resource whose former one revealed a name. */
export const erasedSlug = (id: number): string => `erased-${id}`;

/** Whether a slug is the one above, be it with what makes it unique or says that it is in the trash. */
export const isErasedSlug = (slug: string, id: number): boolean =>
  slug === erasedSlug(id) || slug.startsWith(`${erasedSlug(id)}-`) || slug.startsWith(`${erasedSlug(id)}__`);

// What is shown in place of personal data whose key is lost. Unlike an erasure, that can be undone.

const UNREADABLE = '[unreadable]';

/** Addresses and logins need something that is unique. */
const UNIQUE: ReadonlySet<string> = new Set(['slug', 'login']);

/** What is shown in a field of a resource of which `id` is known. */
export const unreadableValue = (field: string, id: number): string =>
  UNIQUE.has(field) ? `unreadable-${id}` : UNREADABLE;

/** Whether a value is the one above; a slug also with what makes it unique or says that it is in the trash. */
export const isUnreadableValue = (field: string, id: number, value: string): boolean => {
  const mask = unreadableValue(field, id);
  return value === mask || (field === 'slug' && (value.startsWith(`${mask}-`) || value.startsWith(`${mask}__`)));
};
