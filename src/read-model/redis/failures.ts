// Failures of Redis and of connections to it, as sentences that say what to do.
import { ReadModelDamaged } from '../damage.ts';
import { ReadModelUnavailable } from '../read-model.ts';
import { nodeName, shownClusterAddress } from './cluster-address.ts';

const REMEDIES: readonly (readonly [sign: RegExp, remedy: string])[] = [
  [/^READONLY/, 'it is a read-only replica: name the primary in the URL'],
  [/^OOM/, 'its memory is full: raise maxmemory or make room; nothing is lost'],
  [/^LOADING/, 'it is still loading its data: it will be back by itself'],
  [/^MASTERDOWN|^NOREPLICAS|^CLUSTERDOWN/, 'it has lost its primary or its cluster: look at those first'],
  [/^ASK |^TRYAGAIN/, 'its slot is on the way to another node: it goes on by itself once it is there'],
  [/cluster support disabled/, 'it is not a cluster: begin the URL with redis:// or rediss://, and name one host'],
  [/^MISCONF/, 'it cannot save to disk and refuses writes: look at its log and its free disk space'],
  [/^BUSY/, 'a script of another client keeps it busy: see SLOWLOG, and SCRIPT KILL if need be'],
  [
    /^NOAUTH|^WRONGPASS|^ERR AUTH|without any password configured/,
    'it refuses the user or password: check them in the URL',
  ],
  [/^NOPERM/, 'its user lacks rights: it needs all key commands and scripts on the keys of this service'],
  [/^MOVED|^CROSSSLOT/, 'it is one node of a cluster: begin the URL with redis+cluster:// or rediss+cluster://'],
  [/unknown command|unknown subcommand|NOPROTO/i, 'it is too old: version 7.0 or later is needed'],
  [/invalid DB index|DB index is out of range/, 'it has no such database: check the number at the end of the URL'],
  [/ENOTFOUND|EAI_AGAIN/, 'its host is not known: check the URL'],
  [/ECONNREFUSED|ENOENT/, 'nothing listens there: check the URL, and that Redis is running'],
  [
    /certificate|SSL|TLS|EPROTO/i,
    'the encrypted connection fails: check whether the URL begins with redis:// or rediss://, and the certificate',
  ],
  [
    /ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|[Tt]imed? ?out|[Cc]onnection is closed|[Ss]ocket closed|isn't writeable|client is (closed|offline)|[Cc]onnection (lost|timeout)|max retries|not answered/i,
    'it does not answer: look at the server and the network; the service goes on by itself as soon as it is back',
  ],
];

/** A key of another type, and errors of scripts that have read what they have not written. */
const DAMAGE = /^WRONGTYPE|user_script:\d+: (bad argument|attempt to)/;

const OFFLINE = new Set([
  'ClientOfflineError',
  'ClientClosedError',
  'DisconnectsClientError',
  'SocketClosedUnexpectedlyError',
  'SocketTimeoutError',
  'ConnectionTimeoutError',
  'TimeoutError',
  'MaxRetriesPerRequestError',
  'AbortError',
]);

/** The messages of an error and its causes. */
function signs(error: Error): string[] {
  // Added by Node to an error, and by ioredis to a transaction that the server has aborted.
  const { code, previousErrors = [] } = error as NodeJS.ErrnoException & {
    readonly previousErrors?: readonly unknown[];
  };
  const inner = [error.cause, ...previousErrors, ...(error instanceof AggregateError ? error.errors : [])];
  const own = [error.message, ...(code === undefined ? [] : [code]), ...(OFFLINE.has(error.name) ? ['timed out'] : [])];
  return [...own, ...inner.flatMap((cause) => (cause instanceof Error ? signs(cause) : []))];
}

/** The new owner of a slot, if an error names it; `node` is null if the host is missing. */
export function movedTo(error: unknown): { readonly slot: number; readonly node: string | null } | null {
  for (const sign of error instanceof Error ? signs(error) : []) {
    const [, slot, host, port] = /^MOVED (\d+) (\S*):(\d+)$/.exec(sign) ?? [];
    if (slot !== undefined && port !== undefined)
      return { slot: Number(slot), node: host && host !== '?' ? nodeName(host, port) : null };
  }
  return null;
}

/** An address without user and password, for messages. */
export function shownAddress(url: string): string {
  const cluster = shownClusterAddress(url);
  if (cluster !== null) return cluster;
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
  } catch {
    return '(an address that cannot be read)';
  }
}

/** Turns a failure of Redis into `ReadModelUnavailable`; other errors are bugs and unchanged. */
export function readModelFailure(address: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ReadModelUnavailable) return error;
  const messages = signs(error);
  const remedy = REMEDIES.find(([sign]) => messages.some((one) => sign.test(one)))?.[1];
  if (remedy === undefined) {
    const isDamaged = messages.some((one) => DAMAGE.test(one));
    return isDamaged ? new ReadModelDamaged(`something at ${address}`, { cause: error }) : error;
  }
  const saying = error.message.split('\n')[0] || (error as NodeJS.ErrnoException).code || error.name;
  return new ReadModelUnavailable(`The read model ${address} is unavailable: ${remedy} (${saying}).`, { cause: error });
}
