// Opens the configured log for the duration of one command.

import { randomUUID } from 'node:crypto';
import type { CommandContext } from '../commands/context.ts';
import { openLog } from '../composition.ts';
import { type Config, readConfig } from '../config.ts';
import type { Links } from '../http/route.ts';
import { DEFAULT_SETTINGS } from '../http/settings.ts';
import { closing } from '../kernel/files/closing.ts';
import { systemNow } from '../kernel/time/system.ts';
import type { EpochSeconds } from '../kernel/time/zone.ts';
import type { EventMetadata } from '../log/envelope.ts';
import { systemActor, systemMetadata } from '../log/writing.ts';
import type { Opening } from '../opening/log.ts';
import type { LogStores } from '../stores.ts';
import { say } from './terminal.ts';

export async function withLog<Result>(
  opening: Opening,
  work: (stores: LogStores, config: Config) => Promise<Result>,
  config: Config = readConfig(process.env),
): Promise<Result> {
  return closing(await openLog(config, opening), (stores) => work(stores, settled(config, stores)));
}

/** With what the settings in the log say of the site. */
const settled = (config: Config, { site }: LogStores): Config => ({
  ...config,
  siteZone: site.zone,
  siteName: site.name,
  language: site.language.code,
});

/** Of answers as the API gives them, under the address that the settings name. */
export const linksAt = (site: string): Links => ({
  site,
  root: `${site}/${DEFAULT_SETTINGS.prefix}`,
  host: new URL(site).host,
});

/** What commands take from their process, unless a test replaces it. */
export interface Surroundings {
  readonly now: () => EpochSeconds;
  /** UUIDs, for events and for the run as a whole. */
  readonly newId: () => string;
  /** Writes one line of output, given without its end. */
  readonly out: (line: string) => void;
}

export const SURROUNDINGS: Surroundings = { now: systemNow, newId: randomUUID, out: say };

/** Metadata of an operator's actions at the command line; `name` is what histories show. */
export const operatorMetadata = (
  name: string,
  { now, newId }: Pick<Surroundings, 'now' | 'newId'> = SURROUNDINGS,
): EventMetadata => systemMetadata({ actor: systemActor(name), now: now(), correlationId: newId() });

/** What operators do is done in no user's name. */
export const contextOfOperator =
  (name: string) =>
  ({ now, newId }: Surroundings): CommandContext => ({
    caller: null,
    actor: systemActor(name),
    now: now(),
    correlationId: newId(),
  });

/** ISO 8601 in UTC. */
export const instantOf = ({ now }: Pick<Surroundings, 'now'> = SURROUNDINGS): string =>
  new Date(now() * 1000).toISOString();
