/**
 * The permanent UID of an event in all calendars: derived from its id and the address of the site, and from nothing
 * that an editor or a reader can change. `host`: host and path of the site, as in `global_id`.
 */
export const uidOf = ({ id }: { readonly id: number }, host: string): string => `event-${id}@${host}`;

/** The UID of a series, which its dates share. */
export const seriesUidOf = (id: number, host: string): string => `series-${id}@${host}`;
