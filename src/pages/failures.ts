// Errors as pages, and as a line of text where a script reads them.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiError, asApiError } from '../http/errors.ts';
import type { PageWord } from '../locales/language.ts';
import { pageText } from './html.ts';
import { errorPage } from './public/error-page.ts';
import type { Surroundings } from './public/layout.ts';

export interface FailureDependencies {
  /** Logs a failure, and returns what clients may know of it. */
  readonly report: (request: FastifyRequest, thrown: unknown) => ApiError;
  /** Throws the error of a request whose host cannot be used in links. */
  readonly surroundingsOf: (request: FastifyRequest) => Surroundings;
}

/** What the API says of these is meant for programs: visitors see no header, and send no parameter. */
const TEXTS: { readonly [statusOrCode: string]: PageWord } = {
  'event-password-protected': 'protected_text',
  404: 'not_found_text',
  429: 'too_often',
  503: 'unavailable_text',
};

export type ErrorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** An error handler that answers in a page, or in a line of text. */
export const answeringErrors =
  ({ report, surroundingsOf }: FailureDependencies, form: 'page' | 'text'): ErrorHandler =>
  (thrown, request, reply) => {
    const error = report(request, thrown);
    const surroundings = knownSurroundings(() => surroundingsOf(request));
    reply.code(error.status).headers({ ...error.headers, 'cache-control': 'no-store' });
    // Browsers show nothing of a redirect.
    if (error.headers.Location !== undefined) return reply.send();
    const type = form === 'page' ? 'html' : 'plain';
    reply.type(`text/${type}; charset=utf-8`);
    if (!surroundings)
      return reply.send(form === 'page' ? '<!doctype html>\n<title>Invalid host</title>\n' : 'Invalid host');
    const { words, language } = surroundings;
    const word = TEXTS[error.code] ?? TEXTS[error.status];
    const text = word ? words(word) : error.text(language);
    return reply.send(
      form === 'page' ? pageText(errorPage(surroundings, { status: error.status, text }), surroundings.site) : text,
    );
  };

/** Null for a request whose host cannot be used in links. */
function knownSurroundings(find: () => Surroundings): Surroundings | null {
  try {
    return find();
  } catch (error) {
    if (asApiError(error).code === 'rest_invalid_host') return null;
    throw error;
  }
}
