// Enters what large batches left for the full-text index, a little at a time, between other work.
import type { Connection } from './connection.ts';
import { readModelFailure } from './failures.ts';
import { searchIndex } from './search-index.ts';

/** So many texts at a time keep the process and the write lock for some milliseconds only. */
const PORTION = 200;
/** Pause between portions, in milliseconds. While a rebuild is running, its own batches come first. */
const PAUSE = 20;

export interface SearchEntering {
  /** Goes on until all texts are entered. The process does not stay alive for it. */
  resume(): void;
  stop(): void;
}

export function searchEntering(connection: Connection): SearchEntering {
  const { db } = connection;
  const index = searchIndex(connection);
  const enter = db.transaction(() => index.enter(PORTION));
  let timer: NodeJS.Timeout | null = null;

  const resume = () => {
    timer ??= setTimeout(step, PAUSE).unref();
  };
  const step = () => {
    timer = null;
    if (enterPortion() === 'some left') resume();
  };
  const enterPortion = () => {
    try {
      return enter.immediate();
    } catch (error) {
      // Texts that are not entered are still found; whatever hinders us will show where it matters. Bugs surface.
      if (readModelFailure('', error) === error) throw error;
      return 'all entered';
    }
  };
  return {
    resume,
    stop() {
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
}
