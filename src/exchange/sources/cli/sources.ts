// `daybook sources`: calendars elsewhere that are polled, as POST /sources of the API adds them.
import { command, type Group, type ValueType } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { interruption, printable, warn } from '../../../cli/terminal.ts';
import { JSON_FLAG, oneOf, POSITIVE_INTEGER } from '../../../cli/values.ts';
import {
  carriedOutOr,
  contextOfOperator,
  linksAt,
  onLog,
  SURROUNDINGS,
  type Surroundings,
} from '../../../cli/with-log.ts';
import { commandDependencies } from '../../../commands/dependencies.ts';
import { type Config, siteAddress } from '../../../config.ts';
import { present } from '../../../domain/present.ts';
import { fieldsOf, ownFields } from '../../../editorial/history/queries/field-changes.ts';
import type { PrivateHosts } from '../../../kernel/outbound/fetch-outside.ts';
import type { Zone } from '../../../kernel/time/zone.ts';
import type { EventStore } from '../../../log/event-store.ts';
import type { ImportersAdmitted } from '../../../people/auth/policy.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import type { LogStores } from '../../../stores.ts';
import { faultLine } from '../../import/report.ts';
import type { ImportCommands } from '../../import/write/writing.ts';
import {
  addSource,
  allSources,
  changeSourceOf,
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
import { addressIn } from '../http/source-address.ts';
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

function dependenciesOf(stores: LogStores, config: Config): SourcesDependencies {
  const { store, rendering } = stores;
  const { importers, importNetwork: network } = config;
  const commands = commandDependencies(stores, config);
  const polls = openSourcePolls({
    store,
    display: rendering,
    siteZone: config.siteZone,
    network,
    commandsFor: (zone: Zone) => ({ ...commands, siteZone: zone }),
    dryCommandsOn: (on: EventStore, zone: Zone) => ({
      ...commandDependencies({ ...stores, store: on }, config),
      siteZone: zone,
    }),
    proposals: { ...commands, fieldsOf: (kind, state) => ownFields(fieldsOf(kind, state, rendering)) },
    importers,
    clock: SURROUNDINGS,
    newId: SURROUNDINGS.newId,
    // A service may be running.
    isShared: true,
    untilShown: async () => void (await stores.project()),
    report: (error) => warn(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
  interruption().addEventListener('abort', () => void polls.close());
  return {
    ...SURROUNDINGS,
    commands,
    polls,
    importers,
    privateHosts: network === 'any' ? 'any' : network.privateHosts,
    site: siteAddress(config),
    destroyKey: (subject) => stores.keys.destroy(subject),
  };
}

const reading = onLog('read', dependenciesOf);
const writing = onLog('existing', dependenciesOf);

const ID = { label: 'ID', description: 'number of the source', type: POSITIVE_INTEGER } as const;

/** What a poll writes is done in the name of the user of its source. */
const operatorContext = contextOfOperator('daybook sources');

async function presentSource({ commands }: SourcesDependencies, id: number): Promise<Source> {
  const source = await loadSource(commands.store, id);
  if (!source) throw new UsageError(`there is no source ${id}.`, 1);
  return source.state;
}

const carriedOut = carriedOutOr({
  source_not_found: 'there is no such source.',
  invalid_parameter: '--user must be a user who may import.',
  source_needs_review: 'rules of review say that this user has to propose. Try --mode propose.',
  too_many_sources: `there are ${MAX_SOURCES} sources already. Remove one first.`,
  source_polling: 'it is being polled. Try again when that has ended.',
});

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

interface SettingOptions {
  readonly every?: number | undefined;
  readonly mode?: Source['mode'] | undefined;
  readonly onMissing?: Source['onMissing'] | undefined;
  readonly status?: (typeof STATUSES)[number] | undefined;
  readonly name?: string | undefined;
  readonly user?: number | undefined;
}

function settingsIn(options: SettingOptions): Partial<SourceSettings> {
  const { status, ...others } = options;
  return present({ ...others, status: status === 'as-they-say' ? null : status });
}

const add = command(
  {
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
  },
  async ({ address, user, json: _, ...options }, dependencies) => {
    const { commands, importers } = dependencies;
    const usual = { name: '', every: EVERY.usual, mode: 'apply', onMissing: 'leave', status: null } as const;
    const settings = { ...usual, ...settingsIn(options), address: addressIn(address, dependencies), user };
    const { id } = await carriedOut(addSource(commands, operatorContext(dependencies), settings, importers));
    return { json: { id }, lines: [`Added source ${id}.`] };
  },
  writing,
);

const list = command(
  {
    name: 'sources list',
    summary: 'list all sources',
    description: ['A line for each: number, address, minutes between polls, mode, and what became of the last poll.'],
    options: { json: JSON_FLAG },
    examples: [['daybook sources list', 'lists all sources']],
  },
  async (_, dependencies) => {
    const sources = (await allSources(dependencies.commands.store)).map(({ state }) => state);
    return {
      json: await Promise.all(sources.map((one) => sourceJson(dependencies, one))),
      lines: sources.map((one) =>
        [one.id, printable(one.address), `every ${one.every} min`, one.mode, stateOf(one)].join('\t'),
      ),
    };
  },
  reading,
);

function stateOf(source: Source): string {
  const { paused, failures, polls } = source;
  const problem = failedPoll(source)?.problem;
  if (paused) return 'paused';
  if (unconfirmed(source)) return `held back (${problem}): see daybook sources poll --accept`;
  if (problem) return `failed ${failures} times (${problem})`;
  return polls.at(-1)?.outcome ?? 'not polled yet';
}

const show = command(
  {
    name: 'sources show',
    summary: 'show one source and its latest polls',
    arguments: { id: ID },
    options: { json: JSON_FLAG },
    examples: [['daybook sources show 1', 'shows settings, next poll and the latest polls as JSON']],
  },
  async ({ id }, dependencies) => {
    const source = await presentSource(dependencies, id);
    const json = { ...(await sourceJson(dependencies, source)), polls: await pollsJson(dependencies, source) };
    return { json, lines: [JSON.stringify(json, null, 2)] };
  },
  reading,
);

const change = command(
  {
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
  },
  async ({ id, address, json: _, ...options }, dependencies) => {
    const { commands, importers } = dependencies;
    const changes = present({
      ...settingsIn(options),
      address: address === undefined ? address : addressIn(address, dependencies),
    });
    if (Object.keys(changes).length === 0) throw new UsageError('name at least one option to change.');
    const source = await carriedOut(changeSourceOf(commands, operatorContext(dependencies), id, changes, importers));
    return { json: await sourceJson(dependencies, source), lines: [`Changed source ${id}.`] };
  },
  writing,
);

const pause = command(
  {
    name: 'sources pause',
    summary: 'stop polling a source for a while',
    arguments: { id: ID },
    examples: [['daybook sources pause 1', 'pauses source 1']],
  },
  async ({ id }, dependencies) => {
    await carriedOut(stepOfSource(dependencies.commands, operatorContext(dependencies), id, pauseSource));
    return `Paused source ${id}.`;
  },
  writing,
);

const resume = command(
  {
    name: 'sources resume',
    summary: 'poll a paused source again',
    arguments: { id: ID },
    examples: [['daybook sources resume 1', 'resumes source 1']],
  },
  async ({ id }, dependencies) => {
    await carriedOut(stepOfSource(dependencies.commands, operatorContext(dependencies), id, resumeSource));
    return `Resumed source ${id}.`;
  },
  writing,
);

const poll = command(
  {
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
  },
  async ({ id, dryRun: isDry, accept }, dependencies) => {
    const result = await dependencies.polls.poll(operatorContext(dependencies), id, {
      why: 'asked',
      how: isDry ? 'dry run' : 'carried out',
      losses: accept ? 'confirmed' : 'guarded',
    });
    if (result.kind === 'rejected') return carriedOut(Promise.resolve(result));
    const { end } = result;
    const notes = (end.notes ?? []).map((note) => faultLine('note', note));
    return {
      json: { outcome: 'failed', ...end, validators: undefined },
      lines: [...notes, sentence(end)],
      code: 'problem' in end ? 1 : 0,
    };
  },
  writing,
);

function sentence(end: PollEnd | PollFailure): string {
  const counts = Object.entries(end.counts).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]));
  const counted = counts.length === 0 ? '' : `: ${counts.join(', ')}`;
  if ('problem' in end)
    return printable(`Failed (${end.problem})${counted}${end.detail === '' ? '' : `: ${end.detail}`}.`);
  const hasWritten = end.outcome === 'applied' && end.counts.created + end.counts.changed + end.counts.missing > 0;
  const revert = hasWritten ? ` \`daybook revert ${end.request}\` takes it back.` : '';
  return `${end.outcome.charAt(0).toUpperCase()}${end.outcome.slice(1)}${counted}.${revert}`;
}

const remove = command(
  {
    name: 'sources remove',
    summary: 'remove a source and its address; its events stay',
    arguments: { id: ID },
    examples: [['daybook sources remove 1', 'removes source 1; its number is not given again']],
  },
  async ({ id }, dependencies) => {
    const { commands, destroyKey } = dependencies;
    await carriedOut(removeSourceOf(commands, operatorContext(dependencies), id, destroyKey));
    return `Removed source ${id}.`;
  },
  writing,
);

export const sourcesGroup: Group<SourcesDependencies> = {
  name: 'sources',
  subcommands: [list, add, show, change, poll, pause, resume, remove],
};
