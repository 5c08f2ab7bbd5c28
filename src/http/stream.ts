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
  pieces: AsyncIterable<string | Uint8Array>,
  listening: AbortSignal,
  stallMs: number = STALL_MS,
): Promise<void> {
  try {
    await write(response, pieces, listening, stallMs);
  } finally {
    response.end();
  }
}

/** The same for text that is of use as a whole only: what does not come to its end does not look as if it had. */
export async function sendWhole(
  response: ServerResponse,
  pieces: AsyncIterable<string | Uint8Array>,
  listening: AbortSignal,
  stallMs: number = STALL_MS,
): Promise<void> {
  let outcome: Outcome = 'cut short';
  try {
    outcome = await write(response, pieces, listening, stallMs);
  } finally {
    if (outcome === 'all') response.end();
    else response.destroy();
  }
}

type Outcome = 'all' | 'cut short';

async function write(
  response: ServerResponse,
  pieces: AsyncIterable<string | Uint8Array>,
  listening: AbortSignal,
  stallMs: number,
): Promise<Outcome> {
  for await (const piece of pieces) {
    if (listening.aborted) return 'cut short';
    if (!response.write(piece)) await drained(response, listening, stallMs);
  }
  return 'all';
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
