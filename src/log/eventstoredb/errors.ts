// What a failed call to the server means, in words: by what the server said. Errors of the transport have a `code` and the name
// of an exception among their metadata, those of the clients a `type` of that name.
import { Metadata } from '@grpc/grpc-js';
import { EventStoreAway, EventStoreUnavailable } from '../event-store.ts';
import type { EventStoreDbAddress } from './address.ts';

/**
 * `never sent`: no connection, so nothing can have been written. `lost`: the connection broke or the server gave up.
 * `silent`: no answer in time. `no turn`: not sent because earlier calls were silent. `not leader`: another node must
 * be asked; the client does that by itself. `not ready`, `busy`: the server said so instead of writing. `refused`: user, password
 * or rights. `too large`, `rejected`: this request is invalid. `too old`: the server lacks what the client needs.
 */
export type FailureKind =
  | 'missing stream'
  | 'never sent'
  | 'lost'
  | 'silent'
  | 'no turn'
  | 'not leader'
  | 'not ready'
  | 'busy'
  | 'refused'
  | 'too large'
  | 'too old'
  | 'rejected'
  | 'closed';

/** A call that failed here, or was refused in an answer. `type`: as the clients name theirs. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** The server expects TLS, and was contacted without. */
export class TlsExpected extends Error {
  override readonly name = 'TlsExpected';
}

const KIND_BY_TYPE: ReadonlyMap<string, FailureKind> = new Map([
  ['stream-not-found', 'missing stream'],
  ['no-stream', 'missing stream'],
  ['not-leader', 'not leader'],
  ['access-denied', 'refused'],
  ['stream-deleted', 'rejected'],
  ['stream-tombstoned', 'rejected'],
  ['maximum-append-size-exceeded', 'too large'],
  ['maximum-append-event-size-exceeded', 'too large'],
  ['transaction-max-size-exceeded', 'too large'],
  ['append-record-size-exceeded', 'too large'],
  ['unsupported', 'too old'],
  ['missing-required-metadata-property', 'rejected'],
  ['invalid-argument', 'rejected'],
  ['bad-request', 'rejected'],
  ['deadline-exceeded', 'silent'],
  // Ours: the store has been closed, before or during the call; it was never made, for earlier ones got no answer in time.
  ['closed', 'closed'],
  ['no-turn', 'no turn'],
]);

const KIND_BY_CODE: ReadonlyMap<number, FailureKind> = new Map([
  [3, 'rejected'],
  [4, 'silent'],
  [7, 'refused'],
  [16, 'refused'],
]);

/** What servers say without a type of its own, where nothing was written. */
const SAYINGS: readonly (readonly [saying: RegExp, kind: FailureKind])[] = [
  [/\bserver is not (?:yet )?ready\b/i, 'not ready'],
  [/\bserver is (?:(?:too )?busy|currently overloaded)\b/i, 'busy'],
  [/^(?:no )?leader info available\b/i, 'not leader'],
];

const NEVER_SENT = /No connection established|Name resolution failed|Channel closed before call|Failed to discover/;

interface Described {
  readonly code?: unknown;
  readonly type?: unknown;
  readonly message?: unknown;
  readonly leader?: { readonly address?: unknown; readonly port?: unknown };
  readonly metadata?: unknown;
}

function describe(error: unknown): Described {
  return typeof error === 'object' && error !== null ? error : { message: String(error) };
}

/** One of the details that a server adds to an error, by its name. */
function added(error: unknown, name: string): string | undefined {
  const { metadata } = describe(error);
  return metadata instanceof Metadata ? metadata.get(name)[0]?.toString() : undefined;
}

/** Unknown errors count as `lost`: the outcome is unknown. */
export function kindOfFailure(error: unknown): FailureKind {
  const { code, type = added(error, 'exception'), message } = describe(error);
  const byType = typeof type === 'string' ? KIND_BY_TYPE.get(type) : undefined;
  // An error without a type ended a call for many appends: for the others it says nothing.
  const said = type === undefined ? undefined : SAYINGS.find(([saying]) => saying.test(String(message)))?.[1];
  const byCode = typeof code === 'number' ? KIND_BY_CODE.get(code) : undefined;
  return byType ?? said ?? byCode ?? (NEVER_SENT.test(String(message)) ? 'never sent' : 'lost');
}

const PASSING: ReadonlySet<FailureKind> = new Set(['never sent', 'lost', 'not leader', 'not ready', 'busy']);

/** Whether the same call may succeed in a moment. */
export const isPassing = (kind: FailureKind): boolean => PASSING.has(kind);

/** A failed call as an error of the port; errors of the request itself are unchanged. */
export function toPortError(error: unknown, where: EventStoreDbAddress, setting: string): Error {
  if (error instanceof EventStoreUnavailable) return error;
  const kind = kindOfFailure(error);
  if (kind === 'rejected' || kind === 'too large' || kind === 'missing stream')
    return error instanceof Error ? error : new Error(String(error));
  const Kind = isAway(error, kind) ? EventStoreAway : EventStoreUnavailable;
  return new Kind(explainFailure(error, where, setting), { cause: error });
}

const AWAY: ReadonlySet<FailureKind> = new Set([
  ...['never sent', 'lost', 'silent', 'no turn', 'not ready', 'busy'],
] as const);

/** Not with settings that no waiting makes right. */
const isAway = (error: unknown, kind: FailureKind): boolean =>
  AWAY.has(kind) &&
  !(error instanceof TlsExpected) &&
  !NO_TLS.test(String(describe(error).message)) &&
  !BAD_CERTIFICATE.test(String(describe(error).message));

const NO_TLS = /wrong version number|SSL routines|EPROTO/;
const BAD_CERTIFICATE = /certificate|self-signed|altnames/i;

/** One sentence: what is wrong, where, and which setting to change. Never contains the password. */
export function explainFailure(error: unknown, where: EventStoreDbAddress, setting: string): string {
  const store = `The event store at ${where.hosts}`;
  switch (kindOfFailure(error)) {
    case 'closed':
      return `${store} is closed in this process.`;
    case 'refused':
      return `${store} ${refusal(where)} ${setting}.`;
    case 'silent':
    case 'no turn':
      return `${store} does not answer in time: check that the server is healthy and not overloaded.`;
    case 'busy':
    case 'not ready':
      return `${store} is not ready (${String(describe(error).message).slice(0, 200)}): check its load, or wait until it has started.`;
    case 'too old':
      return `${store} is older than KurrentDB 25.1, which ${where.client}:// needs: write esdb:// in ${setting}.`;
    case 'not leader':
      return `${store} is not the leader of its cluster${leaderOf(error)}: name all nodes in ${setting}, as ${where.client}://host1:2113,host2:2113,host3:2113.`;
    default:
      return `${store} ${reachability(error, where)} (${setting}).`;
  }
}

function refusal({ client, credentials, tls }: EventStoreDbAddress): string {
  if (credentials === null) return `wants a user and a password: write them as ${client}://user:password@host in`;
  if (!tls)
    return `does not get the user ${credentials.username}, for credentials are sent over TLS only: remove tls=false from`;
  return `refuses the user ${credentials.username}: check the password, and that the user may read $all (group $admins), in`;
}

function leaderOf(error: unknown): string {
  const { leader } = describe(error);
  const host = leader?.address ?? added(error, 'leader-endpoint-host');
  const port = leader?.port ?? added(error, 'leader-endpoint-port');
  return host === undefined ? '' : ` (that is ${host}:${port})`;
}

function reachability(error: unknown, { tls }: EventStoreDbAddress): string {
  if (error instanceof TlsExpected) return 'speaks TLS at this port: remove tls=false';
  const message = String(describe(error).message);
  if (NO_TLS.test(message)) {
    return 'does not speak TLS at this port: for a server that runs insecure add tls=false';
  }
  if (BAD_CERTIFICATE.test(message)) {
    return 'has a certificate that cannot be verified: name its authority with tlsCAFile and the server by the name in it';
  }
  if (/ENOTFOUND|EAI_AGAIN|Name resolution failed/.test(message)) return 'cannot be found: check the host name';
  if (/ECONNREFUSED/.test(message)) return 'refuses connections: check host and port and that the server runs';
  if (/Failed to discover/.test(message)) return 'shows no leader: check hosts and ports and that the cluster is up';
  if (tls && /ECONNRESET|Connection dropped|socket hang up/i.test(message)) {
    return 'closes the connection: check that it speaks TLS, or add tls=false for a server that runs insecure';
  }
  return `cannot be reached: ${message.split('\n')[0]?.slice(0, 200)}`;
}
