// The feed of changes as Server-Sent Events.
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { Position } from '../../../log/envelope.ts';
import type { ChangeEntry, ChangesPage } from '../queries/changes.ts';

export const STREAM_TYPE = 'text/event-stream';
/** The client's delay before it reconnects. */
const RETRY_MS = 2_000;

export const STREAM_HEADERS = {
  'Content-Type': `${STREAM_TYPE}; charset=UTF-8`,
  // Proxies that buffer an answer would hold it back for ever.
  'X-Accel-Buffering': 'no',
};

/** Whether `Accept` names event streams: who takes any type gets JSON. */
export const wantsStream = (accept: string | string[] | undefined): boolean =>
  new Negotiator({ headers: { accept: String(accept ?? '').toLowerCase() } }).mediaTypes().includes(STREAM_TYPE);

/** The position of a client that was connected before. */
export function lastEventId(headers: FastifyRequest['headers']): string | undefined {
  const sent = headers['last-event-id'];
  return typeof sent === 'string' && sent !== '' ? sent : undefined;
}

/** `pages` begin after `after`. If they fail the stream ends; the next connection gets the reason. */
export async function* changesStream(
  pages: AsyncIterable<ChangesPage>,
  after: Position,
  show: (entry: ChangeEntry) => object,
): AsyncGenerator<string, void, undefined> {
  let sent = after;
  yield `retry: ${RETRY_MS}\n${idFrame(sent)}\n`;
  for await (const { changes, next } of pages) {
    const events = changes.map((entry) => eventFrame(entry.position, show(entry)));
    sent = changes.at(-1)?.position ?? sent;
    // A lone id moves the position to resume at: what lies between was not for this client.
    if (next !== sent) events.push(`${idFrame(next)}\n`);
    sent = next;
    yield events.length > 0 ? events.join('') : ':\n\n';
  }
}

const idFrame = (position: Position): string => (position === '' ? '' : `id: ${position}\n`);

const eventFrame = (position: Position, change: object): string =>
  `${idFrame(position)}event: change\ndata: ${JSON.stringify(change)}\n\n`;
