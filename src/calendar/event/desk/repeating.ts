// The fields that say how an event repeats: a new one, or a series by another rule; and the recurrence of the API that they mean.

import { parseSeriesRule, type RuleSet, seriesDates } from '../../../editorial/series/domain/rule-set.ts';
import { resolveZone, toInstant, type Zone } from '../../../kernel/time/zone.ts';
import type { DeskWord } from '../../../locales/language.ts';
import { phrase } from '../../../locales/phrases.ts';
import { recurrenceWords } from '../../../locales/recurrence/recurrence-words.ts';
import { type Day, dateText, monthOf, weeksOf } from '../../../pages/dates.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { typedText } from '../../../pages/desk/form-values.ts';
import { choiceField, field, textArea, textField } from '../../../pages/desk/forms.ts';
import { dayInput, isMoment, notADay, typedDay, typedMoment } from '../../../pages/desk/moments.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { SeriesContent } from './series.ts';
import { zoneNamed } from './zones.ts';

/** What may be chosen, each with its rule: of a weekday in the month by the day of the start, one's own rule as typed. */
const RULES = {
  day: () => 'FREQ=DAILY',
  week: () => 'FREQ=WEEKLY',
  month_day: () => 'FREQ=MONTHLY',
  month_weekday: (start: string) => `FREQ=MONTHLY;BYDAY=${weekdayOfMonth(start)}`,
  year: () => 'FREQ=YEARLY',
  rule: (_start: string, text: string) => text,
} satisfies { readonly [choice: string]: (start: string, text: string) => string };

type Choice = keyof typeof RULES;

const CHOICES = Object.keys(RULES) as Choice[]; // An object's keys are its own.
const ENDS = ['never', 'on', 'after'] as const;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** `2TU` for the second Tuesday of its month; the fifth is the last one, because not every month has five. */
function weekdayOfMonth(start: string): string {
  const day = new Date(`${start.slice(0, 10)}T00:00:00Z`);
  const nth = Math.ceil(day.getUTCDate() / 7);
  return `${nth > 4 ? -1 : nth}${WEEKDAYS[day.getUTCDay()] ?? ''}`;
}

/** Beside the choice itself: fields of the form, by the words of their labels. */
export const RECURRENCE_FIELDS = ['every', 'ends', 'until', 'count', 'except', 'rule'] as const;
type RecurrenceField = (typeof RECURRENCE_FIELDS)[number];

/** What is wrong with what was typed, by field. What is typed takes effect or is refused: nothing is left out silently. */
export function recurrenceProblems(request: DeskRequest, id: string | undefined, start: string): Problem['fields'] {
  const { form, words, language } = request;
  const choice = choiceOf(request);
  const entryOf = (name: RecurrenceField): string => typedText(form, `recurrence_${name}`).trim();
  const ends = ENDS.find((one) => one === entryOf('ends')) ?? 'never';
  const idle = (chosen: string, names: readonly RecurrenceField[]) =>
    names
      .filter((name) => entryOf(name) !== '')
      .map((name) => [name, words('not_in_effect', { choice: chosen })] as const);
  const count = (name: RecurrenceField) =>
    /^0*[1-9]\d*$/.test(entryOf(name))
      ? []
      : [[name, phrase('allowed_from', { name: words(`repeat_${name}`), least: 1 })(language)] as const];
  const problems: (readonly [RecurrenceField, string])[] = [];
  if (choice === undefined) problems.push(...idle(words(id === undefined ? 'repeat_never' : 'repeat_unchanged'), IDLE));
  else {
    if (ends === 'never') problems.push(...idle(words('repeat_ends_never'), ['until', 'count']));
    if (choice !== 'rule') problems.push(...idle(words(`repeat_${choice}`), ['rule']));
    if (entryOf('every') !== '') problems.push(...count('every'));
    if (ends === 'after') problems.push(...count('count'));
    if (ends === 'on' && entryOf('until') === '') problems.push(['until', words('missing_field')]);
    const until = typedDay(request, entryOf('until'));
    if (ends === 'on' && entryOf('until') !== '' && until === null) problems.push(['until', notADay(request)]);
    if (ends === 'on' && until !== null && until < start.slice(0, 10))
      problems.push(['until', words('end_before_start')]);
  }
  return atFields(request, Object.fromEntries(problems));
}

/** Each at its field, which may be folded away; the choice itself names them. */
function atFields(
  { words }: DeskRequest,
  problems: { readonly [Name in RecurrenceField]?: string },
): Problem['fields'] {
  const wrong = RECURRENCE_FIELDS.flatMap((name) =>
    problems[name] === undefined ? [] : [[name, problems[name]] as const],
  );
  if (wrong.length === 0) return {};
  const names = wrong.map(([name]) => words(`repeat_${name}`)).join(', ');
  return {
    recurrence: `${words('wrong_fields')} ${names}`,
    ...Object.fromEntries(wrong.map(([name, text]) => [`recurrence_${name}`, text])),
  };
}

const IDLE = ['until', 'count', 'except', 'rule'] as const satisfies readonly RecurrenceField[];

/** What the API refuses of it is wrong where it was typed: in a rule of one's own, or in dates left out. */
export function recurrenceAtItsField(request: DeskRequest, problem: Problem): Problem {
  const { recurrence, ...fields } = problem.fields;
  if (recurrence === undefined) return problem;
  const at = (entries: Parameters<typeof atFields>[1]) => ({
    ...problem,
    fields: { ...fields, ...atFields(request, entries) },
  });
  // The shape of all of it is told where one of its dates cannot be read.
  if (recurrence.includes('exdates')) return at({ except: request.words('hint_repeat_except') });
  if (choiceOf(request) === 'rule') return at({ rule: recurrence.replace(/^recurrence\b/, 'recurrence_rule') });
  return { ...problem, fields: { ...fields, recurrence } };
}

const choiceOf = ({ form }: DeskRequest): Choice | undefined =>
  CHOICES.find((choice) => choice === textOf(form, 'recurrence'));

interface Recurrence {
  readonly rrule: string;
  /** Days that are left out. */
  readonly exdates?: readonly string[];
}

/** What was typed as the API takes it; null: it does not repeat. What cannot be a rule is left to the API to refuse. */
export function typedRecurrence(request: DeskRequest, start: string): Recurrence | null {
  const { form } = request;
  const choice = choiceOf(request);
  if (choice === undefined) return null;
  const [every, ends] = [typedText(form, 'recurrence_every'), textOf(form, 'recurrence_ends')];
  const parts = [
    RULES[choice](start, typedText(form, 'recurrence_rule')),
    every !== '' && every !== '1' && `INTERVAL=${every}`,
    ends === 'on' && `UNTIL=${(typedDay(request, typedText(form, 'recurrence_until')) ?? '').replaceAll('-', '')}`,
    ends === 'after' && `COUNT=${typedText(form, 'recurrence_count')}`,
  ];
  const lines = typedText(form, 'recurrence_except').split('\n');
  const exdates = lines.flatMap((line) => (line.trim() === '' ? [] : [typedDay(request, line) ?? line.trim()]));
  return { rrule: parts.filter((part) => part !== false).join(';'), ...(exdates.length > 0 && { exdates }) };
}

interface RecurrenceContent {
  readonly series: SeriesContent | null;
  readonly problems: Problem['fields'];
}

/**
 * The fields, with what was typed into them and what is wrong with it. Dates of a series that is there are left out by
 * moving them to the bin: a list of others would bring them back.
 */
export function recurrenceFields(request: DeskRequest, { series, problems }: RecurrenceContent): Html {
  const { words, form } = request;
  const text = (name: string, label: DeskWord, hint?: DeskWord) => ({
    name: `recurrence_${name}`,
    label: words(label),
    value: textOf(form, `recurrence_${name}`),
    problem: problems[`recurrence_${name}`],
    ...(hint !== undefined && { hint: words(hint) }),
  });
  const chosen = choiceOf(request);
  const repeats = {
    name: 'recurrence',
    label: words('field_recurrence'),
    value: chosen ?? '',
    problem: problems.recurrence,
  };
  return html`<div class="fields recurs">${choiceField(repeats, [
    ['', words(series === null ? 'repeat_never' : 'repeat_unchanged')],
    ...CHOICES.map((one) => [one, words(`repeat_${one}`)] as const),
  ])}
    <details open=${chosen !== undefined || RECURRENCE_FIELDS.some((name) => `recurrence_${name}` in problems)}>
      <summary>${words('repeat_more')}</summary>
      <div class="fields">
        ${textField(text('every', 'repeat_every'), { type: 'number', min: 1, placeholder: '1' })}
        ${choiceField(
          text('ends', 'repeat_ends'),
          ENDS.map((one) => [one, words(`repeat_ends_${one}`)]),
        )}
        <div class="pair">
          <div class="until">${field(text('until', 'repeat_until'), dayInput(request, text('until', 'repeat_until')))}</div>
          <div class="count">${textField(text('count', 'repeat_count'), { type: 'number', min: 1 })}</div>
        </div>
        <div class="own">${textField(text('rule', 'repeat_rule', 'hint_repeat_rule'), { maxlength: 500, spellcheck: 'false' })}</div>
        ${series === null && textArea(text('except', 'repeat_except', 'hint_repeat_except'), 3)}
        <div class="repeats" aria-live="polite"></div>
      </div>
    </details>
  </div>`;
}

// What a rule means before it is saved: as a sentence, with its number of dates, and as a small calendar in which dates are
// taken out. A part of the form that its script asks for whenever the rule changes.

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

interface DatesContent {
  readonly days: ReadonlySet<Day>;
  /** The days that are taken out. */
  readonly exdates: readonly string[];
}

/** A month in weeks; its dates are buttons. */
const monthPart = ({ language }: DeskRequest, month: string, { days, exdates }: DatesContent): Html =>
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
