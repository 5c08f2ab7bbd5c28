// The API as the desk uses it: its own routes, asked within the process in the name of the user who is signed in. So a
// page can do what the API can, with the same checks, rights, reviews and errors, and nothing else.
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { type ApiError, errorBody } from '../../http/errors.ts';
import { SITE_HEADERS } from '../../http/forwarded.ts';
import { queryText } from '../../kernel/text/query-text.ts';
import type { DeskWord, Language } from '../../locales/language.ts';
import type { User } from '../../people/auth/caller.ts';
import type { Tickets } from '../../people/auth/tickets.ts';
import { type DeskWords, wordsOf } from '../words.ts';

/** Why the API refused something, in the language of the user. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** What is allowed, by parameter. */
  readonly fields: { readonly [parameter: string]: string };
  /** Further members of the error, `conflicts` for example. */
  readonly data: { readonly [member: string]: unknown };
}

export interface ApiAnswer<Body> {
  readonly status: number;
  /** Only of use without a problem. */
  readonly body: Body;
  readonly headers: { readonly [name: string]: string };
  readonly problem: Problem | null;
}

/** The conditions of a write. */
export interface WriteTerms {
  /** The `ETag` of what was shown: others may have changed it since. */
  readonly ifMatch?: string;
  readonly reason?: string;
}

export type QueryMembers = { readonly [name: string]: string | number | readonly (string | number)[] | undefined };

export type DeskApi = ReturnType<typeof openDeskApi>;

/** An error of our own in the form of an answer. */
export const problemFrom = (error: ApiError, language: Language): Problem =>
  problemIn(error.status, errorBody(error, language), wordsOf(language.desk));

/** What a page itself finds wrong with a form. */
export const problemOf = (message: string, fields: Problem['fields'] = {}): Problem => ({
  status: 400,
  message,
  fields,
  code: '',
  data: {},
});

/** The API refused what a page needs. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

interface DeskApiOptions {
  readonly app: Pick<FastifyInstance, 'inject'>;
  readonly tickets: Tickets;
  /** The path of the API, without slashes around it. */
  readonly apiPrefix: string;
}

interface Asking {
  readonly request: FastifyRequest;
  readonly user: User;
  readonly language: string;
  readonly words: DeskWords;
  /** The key of the form that is carried out; '': there is none. */
  readonly key: string;
}

export function openDeskApi(
  { app, tickets, apiPrefix }: DeskApiOptions,
  { request, user, language, words, key }: Asking,
) {
  const surroundings = {
    host: request.headers.host ?? '',
    'accept-language': language,
    ...forwarded(request),
    ...(request.traceparent !== undefined && { traceparent: request.traceparent }),
  };

  const call = async <Body>(
    method: HTTPMethods,
    path: string,
    {
      headers = {},
      payload,
    }: { readonly headers?: { readonly [name: string]: string }; readonly payload?: string | Buffer },
  ): Promise<ApiAnswer<Body>> => {
    const answer = await tickets.lend({ user, requestId: request.id }, (authorization) =>
      app.inject({
        method,
        url: `/${apiPrefix}${path}`,
        headers: { ...surroundings, ...headers, authorization },
        ...(payload !== undefined && { payload }),
      }),
    );
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    // What the API answers is what its document says.
    const body = (isJson && answer.payload !== '' ? JSON.parse(answer.payload) : answer.payload) as Body;
    return {
      status: answer.statusCode,
      body,
      headers: namedHeaders(answer.headers),
      problem: answer.statusCode < 400 ? null : problemIn(answer.statusCode, body, words),
    };
  };

  const ask = <Body>(path: string, query: QueryMembers = {}): Promise<ApiAnswer<Body>> =>
    call('GET', path + queryText(pairsOf(query)), {});

  async function answered<Body>(path: string, query?: QueryMembers): Promise<ApiAnswer<Body>> {
    const answer = await ask<Body>(path, query);
    if (answer.problem) throw new ApiProblem(answer.problem);
    return answer;
  }

  return {
    /** The correlation id of all that is sent; that of a form is the same when it is sent again. */
    get requestId() {
      return request.id;
    },
    /** Answers of any status. Paths are below the API's root: `/events/7`. */
    ask,
    /** The body; throws `ApiProblem` where there is a problem. */
    read: async <Body>(path: string, query?: QueryMembers) => (await answered<Body>(path, query)).body,
    /** Reads as `read` does, and answers the entity tag as well. */
    async tagged<Body>(path: string) {
      const { body, headers } = await answered<Body>(path);
      return { body, etag: headers.etag ?? '' };
    },
    /**
     * A write, with members as JSON. Answers of any status: 202 is a proposal. The hidden field `_key` of the form is its
     * idempotency key, so a form that is sent twice creates nothing twice.
     */
    send<Body>(
      method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      path: string,
      members: object = {},
      { ifMatch, reason }: WriteTerms = {},
    ) {
      const payload = JSON.stringify(members);
      const headers = {
        'content-type': 'application/json',
        ...(ifMatch !== undefined && ifMatch !== '' && { 'if-match': ifMatch }),
        ...keyOf(key, [method, path, reason], payload),
        ...(reason !== undefined && reason !== '' && { 'x-change-reason': encodeURIComponent(reason) }),
      };
      return call<Body>(method, path, { headers, payload });
    },
    /** A long answer as it comes; `stream` is only of use without a problem. */
    async download(path: string, query: QueryMembers) {
      const url = `/${apiPrefix}${path}${queryText(pairsOf(query))}`;
      const answer = await tickets.lend({ user, requestId: request.id }, (authorization) =>
        app.inject({ method: 'GET', url, headers: { ...surroundings, authorization }, payloadAsStream: true }),
      );
      const stream = answer.stream();
      const headers = namedHeaders(answer.headers);
      if (answer.statusCode < 400) return { stream, headers, problem: null };
      const body: unknown = JSON.parse(Buffer.concat(await stream.toArray()).toString());
      return { stream, headers, problem: problemIn(answer.statusCode, body, words) };
    },
    /** A form with a file. */
    async upload<Body>(path: string, form: FormData) {
      const encoded = new Response(form);
      const file = form.get('file');
      const content = file instanceof File ? Buffer.from(await file.arrayBuffer()) : '';
      const type = encoded.headers.get('content-type') ?? '';
      return call<Body>('POST', path, {
        headers: { 'content-type': type, ...keyOf(key, ['POST', path], content) },
        payload: Buffer.from(await encoded.arrayBuffer()),
      });
    },
    /** Whether the API lets this user send that: what a page need not offer is what its routes do not name in `Allow`. */
    async allows(method: 'POST' | 'PATCH' | 'DELETE', path: string) {
      const { headers } = await call('OPTIONS', path, {});
      return (headers.allow ?? '').split(', ').includes(method);
    },
  };
}

/** One key for each write of a form: sent twice it counts once, sent again with other content it is another write. */
function keyOf(key: string, write: readonly (string | undefined)[], payload: string | Uint8Array) {
  if (key === '') return {};
  return {
    'idempotency-key': createHash('sha256')
      .update([key, ...write, ''].join('\n'))
      .update(payload)
      .digest('hex'),
  };
}

const namedHeaders = (headers: object): ApiAnswer<never>['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** A trusted proxy says by which address the user has come. */
function forwarded({ headers }: FastifyRequest): { readonly [name: string]: string } {
  return Object.fromEntries(
    SITE_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

const pairsOf = (query: QueryMembers): readonly (readonly [string, string])[] =>
  Object.entries(query).flatMap(([name, value]): readonly (readonly [string, string])[] => {
    if (value === undefined || value === '') return [];
    return typeof value === 'object' ? value.map((one) => [`${name}[]`, String(one)]) : [[name, String(value)]];
  });

function problemIn(status: number, body: unknown, words: DeskWords): Problem {
  // The envelope of every error.
  const {
    code = '',
    message = '',
    data = {},
  } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly code?: string;
    readonly message?: string;
    readonly data?: { readonly [member: string]: unknown };
  };
  const { params } = data;
  const isByName = typeof params === 'object' && params !== null;
  const isNamed = isByName && Object.keys(params).length > 0;
  if (!Array.isArray(params))
    return {
      status,
      code,
      data,
      message: ownText({ code, message, data }, words) ?? (isNamed ? words('wrong_fields') : message),
      fields: isByName ? { ...params } : {},
    };
  // Named by their labels, beside the message.
  const missing = params.map((name) => [String(name), words('missing_field')]);
  return { status, code, message: words('missing_fields'), data, fields: Object.fromEntries(missing) };
}

/** Where the API's text names members or headers of its answer, which a page does not show. */
function ownText({ code, message, data }: Omit<Problem, 'status' | 'fields'>, words: DeskWords): string | undefined {
  const reason = WHY_NOT_MERGED.find((one) => one === data.why);
  if (code === 'rest_cannot_merge' && reason !== undefined) return words(`cannot_merge_${reason}`);
  if (code === 'rest_unavailable') return message.includes('Retry-After') ? words('unreachable') : undefined;
  const word = OWN_TEXTS[code];
  return word && words(word);
}

const WHY_NOT_MERGED = ['itself', 'below', 'in_trash', 'merged'] as const;
const OWN_TEXTS: { readonly [code: string]: DeskWord } = {
  rest_proposal_conflict: 'proposal_conflict',
  rest_proposal_closed: 'proposal_closed',
  rest_set_closed: 'set_closed',
  rest_set_unfit: 'set_unfit',
  rest_user_exists: 'user_exists',
  rest_merged: 'is_merged',
  rest_rate_limited: 'too_often',
  rest_not_there_then: 'not_there_then',
  rest_precondition_failed: 'changed_meanwhile',
  term_exists: 'name_taken',
};
