// Where the desk begins: what there is to do for the one who looks.

import type { FastifyInstance } from 'fastify';
import { may } from '../../../people/auth/policy.ts';
import { html } from '../../html.ts';
import type { Desk } from '../dependencies.ts';
import type { DeskPage, DeskRequest } from '../page.ts';
import { show } from '../show.ts';
import { doubleBookings, myDrafts, nextDays, soon } from './events.ts';
import { firstSteps, stepList } from './first-steps.ts';
import { changedLately } from './lately.ts';
import { waitingForMe } from './waiting.ts';
import { orProblem, workBox } from './work.ts';
import { whatIsWrong } from './wrong.ts';

const HOME = '/desk';

export function homeRoutes(app: FastifyInstance, desk: Desk): void {
  app.get(HOME, async (request, reply) => show(reply, await homePage(desk, request.desk)));
}

async function homePage(desk: Desk, request: DeskRequest): Promise<DeskPage> {
  const { words, user } = request;
  const mayWrite = may(user, 'create', 'event');
  const week = soon(request);
  const [steps, waiting, drafts, lately, next, wrong] = await Promise.all([
    firstSteps(request),
    mayWrite ? orProblem('home_waiting', waitingForMe(request)) : null,
    mayWrite ? orProblem('home_drafts', myDrafts(request)) : null,
    orProblem('home_lately', changedLately(request)),
    orProblem(
      'home_next',
      week.then((events) => nextDays(request, events)),
    ),
    orProblem(
      'home_wrong',
      week.then((events) => whatIsWrong(desk, request, doubleBookings(request, events))),
    ),
  ]);
  const isNew =
    mayWrite &&
    steps.length === 0 &&
    [drafts, lately, next].every((list) => list?.problem === undefined && (list?.items ?? []).length === 0);
  return {
    title: words('home'),
    section: HOME,
    main: [
      html`<div class="head"><h1>${words('welcome', { name: user.name })}</h1>
        ${mayWrite && html`<a class="button main" href="/desk/events/new">${words('new_event')}</a>`}</div>`,
      stepList(words, steps),
      isNew && html`<p class="note">${words('home_empty')}</p>`,
      html`<div class="home">
        <div>${[waiting, mayWrite ? wrong : null, drafts].map((list) => list && workBox(request, list))}</div>
        <div>${[next, lately].map((list) => list && workBox(request, list))}</div>
      </div>`,
    ],
  };
}
