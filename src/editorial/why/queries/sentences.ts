// Each verdict as a sentence, with what to change if it fails.

import { LISTED_FLAGS, type ListedFlag } from '../../../calendar/event/domain/event-traits.ts';
import type { EventListInput } from '../../../calendar/event/http/event-schema.ts';
import { FILTER_OF_BOUND } from '../../../calendar/event/queries/date-window.ts';
import { toWallClock, type Zone } from '../../../kernel/time/zone.ts';
import { phrase, type Wording } from '../../../locales/phrases.ts';
import type { Arguments } from '../../../queries/arguments.ts';
import type { EventDocument } from '../../../read-model/documents.ts';
import type { TimeBounds } from '../../../read-model/queries.ts';
import type { ConditionName } from './conditions.ts';
import type { Verdict } from './verdicts.ts';

/** The list of the question, as sent, and the event. */
interface Question {
  readonly event: Pick<EventDocument, 'id' | 'status' | 'startsAt' | 'endsAt'>;
  readonly args: Arguments;
  readonly given: EventListInput;
  readonly siteZone: Zone;
  /** Of a list of the past: its instant, as clients read it. */
  readonly asOf: string | null;
}

const PARAMETER_OF_FLAG = Object.fromEntries(LISTED_FLAGS.map(({ member, wire }) => [member, wire])) as {
  readonly [Flag in ListedFlag]: string; // Each has its filter.
};

/** The parameter, or field of the event, that a condition is about. */
export const PARAMETER_OF: { readonly [Name in ConditionName]: string } = {
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
};

const isBound = (name: ConditionName): name is keyof TimeBounds => Object.hasOwn(FILTER_OF_BOUND, name);

/** The verdict on one condition. */
export function sentenceOn(verdict: Verdict, told: Question): Wording {
  const { name, passes, word = '', query } = verdict;
  const { event, asOf } = told;
  const parameter = PARAMETER_OF[name];
  const value = told.args.find(([argument]) => argument === parameter)?.[1] ?? '';
  if (isBound(name)) return dateSentence(name, passes, parameter, value, told);
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

/** In the zone of the list. */
function dateSentence(
  name: keyof TimeBounds,
  passes: boolean,
  parameter: string,
  value: string,
  { event, given, siteZone }: Question,
): Wording {
  const [edge, words] = EDGES[name];
  const sentence = phrase(words, { date: toWallClock(event[edge], siteZone), zone: siteZone.name, parameter, value });
  if (passes) return sentence;
  return phrase(parameter in given ? 'why_date_unmet' : 'why_default_unmet', { sentence, parameter });
}
