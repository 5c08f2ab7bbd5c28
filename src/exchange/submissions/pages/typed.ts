// What a visitor has typed into the form of a submission, and what the page itself finds wrong with it.

import type { ParameterMap } from '../../../http/parameters/parameter-map.ts';
import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import type { ShownVenue } from '../../../pages/shown.ts';
import type { Words } from '../../../pages/words.ts';
import type { TermView } from '../../../queries/published.ts';
import type { Sender, SubmittedForm } from '../domain/submission.ts';
import type { FormProblems } from '../http/submissions.ts';

/** What the form offers. */
export interface Offered {
  readonly categories: readonly TermView[];
  readonly venues: readonly ShownVenue[];
}

export interface Typed {
  readonly form: SubmittedForm;
  readonly sender: Sender;
  readonly ticket: string;
  /** Of a field that people do not see. */
  readonly trap: string;
}

export const TRAP = 'homepage';

const LINES = ['title', 'start_date', 'end_date', 'venue', 'address', 'city', 'website', 'cost'] as const;

/** Characters at most. */
const LIMITS: { readonly [field: string]: number } = {
  ...{ title: 200, description: 20_000, venue: 200, address: 200, city: 100, website: 500, cost: 100 },
  ...{ name: 100, email: 254 },
};

export const limitOf = (field: string): number => LIMITS[field] ?? 100;

const EMAIL =
  /^[^\s@<>(),;:"\\[\]\p{Cc}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;

/** Categories and venues are those that were offered: their names alone are known to visitors. */
export function typedIn(body: ParameterMap, { categories, venues }: Offered): Typed {
  const text = (name: string): string => (typeof body[name] === 'string' ? body[name].trim() : '');
  const line = (name: string): string => text(name).replace(/\s+/g, ' ');
  const lines = Object.fromEntries(LINES.map((name) => [name, line(name)])) as Pick<
    SubmittedForm,
    (typeof LINES)[number]
  >;
  const known = new Set(categories.map(({ id }) => String(id)));
  const venue = venues.find(({ venue: name }) => lineOfHtml(name).toLowerCase() === lines.venue.toLowerCase());
  return {
    form: {
      ...lines,
      description: text('description').replaceAll('\r\n', '\n'),
      all_day: text('all_day') === '' ? '' : '1',
      categories: listIn(body.categories)
        .filter((id) => known.has(id))
        .join('\n'),
      venue_id: venue ? String(venue.id) : '',
    },
    sender: { name: line('name'), email: line('email') },
    ticket: text('ticket'),
    trap: text(TRAP),
  };
}

const listIn = (sent: unknown): readonly string[] =>
  (Array.isArray(sent) ? sent : [sent]).filter((one): one is string => typeof one === 'string');

/** Nothing typed. */
export const BLANK: Omit<Typed, 'ticket'> = {
  form: {
    ...{ title: '', description: '', start_date: '', end_date: '', all_day: '', venue: '', venue_id: '' },
    ...{ address: '', city: '', categories: '', website: '', cost: '' },
  },
  sender: { name: '', email: '' },
  trap: '',
};

/** As browsers send it: such texts compare like times. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

const NEEDED = ['title', 'start_date', 'name', 'email'] as const;

export function problemsOf({ form, sender }: Typed, words: Words): FormProblems {
  const values: { readonly [field: string]: string } = { ...form, ...sender };
  const long = Object.keys(LIMITS).filter((name) => (values[name] ?? '').length > limitOf(name));
  const isBackwards = TIME.test(form.start_date) && TIME.test(form.end_date) && form.end_date < form.start_date;
  const empty = NEEDED.filter((name) => values[name] === '');
  return {
    ...(isBackwards && { end_date: words('end_before_start') }),
    ...(EMAIL.test(sender.email) ? {} : { email: words('email_wrong') }),
    ...Object.fromEntries(long.map((name) => [name, words('field_too_long', { most: limitOf(name) })])),
    ...Object.fromEntries(empty.map((name) => [name, words('field_needed')])),
  };
}
