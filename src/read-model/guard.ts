// Decides whether a read model may be read. Data stores lose data, come back with data from an hour ago, or belong to
// another log. So an adapter names with each read the life of the data that answered it, and the guard says whether
// that life has been compared with the log (see trust.ts).

/**
 * An uninterrupted existence of a generation's data, as one connection sees it. It ends when the data is emptied,
 * another generation takes its place, or the connection was lost, because anything may have happened meanwhile. Opaque.
 */
export type Life = string;

export interface Guard {
  /** Whether reads of this life are answered. One that has not been compared yet is compared first; then ask again. */
  admits(life: Life): boolean | Promise<boolean>;
  /** `to` has replaced `from` and has everything that `from` has: it is admitted if `from` is. */
  succeed(from: Life, to: Life): void;
}

/** For read models that only their creator reads. */
export const UNGUARDED: Guard = { admits: () => true, succeed: () => {} };

export interface Gate extends Guard {
  /** Admits reads of this life from now on, and of no other. */
  admit(life: Life): void;
  /** Refuses reads; those of this life without another judgement. */
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
