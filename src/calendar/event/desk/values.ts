// The values of the form of an event: from the fields as they were written, from what was typed, and to a write.
import { imageText, typedText, type Values } from '../../../pages/desk/form-values.ts';
import { typedMoment } from '../../../pages/desk/moments.ts';
import { textOf, textsOf } from '../../../pages/desk/page.ts';
import { languagesNamed } from './languages.ts';
import { zoneNamed } from './zones.ts';

/** Fields of one text each, by the names of the API. */
const TEXTS = [
  'title',
  'description',
  'excerpt',
  'start_date',
  'end_date',
  'timezone',
  'cost',
  'website',
  'virtual_url',
  'virtual_video_source',
  'image',
  'slug',
  'status',
  'date',
  'event_status',
  'accessibility',
  'age_range',
  'languages',
  'registration_url',
] as const;
export const FLAGS = ['all_day', 'is_virtual', 'accessible', 'featured', 'sticky', 'hide_from_listings'] as const;
/** Ids, and for tags names. */
const LISTS = ['venue', 'organizer', 'categories', 'tags'] as const;

export type FieldName = (typeof TEXTS)[number] | (typeof FLAGS)[number] | (typeof LISTS)[number];
export const FIELD_NAMES: readonly FieldName[] = [...TEXTS, ...FLAGS, ...LISTS];

/** What the form shows: texts as texts, flags as '1' or '', lists one a line. */
export type EventValues = Values<FieldName>;

export const NO_VALUES = Object.fromEntries(FIELD_NAMES.map((name) => [name, ''])) as EventValues; // Each under its name.

/** The fields of an event, as `GET /events/{id}/fields` answers them. */
export interface EventFields {
  readonly [field: string]: unknown;
}

/** `2026-12-05 19:00:00` as values have it: `2026-12-05T19:00`. */
export const toInput = (at: unknown): string => (typeof at === 'string' ? at.slice(0, 16).replace(' ', 'T') : '');

const idsOf = (links: unknown): string =>
  Array.isArray(links)
    ? links.map((one) => String(typeof one === 'object' && one !== null ? one.id : one)).join('\n')
    : '';

const plain = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `nameOf` names tags. */
export function valuesOf(fields: EventFields, nameOf: (tag: number) => string | undefined): EventValues {
  const { tags, image, cost_details: cost } = fields;
  const texts = TEXTS.map((name) => [name, plain(fields[name])]);
  return {
    ...(Object.fromEntries(texts) as EventValues), // Each under its name.
    start_date: toInput(fields.start_date),
    end_date: toInput(fields.end_date),
    date: fields.status === 'future' ? toInput(fields.date) : '',
    event_status: plain(fields.event_status) || 'scheduled',
    cost: costText(cost),
    image: imageText(image),
    ...flagsOf((name) => fields[name] === true),
    venue: idsOf(fields.venue),
    organizer: idsOf(fields.organizer),
    categories: idsOf(fields.categories),
    tags: Array.isArray(tags) ? tags.map((id) => nameOf(Number(id)) ?? String(id)).join('\n') : '',
  };
}

function costText(cost: unknown): string {
  if (typeof cost !== 'object' || cost === null || !('values' in cost) || !Array.isArray(cost.values)) return '';
  const { currency_symbol: symbol = '' } = cost as { readonly currency_symbol?: string };
  return cost.values.map((value) => `${symbol}${value}`).join(', ');
}

const flagsOf = (isSet: (name: (typeof FLAGS)[number]) => boolean) =>
  Object.fromEntries(FLAGS.map((name) => [name, isSet(name) ? '1' : ''])) as {
    [Name in (typeof FLAGS)[number]]: string;
  };

const MOMENTS = ['start_date', 'end_date', 'date'] as const;

/** What was typed. Tags are separated by commas; what is no day or time stays as it was typed. */
export function typedValues(request: Parameters<typeof typedMoment>[0]): EventValues {
  const { form } = request;
  const texts = TEXTS.map((name) => [name, typedText(form, name)]);
  const list = (name: string): string => textsOf(form, name).join('\n');
  const tags = textOf(form, 'tags').split(/[,\n]/);
  return {
    ...(Object.fromEntries(texts) as EventValues), // Each under its name.
    ...(Object.fromEntries(MOMENTS.map((name) => [name, typedMoment(request, name)])) as Pick<EventValues, 'date'>),
    timezone: zoneNamed(typedText(form, 'timezone')),
    languages: languagesNamed(request.language.code, typedText(form, 'languages')),
    ...flagsOf((name) => textOf(form, name) !== ''),
    venue: list('venue'),
    organizer: list('organizer'),
    categories: list('categories'),
    tags: tags.flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()])).join('\n'),
  };
}

export const linesOf = (value: string): readonly string[] => (value === '' ? [] : value.split('\n'));

const isOneOf = (names: readonly FieldName[], name: FieldName): boolean => names.includes(name);

/** Members of a write for these fields. `tagId` finds tags that exist, so that a name of digits is not taken for an id. */
export const membersOf = (
  values: EventValues,
  names: readonly FieldName[],
  tagId: (name: string) => number | undefined,
): { readonly [member: string]: unknown } =>
  Object.fromEntries(names.map((name) => [name, memberOf(values, name, tagId)]));

function memberOf(values: EventValues, name: FieldName, tagId: (name: string) => number | undefined): unknown {
  const value = values[name];
  if (isOneOf(FLAGS, name)) return value !== '';
  if (name === 'tags') return linesOf(value).map((tag) => tagId(tag) ?? tag);
  if (isOneOf(LISTS, name)) return linesOf(value).map(Number);
  return value;
}
