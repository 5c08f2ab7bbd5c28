// Which read model may be read. Data stores lose what they hold, come back with what they held an hour ago, or hold what was
// made from another log. So an adapter names with each read the life of the data that it was answered from, and the guard
// says whether that life has been compared with the log (see trust.ts).

/**
 * An uninterrupted existence of a generation's data, as one connection sees it. It ends when the data is emptied, another
 * generation takes its place, or the connection was lost, since what happened meanwhile is unknown. Opaque.
 */
export type Life = string;

export interface Guard {
  /** Whether reads of this life are answered. One that has not been compared yet is compared first; then ask again. */
  admits(life: Life): boolean | Promise<boolean>;
  /** `to` has taken the place of `from`, with everything that `from` has: it is admitted if that one is. */
  succeed(from: Life, to: Life): void;
}

/** For read models that only their maker reads. */
export const UNGUARDED: Guard = { admits: () => true, succeed: () => {} };

export interface Gate extends Guard {
  /** Reads of this life are answered from now on, and of no other. */
  admit(life: Life): void;
  /** Reads are refused; those of this life without another judgement. */
  refuse(life: Life | null): void;
  /** `judge` admits or refuses. Until there is a judge everything is admitted. */
  judgeBy(judge: () => Promise<void>): void;
}

export function createGate(): Gate {
  let judge: (() => Promise<void>) | null = null;
  let admitted: Life | null = null;
  let refused: Life | null = null;

  async function judgement(life: Life): Promise<boolean> {
    await judge?.();
    return admitted === life;
  }

  return {
    admits: (life) => judge === null || admitted === life || (refused === life ? false : judgement(life)),
    succeed(from, to) {
      if (admitted === from) admitted = to;
    },
    admit(life) {
      admitted = life;
      refused = null;
    },
    refuse(life) {
      admitted = null;
      refused = life;
    },
    judgeBy(by) {
      judge = by;
    },
  };
}
