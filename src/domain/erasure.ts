// What stands where personal data has been erased.

export const ERASED = '[erased]';

/** Where nothing was, there is nothing to erase. */
export const erasedText = (text: string): string => (text === '' ? '' : ERASED);

/** Addresses need something that is alone: the slug of a thing whose own one told a name. */
export const erasedSlug = (id: number): string => `erased-${id}`;

/** Whether a slug is the one above, be it with what makes it unique or says that it is in the trash. */
export const isErasedSlug = (slug: string, id: number): boolean =>
  slug === erasedSlug(id) || slug.startsWith(`${erasedSlug(id)}-`) || slug.startsWith(`${erasedSlug(id)}__`);
