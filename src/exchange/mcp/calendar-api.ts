// The calendar as assistants reach it: a running service over HTTP, in the name of one user. Whatever is asked of it, it
// reads or proposes: there is no third kind of request.
// decision 27: assistants propose, also if their user may write.

import { COLLECTIONS } from '../../calendar/resource/domain/collections.ts';
import { queryText } from '../../kernel/text/query-text.ts';
import type { CalendarSettings } from './calendar-settings.ts';

type Kind = keyof typeof COLLECTIONS;
export const KINDS = Object.keys(COLLECTIONS) as readonly Kind[]; // Its own keys.
type Collection = (typeof COLLECTIONS)[Kind];

/** The paths that anything is sent to. */
type ProposalPath = `/${Collection}/proposals` | `/${Collection}/${number}/proposals` | `/proposals/${number}/comments`;

/** Lists are joined by commas; what is undefined is left out. */
type Query = {
  readonly [name: string]: string | number | boolean | readonly (string | number)[] | undefined;
};

export type Json = { readonly [member: string]: unknown };

export type CalendarApi = ReturnType<typeof openCalendarApi>;

const DEADLINE_MS = 60_000;

/** Its methods throw an error for the assistant, with what the API says is allowed. */
export function openCalendarApi({ root, token }: CalendarSettings, send: typeof fetch = fetch) {
  const headers = {
    accept: 'application/json',
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };

  async function ask(path: string, query: Query, request: RequestInit): Promise<Json> {
    const address = `${root}${path}${queryText(pairsOf(query))}`;
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const response = await send(address, { ...request, headers: { ...headers, ...request.headers }, signal }).catch(
      () => {
        throw new Error(`The calendar at ${root} does not answer. Is it running, and is DAYBOOK_URL its address?`);
      },
    );
    const body = await bodyOf(response);
    if (!response.ok) throw new Error(refusal(response.status, body));
    return body;
  }

  return {
    read: (path: string, query: Query = {}): Promise<Json> => ask(path, query, { method: 'GET' }),
    /** Opens, revises or comments a proposal. Members that the API does not have are refused. */
    propose: (path: ProposalPath, members: object): Promise<Json> =>
      ask(
        path,
        { strict: true },
        // A redirected write would be sent where nothing here says.
        {
          method: 'POST',
          redirect: 'manual',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(members),
        },
      ),
  };
}

async function bodyOf(response: Response): Promise<Json> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? { ...body } : {};
  } catch {
    return {};
  }
}

/** The error of the API in a line: its sentence says what is allowed. */
function refusal(status: number, { code, message }: Json): string {
  if (typeof message !== 'string')
    return `The calendar answered ${status}, and not as Daybook does: check DAYBOOK_URL.`;
  return `${message} (${status} ${String(code)})`;
}

const pairsOf = (query: Query): readonly (readonly [string, string])[] =>
  Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)] as const],
  );
