// The routes of changes of many events.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Problem, problemOf } from '../../../../pages/desk/api.ts';
import { type DeskRequest, textOf, textsOf } from '../../../../pages/desk/page.ts';
import { leadTo, show } from '../../../../pages/desk/show.ts';
import { html } from '../../../../pages/html.ts';
import { address } from '../../../../pages/links.ts';
import { filtersOf } from '../list-page.ts';
import { listQuery } from '../list-query.ts';
import { type EventsPage, findLinks, linksOf, termsOf } from '../reading.ts';
import { linesOf } from '../values.ts';
import { carryOut } from './carry-out.ts';
import { MAX_TABLE, tableWishes } from './edited-table.ts';
import { MANY, type ManyShown, manyPage } from './page.ts';
import { carriedWishes, MAX_MANY, type Plan, planOf, type Wish } from './planned.ts';
import { typedChange } from './typed-change.ts';

const PER_PAGE = 50;

export function manyRoutes(app: FastifyInstance): void {
  app.get(MANY, async ({ desk }, reply) => {
    const isFound = textOf(desk.sent, 'which') === 'found';
    const chosen = isFound ? await foundBy(desk) : { ids: textsOf(desk.sent, 'ids'), total: 0 };
    const isEmpty = chosen.ids.length === 0 && textOf(desk.sent, 'which') !== '';
    return showMany(reply, { ...chosen, problem: isEmpty ? problemOf(desk.words('none_ticked')) : null });
  });
  app.post(MANY, async ({ desk }, reply) => {
    const tags = await termsOf(desk.api, 'tags');
    const typed = await typedChange(desk, tags);
    if ('problem' in typed) return showMany(reply, { ids: idsIn(desk), problem: typed.problem });
    const decide: Wish['decide'] = async ({ values }) => ({ change: typed.of(values), note: null });
    const wishes = idsIn(desk).map((id) => ({ id, decide }));
    return showMany(reply, { ids: idsIn(desk), plan: await planOf(desk, wishes) });
  });
  app.post(`${MANY}/table`, { bodyLimit: MAX_TABLE }, async ({ desk }, reply) => {
    const wishes = await tableWishes(desk);
    return showMany(reply, 'message' in wishes ? { problem: wishes } : { plan: await planOf(desk, wishes) });
  });
  app.post(`${MANY}/carry-out`, async ({ desk }, reply) => {
    if (textsOf(desk.form, 'rows').length === 0) return showAgain(desk, reply, problemOf(desk.words('none_ticked')));
    const plan = await planOf(desk, carriedWishes(desk));
    const { left, done, led, problem } = await carryOut(desk, plan);
    if (problem === null && left.every(({ note }) => note === null) && plan.refused.length === 0)
      return leadTo(reply, led?.to ?? address('/desk/events', filtersOf(desk)), led?.said ?? 'said_bulk');
    const all = done + left.length + plan.refused.length;
    const said = html`<p class="note">${desk.words('bulk_partly', { done, all })}${led !== null && html` <a href=${led.to}>${desk.words('see_proposed')}</a>`}</p>`;
    return showMany(reply, { ids: idsIn(desk), plan: { ...plan, events: left }, said, problem });
  });
}

const showAgain = async (desk: DeskRequest, reply: FastifyReply, problem: Problem): Promise<FastifyReply> =>
  showMany(reply, { ids: idsIn(desk), plan: await planOf(desk, carriedWishes(desk)), problem });

const idsIn = ({ form }: DeskRequest): readonly string[] => textOf(form, 'ids').split(',').filter(Boolean);

/** What the filters of the list find, page by page. */
async function foundBy(desk: DeskRequest): Promise<Pick<ManyShown, 'ids' | 'total'>> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const query = { ...listQuery(desk), page, per_page: PER_PAGE };
    const { events, total, total_pages: pages } = await desk.api.read<EventsPage>('/events', query);
    ids.push(...events.map(({ id }) => String(id)));
    if (page >= pages || ids.length >= MAX_MANY) return { ids: ids.slice(0, MAX_MANY), total };
  }
}

async function showMany(reply: FastifyReply, shown: Partial<ManyShown>): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api } = desk;
  const [categories, venue, organizer] = await Promise.all([
    termsOf(api, 'categories'),
    findLinks(api, 'venue', ''),
    findLinks(api, 'organizer', ''),
  ]);
  const names = new Map([
    ...categories.map(({ id, name }) => [`category ${id}`, name] as const),
    ...(await namesOf(desk, shown.plan ?? null)),
  ]);
  const blank = { ids: [], total: 0, plan: null, said: null, problem: null };
  return show(reply, manyPage(desk, { ...blank, ...shown, names, categories, links: { venue, organizer } }));
}

/** The names of all venues and organizers that changes are about. */
async function namesOf({ api }: DeskRequest, plan: Plan | null): Promise<readonly (readonly [string, string])[]> {
  const named = (['venue', 'organizer'] as const).map(async (kind) => {
    const ids = (plan?.events ?? []).flatMap(({ values, change }) => [
      ...(change[kind] === undefined ? [] : [...linesOf(values[kind]), ...linesOf(change[kind])]),
    ]);
    const found = await linksOf(api, kind, [...new Set(ids)].join('\n'));
    return found.map(({ id, name }) => [`${kind} ${id}`, name] as const);
  });
  return (await Promise.all(named)).flat();
}
