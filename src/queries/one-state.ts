// What is read in several steps (a list, then what its events embed) as of one state of the read model.

/** Writes were faster than every reading: no answer is of one state. */
export class ReadModelChanging extends Error {
  override readonly name = 'ReadModelChanging';
}

/** More would not help: the documents that are shown change between any two readings. */
const MAX_READINGS = 8;

export interface SeveralSteps<Answer> {
  readonly version: () => string | Promise<string>;
  /** The version before the first step. */
  readonly startVersion: string;
  readonly read: () => Promise<Answer>;
  /** What of an answer comes from more than one step: two answers of which it is the same show the same documents. */
  readonly content: (answer: Answer) => string;
  /** Parts of one state each may stand side by side where they cannot be had of the same one. */
  readonly parts?: 'of one state each';
}

/**
 * Reads again if something was applied in between: the steps may have shown different states. Under constant writes there
 * may be no quiet moment, but what two readings in a row show alike did not change meanwhile, so the first step of the later
 * one is the moment of both. Rejects with `ReadModelChanging` after eight readings that all
 * differ.
 */
export async function inOneState<Answer>({
  version,
  startVersion,
  read,
  content,
  parts,
}: SeveralSteps<Answer>): Promise<Answer> {
  let at = startVersion;
  let last: string | null = null;
  for (let count = 1; ; count += 1) {
    const answer = await read();
    const now = await version();
    if (now === at) return answer;
    const latest = content(answer);
    if (latest === last) return answer;
    if (count === MAX_READINGS && parts !== undefined) return answer;
    if (count === MAX_READINGS) throw new ReadModelChanging(`${count} readings in a row showed different states`);
    [at, last] = [now, latest];
  }
}
