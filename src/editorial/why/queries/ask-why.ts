// Why an event is in a list of today, or in one of the past.
import { byLabelParameter } from '../../../calendar/event/domain/event-labels.ts';
import { LISTED_FLAGS, type ListedFlag } from '../../../calendar/event/domain/event-traits.ts';
import type { EventListInput } from '../../../calendar/event/http/event-schema.ts';
import { FILTER_OF_BOUND } from '../../../calendar/event/queries/date-window.ts';
import { type EventListRequest, eventListRequest } from '../../../calendar/event/queries/list-events.ts';
import { POST_STATUSES } from '../../../calendar/resource/domain/post.ts';
import { shortInstant } from '../../../kernel/time/instant.ts';
import { type EpochSeconds, toWallClock, type Zone } from '../../../kernel/time/zone.ts';
import type { Language } from '../../../locales/language.ts';
import { phrase, type Wording } from '../../../locales/phrases.ts';
import { type Paging, pageCount, type QueryRefusal } from '../../../queries/arguments.ts';
import type { QueryDependencies, Reader } from '../../../queries/reader.ts';
import type { EventDocument } from '../../../read-model/documents.ts';
import { type EventQuery, looksBehindMasks, type TimeBounds, type Visibility } from '../../../read-model/queries.ts';
import type { ReadModel } from '../../../read-model/read-model.ts';
import { withStaying } from '../../merges/queries/merged.ts';
import type { AsOfCalendar } from '../../time-travel/queries/as-of-log.ts';
import { asOfEventRequest } from '../../time-travel/queries/lists.ts';

export interface Explained {
  readonly reasons: WhyListed;
  readonly list: EventListRequest;
}

/** `reader` is whose list is meant; whether the event may be spoken of is for the caller of this to know. */
export async function whyToday(
  queries: Pick<QueryDependencies, 'readModel' | 'siteZone' | 'perPage'>,
  input: EventListInput,
  event: EventDocument,
  reader: Reader,
): Promise<Explained | QueryRefusal> {
  const { readModel, siteZone } = queries;
  const list = eventListRequest(await withStaying(readModel, input), queries, reader, await readModel.terms());
  if ('refused' in list) return list;
  return { list, reasons: await whyListed({ ...list, readModel, event, input, siteZone, asOf: null }) };
}

/** The same for a list as of an instant; `today` replaces the event if it did not exist. */
export async function whyAsOf(
  queries: Pick<QueryDependencies, 'siteZone' | 'perPage'>,
  input: EventListInput,
  today: EventDocument,
  reader: Reader,
  then: { readonly calendar: AsOfCalendar; readonly at: EpochSeconds },
): Promise<Explained | QueryRefusal> {
  const { calendar, at } = then;
  const { readModel } = calendar;
  const list = await asOfEventRequest(queries, input, { ...reader, now: at }, then);
  if ('refused' in list) return list;
  const [document] = await readModel.fetch([{ kind: 'event', id: today.id }]);
  const event = document?.kind === 'event' ? document : today;
  const { siteZone } = queries;
  return { list, reasons: await whyListed({ ...list, readModel, event, input, siteZone, asOf: shortInstant(at) }) };
}

/** The reasons as clients read them. */
export const whyIn = (language: Language, reasons: WhyListed) => ({
  listed: reasons.place !== null,
  on_page: reasons.isOnPage,
  summary: reasons.summary(language),
  place: reasons.place,
  page: reasons.page,
  place_on_page: reasons.placeOnPage,
  total: reasons.total,
  total_pages: reasons.pages,
  conditions: reasons.conditions.map(({ sentence, ...condition }) => ({ ...condition, sentence: sentence(language) })),
});

// Why an event is in a list or not: every condition with its verdict and a sentence, and where in the list it is.

type WhyListed = Awaited<ReturnType<typeof whyListed>>;

interface WhyQuestion extends EventListRequest {
  readonly readModel: Pick<ReadModel, 'explainEvent'>;
  readonly event: Pick<EventDocument, 'id' | 'status' | 'startsAt' | 'endsAt'>;
  readonly input: EventListInput;
  readonly siteZone: Zone;
  /** The instant of a list of the past, as clients read it. */
  readonly asOf: string | null;
}

/** Its place in the list is from 1; null when it is not in it. */
async function whyListed({ readModel, query, paging, ...question }: WhyQuestion) {
  const disclosure: Disclosure = question.asOf === null ? 'all' : 'public as of';
  const explanation = await verdictsOn(readModel, query, question.event, disclosure);
  const conditions = explanation.verdicts.map((verdict) => ({
    condition: PARAMETER_OF[verdict.name],
    passes: verdict.passes,
    sentence: sentenceOn(verdict, question),
  }));
  const { total } = explanation;
  const pages = pageCount(total, paging);
  const where = whereIn(explanation, paging);
  const { place, page } = where;
  if (place === null) {
    const unmet = new Set(conditions.filter(({ passes }) => !passes).map(({ condition }) => condition));
    const summary = phrase('why_not_listed', { conditions: [...unmet] });
    return { isOnPage: false, summary, ...where, total, pages, conditions };
  }
  const isOnPage = page === paging.page;
  const sentence = isOnPage
    ? phrase('why_on_page', { place, total, page })
    : phrase('why_on_other_page', { place, total, page, asked: paging.page });
  return {
    isOnPage,
    summary: phrase(isOnPage ? 'why_listed' : 'why_other_page', { place, total, page }),
    ...where,
    total,
    pages,
    conditions: [...conditions, { condition: 'page', passes: isOnPage, sentence }],
  };
}

function whereIn({ place }: Verdicts, { perPage }: Paging) {
  if (place === null) return { place, page: null, placeOnPage: null };
  const page = Math.ceil(place / perPage);
  return { place, page, placeOnPage: place - (page - 1) * perPage };
}

// Each verdict as a sentence, with what to change if it fails.

/** The list of the question, as sent, and the event. */
type Question = Pick<WhyQuestion, 'event' | 'args' | 'input' | 'siteZone' | 'asOf'>;

const PARAMETER_OF_FLAG = Object.fromEntries(LISTED_FLAGS.map(({ member, wire }) => [member, wire])) as {
  readonly [Flag in ListedFlag]: string; // Each has its filter.
};

/** The parameter, or field of the event, that a condition is about. */
const PARAMETER_OF: { readonly [Name in ConditionName]: string } = {
  listable: 'hide_from_listings',
  status: 'status',
  password: 'password',
  ...FILTER_OF_BOUND,
  word: 'search',
  'excluded word': 'search',
  include: 'include',
  collapse: 'collapse',
  categories: 'categories',
  tags: 'tags',
  venues: 'venue',
  organizers: 'organizer',
  parent: 'post_parent',
  geolocated: 'geoloc',
  nearby: 'geoloc_radius',
  eventStatuses: 'event_status',
  ...PARAMETER_OF_FLAG,
  ...byLabelParameter((wire) => wire),
};

const isBound = (name: ConditionName): name is keyof TimeBounds => Object.hasOwn(FILTER_OF_BOUND, name);

/** The verdict on one condition. */
function sentenceOn(verdict: Verdict, question: Question): Wording {
  const { name, passes, word = '', query } = verdict;
  const { event, asOf } = question;
  const parameter = PARAMETER_OF[name];
  const value = question.args.find(([argument]) => argument === parameter)?.[1] ?? '';
  if (isBound(name)) return dateSentence(name, passes, parameter, value, question);
  switch (name) {
    case 'listable':
      return phrase(passes ? 'why_listable' : 'why_hidden');
    case 'status':
      if (asOf !== null) return phrase(passes ? 'why_public_then' : 'why_not_public_then', { as_of: asOf });
      return passes
        ? phrase('why_status_met', { status: event.status })
        : phrase('why_status_unmet', { status: event.status, asked: value });
    case 'password':
      return phrase(passes ? 'why_unprotected' : 'why_protected');
    case 'word':
      return phrase(passes ? 'why_word_found' : 'why_word_missing', { word });
    case 'excluded word':
      return phrase(passes ? 'why_excluded_missing' : 'why_excluded_found', { word });
    case 'nearby':
      return phrase(passes ? 'why_near' : 'why_far', { radius: query.nearby?.radiusKm ?? 0 });
    default:
      return passes ? phrase('why_filter_met', { parameter, value }) : unmetFilter(verdict, parameter, value, event.id);
  }
}

function unmetFilter({ name, query }: Verdict, parameter: string, value: string, id: number): Wording {
  switch (name) {
    case 'include':
      return phrase('why_include_unmet', { id, value });
    case 'categories':
    case 'tags':
    case 'venues':
    case 'organizers':
      return phrase('why_link_unmet', { parameter, value });
    case 'collapse':
      return phrase('why_later_of_series', { parameter, value });
    case 'geolocated':
      return query.geolocated ? phrase('why_unplaced') : phrase('why_placed', { value });
    default:
      return phrase('why_filter_unmet', { parameter, value });
  }
}

const EDGES = {
  startsFrom: ['startsAt', 'why_starts_from'],
  startsAfter: ['startsAt', 'why_starts_after'],
  startsBefore: ['startsAt', 'why_starts_before'],
  endsUntil: ['endsAt', 'why_ends_until'],
  endsAfter: ['endsAt', 'why_ends_after'],
  endsBefore: ['endsAt', 'why_ends_before'],
} as const satisfies { readonly [Bound in keyof TimeBounds]-?: readonly ['startsAt' | 'endsAt', string] };

/** The sentence on a date, in the zone of the list. */
function dateSentence(
  name: keyof TimeBounds,
  passes: boolean,
  parameter: string,
  value: string,
  { event, input, siteZone }: Question,
): Wording {
  const [edge, words] = EDGES[name];
  const sentence = phrase(words, { date: toWallClock(event[edge], siteZone), zone: siteZone.name, parameter, value });
  if (passes) return sentence;
  return phrase(parameter in input ? 'why_date_unmet' : 'why_default_unmet', { sentence, parameter });
}

// Whether an event is in a list, condition by condition, and where in it.

interface Verdict extends Condition {
  readonly passes: boolean;
}

interface Verdicts {
  readonly verdicts: readonly Verdict[];
  /** Its place among all that the list has, from 1; null when the event is not in it. */
  readonly place: number | null;
  /** How many events the list has. */
  readonly total: number;
}

/** `public as of`: if the status fails, the event was not public then, and nothing else is revealed. */
type Disclosure = 'all' | 'public as of';

/** What the list of a query does with an event. Conditions that are not for this reader to know are left out. */
export async function verdictsOn(
  readModel: Pick<ReadModel, 'explainEvent'>,
  query: EventQuery,
  { id }: Pick<EventDocument, 'id'>,
  disclosure: Disclosure,
): Promise<Verdicts> {
  const conditions = conditionsOf(query, id);
  const { place, total, met } = await readModel.explainEvent(
    query,
    id,
    conditions.map((condition) => condition.query),
  );
  const all = conditions.map((condition, index): Verdict => ({ ...condition, passes: met[index] === true }));
  const verdicts = tellable(all, disclosure);
  const isAskedFirst = query.collapse && all.every(({ passes }) => passes);
  // It depends on others, so it is only said of an event that meets everything else: then it is listed, or an earlier date is.
  const firstOfSeries: Verdict = { name: 'collapse', query, passes: place !== null };
  return { verdicts: isAskedFirst ? [...verdicts, firstOfSeries] : verdicts, place, total };
}

function tellable(verdicts: readonly Verdict[], disclosure: Disclosure): readonly Verdict[] {
  const failed = (name: Condition['name']): Verdict[] =>
    verdicts.filter((verdict) => verdict.name === name && !verdict.passes);
  const closed = disclosure === 'public as of' ? failed('status') : [];
  if (closed.length > 0) return closed;
  return failed('password').length > 0 ? verdicts.filter((verdict) => !isBehindMask(verdict)) : verdicts;
}

// The conditions of a list of events, each as a list of its own that holds one event or none. The read model that filters
// the list gives every verdict, so no filter is written twice.
// decision 9

/** Filters with a single condition; the others are handled below. */
type PlainFilter = Exclude<
  keyof EventQuery,
  'visibility' | 'unmasked' | 'linked' | 'page' | 'order' | 'bounds' | 'search' | 'include' | 'collapse'
>;

/** `listable`: not hidden from all lists. `word` and `excluded word`: one of a search. */
type ConditionName =
  | 'listable'
  | 'status'
  | 'password'
  | keyof TimeBounds
  | 'word'
  | 'excluded word'
  | 'include'
  | 'collapse'
  | PlainFilter;

interface Condition {
  readonly name: ConditionName;
  /** The word of a search. */
  readonly word?: string;
  /** Matches the event if it fulfils this condition, and nothing else. */
  readonly query: EventQuery;
}

const ANY: Visibility = { statuses: POST_STATUSES, own: null };
/** A page of nothing: only the total counts. */
const NO_PAGE = { offset: 0, limit: 0 };
/** A search that looks into texts for no word. */
const NO_WORDS = { words: [], without: [] };

/** Everything that an event must fulfil to be in a list, in the order of the answer. */
function conditionsOf(query: EventQuery, id: number): Condition[] {
  const {
    visibility,
    unmasked,
    linked,
    page: _,
    order,
    bounds,
    search,
    include,
    collapse: _collapse,
    ...filters
  } = query;
  const open = {
    visibility: ANY,
    unmasked: ANY,
    linked,
    page: NO_PAGE,
    bounds: {},
    order: 'start',
    include: [id],
  } as const;
  const alone = (name: ConditionName, part: Partial<EventQuery>): Condition => ({ name, query: { ...open, ...part } });
  return [
    alone('listable', {}),
    alone('status', { visibility }),
    ...(looksBehindMasks(query) ? [alone('password', { unmasked, search: NO_WORDS })] : []),
    ...entriesOf(bounds).map(([name, at]) => alone(name, { bounds: { [name]: at } })),
    ...(search?.words ?? []).map((word) => ({ ...alone('word', { search: { words: [word], without: [] } }), word })),
    ...(search?.without ?? []).map((word) => ({
      ...alone('excluded word', { search: { words: [], without: [word] } }),
      word,
    })),
    ...(include ? [alone('include', { include: include.filter((one) => one === id) })] : []),
    ...entriesOf(filters).map(([name, value]) => alone(name, { [name]: value })),
  ];
}

/** The members that are there. */
const entriesOf = <Members extends object>(members: Members): [keyof Members & string, unknown][] =>
  // Objects of these types have no other members.
  Object.entries(members).filter(([, value]) => value !== undefined) as [keyof Members & string, unknown][];

/** Conditions about content that a password hides: then they are left out. */
export const isBehindMask = ({ name, query }: Condition): boolean => name !== 'password' && looksBehindMasks(query);
