// Several appends under way at a time, sent in order over one call: the server writes them in the order in which they
// arrive. For a log without other writers.
import type { Position } from '../envelope.ts';
import type { StreamAppend } from '../event-store.ts';
import type { AppendReply } from './connection.ts';

/** `send` keeps the order of its calls, and limits how many are under way. Never rejects. */
export async function sendInOrder(
  appends: readonly StreamAppend[],
  send: (append: StreamAppend, isWanted: () => boolean) => Promise<AppendReply | null>,
) {
  let hasFailed = false;
  const isWanted = (): boolean => !hasFailed;
  const replies = appends.map(async (append) => {
    const reply = await send(append, isWanted).catch(() => null);
    hasFailed ||= reply?.kind !== 'appended';
    return reply;
  });
  const positions: Position[] = [];
  for (const reply of await Promise.all(replies)) {
    if (reply?.kind !== 'appended' || reply.position === null) break;
    positions.push(reply.position);
  }
  return {
    /** About where those were written that came before the first that failed, in order. */
    positions,
    /** The first that failed, and all behind it: some of them may be written. */
    left: appends.slice(positions.length),
  };
}
