// The API as a shim uses it: its routes under the same alias, asked within the process in the name of the caller. So a shim
// translates, and decides nothing: rights, reviews and checks are those of the API.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { present } from '../../../domain/present.ts';
import { ApiError } from '../../../http/errors.ts';
import { SITE_HEADERS } from '../../../http/forwarded.ts';
import { queryText } from '../../../kernel/text/query-text.ts';
import { argumentText } from '../../../kernel/text/wire-words.ts';
import { ERROR_STATUSES, type ErrorCode } from '../../../locales/error-catalogue.ts';
import type { Tickets } from '../../../people/auth/tickets.ts';

type OwnMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Members of a query; lists are joined by commas, empty values left out. */
type Query = { readonly [name: string]: unknown };

interface OwnRequest {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly members?: object;
  /** A form with a file. */
  readonly form?: FormData;
}

export interface OwnAnswer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: { readonly [name: string]: string };
}

export type OwnApi = ReturnType<typeof openOwnApi>;

interface OwnApiOptions {
  readonly app: FastifyInstance;
  readonly tickets: Pick<Tickets, 'lend'>;
  /** The path of the API, without slashes around it. */
  readonly prefix: string;
}

export function openOwnApi({ app, tickets, prefix }: OwnApiOptions) {
  /** Where a shim has what is at this address of the API. */
  const beside = ({ links }: FastifyRequest, address: string): string =>
    address.replace(`${links.site}/${prefix}/`, () => `${links.root}/`);

  return {
    /** `path` is below the root of the API. Throws what the API refuses. */
    async ask<Body>(request: FastifyRequest, method: OwnMethod, path: string, input: OwnRequest = {}) {
      const { query = {} } = input;
      const { headers, payload } = await bodyOf(input);
      const send = (authorization?: string) =>
        app.inject({
          method,
          url: `/${prefix}${path}${queryText(pairsOf(query))}`,
          headers: present({ ...passedOn(request), ...headers, authorization }),
          ...present({ payload }),
        });
      const { caller: user, id: requestId } = request;
      const answer = user === null ? await send() : await tickets.lend({ user, requestId }, send);
      // What the API answers is what its document says.
      const body = JSON.parse(answer.payload) as Body;
      const named = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
      const own: OwnAnswer<Body> = { status: answer.statusCode, body, headers: Object.fromEntries(named) };
      if (own.status >= 300) throw refusalIn(own, (address) => beside(request, address));
      return own;
    },
  };
}

async function bodyOf({ members, form }: OwnRequest) {
  if (form !== undefined) {
    const encoded = new Response(form);
    const type = encoded.headers.get('content-type') ?? '';
    return { headers: { 'content-type': type }, payload: Buffer.from(await encoded.arrayBuffer()) };
  }
  if (members === undefined) return { headers: {}, payload: undefined };
  return { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(members) };
}

const PASSED_ON = [
  ...['host', ...SITE_HEADERS],
  ...['if-match', 'idempotency-key', 'x-change-reason', 'x-bypass-review', 'x-daybook-position'],
];

const passedOn = ({ headers, language }: FastifyRequest): { readonly [name: string]: string } => ({
  ...Object.fromEntries(
    PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  ),
  'accept-language': language.code,
});

const pairsOf = (query: Query): readonly (readonly [string, string])[] =>
  Object.entries(query).flatMap(([name, value]) => {
    const text = argumentText(value ?? '');
    return text === '' ? [] : [[name, text] as const];
  });

interface ErrorEnvelope {
  readonly code: string;
  readonly message: string;
  readonly data: { readonly [member: string]: unknown };
}

const isCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_STATUSES, code);

const HEADERS_OF_ERRORS = ['retry-after', 'www-authenticate'];

/** An error of the API again, in the language that it was told in. */
function refusalIn({ status, body, headers }: OwnAnswer<unknown>, beside: (address: string) => string): ApiError {
  const { code, message, data, ...extra } = body as ErrorEnvelope; // Of every error.
  const { status: _, ...others } = data;
  return new ApiError(isCode(code) ? code : 'internal_server_error', {
    status,
    extra,
    data: others,
    text: () => message,
    headers: {
      ...Object.fromEntries(HEADERS_OF_ERRORS.flatMap((name) => (headers[name] ? [[name, headers[name]]] : []))),
      ...(headers.location && { location: beside(headers.location) }),
    },
  });
}

const CARRIED = ['cache-control', 'vary', 'content-language', 'x-daybook-position', 'x-daybook-lag', 'x-daybook-views'];

/** Gives the reply what the answer of the API says about caches, and how new it is. */
export function carryHeaders(reply: FastifyReply, { headers }: Pick<OwnAnswer<unknown>, 'headers'>): FastifyReply {
  for (const name of CARRIED) if (headers[name] !== undefined) reply.header(name, headers[name]);
  return reply;
}

/** Does what a shim asks of the API; another error is told where its clients know one by another code. */
export async function translating<Answer>(
  codes: { readonly [Code in ErrorCode]?: ErrorCode },
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof ApiError ? codes[error.code] : undefined;
    throw code === undefined ? error : new ApiError(code);
  }
}
