// The connection string of the server, checked before its client sees it: the client's error messages quote the whole
// string, password included, and its warnings go to the console.
import { isIP } from 'node:net';
import { connect } from 'node:tls';

/** What the adapter needs of a connection string besides the string itself. */
export interface EventStoreDbAddress {
  /** By the scheme: the client of the card, or the newer one, which needs a KurrentDB from 25.1 on. */
  readonly client: 'esdb' | 'kurrentdb';
  /** For the client: as given, plus the adapter's own options. Contains the password. */
  readonly connectionString: string;
  /** Hosts and ports for messages, without user and password. */
  readonly hosts: string;
  /** Decoded; null: none given. */
  readonly credentials: ReturnType<typeof readUser> | null;
  readonly tls: boolean;
  /** Several hosts, or a name that resolves to several: the client finds the leader itself. */
  readonly cluster: boolean;
  /** Time-out of one call, in milliseconds. */
  readonly deadlineMs: number;
}

/**
 * The connection string is invalid. The message is one sentence, names the invalid part and never quotes the password.
 */
export class BadConnectionString extends Error {
  override readonly name = 'BadConnectionString';
}

/** Servers from 25.1 on are addressed by their new name for what they can do since. */
const SCHEME = /^(esdb|kurrentdb|kdb)(\+discover)?:\/\//;

const SHAPE =
  'esdb://[user:password@]host[:port][,host[:port]…][?tls=false&…] or esdb+discover://…, or kurrentdb:// for KurrentDB from 25.1 on (kdb:// means the same)';
const DEFAULT_DEADLINE_MS = 3_000;
const MAX_PORT = 65_535;
const DEFAULT_PORT = 2113;

type Check = (value: string) => string | null;

const yesOrNo: Check = (value) => (value === 'true' || value === 'false' ? null : 'must be true or false');
const wholeNumber: Check = (value) => (/^\d{1,9}$/.test(value) ? null : 'must be a whole number');
const positive: Check = (value) => (/^[1-9]\d{0,8}$/.test(value) ? null : 'must be a whole number above 0');
const anything: Check = () => null;
const leaderOnly: Check = (value) =>
  value.toLowerCase() === 'leader' ? null : 'must be leader, for Daybook reads what it has just written';
const verified: Check = (value) =>
  value === 'true' ? null : 'must be true: the client always verifies certificates, name the authority with tlsCAFile';

/** Keys as the client compares them: lower case, without `-` and `_`. */
const OPTIONS: ReadonlyMap<string, Check> = new Map([
  ['tls', yesOrNo],
  ['tlsverifycert', verified],
  ['tlscafile', anything],
  ['usercertfile', anything],
  ['userkeyfile', anything],
  ['connectionname', anything],
  ['nodepreference', leaderOnly],
  ['throwonappendfailure', yesOrNo],
  ['maxdiscoverattempts', positive],
  ['discoveryinterval', wholeNumber],
  ['gossiptimeout', positive],
  ['defaultdeadline', positive],
  ['keepaliveinterval', wholeNumber],
  ['keepalivetimeout', wholeNumber],
]);

/** Set by the adapter itself. */
const OURS: ReadonlySet<string> = new Set(['throwonappendfailure', 'defaultdeadline']);
const MIN_KEEP_ALIVE_MS = 10_000;

const flat = (key: string): string => key.trim().toLowerCase().replace(/[-_]/g, '');

/**
 * Parses a connection string. `setting` is its source, for messages; `deadlineMs` stands above `defaultDeadline` of the string,
 * and both above 3,000. Throws `BadConnectionString`.
 */
export function readConnectionString(text: string, setting: string, deadlineMs?: number): EventStoreDbAddress {
  const refuse = (why: string): never => {
    throw new BadConnectionString(`${setting} cannot be used: ${why}. Expected: ${SHAPE}.`);
  };
  const scheme = SCHEME.exec(text.trim());
  if (!scheme) return refuse('it does not begin with esdb://, kurrentdb:// or kdb://, each also with +discover');
  const [whole, name, discover = ''] = scheme;
  const client = name === 'esdb' ? 'esdb' : 'kurrentdb';
  const rest = text.trim().slice(whole.length);
  const queryAt = rest.indexOf('?');
  const authority = (queryAt < 0 ? rest : rest.slice(0, queryAt)).replace(/\/+$/, '');
  const query = queryAt < 0 ? '' : rest.slice(queryAt + 1).replace(/\/+$/, '');

  const userEnds = authority.lastIndexOf('@');
  const credentials = userEnds < 0 ? null : readUser(authority.slice(0, userEnds), refuse);
  const hosts = authority
    .slice(userEnds + 1)
    .split(',')
    .map((host) => readHost(host, refuse));
  const options = readOptions(query, refuse);
  const clientOptions = [...options.values()]
    .filter(({ key }) => !OURS.has(flat(key)))
    .map(({ key, value }) => `${key}=${value}`);
  const deadline = deadlineMs ?? Number(options.get('defaultdeadline')?.value ?? DEFAULT_DEADLINE_MS);
  return {
    client,
    connectionString: `${client}${discover}://${authority}?${[...clientOptions, `defaultDeadline=${deadline}`].join('&')}`,
    hosts: hosts.join(', '),
    credentials,
    tls: options.get('tls')?.value !== 'false',
    cluster: hosts.length > 1 || discover !== '',
    deadlineMs: deadline,
  };
}

type Refuse = (why: string) => never;

function readUser(text: string, refuse: Refuse) {
  const [name, password, ...more] = text.split(':');
  if (!name || !password) return refuse('before the @ there must be a user and a password, as user:password');
  if (more.length > 0 || text.includes('@')) {
    return refuse('a : or @ in a user name or password must be written as %3A or %40');
  }
  try {
    return { username: decodeURIComponent(name), password: decodeURIComponent(password) };
  } catch {
    return refuse('a % in a user name or password must be written as %25');
  }
}

function readHost(text: string, refuse: Refuse): string {
  const [name = '', port = String(DEFAULT_PORT), ...more] = text.trim().split(':');
  if (name === '') return refuse('a host is missing');
  if (more.length > 0 || !/^[\w.-]+$/.test(name)) return refuse(`${JSON.stringify(text)} is not a host and port`);
  const isPort = /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= MAX_PORT;
  return isPort ? `${name}:${port}` : refuse(`${JSON.stringify(port)} is not a port`);
}

function readOptions(query: string, refuse: Refuse): Map<string, { readonly key: string; readonly value: string }> {
  const options = new Map<string, { readonly key: string; readonly value: string }>();
  for (const pair of query === '' ? [] : query.split('&')) {
    const equals = pair.indexOf('=');
    const [key, value] = [pair.slice(0, equals), pair.slice(equals + 1).trim()];
    if (equals < 1 || value === '') return refuse(`${JSON.stringify(pair)} is not of the form option=value`);
    const check = OPTIONS.get(flat(key));
    if (!check) return refuse(`there is no option ${JSON.stringify(key)}`);
    const complaint = check(value);
    if (complaint !== null) return refuse(`${key} ${complaint}`);
    if (flat(key) === 'keepaliveinterval' && Number(value) < MIN_KEEP_ALIVE_MS) {
      return refuse(`${key} must be at least ${MIN_KEEP_ALIVE_MS} (milliseconds)`);
    }
    options.set(flat(key), { key: key.trim(), value });
  }
  return options;
}

// Tests whether a server that was contacted without TLS expects TLS: the failure itself does not say.

/** Performs handshakes one after the other and sends nothing. `hosts` as in the address; `deadlineMs` for each. */
export async function speaksTls(hosts: string, deadlineMs: number): Promise<boolean> {
  for (const address of hosts.split(', ')) {
    const [host = '', port = ''] = address.split(':');
    if (await shakesHands(host, Number(port), deadlineMs)) return true;
  }
  return false;
}

function shakesHands(host: string, port: number, deadlineMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    // Nothing is sent or trusted: the owner of the certificate does not matter.
    const socket = connect({ host, port, rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) });
    const end = (isTls: boolean): void => {
      socket.destroy();
      resolve(isTls);
    };
    socket.setTimeout(deadlineMs, () => end(false));
    socket.once('secureConnect', () => end(true)).once('error', () => end(false));
  });
}
