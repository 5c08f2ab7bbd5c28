// The same requests as bytes on a socket, spoiled on the way: what no client library would let through.
import { connect } from 'node:net';
import type { Choices } from './choices.ts';
import { bytesOf, type FuzzRequest, targetOf } from './requests.ts';

/** Long enough for every answer; a connection that says nothing for so long is hung up on. */
const PATIENCE_MS = 5_000;

/** What the service says to these bytes until it ends the connection; the client has said all it has to say. */
export function converse(port: number, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(pieces).toString()));
  });
}

/** Each character is a byte where the text has no others, as in a header that was never meant to be one. */
export function wireBytes(request: FuzzRequest, authorization: string | null): Buffer {
  const body = request.body ? bytesOf(request.body) : Buffer.alloc(0);
  const lines = [
    `${request.method} ${targetOf(request)} HTTP/1.1`,
    ...(request.headers.some(([name]) => name === 'host') ? [] : ['host: cal.example']),
    'connection: close',
    ...(authorization === null ? [] : [`authorization: ${authorization}`]),
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    ...(body.length > 0 ? [`content-length: ${body.length}`] : []),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

const STRAY = [
  '\0',
  '\r\n',
  '\n',
  '\r\n\r\n',
  ' ',
  '\t',
  'content-length: 5\r\n',
  'transfer-encoding: chunked\r\n',
  'é',
  '\xff',
  ':',
  '%',
  '/',
  'GET / HTTP/1.1\r\n\r\n',
];

/** Some bytes more, some fewer, some others. */
export function spoiled({ below, once, one }: Choices, bytes: Buffer): Buffer {
  let spoilt = bytes;
  for (let count = below(4); count > 0; count--) {
    const at = below(once(2) ? Math.min(spoilt.length, 80) : spoilt.length);
    const rest = spoilt.subarray(at + (once(2) ? below(6) : 0));
    spoilt = Buffer.concat([spoilt.subarray(0, at), Buffer.from(once(3) ? '' : one(STRAY), 'latin1'), rest]);
  }
  return once(6) ? spoilt.subarray(0, below(spoilt.length)) : spoilt;
}
