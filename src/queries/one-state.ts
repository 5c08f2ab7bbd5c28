// What is read in several steps (a list, then what its events embed) as of one state of the read model.

/**
 * Reads again if something was applied in between: the steps may have shown different states. `before` is the version
 * before the first step. Once, because under constant writes there may be no quiet moment.
 */
export async function inOneState<Answer>(
  version: () => Promise<string>,
  before: string,
  read: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await read();
  return (await version()) === before ? answer : read();
}
