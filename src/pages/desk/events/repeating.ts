// The fields that say how an event repeats: a new one, or a series by another rule; and the recurrence of the API that they mean.
import type { DeskWord } from '../../../locales/language.ts';
import { type Html, html } from '../../html.ts';
import { typedText } from '../form-values.ts';
import { described, field, textArea, textField } from '../forms.ts';
import { type DeskRequest, textOf } from '../page.ts';
import type { ShownSeries } from './series.ts';

/** What may be chosen, each with its rule: of a weekday in the month by the day of the start, one's own rule as typed. */
const RULES = {
  day: () => 'FREQ=DAILY',
  week: () => 'FREQ=WEEKLY',
  month_day: () => 'FREQ=MONTHLY',
  month_weekday: (start: string) => `FREQ=MONTHLY;BYDAY=${weekdayOfMonth(start)}`,
  year: () => 'FREQ=YEARLY',
  rule: (_start: string, typed: string) => typed,
} satisfies { readonly [choice: string]: (start: string, typed: string) => string };

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

const choiceOf = ({ form }: DeskRequest): Choice | undefined =>
  CHOICES.find((choice) => choice === textOf(form, 'recurrence'));

/** What was typed as the API takes it; null: it does not repeat. What cannot be a rule is left to the API to refuse. */
export function typedRecurrence(request: DeskRequest, start: string): object | null {
  const { form } = request;
  const choice = choiceOf(request);
  if (choice === undefined) return null;
  const [every, ends] = [typedText(form, 'recurrence_every'), textOf(form, 'recurrence_ends')];
  const parts = [
    RULES[choice](start, typedText(form, 'recurrence_rule')),
    every !== '' && every !== '1' && `INTERVAL=${every}`,
    ends === 'on' && `UNTIL=${typedText(form, 'recurrence_until').replaceAll('-', '')}`,
    ends === 'after' && `COUNT=${typedText(form, 'recurrence_count')}`,
  ];
  const lines = typedText(form, 'recurrence_except').split('\n');
  const exdates = lines.map((line) => line.trim()).filter((line) => line !== '');
  return { rrule: parts.filter((part) => part !== false).join(';'), ...(exdates.length > 0 && { exdates }) };
}

interface RecurrenceShown {
  readonly series: ShownSeries | null;
  readonly problem: string | undefined;
}

/**
 * The fields, with what was typed into them and what is wrong with it. Dates of a series that is there are left out by
 * moving them to the bin: a list of others would bring them back.
 */
export function recurrenceFields(request: DeskRequest, { series, problem }: RecurrenceShown): Html {
  const { words, form } = request;
  const text = (name: string, label: DeskWord, hint?: DeskWord) => ({
    name: `recurrence_${name}`,
    label: words(label),
    value: textOf(form, `recurrence_${name}`),
    ...(hint !== undefined && { hint: words(hint) }),
  });
  const chosen = choiceOf(request);
  const repeats = { name: 'recurrence', label: words('field_recurrence'), problem };
  const ends = { name: 'recurrence_ends', label: words('repeat_ends') };
  return html`${field(
    repeats,
    html`<select id="recurrence" name="recurrence" ...${described(repeats)}>
        <option value="">${words(series === null ? 'repeat_never' : 'repeat_unchanged')}</option>
        ${CHOICES.map((one) => html`<option value=${one} selected=${one === chosen}>${words(`repeat_${one}`)}</option>`)}
      </select>`,
  )}
    <details open=${chosen !== undefined}>
      <summary>${words('repeat_more')}</summary>
      <div class="fields">
        ${textField(text('every', 'repeat_every'), { type: 'number', min: 1, placeholder: '1' })}
        ${field(
          ends,
          html`<select id="recurrence_ends" name="recurrence_ends">${ENDS.map(
            (one) =>
              html`<option value=${one} selected=${one === textOf(form, 'recurrence_ends')}>${words(`repeat_ends_${one}`)}</option>`,
          )}</select>`,
        )}
        <div class="pair">
          ${textField(text('until', 'repeat_until'), { type: 'date' })}
          ${textField(text('count', 'repeat_count'), { type: 'number', min: 1 })}
        </div>
        ${series === null && textArea(text('except', 'repeat_except', 'hint_repeat_except'), 3)}
        ${textField(text('rule', 'repeat_rule', 'hint_repeat_rule'), { maxlength: 500, spellcheck: 'false' })}
      </div>
    </details>`;
}
