// Carrying out what was planned for many events: at once, as proposals, or as a set of them at an instant. All of it has the
// id of one request, so it can be reverted as one.

import { SETS } from '../../../../editorial/change-sets/desk/reading.ts';
import { REVIEW } from '../../../../editorial/proposals/desk/reading.ts';
import { openTurns } from '../../../../kernel/event-loop/turns.ts';
import type { DeskWord } from '../../../../locales/language.ts';
import { type Problem, problemOf } from '../../../../pages/desk/api.ts';
import { differing } from '../../../../pages/desk/form-values.ts';
import { isMoment, notAMoment, typedMoment } from '../../../../pages/desk/moments.ts';
import { type DeskRequest, textOf, textsOf } from '../../../../pages/desk/page.ts';
import { mayAssignAuthors } from '../../../../people/auth/policy.ts';
import { membersOf } from '../values.ts';
import { type Plan, type PlannedEvent, valuesThen } from './planned.ts';

export const STEPS = ['apply', 'propose', 'schedule'] as const;

interface Led {
  readonly to: string;
  readonly said: DeskWord;
}

interface CarriedOut {
  /** Those that were not ticked, or were refused, with the reason. All of them where the whole was refused. */
  readonly left: readonly PlannedEvent[];
  readonly done: number;
  /** Where the set or the proposals are; null: nothing was proposed. */
  readonly led: Led | null;
  /** The problem of the plan as a whole. */
  readonly problem: Problem | null;
}

/** What is sent again goes on where it ended: each proposal has the key of the form and its event, and what was changed is known. */
export async function carryOut(request: DeskRequest, plan: Plan): Promise<CarriedOut> {
  const { form, user, words } = request;
  const step = STEPS.find((one) => one === textOf(form, '_do')) ?? 'apply';
  const at = typedMoment(request, 'at');
  if (step === 'schedule' && !isMoment(at)) {
    const problem = problemOf(words('wrong_fields'), { at: at === '' ? words('missing_field') : notAMoment(request) });
    return { left: plan.events, done: 0, led: null, problem };
  }
  const { left, proposals, done } = await written(request, plan, step);
  if (proposals.length === 0) return { left, done, led: null, problem: null };
  if (step === 'apply' || !mayAssignAuthors(user))
    return { left, done, led: { to: REVIEW, said: 'said_proposed' }, problem: null };
  const set = await collected(request, proposals, step === 'schedule' ? at : null);
  return set.problem ? { left: plan.events, done: 0, ...set } : { left, done, ...set };
}

async function written(request: DeskRequest, { events, tags }: Plan, step: (typeof STEPS)[number]) {
  const { api, form } = request;
  const [ticked, reason] = [textsOf(form, 'rows'), textOf(form, '_reason')];
  const idsByName = new Map(tags.map(({ id, name }) => [name.toLowerCase(), id]));
  const turn = openTurns();
  const [left, proposals]: [PlannedEvent[], number[]] = [[], []];
  for (const event of events) {
    await turn();
    const { id, etag, values, isStale } = event;
    if (!ticked.includes(id) || isStale) {
      left.push(event);
      continue;
    }
    const then = valuesThen(event);
    const members = membersOf(then, differing(values, then), (name) => idsByName.get(name.toLowerCase()));
    const terms = { ifMatch: etag, reason };
    const { status, body, problem } = await (step === 'apply'
      ? api.send<IdAnswer>('PATCH', `/events/${id}`, members, terms)
      : api.send<IdAnswer>('POST', `/events/${id}/proposals`, { ...members, note: reason }, terms));
    if (problem) left.push({ ...event, note: problem.message });
    else if (step !== 'apply' || status === 202) proposals.push(body.id);
  }
  return { left, proposals, done: events.length - left.length };
}

interface IdAnswer {
  readonly id: number;
}

/** A set of these proposals, for an instant if there is one. */
async function collected({ api, words }: DeskRequest, proposals: readonly number[], at: string | null) {
  const members = { name: words('set_of_many', { count: proposals.length }), proposals };
  const { body, problem } = await api.send<IdAnswer>('POST', '/sets', members);
  if (problem) return { led: null, problem };
  const led: Led = { to: `${SETS}/${body.id}`, said: 'said_set' };
  if (at === null) return { led, problem: null };
  const planned = await api.send('POST', `/sets/${body.id}/schedule`, { at: at.replace('T', ' ') });
  return { led, problem: planned.problem };
}
