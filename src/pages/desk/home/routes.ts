// Where the desk begins: what there is to do for the one who looks.
import type { FastifyInstance } from 'fastify';
import { AUDIT, type Change, type ChangesPage, pathOf, subjectOf } from '../../../editorial/audit/desk/reading.ts';
import { may, mayReadEveryHistory } from '../../../people/auth/policy.ts';
import { inLanguage, siteMomentText } from '../../dates.ts';
import { html } from '../../html.ts';
import type { Desk } from '../dependencies.ts';
import type { DeskPage, DeskRequest } from '../page.ts';
import { show } from '../show.ts';
import { titlesOf } from '../titles.ts';
import { doubleBookings, myDrafts, nextDays, soon } from './events.ts';
import { firstSteps, stepList } from './first-steps.ts';
import { waitingForMe } from './waiting.ts';
import { orProblem, type WorkList, workBox } from './work.ts';
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

// What has changed lately, for those who may read every history.

const SHOWN = 6;
/** What is created and published at once has changed twice. */
const LOOKED_AT = 2 * SHOWN;

/** The end of the log alone is read. Null: the changes of others are not for this user. */
async function changedLately(request: DeskRequest): Promise<WorkList | null> {
  const { api, user, words } = request;
  if (!mayReadEveryHistory(user)) return null;
  const latest = await api.read<ChangesPage>('/changes', { order: 'desc', per_page: LOOKED_AT });
  const newest = new Map<string, Change>();
  for (const change of latest.changes) {
    const name = `${change.kind} ${change.id}`;
    if (!newest.has(name)) newest.set(name, change);
  }
  const changes = [...newest.values()].slice(0, SHOWN);
  const titles = await titlesOf(request, changes.map(subjectOf));
  return {
    heading: 'home_lately',
    empty: 'home_lately_none',
    items: changes.map((change) => ({
      title: titles(subjectOf(change)),
      path: pathOf(change.kind, change.id) ?? AUDIT,
      action: 'home_see',
      hint: [inLanguage(request.language, change.summary), change.actor.name, siteMomentText(request, change.instant)],
      label: { text: words(`kind_${change.kind}`), tone: 'plain' },
    })),
  };
}
