// How long the client of an answer is connected.
import type { ServerResponse } from 'node:http';

export interface Listeners {
  /** Aborted when the response is over, because it was sent or the client has gone, or when `end` is called. */
  of(response: ServerResponse): AbortSignal;
  /** Aborts all signals, now and later. */
  end(): void;
}

export function openListeners(): Listeners {
  const known = new Map<ServerResponse, AbortController>();
  let isEnded = false;

  function add(response: ServerResponse): AbortController {
    const controller = new AbortController();
    known.set(response, controller);
    const leave = (): void => {
      known.delete(response);
      controller.abort();
    };
    response.once('close', leave);
    if (isEnded || response.destroyed) leave();
    return controller;
  }

  return {
    of: (response) => (known.get(response) ?? add(response)).signal,
    end() {
      isEnded = true;
      for (const controller of known.values()) controller.abort();
    },
  };
}
