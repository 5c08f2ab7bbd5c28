/**
 * What an event is called in every calendar that takes it up, for good: it follows from its id and from where the site
 * is, and from nothing that an editor or a reader can change. `host`: host and path of the site, as in `global_id`.
 */
export const uidOf = ({ id }: { readonly id: number }, host: string): string => `event-${id}@${host}`;
