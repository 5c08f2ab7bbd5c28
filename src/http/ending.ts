// How a server ends without breaking off what its clients have begun.
import { once } from 'node:events';
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

export interface Ending {
  /** Of the server's answers: one that begins while the server ends says that it is the last of its connection. */
  readonly Response: typeof ServerResponse;
  /** To be called before the server listens. */
  watch(server: Server): void;
  /** Takes no more connections, and resolves when the last of those there are has ended; after `endingMs` they are cut. */
  drain(server: Server, endingMs: number): Promise<void>;
}

/** How long no answer has been sent before idle connections are closed: on a busy machine the next request may take that long. */
const REST_MS = 500;
const LOOK_AGAIN_MS = 100;

/** How long there are neither connections nor answers before the port is closed, and how long that is waited for. */
const QUIET_MS = 5;
const LISTENING_MS = 1_000;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

export function openEnding(): Ending {
  const connections = new Set<Socket>();
  let isEnding = false;
  /** Begun so far, and when the last of them was. */
  let answers = 0;
  let answeredAt = Number.NEGATIVE_INFINITY;

  class Response<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
      answers += 1;
      answeredAt = performance.now();
      if (isEnding) this.shouldKeepAlive = false;
      return typeof reason === 'string' ? super.writeHead(status, reason, headers) : super.writeHead(status, reason);
    }
  }

  /**
   * The system resets the connections that it has taken and we have not when the port is closed, so all of them are taken
   * first: one in each turn of the event loop. Until then no new request is answered: its client would only connect again.
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
      // Timers come first in a turn: what has arrived meanwhile is seen only now.
      await nextTurn();
    }
    // The close of an HTTP server would cut idle connections at once, with requests that are on their way.
    NetServer.prototype.close.call(server);
    server.off('connection', hold);
    for (const listener of serve) server.on('connection', listener);
    for (const socket of waiting) server.emit('connection', socket);
  }

  /**
   * Closes what is idle once no answer has been sent for a while: who uses several connections in turn may be about to
   * send something on any of them.
   */
  function closeWhenResting(server: Server): NodeJS.Timeout {
    return setInterval(async () => {
      await nextTurn();
      if (performance.now() - answeredAt >= REST_MS) closeIdle(server);
    }, LOOK_AGAIN_MS);
  }

  function closeIdle(server: Server): void {
    server.closeIdleConnections();
    // A connection that has never said anything counts as one with a request under way.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }

  return {
    Response,
    watch(server) {
      server.on('connection', (socket) => {
        connections.add(socket);
        socket.once('close', () => connections.delete(socket));
      });
    },
    async drain(server, endingMs) {
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
