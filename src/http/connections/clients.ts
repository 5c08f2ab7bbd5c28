// Clients of answers: how long they are connected, and those that do not read.
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

export function openListeners() {
  const controllers = new Map<ServerResponse, AbortController>();
  let isEnded = false;

  function add(response: ServerResponse): AbortController {
    const controller = new AbortController();
    controllers.set(response, controller);
    const leave = (): void => {
      controllers.delete(response);
      controller.abort();
    };
    response.once('close', leave);
    if (isEnded || response.destroyed) leave();
    return controller;
  }

  return {
    /** Aborted when the response is over, because it was sent or the client has gone, or when `end` is called. */
    of: (response: ServerResponse): AbortSignal => (controllers.get(response) ?? add(response)).signal,
    /** Aborts all signals, now and later. */
    end() {
      isEnded = true;
      for (const controller of controllers.values()) controller.abort();
    },
  };
}

/**
 * Call it once an answer is written. If part of it could not be sent yet, the connection is closed as soon as the
 * client has read nothing for `stallMs`. Otherwise it costs a comparison.
 */
export function cutWhenStalled(response: ServerResponse, stallMs: number): void {
  // The server itself resets the time-out when the answer has been sent, and destroys connections that are silent for
  // too long.
  if (response.writableLength > 0 && response.socket instanceof Socket) response.socket.setTimeout(stallMs);
}
