// Sends requests one by one, and makes of one that went wrong the smallest that still does.

import type { Position, RecordedEvent } from '../../src/log/envelope.ts';
import type { TestService } from '../support/service.ts';
import { bytesOf, type FuzzRequest, targetOf } from './requests.ts';
import { callerOf, type FuzzAnswer, isWrite, type Judge } from './verdict.ts';

const HOST = 'cal.example';
const MAX_TRIES = 150;

/** With the credentials of its caller, as the service of a test has them. */
export async function sendTo(daybook: TestService, request: FuzzRequest): Promise<FuzzAnswer> {
  const { as, method, headers, body } = request;
  const answer = await daybook.service.app.inject({
    // biome-ignore lint/suspicious/noExplicitAny: unknown methods are sent, too
    method: method as any,
    url: targetOf(request),
    headers: {
      host: HOST,
      ...(as === 'anonymous' ? {} : { authorization: daybook.authorization(as) }),
      ...Object.fromEntries(headers),
      ...(body?.packed === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
    },
    ...(body ? { payload: bytesOf(body) } : {}),
  });
  const texts = Object.entries(answer.headers).map(([name, value]) => [name, value && String(value)]);
  return { status: answer.statusCode, headers: Object.fromEntries(texts), text: answer.payload };
}

/** The service also writes by itself meanwhile: it polls sources, for example. */
async function writtenBy({ headers }: FuzzAnswer, { store }: TestService, after: Position): Promise<RecordedEvent[]> {
  const request = headers['x-request-id'];
  const written = await store.readAll({ after, limit: 50 });
  return written.filter(({ metadata }) => request === undefined || metadata.correlationId === request);
}

export interface Outcome {
  /** What went wrong; null when nothing did. */
  readonly wrong: string | null;
  readonly answer: FuzzAnswer | null;
}

/** Sends a request and looks at everything that came of it. */
export async function attempt(daybook: TestService, judge: Judge, request: FuzzRequest): Promise<Outcome> {
  const before = isWrite(request) ? await daybook.store.head() : null;
  const logged = daybook.logged.length;
  const answer = await sendTo(daybook, request).catch((error: unknown) => String(error));
  if (typeof answer === 'string') return { wrong: `no answer: ${answer}`, answer: null };
  const wrong = judge(request, answer);
  if (wrong) return { wrong: `${wrong}\n  ${answer.status} ${answer.text.slice(0, 400)}`, answer };
  if (daybook.logged.length > logged)
    return { wrong: `logged: ${JSON.stringify(daybook.logged.at(-1)).slice(0, 1_500)}`, answer };
  const written = before === null || answer.status < 400 ? [] : await writtenBy(answer, daybook, before);
  if (written.length === 0) return { wrong: null, answer };
  const streams = written.map(({ stream, type, metadata }) => JSON.stringify([stream, type, metadata]));
  return { wrong: `a refusal wrote ${streams.join()}: ${answer.status} ${answer.text.slice(0, 200)}`, answer };
}

/** Leaves out what can be left out. `fails` says whether what is left still goes wrong. */
export async function shrunk(
  request: FuzzRequest,
  fails: (smaller: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  let smallest = request;
  for (let at = 0, tries = 0; at < partsOf(smallest).length && tries < MAX_TRIES; tries++) {
    const smaller = partsOf(smallest)[at];
    if (smaller && (await fails(smaller))) smallest = smaller;
    else at += 1;
  }
  return smallest;
}

const without = <T>(list: readonly T[], index: number): T[] => list.filter((_, at) => at !== index);

/** The request without one of its parts, for each of them. */
function partsOf(request: FuzzRequest): FuzzRequest[] {
  const { query, headers, body } = request;
  const smallerBodies = body ? body.members.map((_, at) => ({ ...body, members: without(body.members, at) })) : [];
  return [
    ...(body ? [{ ...request, body: null }] : []),
    ...query.map((_, at) => ({ ...request, query: without(query, at) })),
    ...headers.map((_, at) => ({ ...request, headers: without(headers, at) })),
    ...smallerBodies.map((smaller) => ({ ...request, body: smaller })),
  ];
}

const MAX_SHOWN = 3_000;

/** For a shell's `$'…'`. */
const quoted = (text: string): string =>
  `$'${text
    .slice(0, MAX_SHOWN)
    .replace(/[\\']/g, '\\$&')
    .replace(/[\n\r\0]/g, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`)}'`;

/** The request as a line for a shell, with the caller in place of a token. */
export function curlLine(request: FuzzRequest): string {
  const { method, headers, body } = request;
  const caller = callerOf(request);
  const bytes = body ? bytesOf(body) : null;
  const data = body?.packed === 'plain' ? `--data-binary ${quoted(String(bytes))}` : '';
  const packed = bytes && !data ? `# with this body in base64: ${bytes.toString('base64').slice(0, MAX_SHOWN)}` : '';
  return [
    `curl -i -X ${method} ${quoted(`http://${HOST}${targetOf(request)}`)}`,
    ...(caller === 'anonymous' ? [] : [`-H 'Authorization: Bearer <${caller}>'`]),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    data || packed,
  ].join(' ');
}
