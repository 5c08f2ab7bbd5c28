// A client of Server-Sent Events over a real socket, as far as tests need one.
import { type IncomingMessage, request } from 'node:http';

/** One block of the stream: its fields by name, comments under `''`. */
export interface Frame {
  readonly [field: string]: string;
}

export interface EventStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Everything that came so far, as text. */
  text(): string;
  /** The next block, or null when the stream has ended. */
  next(): Promise<Frame | null>;
  /** The next event with data, parsed, with its id. Throws when the stream ends before one. */
  change(): Promise<{ readonly id: string | undefined; readonly event: string | undefined; readonly data: Body }>;
  /** Goes without a word. */
  leave(): void;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
type Body = any;

/** Resolves once the head of the answer is there. */
export function openEventStream(url: string, headers: { readonly [name: string]: string } = {}): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => resolve(streamOf(response, () => sent.destroy())));
    sent.end();
  });
}

function streamOf(response: IncomingMessage, leave: () => void): EventStream {
  let [text, read, isOver] = ['', 0, false];
  let wake = (): void => {};
  response.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    wake();
  });
  response.on('error', () => {});
  response.on('close', () => {
    isOver = true;
    wake();
  });

  async function next(): Promise<Frame | null> {
    for (;;) {
      const end = text.indexOf('\n\n', read);
      if (end >= 0) {
        const block = text.slice(read, end);
        read = end + 2;
        return frameOf(block);
      }
      if (isOver) return null;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    next,
    leave,
    async change() {
      for (let frame = await next(); frame !== null; frame = await next())
        if (frame.data !== undefined) return { id: frame.id, event: frame.event, data: JSON.parse(frame.data) };
      throw new Error(`the stream has ended: ${text}`);
    },
  };
}

function frameOf(block: string): Frame {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
  });
  return Object.fromEntries(fields);
}
