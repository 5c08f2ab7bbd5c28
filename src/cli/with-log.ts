// Opens the configured log for the duration of one command. What it does there are the commands of the API, whether a service
// runs or not. Asking the API within the process instead took 0.85 s of processor time before a command that takes 0.2 s, and needs
// the read model that some of these commands repair.

import { randomUUID } from 'node:crypto';
import { allProjections } from '../../projections/catalogue.ts';
import { type CommandContext, metadataOf } from '../commands/context.ts';
import type { CommandResult } from '../commands/handle-command.ts';
import { openLog } from '../composition.ts';
import { type Config, readConfig } from '../config.ts';
import type { RejectionCode } from '../domain/rejections.ts';
import type { Links } from '../http/route.ts';
import { DEFAULT_SETTINGS } from '../http/settings.ts';
import { closing } from '../kernel/files/closing.ts';
import { systemNow } from '../kernel/time/system.ts';
import type { EpochSeconds } from '../kernel/time/zone.ts';
import { configuredLanguage } from '../locales/languages.ts';
import type { EventMetadata } from '../log/envelope.ts';
import { systemActor } from '../log/writing.ts';
import type { Opening } from '../opening/log.ts';
import type { LogStores } from '../stores.ts';
import type { ExitCode } from './command.ts';
import { UsageError } from './errors.ts';
import { say } from './terminal.ts';

export async function withLog<Result>(
  opening: Opening,
  work: (stores: LogStores, config: Config) => Promise<Result>,
  config: Config = readConfig(process.env),
): Promise<Result> {
  return closing(await openLog(config, opening), (stores) => work(stores, settled(config, stores)));
}

/** For commands that need the log alone, and what is made from it. */
export const onLog =
  <Dependencies>(opening: Opening, dependenciesOf: (stores: LogStores, config: Config) => Dependencies) =>
  (work: (dependencies: Dependencies) => Promise<ExitCode>): Promise<ExitCode> =>
    withLog(opening, (stores, config) => work(dependenciesOf(stores, config)));

/** With what the settings in the log say of the site. */
const settled = (config: Config, { site }: LogStores): Config => ({
  ...config,
  siteZone: site.zone,
  siteName: site.name,
  language: site.language.code,
});

/** What histories are made from. */
export const historyOf = ({ store, rendering }: LogStores, config: Config) => ({
  store,
  foldings: allProjections(rendering),
  display: rendering,
  sentences: configuredLanguage(config).sentences,
  out: say,
});

/** The links of answers, as the API gives them, under the address that the settings name. */
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

/** The state after a command; throws with its sentence for what was refused. */
export const carriedOutOr =
  (sentences: { readonly [Code in RejectionCode]?: string }) =>
  async <State>(doing: Promise<CommandResult<State>>): Promise<State> => {
    const result = await doing;
    if (result.kind === 'written') return result.written.state;
    throw new UsageError(sentences[result.rejection.code] ?? BUSY, 1);
  };

export const BUSY = 'other writers were faster each time. Try again.';

/** Metadata of an operator's actions at the command line; `name` is what histories show. */
export const operatorMetadata = (
  name: string,
  surroundings: Pick<Surroundings, 'now' | 'newId'> = SURROUNDINGS,
): EventMetadata => metadataOf(contextOfOperator(name)(surroundings));

/** What operators do is done in no user's name. */
export const contextOfOperator =
  (name: string) =>
  ({ now, newId }: Pick<Surroundings, 'now' | 'newId'>): CommandContext => ({
    caller: null,
    actor: systemActor(name),
    now: now(),
    correlationId: newId(),
  });

/** ISO 8601 in UTC. */
export const instantOf = ({ now }: Pick<Surroundings, 'now'> = SURROUNDINGS): string =>
  new Date(now() * 1000).toISOString();
