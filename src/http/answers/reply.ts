// How routes answer: decorators of Fastify's reply. All of them send.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { Language } from '../../locales/language.ts';
import { leavesWhole } from './envelope.ts';
import { isKnown } from './etag.ts';
import { LIST_VARY, PRESENTED, REVALIDATED } from './headers.ts';
import type { StoredAnswer } from './stored-list.ts';

/** Text and bytes are JSON already. */
export type Body = string | Buffer | object;

/** Text that is sent piece by piece, the next when the client has room for it. */
export type Pieces = AsyncIterable<string | Uint8Array>;

declare module 'fastify' {
  interface FastifyReply {
    /** Sends a body with its entity tag, or 304 to a client that has it. `language`: that of its texts. */
    conditional(body: Body, etag: string, language?: Language): FastifyReply;
    /** Sends a list in the form that the client takes best. */
    list(stored: StoredAnswer): FastifyReply;
    /**
     * Sends pieces until nothing waits for them any longer (`return` tells them so); for HEAD they are never begun. Of
     * `whole` they are of use together only: what does not come to its end cuts the connection. Of an `open end` a reader
     * can make do with a beginning, so the answer ends where it fails. They must end when `waiting()` is aborted.
     */
    pieces(pieces: Pieces, use: 'whole' | 'open end'): FastifyReply;
    /** Sends nothing. Texts of the answer are in `language`: other readers may get others, and caches are told. */
    inLanguage(language: Language): FastifyReply;
    /** The list being sent, if it is one. */
    stored: StoredAnswer | undefined;
    /** `Cache-Control` of an answer to the public; one in the answer's own headers counts more. */
    storage: string | undefined;
    /**
     * Aborted when nothing waits for the answer any longer: it was sent, the client has gone, or the service shuts
     * down.
     */
    waiting(): AbortSignal;
    /** Logs a failure in the middle of an answer. */
    failed(error: unknown): void;
  }
}

export const replies = fp(async (app: FastifyInstance) => {
  app.decorateReply('stored');
  app.decorateReply('storage');

  app.decorateReply('inLanguage', function (language) {
    this.header('vary', `${this.getHeader('vary') ?? 'Origin, Authorization'}, Accept-Language`);
    return this.statusCode === 304 ? this : this.header('content-language', language.code);
  });

  app.decorateReply('conditional', function (body, etag, language) {
    const { caller, password, headers } = this.request;
    // What a reader of the public gets for a password, which may stand in the body where no cache looks.
    if (caller === null && password !== undefined) this.header('cache-control', PRESENTED);
    const isHeld = isKnown(headers['if-none-match'], etag);
    this.code(isHeld ? 304 : 200).header('etag', etag);
    if (language) this.inLanguage(language);
    return isHeld ? this.send() : this.send(body);
  });

  app.decorateReply('list', function (stored) {
    const { list, freshness, place } = stored;
    const { headers, queryString } = this.request;
    const isWhole = leavesWhole(queryString);
    const accepted = isWhole ? headers['accept-encoding'] : undefined;
    const { status, etag, form } = list.choose(accepted, headers['if-none-match']);
    this.stored = stored;
    if (place !== null && freshness !== null) this.shows = ['list'];
    this.storage = place === null ? PRESENTED : REVALIDATED;
    this.code(status).headers(list.headers);
    if (freshness) this.headers(freshness.headers);
    this.header('etag', etag);
    if (isWhole) this.header('vary', LIST_VARY);
    if (form?.coding) this.header('content-encoding', form.coding);
    if (form === null) return this.send();
    return this.send(form.bytes);
  });

  app.decorateReply('pieces', function (pieces, use) {
    const { raw } = this;
    const stream = Readable.from(reported(this, pieces, use));
    const waiting = this.waiting();
    const cut = (): void => {
      stream.unpipe(raw);
      if (use === 'whole') raw.destroy();
      else raw.end();
      stream.destroy();
    };
    if (waiting.aborted) cut();
    else waiting.addEventListener('abort', cut, { once: true });
    raw.once('finish', () => waiting.removeEventListener('abort', cut));
    return this.send(stream);
  });
});

async function* reported(
  reply: FastifyReply,
  pieces: Pieces,
  use: 'whole' | 'open end',
): AsyncGenerator<string | Uint8Array, void, undefined> {
  try {
    yield* pieces;
  } catch (error) {
    if (reply.raw.headersSent) reply.failed(error);
    if (use === 'whole' || !reply.raw.headersSent) throw error;
  }
}
