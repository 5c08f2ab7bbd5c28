/**
 * Lets all who ask within one turn of the event loop share one question. It is sent at the end of the turn, after the
 * last of them has asked, so each gets an answer that is as new as if it had asked alone.
 */
export function sharedInTurn<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let gathering: Promise<Answer> | null = null;
  return () => {
    gathering ??= new Promise((resolve) => {
      setImmediate(() => {
        gathering = null;
        resolve(ask());
      });
    });
    return gathering;
  };
}
