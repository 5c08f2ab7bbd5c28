// A change of one or more fields, the same for all events that were chosen.

import { addDays } from '../../../../pages/dates.ts';
import { type Problem, problemOf } from '../../../../pages/desk/api.ts';
import { typedText } from '../../../../pages/desk/form-values.ts';
import { isMoment } from '../../../../pages/desk/moments.ts';
import { type DeskRequest, textOf } from '../../../../pages/desk/page.ts';
import { type DeskTerm, findLinks, type LinkKind } from '../reading.ts';
import { type EventValues, linesOf } from '../values.ts';
import type { EventChange } from './planned.ts';

/** A change by the values that an event has, or what is wrong with the form. */
type ChangeOrProblem = { readonly of: (values: EventValues) => EventChange } | { readonly problem: Problem };

const LINKS: readonly LinkKind[] = ['venue', 'organizer'];
const DAYS = /^-?\d{1,4}$/;

export async function typedChange(request: DeskRequest, tags: readonly DeskTerm[]): Promise<ChangeOrProblem> {
  const { form, words } = request;
  const wrong: { [name: string]: string } = {};
  const changes: { -readonly [Name in keyof EventValues]?: string } = {};
  for (const kind of LINKS) {
    const name = typedText(form, kind);
    if (name === '') continue;
    const link = await linkNamed(request, kind, name);
    if (typeof link === 'string') wrong[kind] = link;
    else changes[kind] = link.is;
  }
  const days = typedText(form, 'days');
  if (days !== '' && !DAYS.test(days)) wrong.days = words('hint_days');
  if (Object.keys(wrong).length > 0) return { problem: problemOf(words('wrong_fields'), wrong) };
  const [status, featured] = [textOf(form, 'status'), textOf(form, 'featured')];
  if (status !== '') changes.status = status;
  if (featured !== '') changes.featured = featured === 'yes' ? '1' : '';
  const named = (name: string): readonly string[] => namesIn(textOf(form, name)).map((one) => knownName(tags, one));
  const terms = {
    categories: { add: linesOf(textOf(form, 'category_add')), take: linesOf(textOf(form, 'category_take')) },
    tags: { add: named('tags_add'), take: named('tags_take') },
  };
  return {
    of: (values) => ({
      ...changes,
      categories: withTerms(values.categories, terms.categories),
      tags: withTerms(values.tags, terms.tags),
      ...(days !== '' && { start_date: later(values.start_date, days), end_date: later(values.end_date, days) }),
    }),
  };
}

/** The id of the one venue or organizer of this name, or what is wrong with the name. A number is an id. */
export async function linkNamed(
  { api, words }: DeskRequest,
  kind: LinkKind,
  name: string,
): Promise<{ readonly is: string } | string> {
  if (/^\d+$/.test(name)) return { is: name };
  const same = (await findLinks(api, kind, name)).filter((one) => one.name.toLowerCase() === name.toLowerCase());
  const [only] = same;
  if (only && same.length === 1) return { is: String(only.id) };
  return words(same.length === 0 ? 'none_named' : 'several_named', { name });
}

const namesIn = (text: string): readonly string[] => text.split(',').flatMap((name) => name.trim() || []);

/** As the tag is written, whatever was typed. */
const knownName = (tags: readonly DeskTerm[], text: string): string =>
  tags.find(({ name }) => name.toLowerCase() === text.toLowerCase())?.name ?? text;

interface Terms {
  readonly add: readonly string[];
  readonly take: readonly string[];
}

const withTerms = (present: string, { add, take }: Terms): string =>
  [...new Set([...linesOf(present), ...add])].filter((one) => !take.includes(one)).join('\n');

const later = (moment: string, days: string): string =>
  isMoment(moment) ? addDays(moment.slice(0, 10), Number(days)) + moment.slice(10) : moment;
