// The EventStoreDB servers that a developer has: `DAYBOOK_TEST_ESDB` holds their connection strings, separated by commas.

/** A comma within one stands between nodes of a cluster; one in front of a scheme begins the next. Empty: none named. */
export function realEventStoreDbs(environment: { readonly DAYBOOK_TEST_ESDB?: string } = process.env): string[] {
  return (environment.DAYBOOK_TEST_ESDB ?? '')
    .split(/,(?=\s*(?:esdb|kurrentdb|kdb)(?:\+discover)?:\/\/)/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** Its hosts, for the names of tests: without user and password. */
export const nameOf = (connectionString: string): string =>
  connectionString.replace(/^.*(@|:\/\/)/, '').replace(/\?.*$/, '');
