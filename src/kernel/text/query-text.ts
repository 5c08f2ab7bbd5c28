// The part of an address after the path.

/** With its `?`, and encoded; empty without pairs. */
export function queryText(pairs: readonly (readonly [name: string, value: string])[]): string {
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([name, value]) => [name, value]))}`;
}

/** The query of an address as it was sent, with its `?`; empty without one. */
export function queryOf(address: string): string {
  const start = address.indexOf('?');
  return start < 0 ? '' : address.slice(start);
}
