// HTTP as bytes on a socket, for what no client would send.
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
}

export interface RawTalk {
  /** Everything that was answered to what was sent, in turn. */
  readonly answers: readonly RawAnswer[];
  /** Whether an ordinary request was answered on the same connection afterwards. */
  readonly connection: 'kept' | 'closed';
}

const ORDINARY = 'GET /calendar/events/v1/tags?ordinary HTTP/1.1\r\nHost: cal.example\r\n\r\n';

/**
 * Sends bytes as they are, waits for so many answers (one, as a rule) or for the end of the connection, and then tries an
 * ordinary request on it.
 */
export function talk(port: number, sent: string | Uint8Array, expected = 1): Promise<RawTalk> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    let isAsked = false;
    const socket = connect(port, '127.0.0.1', () => socket.write(sent));
    const end = (connection: RawTalk['connection']): void => {
      socket.destroy();
      const answers = answersIn(received);
      resolve({ answers: connection === 'kept' ? answers.slice(0, expected) : answers, connection });
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const count = answersIn(received).length;
      if (count > expected) return end('kept');
      if (count < expected || isAsked) return;
      isAsked = true;
      socket.write(ORDINARY);
    });
    socket.on('error', () => {});
    socket.on('close', () => end('closed'));
  });
}

/** Those that have come whole. */
function answersIn(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; ; ) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) return answers;
    const [first = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), valueIn(line)]));
    const bodyEnd = headEnd + 4 + Number(headers['content-length'] ?? 0);
    if (rest.length < bodyEnd) return answers;
    const text = rest.subarray(headEnd + 4, bodyEnd).toString();
    answers.push({ status: Number(first.split(' ')[1]), headers, text });
    rest = rest.subarray(bodyEnd);
  }
}

const valueIn = (line: string): string => line.slice(line.indexOf(':') + 1).trim();
