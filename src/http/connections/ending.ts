// Shuts a server down without breaking off what its clients have begun.
// decision 15
import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

// An import of values would read each of them, and `fetch` with them: 45 ms of the start.
const { ServerResponse: OwnResponse } = process.getBuiltinModule('node:http');

/**
 * How long after the last answer idle connections are closed: on a busy machine the next request may take that long.
 */
const REST_MS = 500;
const LOOK_AGAIN_MS = 100;

/** How long there must be neither connections nor answers before the port is closed, and how long that is awaited. */
const QUIET_MS = 5;
const LISTENING_MS = 1_000;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

export function openEnding() {
  const connections = new Set<Socket>();
  let isEnding = false;
  /** Answers begun so far, and when the last of them was. */
  let answers = 0;
  let answeredAt = Number.NEGATIVE_INFINITY;

  class Response<Request extends IncomingMessage> extends OwnResponse<Request> {
    override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
      answers += 1;
      answeredAt = performance.now();
      if (isEnding) this.shouldKeepAlive = false;
      return typeof reason === 'string' ? super.writeHead(status, reason, headers) : super.writeHead(status, reason);
    }
  }

  /**
   * When the port is closed, the system resets connections that it has accepted and we have not, so all of them are
   * accepted first: one per turn of the event loop. Until then no new request is answered: its client would only
   * connect again.
   */
  async function stopListening(server: Server): Promise<void> {
    const until = performance.now() + LISTENING_MS;
    const waiting: Socket[] = [];
    const hold = (socket: Socket): void => void waiting.push(socket);
    const serve = server.listeners('connection') as ((socket: Socket) => void)[]; // What listens to connections.
    server.removeAllListeners('connection').on('connection', hold);
    for (let before = -1; before !== waiting.length + answers && performance.now() < until; ) {
      before = waiting.length + answers;
      await pause(QUIET_MS);
      // Timers come first in a turn: data that has arrived meanwhile is seen only now.
      await nextTurn();
    }
    // Closing an HTTP server would close idle connections at once, with requests on their way.
    NetServer.prototype.close.call(server);
    server.off('connection', hold);
    for (const listener of serve) server.on('connection', listener);
    for (const socket of waiting) server.emit('connection', socket);
  }

  /**
   * Closes idle connections once no answer has been sent for a while: a client that uses several in turn may be about
   * to send on any of them.
   */
  function closeWhenResting(server: Server): NodeJS.Timeout {
    return setInterval(async () => {
      await nextTurn();
      if (performance.now() - answeredAt >= REST_MS) closeIdle(server);
    }, LOOK_AGAIN_MS);
  }

  function closeIdle(server: Server): void {
    server.closeIdleConnections();
    // A connection that has never sent anything counts as one with a request in progress.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }

  return {
    /** For the server's answers: one that begins during shutdown says that it is the last of its connection. */
    Response,
    /** Call it before the server listens. */
    watch(server: Server) {
      server.on('connection', (socket) => {
        connections.add(socket);
        socket.once('close', () => connections.delete(socket));
      });
    },
    /**
     * Accepts no more connections, and resolves when the last existing one has ended; after `endingMs` they are closed.
     */
    async drain(server: Server, endingMs: number) {
      isEnding = true;
      if (!server.listening) return;
      const closed = once(server, 'close');
      const cutting = setTimeout(() => server.closeAllConnections(), endingMs);
      await stopListening(server);
      const resting = closeWhenResting(server);
      await closed;
      clearInterval(resting);
      clearTimeout(cutting);
    },
  };
}
