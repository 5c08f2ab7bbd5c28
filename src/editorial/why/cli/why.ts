// `daybook why 12 'categories=music'`: why an event is in a list or not. A calendar of its own is made from the log.
import { allProjections } from '../../../../projections/catalogue.ts';
import { sitePrices } from '../../../calendar/event/domain/currency.ts';
import { type EventListInput, eventList } from '../../../calendar/event/http/event-schema.ts';
import { command } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { printable } from '../../../cli/terminal.ts';
import { JSON_FLAG, oneOf, POSITIVE_INTEGER } from '../../../cli/values.ts';
import { onLog, SURROUNDINGS } from '../../../cli/with-log.ts';
import { ApiError } from '../../../http/errors.ts';
import { compileInput } from '../../../http/parameters/compile.ts';
import { logLookups, viewLookups } from '../../../http/parameters/existence-checks.ts';
import { parseParameters } from '../../../http/parameters/query-string.ts';
import type { EpochSeconds, Zone } from '../../../kernel/time/zone.ts';
import type { Language } from '../../../locales/language.ts';
import { configuredLanguage } from '../../../locales/languages.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { ROLES } from '../../../people/auth/caller.ts';
import { PUBLIC_ROLE, type ReaderRole, representativeOf } from '../../../people/auth/policy.ts';
import type { QueryRefusal } from '../../../queries/arguments.ts';
import type { Reader } from '../../../queries/reader.ts';
import type { EventDocument } from '../../../read-model/documents.ts';
import type { ReadModel } from '../../../read-model/read-model.ts';
import type { RenderingSettings } from '../../../rendering/post-fragment.ts';
import { withWholeSets } from '../../change-sets/facts/whole-sets.ts';
import { instantOf } from '../../time-travel/http/as-of-reads.ts';
import { openPresent } from '../../time-travel/queries/ahead.ts';
import { openAsOfLog } from '../../time-travel/queries/as-of-log.ts';
import { type Explained, whyAsOf, whyIn, whyToday } from '../queries/ask-why.ts';

interface WhyDependencies {
  readonly store: EventStore;
  readonly rendering: RenderingSettings;
  readonly siteZone: Zone;
  readonly perPage: number;
  readonly language: Language;
  readonly now: () => EpochSeconds;
  /** Takes one line of the answer, without its end. */
  readonly out: (line: string) => void;
}

export const whyCommand = command(
  {
    name: 'why',
    description: [
      'QUERY is what would stand behind the ? of GET /events. Without it the list is the default one.',
      'The answer comes from the log alone: no service need run, and drafts and deleted events may be asked about.',
    ],
    arguments: {
      event: { label: 'ID', description: 'the event', type: POSITIVE_INTEGER },
      query: { label: 'QUERY', description: 'filters and page of the list, and as_of', count: 'optional' },
    },
    options: {
      role: {
        value: 'ROLE',
        description: 'whose list is meant: that of the public, or of a user of this role who has written nothing',
        type: oneOf<ReaderRole>([...ROLES, PUBLIC_ROLE]),
        default: PUBLIC_ROLE,
      },
      json: JSON_FLAG,
    },
    examples: [
      ["daybook why 295 'categories=music&start_date=2027-03-01'", 'explains the list of music from March on'],
      ['daybook why 295 --role contributor', 'explains what a contributor sees'],
    ],
  },
  async ({ event: id, query = '', role }, dependencies: WhyDependencies) => {
    const { store, rendering, siteZone, language, now } = dependencies;
    const { readModel } = await openPresent({ store, projections: allProjections(rendering) });
    try {
      const [event] = await readModel.fetch([{ kind: 'event', id }]);
      if (event?.kind !== 'event') throw new UsageError(`there is no event ${id}.`, 1);
      const links = { site: '', root: '', host: '' };
      const reader: Reader = {
        caller: representativeOf(role),
        now: now(),
        links,
        siteZone,
        prices: sitePrices(language, null),
        password: undefined,
      };
      const explained = await explain({ ...dependencies, readModel }, query, event, reader);
      if ('refused' in explained) throw new UsageError(`a ${role} user cannot ask for this ${explained.refused}.`);
      const reasons = whyIn(language, explained.reasons);
      return { json: { event: id, role, ...reasons }, lines: linesOf(reasons).map(printable) };
    } catch (error) {
      throw error instanceof ApiError ? new UsageError(error.text(language)) : error;
    }
  },
  onLog('read', ({ store, rendering }, config) => ({
    ...SURROUNDINGS,
    ...config,
    store,
    rendering,
    language: configuredLanguage(config),
  })),
);

async function explain(
  dependencies: WhyDependencies & { readonly readModel: ReadModel },
  query: string,
  event: EventDocument,
  reader: Reader,
): Promise<Explained | QueryRefusal> {
  const input = await parametersIn(query, dependencies, reader);
  if (input.as_of === undefined) return whyToday(dependencies, input, event, reader);
  const { store, rendering, siteZone } = dependencies;
  const at = instantOf(input.as_of, reader.now, siteZone);
  const projections = allProjections(rendering);
  const log = openAsOfLog({ store: withWholeSets(store), projections, rendering });
  const calendar = await log.make(at, 'user');
  return whyAsOf(dependencies, input, event, reader, { calendar, at });
}

/** Checked as those of the list are. */
async function parametersIn(
  query: string,
  { store, readModel, perPage, siteZone }: WhyDependencies & { readonly readModel: ReadModel },
  { caller, now }: Reader,
): Promise<EventListInput> {
  const check = compileInput(eventList({ perPage }), 'read');
  const lookups = viewLookups(readModel, logLookups(store, readModel, readModel), { either: readModel });
  const parameters = parseParameters(query.replace(/^\?/, ''));
  // The check of this very schema.
  return (await check({ caller, now, siteZone, lookups, slug: undefined, values: parameters })) as EventListInput;
}

const linesOf = ({ summary, conditions }: ReturnType<typeof whyIn>): string[] => {
  const width = Math.max(...conditions.map(({ condition }) => condition.length));
  return [
    summary,
    ...conditions.map(
      ({ condition, passes, sentence }) => `  ${passes ? '✓' : '✗'} ${condition.padEnd(width)}  ${sentence}`,
    ),
  ];
};
