// Clients that do not take what they asked for.
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * To be called once an answer is written. Where some of it could not leave yet, the connection is cut as soon as the
 * client has taken nothing for `stallMs`. Otherwise it costs a comparison.
 */
export function cutWhenStalled(response: ServerResponse, stallMs: number): void {
  // The server itself sets the time anew when the answer has left, and destroys what is silent for too long.
  if (response.writableLength > 0 && response.socket instanceof Socket) response.socket.setTimeout(stallMs);
}
