// A receiver of webhooks that behaves as a test tells it to.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface Received {
  readonly id: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** Path and query that it was sent to. */
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  readonly body: any;
  /** The status that it was answered with; null: with none. */
  readonly status: number | null;
}

/** `drop`: the connection is cut. `hang`: no answer comes. `babble`: what comes is no answer of HTTP. */
export type Behaviour = 'drop' | 'hang' | 'babble' | Answering;

interface Answering {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly text?: string;
  /** Until it answers. */
  readonly afterMs?: number;
  /** The connection is cut right after status and headers. */
  readonly isCut?: true;
}

export const ACCEPT: Behaviour = { status: 204 };

export interface Receiver {
  readonly url: string;
  /** As `DAYBOOK_PRIVATE_HOSTS` names it. */
  readonly host: string;
  readonly received: Received[];
  /** Decides about each delivery; default: accepts it. */
  behave(how: (delivery: Omit<Received, 'status'>) => Behaviour): void;
  /** Resolves once this holds. */
  until(holds: () => boolean, what: string, patienceMs?: number): Promise<void>;
  /** The ids of accepted deliveries, without doubles, in the order of their first arrival. */
  accepted(): readonly Received[];
  close(): Promise<void>;
}

const PATIENCE_MS = 30_000;

function answer(response: ServerResponse, { status, headers, text, isCut }: Answering): void {
  response.writeHead(status, headers);
  if (!isCut) response.end(text);
  else response.write('{', () => response.socket?.destroy());
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const watchers = new Set<() => void>();
  let decide: (delivery: Omit<Received, 'status'>) => Behaviour = () => ACCEPT;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => receive(request, response, Buffer.concat(chunks).toString()));
  });

  function receive(request: IncomingMessage, response: ServerResponse, text: string): void {
    const delivery = {
      id: String(request.headers['webhook-id']),
      headers: request.headers,
      path: request.url ?? '',
      text,
      body: JSON.parse(text),
    };
    const how = decide(delivery);
    received.push({ ...delivery, status: typeof how === 'object' ? how.status : null });
    if (how === 'drop') request.socket.destroy();
    else if (how === 'babble') request.socket.end('whatever you say\r\n\r\n');
    else if (how !== 'hang') setTimeout(() => answer(response, how), how.afterMs ?? 0);
    for (const watcher of watchers) watcher();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const isAccepted = ({ status }: Received): boolean => status !== null && status >= 200 && status < 300;
  return {
    url: `http://${host}/hook`,
    host,
    received,
    behave(how) {
      decide = how;
    },
    until: (holds, what, patienceMs = PATIENCE_MS) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!holds()) return;
          clearTimeout(timer);
          clearInterval(interval);
          watchers.delete(look);
          resolve();
        };
        const timer = setTimeout(() => {
          clearInterval(interval);
          watchers.delete(look);
          reject(new Error(`${what} did not happen; received: ${received.map(({ id, status }) => `${id} ${status}`)}`));
        }, patienceMs);
        const interval = setInterval(look, 50);
        watchers.add(look);
        look();
      }),
    accepted() {
      const seen = new Set<string>();
      return received.filter((one) => isAccepted(one) && !seen.has(one.id) && seen.add(one.id));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
