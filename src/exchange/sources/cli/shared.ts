// Shared by the subcommands of `daybook sources`.

import {
  type Arguments,
  type Command,
  command,
  type ExitCode,
  type Given,
  type Options,
  type Synopsis,
  type ValueType,
} from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { interruption, warn } from '../../../cli/terminal.ts';
import { POSITIVE_INTEGER } from '../../../cli/values.ts';
import { contextOfOperator, linksAt, SURROUNDINGS, type Surroundings, withLog } from '../../../cli/with-log.ts';
import { commandDependencies } from '../../../commands/dependencies.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { type Config, siteAddress } from '../../../config.ts';
import type { Rejection } from '../../../domain/rejections.ts';
import { fieldsOf, ownFields } from '../../../editorial/history/queries/field-changes.ts';
import { MAX_DESTINATION_LENGTH } from '../../../kernel/outbound/destinations.ts';
import type { PrivateHosts } from '../../../kernel/outbound/fetch-outside.ts';
import type { Zone } from '../../../kernel/time/zone.ts';
import type { EventStore } from '../../../log/event-store.ts';
import type { Opening } from '../../../opening/log.ts';
import type { ImportersAdmitted } from '../../../people/auth/policy.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import type { LogStores } from '../../../stores.ts';
import type { ImportCommands } from '../../import/write/writing.ts';
import { isOwnAddress, isSourceAddress } from '../address.ts';
import { type LoadedSource, loadSource, MAX_SOURCES } from '../commands/sources.ts';
import { EVERY, type Source } from '../domain/source.ts';
import { openSourcePolls, type SourcePolls } from '../sources.ts';

export interface SourcesDependencies extends Surroundings {
  readonly commands: ImportCommands;
  readonly importers: ImportersAdmitted;
  readonly privateHosts: PrivateHosts | 'any';
  /** Where this calendar is. */
  readonly site: string;
  /** Destroys what encrypts the address of one. */
  readonly destroyKey: (subject: string) => Promise<unknown>;
  readonly polls: Pick<SourcePolls, 'poll'>;
}

export const sourcesCommand = <A extends Arguments, O extends Options>(
  opening: Opening,
  spec: Synopsis<A, O>,
  perform: (given: Given<A, O>, dependencies: SourcesDependencies) => Promise<ExitCode>,
): Command<Given<A, O>, SourcesDependencies> =>
  command(spec, {
    perform,
    run: (given) =>
      withLog(opening, async (stores, config) => {
        const commands = commandDependencies(stores, config);
        const polls = pollsOf(stores, config, commands);
        interruption().addEventListener('abort', () => void polls.close());
        return perform(given, {
          ...{ ...SURROUNDINGS, commands, polls },
          importers: config.importers,
          privateHosts: config.importNetwork === 'any' ? 'any' : config.importNetwork.privateHosts,
          site: siteAddress(config),
          destroyKey: (subject) => stores.keys.destroy(subject),
        });
      }),
  });

function pollsOf(stores: LogStores, config: Config, commands: ImportCommands): SourcePolls {
  const { store, rendering } = stores;
  return openSourcePolls({
    ...{ store, display: rendering, siteZone: config.siteZone, network: config.importNetwork },
    commandsFor: (zone: Zone) => ({ ...commands, siteZone: zone }),
    dryCommandsOn: (on: EventStore, zone: Zone) => ({
      ...commandDependencies({ ...stores, store: on }, config),
      siteZone: zone,
    }),
    proposals: { ...commands, fieldsOf: (kind, state) => ownFields(fieldsOf(kind, state, rendering)) },
    ...{ importers: config.importers, clock: SURROUNDINGS, newId: SURROUNDINGS.newId },
    // A service may be running.
    isShared: true,
    shown: async () => void (await stores.project()),
    report: (error) => warn(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
}

export const ID = { label: 'ID', description: 'number of the source', type: POSITIVE_INTEGER } as const;

/** What a poll writes is done in the name of the user of its source. */
export const operatorContext = contextOfOperator('daybook sources');

export async function presentSource(
  name: string,
  { commands }: SourcesDependencies,
  id: number,
): Promise<LoadedSource> {
  const found = await loadSource(commands.store, id);
  if (!found || found.state.removed) throw new UsageError(`${name}: there is no source ${id}.`, 1);
  return found;
}

export async function carriedOut(name: string, doing: Promise<CommandResult<Source>>): Promise<Source> {
  const result = await doing;
  if (result.kind === 'written') return result.written.state;
  throw refusal(name, result.rejection);
}

export const refusal = (name: string, { code }: Rejection): UsageError =>
  new UsageError(`${name}: ${sentenceOf(code)}`, 1);

function sentenceOf(code: string): string {
  switch (code) {
    case 'source_not_found':
      return 'there is no such source.';
    case 'invalid_parameter':
      return '--user must be a user who may import.';
    case 'source_needs_review':
      return 'rules of review say that this user has to propose. Try --mode propose.';
    case 'too_many_sources':
      return `there are ${MAX_SOURCES} sources already. Remove one first.`;
    case 'source_polling':
      return 'it is being polled. Try again when that has ended.';
    default:
      return 'other writers were faster each time. Try again.';
  }
}

/** Throws for an address that no source may have. */
export function checkAddress(name: string, address: string, { privateHosts, site }: SourcesDependencies): void {
  if (!isSourceAddress(address, privateHosts)) throw refusedAddress(name);
  if (isOwnAddress(address, site))
    throw new UsageError(`${name}: the address must be that of another calendar, not of this one.`);
}

const refusedAddress = (name: string): UsageError =>
  new UsageError(
    `${name}: the address must be http, https or webcal, at most ${MAX_DESTINATION_LENGTH} characters, without user name ` +
      'and password, and not in a private network unless DAYBOOK_PRIVATE_HOSTS names its host.',
  );

export const MINUTES: ValueType<number> = {
  must: `a number of minutes from ${EVERY.least} to ${EVERY.most}`,
  read: (text) =>
    /^\d{1,5}$/.test(text) && Number(text) >= EVERY.least && Number(text) <= EVERY.most ? Number(text) : undefined,
};

/** As the API answers it. */
export async function sourceJson({ commands, site }: SourcesDependencies, source: Source) {
  const { sourceObject } = await answers();
  return sourceObject(source, { links: linksAt(site), actors: openActors(commands.store) });
}

export async function pollsJson({ commands }: SourcesDependencies, { polls }: Source) {
  const { pollObject } = await answers();
  return Promise.all(polls.toReversed().map((poll) => pollObject(poll, openActors(commands.store))));
}

/** Loaded where it is needed: other subcommands need nothing of HTTP. */
const answers = () => import('../http/source-answers.ts');
