// `daybook serve`: opens everything, brings the views up to date, listens, and ends in good order.

import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import closeWithGrace from 'close-with-grace';
import { hashPassword, newSecret, tokenText } from '../auth/passwords.ts';
import { ensureFirstAdministrator } from '../commands/users/users.ts';
import { openStores } from '../composition.ts';
import { type Config, storeFiles } from '../config.ts';
import { systemActor, systemMetadata } from '../event-store/writing.ts';
import { closingCommand, openToOthers } from '../files/private-files.ts';
import { watchPressure } from '../http/limits/pressure.ts';
import { unsaidProxy } from '../http/limits/proxy-watch.ts';
import { DEFAULT_SETTINGS } from '../http/settings.ts';
import { type Log, openLog } from '../observability/log.ts';
import type { Stores } from '../service.ts';
import {
  SERVICE_ROLES,
  type Service,
  type ServiceRole,
  SYSTEM_ZONE_RULES,
  startService,
  systemNow,
} from '../service.ts';
import { type Paste, pasteFor } from './paste.ts';
import { UsageError } from './usage-error.ts';

/** How long requests under way may take to finish once the service is told to end. */
const GRACE_MS = 10_000;

/** How long the announcement waits until the administrator can sign in. */
const VIEW_DEADLINE_MS = 2_000;

const FIRST_ADMINISTRATOR = 'admin';

export const SERVE_USAGE = 'daybook serve [--role all|api|projector]';

/**
 * Serves until a signal ends it, also one that comes before it listens. Rejects with `UsageError` for what is no role, and
 * when a store cannot be opened or the port cannot be taken.
 */
export async function serve(args: readonly string[], config: Config, out: (line: string) => void): Promise<void> {
  const role = roleIn(args);
  const log = openLog(config.logLevel);
  const ending = new AbortController();
  const begun = begin({ role, config, log, out, signal: ending.signal });
  // A start that fails leaves nothing to be done, and its own exit code.
  closeWithGrace({ delay: GRACE_MS, skip: ['beforeExit'] }, async ({ err }) => {
    if (err) log.error({ err }, 'ended by an error');
    ending.abort();
    const service = await begun.catch(() => null);
    await service?.close();
  });
  await begun;
}

interface Beginning {
  readonly role: ServiceRole;
  readonly config: Config;
  readonly log: Log;
  readonly out: (line: string) => void;
  /** Aborted when the service is to end: what has not been begun by then is left out. */
  readonly signal: AbortSignal;
}

/** Opens everything, listens, and says so. */
async function begin({ role, config, log, out, signal }: Beginning): Promise<Service> {
  const stores = await openStores(config, log);
  warnOfOpenFiles(config, log);
  const unsaid = unsaidProxy(config);
  if (unsaid !== null) log.warn({ setting: 'DAYBOOK_TRUST_PROXY' }, unsaid);
  const pressure = await watchPressure();
  const service = await startService(config, stores, log, {
    ...{ role, pressure, signal },
    zoneRules: SYSTEM_ZONE_RULES,
  });
  if (signal.aborted) return service;
  await service.app.listen({ host: config.host, port: config.port }).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  if (signal.aborted) return service;
  // Only now: whoever could not start has not seen the token, and it is shown but once.
  const token = role === 'projector' ? null : await firstAdministrator(stores, service);
  const address = listeningAddress(service, config);
  const site = config.siteUrl ?? address;
  const root = `${site}/${DEFAULT_SETTINGS.prefix}`;
  // In one piece: whoever waits for the first line finds the last one, too.
  const lines = role === 'projector' ? projectorAnnouncement(address) : announcement(address, site, root);
  out([...lines, ...(token ? firstStart(token, root, pasteFor(config)) : [])].join('\n'));
  return service;
}

/** Once, at the start: what others may read or write is for the operator to close. */
function warnOfOpenFiles(config: Config, log: Log): void {
  const open = openToOthers(storeFiles(config));
  if (open.folders.length + open.files.length === 0) return;
  log.warn(open, `other users of this machine may use files of the stores; close them: ${closingCommand(open)}`);
}

function roleIn(args: readonly string[]): ServiceRole {
  const said = readArguments(args);
  const role = SERVICE_ROLES.find((known) => known === said);
  if (role === undefined) throw new UsageError(`serve: there is no role "${said}".\n${SERVE_USAGE}`);
  return role;
}

function readArguments(args: readonly string[]): string {
  try {
    return parseArgs({ args: [...args], options: { role: { type: 'string', default: 'all' } } }).values.role;
  } catch (error) {
    throw new UsageError(`serve: ${error instanceof Error ? error.message : String(error)}\n${SERVE_USAGE}`);
  }
}

const announcement = (address: string, site: string, root: string): string[] => [
  `Daybook listens at ${address}`,
  `API:           ${root}/events`,
  `Documentation: ${site}/docs`,
];

const projectorAnnouncement = (address: string): string[] => [
  `Daybook projector listens at ${address}`,
  `Health:  ${address}/readyz`,
  `Metrics: ${address}/metrics`,
];

const firstStart = (token: string, root: string, paste: Paste): string[] => [
  '',
  'First start: this administrator has been added. The token is shown once and stored only as a hash.',
  `  user:  ${FIRST_ADMINISTRATOR}`,
  `  token: ${token}`,
  `  try:   curl -u '${FIRST_ADMINISTRATOR}:${token}' ${root}/events`,
  `  lost:  ${paste('users', 'token', FIRST_ADMINISTRATOR)}`,
  '         issues another one, whenever a token has been lost.',
];

/** The token of the administrator that an empty store gets; null when there are users already. */
async function firstAdministrator({ store }: Stores, { views }: Service): Promise<string | null> {
  const added = await ensureFirstAdministrator(
    { store, newEventId: randomUUID, newSecret, hashSecret: hashPassword },
    systemMetadata({ actor: systemActor('daybook serve'), now: systemNow(), correlationId: randomUUID() }),
    { login: FIRST_ADMINISTRATOR, email: '', name: FIRST_ADMINISTRATOR, label: 'first start' },
  );
  if (added === null || added.kind === 'refused') return null;
  await views.reached(added.position, VIEW_DEADLINE_MS);
  return tokenText({ user: added.user.id, credential: added.credentialId, secret: added.secret });
}

function listeningAddress({ app }: Service, { host }: Config): string {
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
