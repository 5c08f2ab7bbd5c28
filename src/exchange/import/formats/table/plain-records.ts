// Records of JSON without what providers wrap them in: texts in objects, translations, values beside their types, members further
// down, and dates in lists of their own.
import { eventStatusNamed } from '../../attendance.ts';
import { type ForeignRecord, isObject } from '../../fields.ts';
import { isWithheld, keepsFromPublic, publicationNamed } from '../../publication.ts';
import { cell, FALSE } from './cells.ts';
import { fieldsNamed, isOfPublication } from './headings.ts';

/** Holds the members of a record, beside its id. */
const INNER = ['_source', 'attributes', 'fields', 'properties', 'acf', 'event_instance'];

const STARTS = /^(?:event_?)?(?:start|begin|dtstart)/i;
const DATES = /^(?:event_?)?(?:date(?:_?time)?$|date_?(?:from|start)|when$|from$|local_date$|end_value$)/i;
/** What begins at another time than its event. */
const OF_OTHERS = /rrule|recur|sale|ticket|price|offer|regist|book|admission|creat|updat|modif|publish/i;

const TRANSLATION = /^[a-z]{2}(?:[-_][\w-]{2,9})?$/;

/** A record in plain members, as many times as it has dates; texts are in this language, or else in English. */
export function plainRecords(source: ForeignRecord, language: string): readonly ForeignRecord[] {
  // WordPress tells the day of publication like others that of an event.
  const { date, date_gmt: published, ...others } = source;
  if ('@type' in source) return [source];
  const record = membersOf(unwrapped(published === undefined ? source : others), language);
  const { geometry, location } = record;
  const [lng, lat] = isObject(geometry) && Array.isArray(geometry.coordinates) ? geometry.coordinates : [];
  const isPoint = Array.isArray(location) && typeof location[0] === 'number';
  const whole = { ...(typeof lat === 'number' && { lat, lng }), ...record, ...(isPoint && { location: null }) };
  return datesBeside(whole);
}

/** What it says of when it begins. */
export const beginnings = (record: ForeignRecord): readonly unknown[] =>
  Object.entries(record).flatMap(([name, value]) => {
    if (value === null || value === '') return [];
    return STARTS.test(name) || (DATES.test(name) && typeof value !== 'object') ? [value] : [];
  });

export const begins = (record: ForeignRecord): boolean => beginnings(record).length > 0;

/** No record has more members in all of its dates. */
const MAX_MEMBERS = 100_000;

/** When a date begins and ends. */
const TIMES = /^(?:event_?)?(?:start|begin|end)/i;

/** A record that does not begin by itself, or at one of several dates, once for each; what has a name of its own is no date of it. */
function datesBeside(record: ForeignRecord): readonly ForeignRecord[] {
  const [list] = Object.entries(record)
    .filter(([name, value]) => typeof value === 'object' && !OF_OTHERS.test(name))
    .map(([name, value]) => ({ name, dates: [value].flat().filter(isObject) }))
    .filter(({ dates }) => dates.some(begins) && !dates.some((one) => 'title' in one || 'name' in one))
    .toSorted((one, other) => other.dates.length - one.dates.length);
  if (!list || list.dates.length * Object.keys(record).length > MAX_MEMBERS) return [record];
  const isOneOf = (times: ForeignRecord): boolean =>
    Object.keys(times).some((name) => STARTS.test(name) && times[name] === record[name]);
  if (begins(record) && !list.dates.some(isOneOf)) return [record];
  return list.dates.map((times) => {
    const ownTimes = Object.entries(times).filter(([name]) => TIMES.test(name));
    const withheld = withholding([...Object.entries(times), ...Object.entries(record)]);
    return { ...times, ...record, ...Object.fromEntries(ownTimes), ...withheld, [list.name]: undefined };
  });
}

/**
 * What counts of a name that is said several times with different values, whichever of them the others overrule: that it is not for
 * the public, and that it does not take place as it was to.
 */
function withholding(all: readonly (readonly [name: string, value: unknown])[]): ForeignRecord {
  const byName = Map.groupBy(all, ([name]) => name);
  const statements = [...byName]
    .filter(([name, values]) => values.length > 1 && isOfPublication(name))
    .flatMap(([name, values]) => values.map(([, value]) => ({ fields: fieldsNamed(name), text: cell(value) })));
  const isKept = statements.some(({ fields, text }) => {
    if (fields.includes('private') && keepsFromPublic(text)) return true;
    if (fields.includes('public') && text !== '' && FALSE.test(text)) return true;
    return isWithheld(publicationNamed(text)?.status);
  });
  const state = statements.find(({ text }) => (eventStatusNamed(text) ?? 'scheduled') !== 'scheduled');
  return { ...(isKept && { private: 'true' }), ...(state && { event_status: state.text }) };
}

function plain(value: unknown, language: string): unknown {
  if (Array.isArray(value)) {
    const texts = value.flatMap((one) => (isObject(one) && 'plain_text' in one ? [one.plain_text] : []));
    return texts.length > 0 ? texts.join('') : value.map((one) => plain(one, language));
  }
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const { type, data } = value;
  // `{ id, type: 'url', url }`
  if (typeof type === 'string' && Object.hasOwn(value, type) && names.length <= 3) return plain(value[type], language);
  if (isWrapping(value)) return plain(data, language);
  const translation = names.every((name) => TRANSLATION.test(name)) && translated(value, language);
  if (translation) return plain(translation, language);
  const [day, time] = [value.date ?? value.localDate, value.time ?? value.localTime];
  if (typeof day === 'string' && typeof time === 'string')
    return {
      dateTime: value.dateTime ?? value.datetime ?? `${day} ${time}`,
      timeZone: value.timeZone ?? value.timezone ?? value.tz,
    };
  return membersOf(value, language);
}

const isWrapping = (value: ForeignRecord): boolean =>
  'data' in value && Object.keys(value).every((name) => /^(?:data|links|meta)$/.test(name));

/** A record without what is around it, which is said beside it. */
const unwrapped = (value: ForeignRecord): ForeignRecord =>
  isWrapping(value) && isObject(value.data) ? { meta: value.meta, ...value.data } : value;

function membersOf(value: ForeignRecord, language: string): ForeignRecord {
  // Each member is taken once: where they hold each other there would be as many again at each level.
  const [outer, inner] = [Object.entries(value), INNER.map((name) => value[name]).filter(isObject)];
  const isInner = (one: unknown): boolean => inner.some((member) => member === one) || one === value.meta;
  const members = [...outer.filter(([, one]) => !isInner(one)), ...inner.flatMap(Object.entries)];
  const beside = isObject(value.meta) ? Object.entries(value.meta) : [];
  const all = [...beside, ...members].map(([name, one]) => [name, plain(one, language)] as const);
  return { ...Object.fromEntries(all), ...(inner.length + beside.length > 0 && withholding(all)) };
}

/** Undefined for what is no text in several languages. */
function translated(value: ForeignRecord, language: string): unknown {
  const texts = Object.entries(value).filter(([, one]) => one !== null && one !== '');
  if (!texts.every(([, one]) => typeof one === 'string' || Array.isArray(one))) return undefined;
  const translations = [language, 'en', ''].map((code) => texts.find(([name]) => name.startsWith(code)));
  return translations.find((one) => one !== undefined)?.[1];
}
