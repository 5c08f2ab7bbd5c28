// Moving and stretching an event in the calendar: the same write as that of its form, for one date or several.

import { type Problem, problemOf } from '../../../../pages/desk/api.ts';
import { type DeskRequest, textOf } from '../../../../pages/desk/page.ts';
import type { FieldsAnswer } from '../reading.ts';
import { scopeOf } from '../scope.ts';
import { toInput } from '../values.ts';

interface Moved {
  /** Not carried out, but proposed. */
  readonly isProposed: boolean;
  readonly problem: Problem | null;
}

const TIMES = ['start_date', 'end_date'] as const;

/** What the calendar has shown is what is moved: of other times, and in between, nothing is overwritten. */
export async function moved(request: DeskRequest, id: string): Promise<Moved> {
  const { api, form, words } = request;
  const path = `/events/${encodeURIComponent(id)}`;
  const { body, problem } = await api.ask<FieldsAnswer>(`${path}/fields`);
  if (problem) return { isProposed: false, problem };
  const isAsShown = TIMES.every((name) => toInput(body.fields[name]) === textOf(form, `was_${name}`));
  if (!isAsShown) return { isProposed: false, problem: { ...problemOf(words('calendar_changed')), status: 412 } };
  const scope = scopeOf(request);
  const changed = TIMES.filter((name) => textOf(form, name) !== textOf(form, `was_${name}`));
  const members = {
    ...Object.fromEntries(changed.map((name) => [name, textOf(form, name)])),
    ...(scope !== 'this' && { scope }),
  };
  const answer = await api.send<unknown>('PATCH', path, members, { ifMatch: `"${body.revision}"` });
  return { isProposed: answer.status === 202, problem: answer.problem };
}
