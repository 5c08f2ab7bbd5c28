// The routes of the calendar at the desk.
import type { FastifyReply } from 'fastify';
import { dayOf, isDay, isMonth, monthOf, todayIn } from '../../../../pages/dates.ts';
import { ApiProblem, type Problem, problemOf } from '../../../../pages/desk/api.ts';
import { type DeskRequest, type DeskSection, textOf } from '../../../../pages/desk/page.ts';
import { show } from '../../../../pages/desk/show.ts';
import { may } from '../../../../people/auth/policy.ts';
import { type FieldsAnswer, termsOf } from '../reading.ts';
import { scopeOf } from '../scope.ts';
import { searchesOf } from '../searches.ts';
import { toInput } from '../values.ts';
import { CALENDAR, calendarPage, spanOf } from './calendar-page.ts';
import { type Entries, entriesWithin } from './entries.ts';

export const calendarSection: DeskSection = {
  word: 'calendar',
  path: CALENDAR,
  may: (user) => may(user, 'create', 'event'),
  routes(app) {
    app.get(CALENDAR, (request, reply) => showMonth(request.desk, reply));
    app.get(`${CALENDAR}/entries`, async ({ desk }, reply) => reply.send((await found(desk)).entries));
    app.post(`${CALENDAR}/move`, async ({ desk }, reply) => {
      const { isProposed, problem } = await moved(desk, textOf(desk.form, 'id'));
      if (problem)
        return reply
          .code(problem.status)
          .send({ problem: [problem.message, ...Object.values(problem.fields)].join(' ') });
      return reply.send({ isProposed, said: desk.words(isProposed ? 'said_proposed' : 'said_saved') });
    });
  },
};

const NONE: Entries = { entries: [], isCut: false };

/** Between the instants that the calendar of the script asks for; of other ones it shows nothing. */
async function found(desk: DeskRequest): Promise<Entries> {
  const [first, last] = [dayOf(textOf(desk.sent, 'from')), dayOf(textOf(desk.sent, 'to'))];
  return isDay(first) && isDay(last) ? entriesWithin(desk, { first, last }) : NONE;
}

async function showMonth(desk: DeskRequest, reply: FastifyReply): Promise<FastifyReply> {
  const asked = textOf(desk.sent, 'month');
  const month = isMonth(asked) ? asked : monthOf(todayIn(desk.siteZone, desk.now));
  let problem: Problem | null = null;
  const refused = (error: unknown): Entries => {
    if (!(error instanceof ApiProblem)) throw error;
    problem = error.problem;
    return NONE;
  };
  const [entries, categories, { searches }] = await Promise.all([
    entriesWithin(desk, spanOf(month)).catch(refused),
    termsOf(desk.api, 'categories'),
    searchesOf(desk),
  ]);
  return show(reply, calendarPage(desk, { ...entries, month, categories, searches, problem }));
}

// Moving and stretching an event in the calendar: the same write as that of its form, for one date or several.

interface Moved {
  /** Not carried out, but proposed. */
  readonly isProposed: boolean;
  readonly problem: Problem | null;
}

const TIMES = ['start_date', 'end_date'] as const;

/** What the calendar has shown is what is moved: of other times, and in between, nothing is overwritten. */
async function moved(request: DeskRequest, id: string): Promise<Moved> {
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
