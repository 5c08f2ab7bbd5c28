// Stands between a client and a server, counts what the client sends, and cuts the line when told to.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** How many times clients have sent something so far: several commands sent together count once. */
  sent(): number;
  /** Cuts every line once so many more bytes have gone to the server; those that come later stand. */
  cutAfter(bytes: number): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const lines = new Set<Socket>();
  let sent = 0;
  let bytesLeft = Infinity;
  const cut = () => {
    bytesLeft = Infinity;
    for (const line of lines) line.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [line, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      lines.add(line);
      line.setNoDelay(true);
      line.on('error', () => other.destroy());
      line.on('close', () => {
        lines.delete(line);
        other.destroy();
      });
    }
    upstream.on('data', (chunk) => client.write(chunk));
    client.on('data', (chunk) => {
      sent++;
      bytesLeft -= chunk.length;
      if (bytesLeft >= 0) upstream.write(chunk);
      else upstream.write(chunk.subarray(0, Math.max(0, chunk.length + bytesLeft)), cut);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sent: () => sent,
    cutAfter: (bytes) => {
      bytesLeft = bytes;
    },
    close() {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
