// What no answer may be, whatever was asked: not documented, not in its envelope, or more than the caller may be told.
import { ERROR_STATUSES, type ErrorCode } from '../../src/locales/error-catalogue.ts';
import type { DocumentCheck } from '../support/documented.ts';
import { type As, type Body, PREFIX } from '../support/service.ts';
import type { MarkedCalendar, Secret } from './marked-calendar.ts';
import { bytesOf, type FuzzRequest, SHIM_ROOT, targetOf } from './requests.ts';

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | undefined };
  readonly text: string;
}

const SUCCESSES = [200, 201, 204, 304];
/** Nothing of what is sent here is a reason to be out of order. */
const STATUSES: ReadonlySet<number> = new Set([
  ...SUCCESSES,
  ...Object.values(ERROR_STATUSES).filter((status) => status < 500),
]);
const WRITING = ['POST', 'PUT', 'PATCH', 'DELETE'];
const METHODS = ['GET', ...WRITING];
/** What paths of the document are below: the API, and its shims. */
const ROOTS = [PREFIX, SHIM_ROOT];
/** Lines of a stack, modules, paths of this machine. */
const INSIDES = [
  /\n\s+at .+:\d+/,
  /\\n\s+at .+:\d+/,
  /\bnode:[a-z]/,
  /node_modules/,
  /\.[tj]s:\d+/,
  /SQLITE_|scrypt\$/,
  new RegExp(process.cwd()),
];
const MARK = /qz[0-9a-z]+?zq/g;
/** Folded lines of iCalendar, which a reader joins. */
const CUT = /\r\n[ \t]/g;

/** A caller with other credentials than those of the run counts as anonymous. */
export const callerOf = ({ as, headers }: FuzzRequest): As =>
  headers.some(([name]) => name === 'authorization') ? 'anonymous' : as;

/** All that was sent, as far as it can be read. */
export function sentText(request: FuzzRequest): string {
  const texts = [targetOf(request), ...request.headers.map(([, value]) => value)];
  if (request.body) texts.push(bytesOf({ ...request.body, packed: 'plain' }).toString());
  return texts
    .flatMap((text) => [text, decoded(text)])
    .join('\n')
    .toLowerCase();
}

function decoded(text: string): string {
  return text.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

export const isWrite = ({ method }: FuzzRequest): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method);

/** Whether it might change what is to stay as it is, by the rights of the caller. */
export function spoils(request: FuzzRequest, { guarded, names }: MarkedCalendar): boolean {
  if (!isWrite(request)) return false;
  const path = decoded(request.path).toLowerCase().replace(PREFIX, '');
  // A proposal is carried out by the right of its approver.
  const caller = path.includes('/proposals') ? 'administrator' : callerOf(request);
  const ids = new Set((path.match(/\d+/g) ?? []).map(Number));
  const space = path.includes('/users') ? 'user' : path.includes('/categories') ? 'category' : 'post';
  const reaches = guarded.some(({ id, kind, writers }) => {
    const of = kind === 'user' || kind === 'category' ? kind : 'post';
    return of === space && ids.has(id) && writers.includes(caller);
  });
  if (reaches) return true;
  const sent = sentText(request);
  return names.some(({ text, writers }) => writers.includes(caller) && sent.includes(text.toLowerCase()));
}

/** Which secret a text tells to a caller who may not be told it, and who has not said it himself. */
export type FindLeak = (caller: As, sent: string, text: string) => string | null;

export function openLeaks({ secrets }: MarkedCalendar): FindLeak {
  const byMark = new Map(secrets.map((secret) => [secret.mark, secret]));
  const unmarked = secrets.filter(({ mark }) => mark.match(MARK) === null);
  return (caller, sent, text) => {
    const told = text.replace(CUT, '');
    const met = [...new Set(told.match(MARK) ?? [])].flatMap((mark) => byMark.get(mark) ?? []);
    const found: Secret[] = [...met, ...unmarked.filter(({ mark }) => told.includes(mark))];
    const leaked = found.find(
      ({ mark, readers, password }) =>
        !readers.includes(caller) && !sent.includes(mark.toLowerCase()) && !(password && sent.includes(password)),
    );
    return leaked ? `${caller} is told ${leaked.what} (${leaked.mark})` : null;
  };
}

/** What of the inside of the service a text shows. */
export const insideIn = (text: string): RegExp | undefined => INSIDES.find((pattern) => pattern.test(text));

/** The first thing that is wrong with an answer; null when nothing is. */
export type Judge = (request: FuzzRequest, answer: FuzzAnswer) => string | null;

export function openJudge(calendar: MarkedCalendar, check: DocumentCheck): Judge {
  const findLeak = openLeaks(calendar);

  function undocumented(request: FuzzRequest, answer: FuzzAnswer, body: Body): string | null {
    const { method, path, query, headers } = request;
    const root = ROOTS.find((one) => path.startsWith(`${one}/`));
    const isPlain =
      METHODS.includes(method) &&
      root !== undefined &&
      !/\/\/|%|;|\.\.|\/$/.test(path) &&
      !query.some((part) => /^_(?:envelope|fields|method)/.test(part)) &&
      !headers.some(([name]) => name === 'x-http-method-override') &&
      !request.body?.members.some((member) => /^"?_(?:envelope|fields|method)/.test(member));
    if (!isPlain) return null;
    const { status } = answer;
    const found = check.problems({ method, target: path.slice(root.length), status, headers: answer.headers, body });
    // What no route has may be refused for its host, language or length before the route is looked up.
    if (found[0]?.match(/is not documented, and answers 4(?:00|13|14)$/)) return null;
    return found[0] === undefined ? null : `not as documented: ${found[0]}`;
  }

  return (request, answer) => {
    const { status, headers, text } = answer;
    if (!STATUSES.has(status) && !isNotOffered(answer)) return `status ${status}`;
    const inside = insideIn(text);
    if (inside) return `the answer shows ${inside}`;
    const leak = findLeak(callerOf(request), sentText(request), `${text}\n${JSON.stringify(headers)}`);
    if (isPageForPeople(request, answer)) return leak;
    const parsed = parse(answer);
    if ('problem' in parsed) return parsed.problem;
    return (
      leak ??
      envelopeProblem(answer, parsed.body) ??
      allowProblem(callerOf(request), request, answer) ??
      (headers['x-content-type-options'] === 'nosniff' || status === 204 ? null : 'no nosniff') ??
      undocumented(request, answer, parsed.body)
    );
  };
}

/** What clients of other software must ask for by `force`; they know this status of it. */
const isNotOffered = ({ status, text }: FuzzAnswer): boolean => status === 501 && text.includes(TRASH_NOT_SUPPORTED);
const TRASH_NOT_SUPPORTED = '"rest_trash_not_supported"' satisfies `"${ErrorCode}"`;

/** Outside the API an address that no route has is answered by a page. */
const isPageForPeople = ({ method, path }: FuzzRequest, { status, headers }: FuzzAnswer): boolean =>
  status === 404 &&
  method === 'GET' &&
  !ROOTS.some((root) => path.startsWith(root)) &&
  (headers['content-type'] ?? '').startsWith('text/html');

function parse({ status, headers, text }: FuzzAnswer): { readonly body: Body } | { readonly problem: string } {
  const isJson = (headers['content-type'] ?? '').startsWith('application/json');
  if (text === '') return { body: undefined };
  if (!isJson)
    return status < 400 ? { body: undefined } : { problem: `an error of the type ${headers['content-type']}` };
  try {
    return { body: JSON.parse(text) };
  } catch {
    return { problem: 'the body is no JSON' };
  }
}

function envelopeProblem({ status, text }: FuzzAnswer, body: Body): string | null {
  if (status < 400 || text === '') return null;
  if (typeof body?.code !== 'string' || typeof body.message !== 'string') return 'an error without its envelope';
  if (body.data?.status !== status) return `status ${status} with data.status ${body.data?.status}`;
  const known = ERROR_STATUSES[body.code as ErrorCode];
  if (!known) return `the code ${body.code} is not in the catalogue`;
  const isUnsigned = body.code === 'rest_forbidden' && status === 401;
  return known === status || isUnsigned ? null : `${body.code} with status ${status}`;
}

/** Who may change nothing is offered nothing. */
function allowProblem(caller: As, { path }: FuzzRequest, { headers }: FuzzAnswer): string | null {
  const allow = headers.allow;
  if (allow === undefined || allow === '') return null;
  const offered = allow.split(', ');
  const strange = offered.find((method) => !METHODS.includes(method));
  if (strange !== undefined) return `Allow has ${strange}`;
  if ((caller !== 'anonymous' && caller !== 'subscriber') || /\/users/i.test(path)) return null;
  return offered.some((method) => WRITING.includes(method)) ? `${caller} is offered ${allow}` : null;
}
