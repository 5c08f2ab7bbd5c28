// `daybook sources`: calendars elsewhere that are polled, as POST /sources of the API adds them.
import { type Group, synopsis, type ValueType } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { carriedOutOr, commandsOn, stepsOn } from '../../../cli/log-commands.ts';
import { interruption, printable, warn } from '../../../cli/terminal.ts';
import { JSON_FLAG, oneOf, POSITIVE_INTEGER } from '../../../cli/values.ts';
import { contextOfOperator, linksAt, SURROUNDINGS, type Surroundings } from '../../../cli/with-log.ts';
import { commandDependencies } from '../../../commands/dependencies.ts';
import { type Config, siteAddress } from '../../../config.ts';
import { present } from '../../../domain/present.ts';
import { fieldsOf, ownFields } from '../../../editorial/history/queries/field-changes.ts';
import { MAX_DESTINATION_LENGTH } from '../../../kernel/outbound/destinations.ts';
import type { PrivateHosts } from '../../../kernel/outbound/fetch-outside.ts';
import type { Zone } from '../../../kernel/time/zone.ts';
import type { EventStore } from '../../../log/event-store.ts';
import type { ImportersAdmitted } from '../../../people/auth/policy.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import type { LogStores } from '../../../stores.ts';
import { faultLine } from '../../import/report.ts';
import type { ImportCommands } from '../../import/write/writing.ts';
import { isOwnAddress, isSourceAddress } from '../address.ts';
import {
  addSource,
  allSources,
  changeSourceOf,
  type LoadedSource,
  loadSource,
  MAX_SOURCES,
  removeSourceOf,
  stepOfSource,
} from '../commands/sources.ts';
import {
  EVERY,
  failedPoll,
  ON_MISSING,
  type PollEnd,
  type PollFailure,
  pauseSource,
  resumeSource,
  SOURCE_MODES,
  type Source,
  type SourceSettings,
  unconfirmed,
} from '../domain/source.ts';
import { openSourcePolls, type SourcePolls } from '../sources.ts';

// Shared by the subcommands of `daybook sources`.

interface SourcesDependencies extends Surroundings {
  readonly commands: ImportCommands;
  readonly importers: ImportersAdmitted;
  readonly privateHosts: PrivateHosts | 'any';
  /** Where this calendar is. */
  readonly site: string;
  /** Destroys what encrypts the address of one. */
  readonly destroyKey: (subject: string) => Promise<unknown>;
  readonly polls: Pick<SourcePolls, 'poll'>;
}

const sourcesCommand = commandsOn((stores, config): SourcesDependencies => {
  const commands = commandDependencies(stores, config);
  const polls = pollsOf(stores, config, commands);
  interruption().addEventListener('abort', () => void polls.close());
  return {
    ...SURROUNDINGS,
    commands,
    polls,
    importers: config.importers,
    privateHosts: config.importNetwork === 'any' ? 'any' : config.importNetwork.privateHosts,
    site: siteAddress(config),
    destroyKey: (subject) => stores.keys.destroy(subject),
  };
});

function pollsOf(stores: LogStores, config: Config, commands: ImportCommands): SourcePolls {
  const { store, rendering } = stores;
  return openSourcePolls({
    store,
    display: rendering,
    siteZone: config.siteZone,
    network: config.importNetwork,
    commandsFor: (zone: Zone) => ({ ...commands, siteZone: zone }),
    dryCommandsOn: (on: EventStore, zone: Zone) => ({
      ...commandDependencies({ ...stores, store: on }, config),
      siteZone: zone,
    }),
    proposals: { ...commands, fieldsOf: (kind, state) => ownFields(fieldsOf(kind, state, rendering)) },
    importers: config.importers,
    clock: SURROUNDINGS,
    newId: SURROUNDINGS.newId,
    // A service may be running.
    isShared: true,
    shown: async () => void (await stores.project()),
    report: (error) => warn(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
}

const ID = { label: 'ID', description: 'number of the source', type: POSITIVE_INTEGER } as const;

/** What a poll writes is done in the name of the user of its source. */
const operatorContext = contextOfOperator('daybook sources');

async function presentSource(name: string, { commands }: SourcesDependencies, id: number): Promise<LoadedSource> {
  const found = await loadSource(commands.store, id);
  if (!found) throw new UsageError(`${name}: there is no source ${id}.`, 1);
  return found;
}

const carriedOut = carriedOutOr({
  source_not_found: 'there is no such source.',
  invalid_parameter: '--user must be a user who may import.',
  source_needs_review: 'rules of review say that this user has to propose. Try --mode propose.',
  too_many_sources: `there are ${MAX_SOURCES} sources already. Remove one first.`,
  source_polling: 'it is being polled. Try again when that has ended.',
});

/** Throws for an address that no source may have. */
function checkAddress(name: string, address: string, { privateHosts, site }: SourcesDependencies): void {
  if (!isSourceAddress(address, privateHosts)) throw refusedAddress(name);
  if (isOwnAddress(address, site))
    throw new UsageError(`${name}: the address must be that of another calendar, not of this one.`);
}

const refusedAddress = (name: string): UsageError =>
  new UsageError(
    `${name}: the address must be http, https or webcal, at most ${MAX_DESTINATION_LENGTH} characters, without user name ` +
      'and password, and not in a private network unless DAYBOOK_PRIVATE_HOSTS names its host.',
  );

const MINUTES: ValueType<number> = {
  must: `a number of minutes from ${EVERY.least} to ${EVERY.most}`,
  read: (text) =>
    /^\d{1,5}$/.test(text) && Number(text) >= EVERY.least && Number(text) <= EVERY.most ? Number(text) : undefined,
};

/** As the API answers it. */
async function sourceJson({ commands, site }: SourcesDependencies, source: Source) {
  const { sourceObject } = await answers();
  return sourceObject(source, { links: linksAt(site), actors: openActors(commands.store) });
}

async function pollsJson({ commands }: SourcesDependencies, { polls }: Source) {
  const { pollObject } = await answers();
  return Promise.all(polls.toReversed().map((poll) => pollObject(poll, openActors(commands.store))));
}

/** Loaded where it is needed: other subcommands need nothing of HTTP. */
const answers = () => import('../http/source-answers.ts');

const STATUSES = ['publish', 'draft', 'pending', 'as-they-say'] as const;

const SETTINGS = {
  every: { value: 'MINUTES', description: 'time between two polls', type: MINUTES },
  mode: {
    value: 'MODE',
    description: 'what to do with what it has: apply as an import, propose for review, or ignore (only compare)',
    type: oneOf(SOURCE_MODES),
  },
  onMissing: {
    value: 'WORD',
    description: 'what to do with upcoming events that disappear there: bin, cancel or leave',
    type: oneOf(ON_MISSING),
  },
  status: { value: 'STATUS', description: 'status of new events', type: oneOf(STATUSES) },
  name: { value: 'TEXT', description: 'what it is' },
} as const;

interface GivenSettings {
  readonly every?: number | undefined;
  readonly mode?: Source['mode'] | undefined;
  readonly onMissing?: Source['onMissing'] | undefined;
  readonly status?: (typeof STATUSES)[number] | undefined;
  readonly name?: string | undefined;
  readonly user?: number | undefined;
}

function settingsIn(given: GivenSettings): Partial<SourceSettings> {
  const { status, ...others } = given;
  return present({ ...others, status: status === 'as-they-say' ? null : status });
}

const ADD = synopsis({
  name: 'sources add',
  summary: 'poll an iCalendar address, or the API of another calendar, regularly',
  description: [
    'A running service polls it at once. What a poll takes over is what `daybook import` takes over; docs/sources.md says the rest.',
  ],
  arguments: { address: { label: 'URL', description: 'an iCalendar file, or a list of events in an API' } },
  options: {
    user: { value: 'ID', description: 'user in whose name it writes', type: POSITIVE_INTEGER, required: true },
    ...SETTINGS,
    json: { description: 'answer with one line {"id":…}' },
  },
  examples: [
    [
      'daybook sources add https://theatre.example/programme.ics --user 1 --on-missing cancel',
      'takes over its events once an hour, and cancels those that disappear there',
    ],
  ],
});

const add = sourcesCommand('existing', ADD, async ({ address, user, json, ...given }, dependencies) => {
  const { commands, importers, out } = dependencies;
  checkAddress(ADD.name, address, dependencies);
  const usual = { name: '', every: EVERY.usual, mode: 'apply', onMissing: 'leave', status: null } as const;
  const settings = { ...usual, ...settingsIn(given), address, user };
  const { id } = await carriedOut(ADD.name, addSource(commands, operatorContext(dependencies), settings, importers));
  out(json ? JSON.stringify({ id }) : `Added source ${id}.`);
});

const LIST = synopsis({
  name: 'sources list',
  summary: 'list all sources',
  description: ['A line for each: number, address, minutes between polls, mode, and what became of the last poll.'],
  arguments: {},
  options: { json: JSON_FLAG },
  examples: [['daybook sources list', 'lists all sources']],
});

const list = sourcesCommand('read', LIST, async ({ json }, dependencies) => {
  const { commands, out } = dependencies;
  const all = (await allSources(commands.store)).map(({ state }) => state);
  if (json) out(JSON.stringify(await Promise.all(all.map((one) => sourceJson(dependencies, one)))));
  else
    for (const one of all)
      out([one.id, printable(one.address), `every ${one.every} min`, one.mode, stateOf(one)].join('\t'));
});

function stateOf(source: Source): string {
  const { paused, failures, polls } = source;
  const problem = failedPoll(source)?.problem;
  if (paused) return 'paused';
  if (unconfirmed(source)) return `held back (${problem}): see daybook sources poll --accept`;
  if (problem) return `failed ${failures} times (${problem})`;
  return polls.at(-1)?.outcome ?? 'not polled yet';
}

const SHOW = synopsis({
  name: 'sources show',
  summary: 'show one source and its latest polls',
  arguments: { id: ID },
  options: { json: JSON_FLAG },
  examples: [['daybook sources show 1', 'shows settings, next poll and the latest polls as JSON']],
});

const show = sourcesCommand('read', SHOW, async ({ id, json }, dependencies) => {
  const { state } = await presentSource(SHOW.name, dependencies, id);
  const shown = { ...(await sourceJson(dependencies, state)), polls: await pollsJson(dependencies, state) };
  dependencies.out(JSON.stringify(shown, null, json ? 0 : 2));
});

const CHANGE = synopsis({
  name: 'sources change',
  summary: 'change a source',
  description: ['What is not given stays as it is. The next poll compares everything with the new settings.'],
  arguments: { id: ID },
  options: {
    address: { value: 'URL', description: 'where it is now' },
    user: { value: 'ID', description: 'user in whose name it writes', type: POSITIVE_INTEGER },
    ...SETTINGS,
    json: JSON_FLAG,
  },
  examples: [['daybook sources change 1 --mode propose --every 1440', 'proposes what changes, once a day']],
});

const change = sourcesCommand('existing', CHANGE, async ({ id, address, json, ...given }, dependencies) => {
  const { commands, importers, out } = dependencies;
  if (address !== undefined) checkAddress(CHANGE.name, address, dependencies);
  const wanted = present({ ...settingsIn(given), address });
  if (Object.keys(wanted).length === 0) throw new UsageError(`${CHANGE.name}: name at least one option to change.`);
  const context = operatorContext(dependencies);
  const source = await carriedOut(CHANGE.name, changeSourceOf(commands, context, id, wanted, importers));
  out(json ? JSON.stringify(await sourceJson(dependencies, source)) : `Changed source ${id}.`);
});

const step = stepsOn('sources', ID, sourcesCommand);

const pause = step('pause', {
  summary: 'stop polling a source for a while',
  effect: 'pauses source 1',
  async take(dependencies, id, name) {
    await carriedOut(name, stepOfSource(dependencies.commands, operatorContext(dependencies), id, pauseSource));
    return `Paused source ${id}.`;
  },
});

const resume = step('resume', {
  summary: 'poll a paused source again',
  effect: 'resumes source 1',
  async take(dependencies, id, name) {
    await carriedOut(name, stepOfSource(dependencies.commands, operatorContext(dependencies), id, resumeSource));
    return `Resumed source ${id}.`;
  },
});

const POLL = synopsis({
  name: 'sources poll',
  summary: 'poll a source now',
  description: [
    'What it writes has one request id: `daybook revert` takes the poll back. Exit code 1: the poll has failed, and nothing has changed.',
  ],
  arguments: { id: ID },
  options: {
    dryRun: { description: 'show what would happen; write nothing' },
    accept: { description: 'take the answer although most or all coming events are missing in it' },
    json: JSON_FLAG,
  },
  examples: [
    ['daybook sources poll 1 --dry-run', 'shows what a poll would do'],
    ['daybook sources poll 1 --accept', 'takes what was held back'],
  ],
});

const poll = sourcesCommand('existing', POLL, async (given, dependencies) => {
  const { id, dryRun: isDry, accept, json } = given;
  const result = await dependencies.polls.poll(operatorContext(dependencies), id, {
    why: 'asked',
    how: isDry ? 'dry run' : 'carried out',
    losses: accept ? 'confirmed' : 'guarded',
  });
  if (result.kind === 'rejected') {
    await carriedOut(POLL.name, Promise.resolve(result));
    return undefined;
  }
  const { end } = result;
  if (!json) for (const note of end.notes ?? []) dependencies.out(faultLine('note', note));
  dependencies.out(json ? JSON.stringify({ outcome: 'failed', ...end, validators: undefined }) : sentence(end));
  return 'problem' in end ? 1 : 0;
});

function sentence(end: PollEnd | PollFailure): string {
  const counts = Object.entries(end.counts).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]));
  const counted = counts.length === 0 ? '' : `: ${counts.join(', ')}`;
  if ('problem' in end)
    return printable(`Failed (${end.problem})${counted}${end.detail === '' ? '' : `: ${end.detail}`}.`);
  const hasWritten = end.outcome === 'applied' && end.counts.created + end.counts.changed + end.counts.missing > 0;
  const revert = hasWritten ? ` \`daybook revert ${end.request}\` takes it back.` : '';
  return `${end.outcome.charAt(0).toUpperCase()}${end.outcome.slice(1)}${counted}.${revert}`;
}

const remove = step('remove', {
  summary: 'remove a source and its address; its events stay',
  effect: 'removes source 1; its number is not given again',
  async take(dependencies, id, name) {
    const { commands, destroyKey } = dependencies;
    await carriedOut(name, removeSourceOf(commands, operatorContext(dependencies), id, destroyKey));
    return `Removed source ${id}.`;
  },
});

export const sourcesGroup: Group<SourcesDependencies> = {
  name: 'sources',
  subcommands: { list, add, show, change, poll, pause, resume, remove },
};
