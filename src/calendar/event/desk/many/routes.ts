// The routes of changes of many events.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FieldChange } from '../../../../editorial/history/desk/reading.ts';
import { changeList } from '../../../../editorial/history/desk/values.ts';
import type { DeskWord } from '../../../../locales/language.ts';
import { type Problem, problemOf } from '../../../../pages/desk/api.ts';
import { MAX_TYPED, reasonField } from '../../../../pages/desk/editing.ts';
import { differing } from '../../../../pages/desk/form-values.ts';
import {
  described,
  field,
  formFields,
  inWordsOf,
  problemNote,
  textField,
  typedField,
} from '../../../../pages/desk/forms.ts';
import { choice } from '../../../../pages/desk/lists.ts';
import { isMoment, momentField } from '../../../../pages/desk/moments.ts';
import { type DeskPage, type DeskRequest, textOf, textsOf } from '../../../../pages/desk/page.ts';
import { leadTo, show } from '../../../../pages/desk/show.ts';
import { type Attributes, type Html, html } from '../../../../pages/html.ts';
import { address } from '../../../../pages/links.ts';
import { mayAssignAuthors, mayPublish, mayReadEveryHistory } from '../../../../people/auth/policy.ts';
import { filtersOf } from '../list-page.ts';
import { listQuery } from '../list-query.ts';
import {
  type DeskLink,
  type DeskTerm,
  type EventsPage,
  findLinks,
  type LinkKind,
  linksOf,
  termsOf,
} from '../reading.ts';
import { type EventValues, type FieldName, FLAGS, linesOf } from '../values.ts';
import { carryOut, STEPS } from './carry-out.ts';
import { MAX_TABLE, tableWishes } from './edited-table.ts';
import {
  carriedText,
  carriedWishes,
  MAX_MANY,
  type Plan,
  type PlannedEvent,
  planOf,
  valuesThen,
  type Wish,
} from './planned.ts';
import { typedChange } from './typed-change.ts';

const PER_PAGE = 50;

export function manyRoutes(app: FastifyInstance): void {
  app.get(MANY, async ({ desk }, reply) => {
    const isFound = textOf(desk.parameters, 'which') === 'found';
    const selection = isFound ? await foundBy(desk) : { ids: textsOf(desk.parameters, 'ids'), total: 0 };
    const isEmpty = selection.ids.length === 0 && textOf(desk.parameters, 'which') !== '';
    return showMany(reply, { ...selection, problem: isEmpty ? problemOf(desk.words('none_ticked')) : null });
  });
  app.post(MANY, async ({ desk }, reply) => {
    const tags = await termsOf(desk.api, 'tags');
    const change = await typedChange(desk, tags);
    if ('problem' in change) return showMany(reply, { ids: idsIn(desk), problem: change.problem });
    const decide: Wish['decide'] = async ({ values }) => ({ change: change.of(values), note: null });
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
async function foundBy(desk: DeskRequest): Promise<Pick<ManyContent, 'ids' | 'total'>> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const query = { ...listQuery(desk), page, per_page: PER_PAGE };
    const { events, total, total_pages: pages } = await desk.api.read<EventsPage>('/events', query);
    ids.push(...events.map(({ id }) => String(id)));
    if (page >= pages || ids.length >= MAX_MANY) return { ids: ids.slice(0, MAX_MANY), total };
  }
}

async function showMany(reply: FastifyReply, page: Partial<ManyContent>): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api } = desk;
  const [categories, venue, organizer] = await Promise.all([
    termsOf(api, 'categories'),
    findLinks(api, 'venue', ''),
    findLinks(api, 'organizer', ''),
  ]);
  const names = new Map([
    ...categories.map(({ id, name }) => [`category ${id}`, name] as const),
    ...(await namesOf(desk, page.plan ?? null)),
  ]);
  const blank = { ids: [], total: 0, plan: null, said: null, problem: null };
  return show(reply, manyPage(desk, { ...blank, ...page, names, categories, links: { venue, organizer } }));
}

/** The names of all venues and organizers that changes are about. */
async function namesOf({ api }: DeskRequest, plan: Plan | null): Promise<readonly (readonly [string, string])[]> {
  const named = (['venue', 'organizer'] as const).map(async (kind) => {
    const ids = (plan?.events ?? []).flatMap(({ values, change }) => [
      ...(change[kind] === undefined ? [] : [...linesOf(values[kind]), ...linesOf(change[kind])]),
    ]);
    const links = await linksOf(api, kind, [...new Set(ids)].join('\n'));
    return links.map(({ id, name }) => [`${kind} ${id}`, name] as const);
  });
  return (await Promise.all(named)).flat();
}

// Changing many events: what is to be otherwise, and then, event by event, what that would change.

const MANY = '/desk/events/many';

interface ManyContent {
  /** The ids of the events that were chosen; empty: they come with a table. */
  readonly ids: readonly string[];
  /** How many the filters find, of which no more than `MAX_MANY` are taken. */
  readonly total: number;
  readonly categories: readonly DeskTerm[];
  readonly links: { readonly [Kind in LinkKind]: readonly DeskLink[] };
  /** Null: nothing has been decided yet. */
  readonly plan: Plan | null;
  /** Names of what changes link to, by `venue 7`. */
  readonly names: ReadonlyMap<string, string>;
  /** What is said of a plan that was carried out in part. */
  readonly said: Html | null;
  readonly problem: Problem | null;
}

function manyPage(request: DeskRequest, page: ManyContent): DeskPage {
  const { words, user } = request;
  const { ids, total, plan, said } = page;
  const labels = labelsOf(request);
  const problem = inWordsOf(page.problem, labels);
  return {
    title: words('many'),
    section: '/desk/events',
    problem,
    main: [
      html`<p><a href=${address('/desk/events', filtersOf(request))}>${words('events')}</a></p>`,
      html`<h1>${words('many')}</h1>`,
      problemNote(problem, labels),
      said !== null && said,
      total > ids.length && html`<p class="note">${words('many_more', { shown: ids.length, total })}</p>`,
      ids.length > 0 && fieldsForm(request, { ...page, problem }),
      plan !== null && planPart(request, { ...page, plan, problem }),
      plan === null && ids.length === 0 && mayReadEveryHistory(user) && tableForm(request, problem),
    ].filter((part) => part !== false),
  };
}

/** The names of its fields, by their inputs. */
function labelsOf({ words }: DeskRequest) {
  return {
    ...{ venue: words('field_venue'), organizer: words('field_organizer'), days: words('move_by_days') },
    ...{ at: words('apply_at'), file: words('edited_table') },
  };
}

const to = (request: DeskRequest, path: string): string => address(path, filtersOf(request));

const STATES = ['publish', 'draft', 'pending', 'private', 'trash'] as const;

function fieldsForm(request: DeskRequest, { ids, categories, links, problem }: ManyContent): Html {
  const { words, form, user } = request;
  const as = (name: string, label: string, options: readonly (readonly [string, string])[]): Html =>
    choice(name, label, textOf(form, name), [['', words('as_it_is')], ...options]);
  const terms = categories.map(({ id, name }) => [String(id), name] as const);
  const states = STATES.filter((state) => mayPublish(user) || (state !== 'publish' && state !== 'private'));
  const input = (name: string, label: DeskWord, hint: DeskWord, more: Attributes = { maxlength: MAX_TYPED }): Html =>
    textField(typedField(request, problem, name, label, hint), more);
  return html`<form class="box fields" method="post" action=${to(request, MANY)}>
    ${formFields({ ...request, form: {} })}
    <input type="hidden" name="ids" value=${ids.join()} />
    <p>${words('events_count', { total: ids.length })}</p>
    <div class="filters">
      ${as(
        'status',
        words('field_status'),
        states.map((state) => [state, words(`state_${state}`)]),
      )}
      ${as('category_add', words('category_to_add'), terms)}
      ${as('category_take', words('category_to_take'), terms)}
      ${as('featured', words('field_featured'), [
        ['yes', words('yes')],
        ['no', words('no')],
      ])}
    </div>
    <div class="pair">
      ${input('tags_add', 'tags_to_add', 'hint_tags')}
      ${input('tags_take', 'tags_to_take', 'hint_tags_to_take')}
    </div>
    <div class="pair">${(['venue', 'organizer'] as const).map(
      (kind) => html`${input(kind, `field_${kind}`, 'hint_only_link', {
        ...{ list: `${kind}-names`, maxlength: 200, autocomplete: 'off' },
      })}
        <datalist id=${`${kind}-names`}>${links[kind].map(({ name }) => html`<option value=${name}></option>`)}</datalist>`,
    )}</div>
    ${input('days', 'move_by_days', 'hint_days', { inputmode: 'numeric', maxlength: 5 })}
    <p class="actions"><button type="submit">${words('see_changes')}</button></p>
  </form>`;
}

interface PlanContent extends ManyContent {
  readonly plan: Plan;
}

function planPart(request: DeskRequest, page: PlanContent): Html {
  const { words, user } = request;
  const { plan, problem } = page;
  const { events, refused } = plan;
  const steps = STEPS.filter((step) => step !== 'schedule' || mayAssignAuthors(user));
  const at = typedField(request, problem, 'at', 'apply_at');
  const button = (step: (typeof STEPS)[number]): Html =>
    html`<button type="submit" name="_do" value=${step} class=${step === 'apply' ? 'main' : undefined}>${words(STEP_WORDS[step])}</button>`;
  return html`<h2>${words('what_changes')}</h2>
    <p role="status">${words('events_count', { total: events.length })}</p>
    ${refused.length > 0 && html`<ul class="problems">${refused.map((text) => html`<li>${text}</li>`)}</ul>`}
    ${
      events.length > 0 &&
      html`<form method="post" action=${to(request, `${MANY}/carry-out`)}>
        ${formFields(request)}
        <input type="hidden" name="plan" value=${carriedText(events)} />
        <input type="hidden" name="ids" value=${page.ids.join()} />
        <ul class="rows">${events.map((event) => row(request, page, event))}</ul>
        <div class="box fields">
          ${reasonField(request, problem)}
          ${steps.includes('schedule') && momentField(request, { ...at, hint: request.siteZone.name })}
          <p class="actions">${steps.map(button)}</p>
        </div>
      </form>`
    }`;
}

const STEP_WORDS = { apply: 'apply_now', propose: 'propose', schedule: 'schedule_it' } as const;

function row(request: DeskRequest, { names }: PlanContent, event: PlannedEvent): Html {
  const { id, values, note } = event;
  const title = values.title || request.words('untitled');
  const changes = changesOf(event, names);
  return html`<li><div>
    <div class="check"><input type="checkbox" id=${`row-${id}`} name="rows[]" value=${id} checked=${note === null} />
      <label for=${`row-${id}`}>${title}</label></div>
    ${note !== null && html`<p class="problem">${note}</p>`}
    ${changes.length > 0 && changeList(request, changes)}
  </div><p><a href=${`/desk/events/${id}`}>${request.words('open_it')}<span class="unseen"> ${title}</span></a></p></li>`;
}

/** The values before and after, as the API has them. */
function changesOf(event: PlannedEvent, names: ManyContent['names']): FieldChange[] {
  const then = valuesThen(event);
  return differing(event.values, then).map((name) => ({
    field: name,
    before: toldOf(event.values, name, names),
    after: toldOf(then, name, names),
  }));
}

const LISTED: { readonly [name: string]: string } = { venue: 'venue', organizer: 'organizer', categories: 'category' };

function toldOf(values: EventValues, name: FieldName, names: ManyContent['names']): FieldChange['after'] {
  const value = values[name];
  if (FLAGS.some((flag) => flag === name)) return value !== '';
  if (name === 'tags') return [...linesOf(value)];
  const kind = LISTED[name];
  if (kind !== undefined) return linesOf(value).map((id) => names.get(`${kind} ${id}`) ?? id);
  return isMoment(value) ? `${value.replace('T', ' ')}:00` : value;
}

function tableForm(request: DeskRequest, problem: Problem | null): Html {
  const { words } = request;
  const file = {
    name: 'file',
    label: words('edited_table'),
    hint: words('hint_table', { rows: MAX_MANY }),
    problem: problem?.fields.file,
  };
  return html`<p>${words('many_table')}</p>
    <form class="box fields narrow" method="post" action=${`${MANY}/table`} enctype="multipart/form-data">
      ${formFields(request)}
      ${field(file, html`<input type="file" id="file" name="file" required accept=".csv,text/csv" ...${described(file)} />`)}
      <p class="actions"><button class="main" type="submit">${words('see_changes')}</button></p>
    </form>`;
}
