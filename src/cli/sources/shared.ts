// Shared by the subcommands of `daybook sources`.
import type { ImportersAdmitted } from '../../auth/policy.ts';
import type { CommandContext } from '../../commands/context.ts';
import { commandDependencies } from '../../commands/dependencies.ts';
import type { CommandResult } from '../../commands/handle-command.ts';
import { type LoadedSource, loadSource, MAX_SOURCES } from '../../commands/sources/sources.ts';
import { type Config, siteAddress } from '../../config.ts';
import type { Rejection } from '../../domain/rejections.ts';
import { EVERY, nextPoll, type Poll, type Source, unconfirmed } from '../../domain/sources/source.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { systemActor } from '../../event-store/writing.ts';
import { isOwnAddress, isSourceAddress } from '../../import/sources/address.ts';
import { openSourcePolls, type SourcePolls } from '../../import/sources/sources.ts';
import type { ImportCommands } from '../../import/write/writing.ts';
import type { Opening } from '../../opening/log.ts';
import { MAX_DESTINATION_LENGTH } from '../../outbound/destinations.ts';
import type { PrivateHosts } from '../../outbound/fetch-outside.ts';
import { fieldsOf, ownFields } from '../../queries/history/field-changes.ts';
import type { LogStores } from '../../stores.ts';
import type { EpochSeconds, Zone } from '../../time/zone.ts';
import {
  type Arguments,
  type Command,
  command,
  type ExitCode,
  type Given,
  type Options,
  type Synopsis,
  type ValueType,
} from '../command.ts';
import { UsageError } from '../errors.ts';
import { interruption, warn } from '../terminal.ts';
import { POSITIVE_INTEGER } from '../values.ts';
import { SURROUNDINGS, type Surroundings, withLog } from '../with-log.ts';

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

/** What operators do is done in no user's name; what a poll writes, in that of the user of its source. */
export const operatorContext = ({ now, newId }: Surroundings): CommandContext => ({
  caller: null,
  actor: systemActor('daybook sources'),
  now: now(),
  correlationId: newId(),
  ...{ reason: undefined, ifRevision: undefined, idempotencyKey: undefined },
});

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

const iso = (at: EpochSeconds | null): string | null => (at === null ? null : new Date(at * 1000).toISOString());

export const pollJson = (poll: Poll): object => ({ ...poll, begun: iso(poll.begun), ended: iso(poll.ended) });

/** With the members of the API. */
export function sourceJson(source: Source): object {
  const { id, name, address, every, mode, onMissing, status, user, paused, created, failures, polls } = source;
  const last = polls.at(-1);
  return {
    ...{ id, name, address, every, mode, on_missing: onMissing, status: status ?? '', user, paused },
    ...{ created: iso(created), next_poll: iso(nextPoll(source)), failures, to_confirm: unconfirmed(source) },
    last_poll: last ? pollJson(last) : null,
  };
}
