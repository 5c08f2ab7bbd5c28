// Clients that do not read their answers.
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * Call it once an answer is written. If part of it could not be sent yet, the connection is closed as soon as the
 * client has read nothing for `stallMs`. Otherwise it costs a comparison.
 */
export function cutWhenStalled(response: ServerResponse, stallMs: number): void {
  // The server itself resets the time-out when the answer has been sent, and destroys connections that are silent for
  // too long.
  if (response.writableLength > 0 && response.socket instanceof Socket) response.socket.setTimeout(stallMs);
}
