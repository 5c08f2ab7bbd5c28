/**
 * JSON of an object that has members, with one more whose value is JSON already: bodies of megabytes are neither parsed
 * nor serialised again.
 */
export const jsonWith = (members: object, name: string, json: string): string =>
  `${JSON.stringify(members).slice(0, -1)},"${name}":${json}}`;
