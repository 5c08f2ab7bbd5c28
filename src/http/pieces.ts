// An answer in pieces onto the wire, no faster than the client takes them.
import type { ServerResponse } from 'node:http';

/** How long a client may take nothing although something lies ready for it. */
const STALL_MS = 30_000;

/**
 * Sends what comes and ends the response with it, or when `listening` is aborted. A client that has taken nothing for
 * `stallMs` is cut off. When `pieces` fails the response ends with what was sent, and it rejects with the failure.
 */
export async function sendPieces(
  response: ServerResponse,
  pieces: AsyncIterable<string>,
  listening: AbortSignal,
  stallMs: number = STALL_MS,
): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (listening.aborted) break;
      if (!response.write(piece)) await drained(response, listening, stallMs);
    }
  } finally {
    response.end();
  }
}

/** Resolves when there is room again, or nobody to have it. */
function drained(response: ServerResponse, listening: AbortSignal, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    function done(): void {
      clearTimeout(timer);
      response.off('drain', done);
      listening.removeEventListener('abort', done);
      resolve();
    }
    const timer = setTimeout(() => response.destroy(), stallMs);
    response.on('drain', done);
    listening.addEventListener('abort', done);
    if (listening.aborted) done();
  });
}
