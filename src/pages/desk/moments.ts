// A day with a time in a form: both are texts, shown and read as the language of the page writes them.
import type { ParameterMap } from '../../http/parameters/parameter-map.ts';
import { readDay, readTime } from '../assets/written-dates.js';
import { type Day, dateText, todayIn } from '../dates.ts';
import { type Attributes, type Html, html } from '../html.ts';
import { typedText } from './form-values.ts';
import { described, type Field, field } from './forms.ts';
import type { DeskRequest } from './page.ts';

/** What a text is read with. */
type Reading = Pick<DeskRequest, 'form' | 'language' | 'siteZone' | 'now'>;

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** Whether this is a day with a time, `2026-12-05T19:00`. */
export const isMoment = (value: string): boolean => MOMENT.test(value);

/** A day as it was typed, `2026-12-05`; null if it is none. */
export const typedDay = ({ language, siteZone, now }: Omit<Reading, 'form'>, text: string): Day | null =>
  readDay(language.code, text, todayIn(siteZone, now));

/** The name of the input for the time that belongs to a day. */
const timeName = (name: string): string => `${name}_time`;

/** What was typed into both, `2026-12-05T19:00`; as it was typed if it is no moment. The day may have its time with it. */
export function typedMoment(request: Reading, name: string): string {
  const text = typedText(request.form, name);
  const [, ownDay = text, ownTime] = /^(.*\d)[T ](\d\d:\d\d)(?::\d\d)?$/.exec(text) ?? [];
  const typedTime = ownTime ?? typedText(request.form, timeName(name));
  const [day, time] = [typedDay(request, ownDay), readTime(typedTime)];
  if (day !== null && time !== null) return `${day}T${time}`;
  return text === '' ? '' : `${text} ${ownTime === undefined ? typedTime : ''}`.trim();
}

/**
 * What an address has, with its instant (`as_of`) and its days (`from`, `to`) as everything but forms writes them. An instant
 * without a time is the beginning of its day.
 */
export function withReadTimes(parameters: ParameterMap, reading: Omit<Reading, 'form'>): ParameterMap {
  const days = ['from', 'to'].flatMap((name) => {
    const day = typedDay(reading, typedText(parameters, name));
    return day === null ? [] : [[name, day]];
  });
  const time = timeName('as_of');
  const form = { ...parameters, [time]: typedText(parameters, time) || '0:00' };
  const asOf = time in parameters ? { as_of: typedMoment({ ...reading, form }, 'as_of') } : {};
  return { ...parameters, ...asOf, ...Object.fromEntries(days) };
}

/** A day as a form shows it: a text that is none stays as it is. */
function dayText(request: DeskRequest, text: string): string {
  const day = typedDay(request, text);
  return day === null ? text : dateText(request.language.code, 'medium', day);
}

/** An input for a day. With script it has a calendar. */
export const dayInput = (
  request: DeskRequest,
  props: Omit<Field, 'label' | 'hint'> & { readonly hint?: string },
  more: Attributes = {},
): Html =>
  html`<input id=${props.name} name=${props.name} value=${dayText(request, props.value)} autocomplete="off" maxlength="60"
    data-day=${request.words('choose_day')} ...${described(props)} ...${more} />`;

/** The two inputs of a moment. A value that is none is shown as it was typed. */
export function momentField(request: DeskRequest, props: Field, more: Attributes = {}): Html {
  const { words, form, language } = request;
  const { name, value, label } = props;
  const [day, time] = isMoment(value)
    ? [value.slice(0, 10), dateText(language.code, 'time', value.replace('T', ' ')).replaceAll('\u00a0', ' ')]
    : [typedText(form, name), typedText(form, timeName(name))];
  return field(
    props,
    html`<div class="moment">
      ${dayInput(request, { ...props, value: day }, more)}
      <input class="time" id=${timeName(name)} name=${timeName(name)} value=${time} autocomplete="off" maxlength="20"
        aria-label=${words('time_of', { label })} ...${described(props)} />
    </div>`,
  );
}

/** What is said of a text that is no day. */
export const notADay = ({ words, language, siteZone, now }: DeskRequest): string =>
  words('not_a_day', { day: dateText(language.code, 'medium', todayIn(siteZone, now)) });

/** What is said of a moment that cannot be read. */
export const notAMoment = (request: DeskRequest): string =>
  request.words('not_a_moment', {
    day: dateText(request.language.code, 'medium', todayIn(request.siteZone, request.now)),
    time: dateText(request.language.code, 'time', '2026-01-01 19:00'),
  });
