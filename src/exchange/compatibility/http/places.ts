// Where the shims are found.

export const SHIM_NAMESPACE = 'wp/v2';

/** What clients call the path of the API below the root of all their interfaces. */
const API_OF_CLIENTS = /(?:^|\/)tribe\/events\/v1$/i;

/**
 * Where the shims of each alias are found: beside `wp-json/tribe/events/v1` at `wp-json/wp/v2`, where clients call them, and
 * below it, for those who know one address only.
 */
export const shimPrefixes = (aliases: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    // If two aliases have one root, the first answers.
    [...aliases].reverse().flatMap((alias) => {
      return [shimRoot(alias), alias].map(
        (place) => [place === '' ? SHIM_NAMESPACE : `${place}/${SHIM_NAMESPACE}`, alias] as const,
      );
    }),
  );

/** What the shims of an alias are below, without slashes around it; it may be empty. */
export const shimRoot = (alias: string): string => alias.replace(API_OF_CLIENTS, '');
