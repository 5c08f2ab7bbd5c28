// What a rule means before it is saved: as a sentence, with its number of dates, and as a small calendar in which dates are
// taken out. A part of the form that its script asks for whenever the rule changes.
import { parseSeriesRule, type RuleSet, seriesDates } from '../../../editorial/series/domain/rule-set.ts';
import { resolveZone, toInstant, type Zone } from '../../../kernel/time/zone.ts';
import { recurrenceWords } from '../../../locales/recurrence/recurrence-words.ts';
import { type Day, dateText, monthOf, weeksOf } from '../../../pages/dates.ts';
import { isMoment, typedMoment } from '../../../pages/desk/moments.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { typedRecurrence } from './repeating.ts';
import { zoneNamed } from './zones.ts';

/** What never ends is counted so far ahead, and so many months are shown. */
const YEARS_AHEAD = 2;
const MONTHS = 24;
/** A rule with an end is followed to it. */
const FAR_YEARS = 100;

/** Null: it does not repeat, cannot be read yet, or follows a rule of one's own, which takes any time to be followed. */
export function repeatingDates(request: DeskRequest): Html | null {
  const { words, language, form } = request;
  const start = typedMoment(request, 'start_date');
  const recurrence = isMoment(start) && textOf(form, 'recurrence') !== 'rule' ? typedRecurrence(request, start) : null;
  const zone = resolveZone(zoneNamed(textOf(form, 'timezone')));
  if (recurrence === null || zone === null) return null;
  const { rrule, exdates = [] } = recurrence;
  const rule = parseSeriesRule(rrule);
  if ('fault' in rule) return null;
  const clock = textOf(form, 'all_day') === '' ? start.slice(11) : '00:00';
  const first = `${start.slice(0, 10)} ${clock}:00`;
  const set: RuleSet = { start: first, zone, rules: [rule], added: [], skipped: [] };
  const isEndless = textOf(form, 'recurrence_ends') !== 'on' && textOf(form, 'recurrence_ends') !== 'after';
  const dates = seriesDates(set, yearsAfter(first, isEndless ? YEARS_AHEAD : FAR_YEARS, zone));
  if ('fault' in dates) return null;
  const days = dates.map(({ wallClock }) => wallClock.slice(0, 10));
  const left = days.filter((day) => !exdates.includes(day));
  const last = left.at(-1);
  const written = { start: first, zone: zone.name, rules: [rrule], added: [] };
  const sentence = recurrenceWords({ ...written, skipped: exdates.map((day) => `${day} ${clock}:00`) })(language);
  return html`<p><strong>${sentence.slice(0, 1).toLocaleUpperCase(language.code) + sentence.slice(1)}</strong></p>
    ${last !== undefined && html`<p>${words(isEndless ? 'repeat_dates_on' : 'repeat_dates', { last: dateText(language.code, 'medium', last), count: left.length })}</p>`}
    <p class="hint">${words('repeat_take_out')}</p>
    <div class="months">${[...new Set(days.map(monthOf))].slice(0, MONTHS).map((month) => monthPart(request, month, { days: new Set(days), exdates }))}</div>`;
}

const yearsAfter = (start: string, years: number, zone: Zone): number =>
  toInstant(`${Number(start.slice(0, 4)) + years}-12-31 23:59:59`, zone);

interface DatesShown {
  readonly days: ReadonlySet<Day>;
  /** The days that are taken out. */
  readonly exdates: readonly string[];
}

/** A month in weeks; its dates are buttons. */
const monthPart = ({ language }: DeskRequest, month: string, { days, exdates }: DatesShown): Html =>
  html`<section><p class="label-like">${dateText(language.code, 'month', `${month}-01`)}</p><div class="days">${weeksOf(
    month,
  )
    .flat()
    .map((day) => {
      const number = String(Number(day.slice(8)));
      if (monthOf(day) !== month) return html`<span></span>`;
      if (!days.has(day)) return html`<span>${number}</span>`;
      return html`<button type="button" data-except=${day} aria-pressed=${exdates.includes(day) ? 'true' : 'false'}
        aria-label=${dateText(language.code, 'long', day)}>${number}</button>`;
    })}</div></section>`;
