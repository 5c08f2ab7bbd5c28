// The routes of the calendar at the desk.
import type { FastifyReply } from 'fastify';
import { dayOf, isDay, isMonth, monthOf, todayIn } from '../../../../pages/dates.ts';
import { ApiProblem, type Problem } from '../../../../pages/desk/api.ts';
import { type DeskRequest, type DeskSection, textOf } from '../../../../pages/desk/page.ts';
import { show } from '../../../../pages/desk/show.ts';
import { may } from '../../../../people/auth/policy.ts';
import { termsOf } from '../reading.ts';
import { searchesOf } from '../searches.ts';
import { CALENDAR, calendarPage, spanOf } from './calendar-page.ts';
import { type Entries, entriesWithin } from './entries.ts';
import { moved } from './moving.ts';

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
