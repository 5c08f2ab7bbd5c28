// Answers of routes as Fastify replies.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { leavesWhole } from './envelope.ts';
import { LIST_VARY, PRESENTED, REVALIDATED } from './headers.ts';
import { inLanguage } from './plugins/answers.ts';
import { queryOf } from './plugins/request-context.ts';
import type { ApiAnswer } from './route.ts';
import type { StoredAnswer } from './stored-list.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** The list being sent, if it is one. */
    stored: StoredAnswer | undefined;
    /**
     * Aborted when nothing waits for the answer any longer: it was sent, the client has gone, or the service shuts
     * down.
     */
    waiting(): AbortSignal;
    /** Logs a failure in the middle of an answer. */
    failed(error: unknown): void;
  }
}

export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: ApiAnswer): FastifyReply {
  const { status, body, headers, language, stored, pieces, whole } = answer;
  if (stored) return sendList(request, reply, stored);
  reply.code(status);
  if (headers) reply.headers(headers);
  if (language) inLanguage(reply, language);
  if (pieces) return sendPieces(reply, pieces, whole ? 'whole' : 'open end');
  return reply.send(status === 304 ? undefined : body);
}

/** Sends a list in the client's preferred form; its text, if it is reduced or wrapped. */
export function sendList(request: FastifyRequest, reply: FastifyReply, stored: StoredAnswer): FastifyReply {
  const { list, shown, found } = stored;
  const isWhole = leavesWhole(queryOf(request));
  const accepted = isWhole ? request.headers['accept-encoding'] : undefined;
  const { status, etag, form } = list.choose(accepted, request.headers['if-none-match']);
  reply.stored = stored;
  reply.storage = found === null ? PRESENTED : REVALIDATED;
  reply.code(status).headers(list.headers);
  if (shown) reply.headers(shown.headers);
  reply.header('etag', etag);
  if (isWhole) reply.header('vary', LIST_VARY);
  if (form?.coding) reply.header('content-encoding', form.coding);
  if (form === null) return reply.send();
  return reply.send(isWhole ? form.bytes : list.text());
}

/**
 * Sends text piece by piece, as fast as the client reads it. Ends when nothing waits for it any longer. `whole`: a part
 * of it is useless, so a failure cuts the connection. `open end`: a beginning is useful, so the answer ends at a
 * failure.
 */
function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<string | Uint8Array>,
  use: 'whole' | 'open end',
): FastifyReply {
  const { raw } = reply;
  const stream = Readable.from(reported(reply, pieces, use));
  const waiting = reply.waiting();
  const cut = (): void => {
    stream.unpipe(raw);
    if (use === 'whole') raw.destroy();
    else raw.end();
    stream.destroy();
  };
  if (waiting.aborted) cut();
  else waiting.addEventListener('abort', cut, { once: true });
  raw.once('finish', () => waiting.removeEventListener('abort', cut));
  return reply.send(stream);
}

async function* reported(
  reply: FastifyReply,
  pieces: AsyncIterable<string | Uint8Array>,
  use: 'whole' | 'open end',
): AsyncGenerator<string | Uint8Array, void, undefined> {
  try {
    yield* pieces;
  } catch (error) {
    if (reply.raw.headersSent) reply.failed(error);
    if (use === 'whole' || !reply.raw.headersSent) throw error;
  }
}
