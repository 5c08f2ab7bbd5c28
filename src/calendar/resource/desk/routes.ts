// The routes of venues, organizers, categories and tags at the desk: the same for all, by the table of kinds.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fieldName, valueShown } from '../../../editorial/history/desk/values.ts';
import { ID } from '../../../http/plugins/routing.ts';
import { type ApiAnswer, ApiProblem, type Problem, problemOf } from '../../../pages/desk/api.ts';
import { conflictTable, MAX_TYPED, openedFields, reasonField } from '../../../pages/desk/editing.ts';
import { type Conflict, differing, mergedValues, openedWith } from '../../../pages/desk/form-values.ts';
import {
  buttonForm,
  checkField,
  choiceField,
  formFields,
  inWordsOf,
  problemNote,
  textField,
} from '../../../pages/desk/forms.ts';
import { filterInput, filtersForm, pagesNav, results } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { RICH_TEXT_SCRIPTS, richText } from '../../../pages/desk/rich-text.ts';
import { savedWord } from '../../../pages/desk/saved-word.ts';
import type { ById } from '../../../pages/desk/section-kit.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { continued, keepButton, keptForm, offersOf, offersPart } from '../../../pages/desk/unsaved.ts';
import { type Attributes, type Html, html, modules } from '../../../pages/html.ts';
import { address, organizerPath, venuePath } from '../../../pages/links.ts';
import { mapAddress } from '../../../pages/maps.ts';
import { mayMerge, mayPublish } from '../../../people/auth/policy.ts';
import type { UnsavedForm } from '../../../people/unsaved-forms/unsaved-forms.ts';
import {
  NO_PICTURES,
  PICTURE_FORM_LIMIT,
  type PictureOffer,
  pickedWith,
  pictureField,
  pictureOffer,
} from '../../picture/desk/picture-field.ts';
import { DESK_KINDS, type DeskKind, type FormField, type FormPart, fieldsOf, sectionOf } from './kinds.ts';
import { resourceListPage, stateLabel } from './list-page.ts';
import {
  type AlikePage,
  alikeOf,
  type Branch,
  beforeTheEnd,
  type Duplicate,
  flattened,
  goneOf,
  type Listed,
  listed,
  type Merge,
  type Named,
  namedOf,
  search,
  sourceOf,
  treeOf,
} from './reading.ts';
import { blankValues, emptyValues, membersOf, type ResourceValues, typedValues } from './values.ts';

export const resourceSections: readonly DeskSection[] = DESK_KINDS.map((kind) => ({
  word: kind.collection,
  path: sectionOf(kind),
  may: kind.may,
  routes: (app) => routesOf(app, kind),
}));

function routesOf(app: FastifyInstance, kind: DeskKind): void {
  const section = sectionOf(kind);
  const one = `${section}/${ID}`;
  /** A form of one button. */
  const button = (name: string, said: 'said_bin' | 'said_restore' | 'said_deleted', members?: object): void => {
    app.post<ById>(`${one}/${name}`, async ({ desk, params: { id } }, reply) => {
      const { status, problem } = await desk.api.send(
        members ? 'PATCH' : 'DELETE',
        `/${kind.collection}/${id}`,
        members,
      );
      if (problem) throw new ApiProblem(problem);
      return leadTo(reply, members ? `${section}/${id}` : section, status === 202 ? 'said_proposed' : said);
    });
  };

  app.get(section, async ({ desk }, reply) => show(reply, resourceListPage(desk, kind, await listShown(desk, kind))));
  app.get(`${section}/new`, (_request, reply) => showForm(reply, kind, undefined, null));
  app.get(`${section}/duplicates`, async ({ desk }, reply) =>
    show(reply, alikePage(desk, kind, await alikeOf(desk.api, kind, textOf(desk.parameters, 'page')))),
  );
  const large = { bodyLimit: PICTURE_FORM_LIMIT };
  app.post(section, large, (_request, reply) => save(reply, kind, undefined));
  app.get<ById>(one, ({ params }, reply) => showForm(reply, kind, params.id, null));
  app.post<ById>(one, large, ({ params }, reply) => save(reply, kind, params.id));
  app.get<ById>(`${one}/merge`, ({ params, desk }, reply) =>
    showMerge(reply, kind, params.id, textOf(desk.parameters, 'into'), null),
  );
  app.post<ById>(`${one}/merge`, ({ params }, reply) => merge(reply, kind, params.id));
  app.post<ById>(`${one}/back`, (request, reply) => goBack(request, reply, kind));
  if (kind.isPost) {
    button('bin', 'said_bin');
    button('restore', 'said_restore', { status: 'draft' });
  } else {
    button('delete', 'said_deleted');
  }
}

/** Categories are shown as their tree until something is searched, unless they are too many. */
async function listShown(request: DeskRequest, kind: DeskKind) {
  const isTree = kind.isTree && ['search', 'as_of'].every((name) => textOf(request.parameters, name) === '');
  const tree = isTree ? await treeOf(request.api, kind) : null;
  return tree === null ? listed(request, kind) : { tree };
}

/** The form; of one that is gone, where to. */
async function showForm(
  reply: FastifyReply,
  kind: DeskKind,
  id: string | undefined,
  problem: Problem | null,
): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api } = desk;
  const resumed = await continued(desk, formOf(kind, id));
  if (resumed) return show(reply, resourceFormPage(resumed, kind, await typedForm(resumed, kind, id)));
  const blank = { values: blankValues(kind, desk.user), etag: '' };
  const { values, etag } = id === undefined ? blank : await sourceOf(api, kind, id);
  const gone = id === undefined ? null : await goneOf(api, kind, id);
  if (id !== undefined && gone !== null) {
    const content = {
      from: { id, name: values[kind.name] || id },
      into: gone.into === null ? null : await namedOf(api, kind, String(gone.into)),
      back: await beforeTheEnd(api, kind, id),
    };
    return show(reply, gonePage(desk, kind, { ...content, problem }));
  }
  const offers = await offersFor(desk, kind, id, values);
  return show(reply, resourceFormPage(desk, kind, { id, values, was: values, etag, problem, ...offers }));
}

async function save(reply: FastifyReply, kind: DeskKind, id: string | undefined): Promise<FastifyReply> {
  const { desk } = reply.request;
  const saved = await saveResource(desk, kind, id);
  if ('again' in saved) return show(reply, resourceFormPage(desk, kind, saved.again));
  const { status, body } = saved.answer;
  const section = sectionOf(kind);
  if (status === 202) return leadTo(reply, section, 'said_proposed');
  const { status: state = 'publish' } = body;
  const word = state === 'publish' ? 'said_made' : 'said_made_draft';
  const said = savedWord(desk, body, id === undefined ? word : 'said_saved');
  return leadTo(reply, `${section}/${id ?? body.id}`, said);
}

/** What a merge would do; or, without the one that stays, those that it could be. */
async function showMerge(
  reply: FastifyReply,
  kind: DeskKind,
  id: string,
  into: string,
  refused: Problem | null,
): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api, parameters } = desk;
  const from = await namedOf(api, kind, id);
  if (into === '') {
    const candidates = (await search(desk, kind, textOf(parameters, 'search'))).filter((one) => String(one.id) !== id);
    return show(reply, mergePage(desk, kind, { from, into: null, merge: null, candidates, problem: refused }));
  }
  const tried = await api.send<Merge>('POST', `/${kind.collection}/${id}/merge`, { into, dry_run: true });
  const content = {
    from,
    into: await namedOf(api, kind, into),
    candidates: [],
    merge: tried.problem ? null : tried.body,
    problem: refused ?? tried.problem,
  };
  return show(reply, mergePage(desk, kind, content));
}

async function merge(reply: FastifyReply, kind: DeskKind, id: string): Promise<FastifyReply> {
  const { api, form } = reply.request.desk;
  const into = textOf(form, 'into');
  const reason = textOf(form, '_reason');
  const { status, body, problem } = await api.send<Merge>(
    'POST',
    `/${kind.collection}/${id}/merge`,
    { into },
    { reason },
  );
  if (problem) return showMerge(reply, kind, id, into, problem);
  if (status === 202) return leadTo(reply, `${sectionOf(kind)}/${id}`, 'said_proposed');
  return leadTo(reply, `${sectionOf(kind)}/${body.merged_into}`, 'said_merged');
}

/** Goes back to the state before it was merged or deleted: its events follow. */
async function goBack(
  { params, desk }: FastifyRequest<ById>,
  reply: FastifyReply,
  kind: DeskKind,
): Promise<FastifyReply> {
  const { api, form } = desk;
  const revision = textOf(form, 'revision');
  const { status, problem } = await api.send('POST', `/${kind.collection}/${params.id}/revert`, { revision });
  if (problem) return showForm(reply, kind, params.id, problem);
  return leadTo(reply, `${sectionOf(kind)}/${params.id}`, status === 202 ? 'said_proposed' : 'said_back');
}

// Pairs that look like the same, with the reasons, and the way to merge them.

function alikePage(request: DeskRequest, kind: DeskKind, page: AlikePage): DeskPage {
  const { words } = request;
  const section = sectionOf(kind);
  return {
    title: words('look_alike'),
    section,
    main: [
      html`<p><a href=${section}>${words(kind.collection)}</a></p>`,
      html`<h1>${words('look_alike')}</h1>`,
      ...results(page.total === 0 ? words('none_alike') : words('found_all', { total: page.total }), [
        html`<ul class="rows">${page.duplicates.map((pair) => html`<li>${pairOf(request, section, pair)}</li>`)}</ul>`,
        pagesNav(request, page.total_pages, `${section}/duplicates`),
      ]),
    ],
  };
}

function pairOf({ words, language }: DeskRequest, section: string, { reasons, distance, resources }: Duplicate) {
  const metres = distance === undefined ? '' : new Intl.NumberFormat(language.code).format(Math.round(distance));
  const why = reasons.map((reason) => words(`alike_${reason}`));
  const [one, other] = resources;
  return html`<div>
      ${resources.map(({ id, name }, at) => html`${at > 0 && ' · '}<a href=${`${section}/${id}`}>${name}</a> <small>${id}</small>`)}
      <p class="hint">${[...why, ...(metres === '' ? [] : [words('alike_distance', { metres })])].join(' · ')}</p>
    </div>
    ${one && other && html`<a class="button" href=${address(`${section}/${other.id}/merge`, [['into', String(one.id)]])}>${words('merge')}<span class="unseen"> ${other.name}, ${one.name}</span></a>`}`;
}

// Saving the form of a venue, an organizer, a category or a tag, and what the API says to it.

interface SavedResource {
  readonly id: number;
  readonly slug?: string;
  /** The status of a post; terms have none. */
  readonly status?: string;
}

/** A form that was saved, or is shown again. */
type Saved = { readonly answer: ApiAnswer<SavedResource> } | { readonly again: ResourceForm };

/** Saves a new one, or the fields of one that differ from what the form was opened with. */
async function saveResource(request: DeskRequest, kind: DeskKind, id: string | undefined): Promise<Saved> {
  const { api, form, words } = request;
  const was = openedWith(form, emptyValues(kind));
  const picked = await pickedWith(request);
  const values: ResourceValues = {
    ...typedValues(kind, form),
    ...(picked.image !== undefined && { image: picked.image }),
  };
  const again = async (problem: Problem, more: Partial<ResourceForm> = {}): Promise<Saved> => ({
    again: await typedForm(request, kind, id, { values, problem, ...more }),
  });
  if (picked.problem) return again(picked.problem);
  if (id === undefined) {
    const same = await namesakes(request, kind, values);
    const problem = words('name_taken');
    if (same.length > 0) return again(problemOf(problem, { [kind.name]: problem }), { same });
  }
  const names =
    id === undefined
      ? Object.keys(values).filter((name) => name === kind.name || values[name] !== was[name] || values[name] !== '')
      : differing(was, values);
  const members = membersOf(kind, values, names, id);
  const terms = { ifMatch: textOf(form, '_etag'), reason: textOf(form, '_reason') };
  const path = id === undefined ? `/${kind.collection}` : `/${kind.collection}/${id}`;
  const answer = await api.send<SavedResource>(id === undefined ? 'POST' : 'PATCH', path, members, terms);
  if (answer.problem === null) return { answer };
  if (answer.status !== 412 || id === undefined) return again(answer.problem);
  const source = await sourceOf(api, kind, id);
  // A double click: the first one has saved all of this.
  if (differing(values, source.values).length === 0)
    return { answer: { ...answer, status: 200, body: { id: Number(id) } } };
  const { values: merged, theirs } = mergedValues(was, values, source.values);
  const conflict = { base: was, now: source.values, input: values, theirs };
  return again(answer.problem, { values: merged, was: source.values, etag: source.etag, conflict });
}

/** The form as it was typed, but for what is known to be otherwise. */
async function typedForm(
  request: DeskRequest,
  kind: DeskKind,
  id: string | undefined,
  known: Partial<ResourceForm> = {},
): Promise<ResourceForm> {
  const { form } = request;
  const values = known.values ?? typedValues(kind, form);
  return {
    id,
    values,
    was: openedWith(form, emptyValues(kind)),
    etag: textOf(form, '_etag'),
    problem: null,
    ...(await offersFor(request, kind, id, values)),
    ...known,
  };
}

/** What the form offers beside its values: what a term can be put below, pictures, and what was typed before. */
async function offersFor(request: DeskRequest, kind: DeskKind, id: string | undefined, values: ResourceValues) {
  const tree = kind.isTree ? await treeOf(request.api, kind) : [];
  const picture = kind.isPost ? await pictureOffer(request, values.image ?? '') : NO_PICTURES;
  return { tree, picture, offers: await offersOf(request, formOf(kind, id)) };
}

/** Venues or organizers of the same name: the API would take the new one for one of them. It refuses terms itself. */
async function namesakes(request: DeskRequest, kind: DeskKind, values: ResourceValues): Promise<readonly Listed[]> {
  const name = (values[kind.name] ?? '').toLowerCase();
  if (!kind.isPost || name === '') return [];
  return (await search(request, kind, name)).filter((one) => one.name.toLowerCase() === name);
}

// The form of a venue, an organizer, a category or a tag, by the fields of its kind.

interface ResourceForm {
  /** Undefined: it is new. */
  readonly id: string | undefined;
  readonly values: ResourceValues;
  /** The values when the form was opened: only what differs is written. */
  readonly was: ResourceValues;
  readonly etag: string;
  readonly problem: Problem | null;
  readonly conflict?: Conflict<string>;
  /** Those that have the name of this new one. */
  readonly same?: readonly Listed[];
  /** Terms that it can be put below; null: too many to choose from. */
  readonly tree: readonly Branch[] | null;
  readonly picture: PictureOffer;
  readonly offers: readonly UnsavedForm[];
}

function resourceFormPage(
  request: DeskRequest,
  kind: DeskKind,
  { problem: refusal, ...others }: ResourceForm,
): DeskPage {
  const { words } = request;
  const labels = Object.fromEntries(fieldsOf(kind).map(({ name, label }) => [name, words(label)]));
  const problem = inWordsOf(refusal, labels);
  const content = { ...others, problem };
  const { id, values, conflict, same = [] } = content;
  const section = sectionOf(kind);
  const title = id === undefined ? words(kind.newOne) : values[kind.name] || words('untitled');
  const [first, ...parts] = kind.parts;
  return {
    title,
    section,
    problem,
    head: modules(RICH_TEXT_SCRIPTS),
    main: [
      html`<h1>${title}</h1>`,
      offersPart(request, content.offers),
      problemNote(problem, labels),
      same.length > 0 &&
        html`<ul class="note">${same.map(
          (one) =>
            html`<li><a href=${`${section}/${one.id}`}>${one.name}</a> <small>${one.place}</small> ${stateLabel(words, one)}</li>`,
        )}</ul>`,
      conflict && conflictTable(request, conflict, labels),
      html`<form class="editor" method="post" enctype=${kind.isPost ? 'multipart/form-data' : undefined}
          action=${id === undefined ? section : `${section}/${id}`} novalidate
          ...${keptForm(request)}>
        ${formFields(request)}
        ${openedFields(formOf(kind, id), content)}
        <div class="fields">
          ${first && html`<div class="fields box">${inputsOf(request, content, first)}</div>`}
          ${parts.map(
            (part) =>
              html`<details class="box" open=${part.isFolded !== true || part.fields.some(({ name }) => problem?.fields[name])}>
                <summary>${words(part.legend)}</summary>
                <div class="fields">${inputsOf(request, content, part)}</div>
              </details>`,
          )}
        </div>
        <aside class="fields box">
          ${kind.aside.map((one) => inputOf(request, content, one))}
          ${reasonField(request, problem)}
          <p class="actions"><button type="submit" class="main">${words('save')}</button>
            ${keepButton(request)}</p>
        </aside>
      </form>`,
      id !== undefined && actions(request, kind, id, values),
    ],
  };
}

/** The name of the form for what is kept of it. */
const formOf = ({ kind }: DeskKind, id: string | undefined): string => `${kind}-${id ?? 'new'}`;

const inputsOf = (request: DeskRequest, content: ResourceForm, { fields, isPlace }: FormPart): Html =>
  html`${fields.map((one) => inputOf(request, content, one))}${isPlace && mapLink(request, content.values)}`;

/** Attributes of inputs of one line. */
const LINES: { readonly [Input in FormField['input']]?: Attributes } = {
  url: { type: 'url' },
  email: { type: 'email' },
  tel: { type: 'tel' },
  decimal: { inputmode: 'decimal' },
};

function inputOf(request: DeskRequest, content: ResourceForm, of: FormField): Html {
  const { words } = request;
  const { name, input, hint, isRequired } = of;
  const one = {
    name,
    label: words(of.label),
    value: content.values[name] ?? '',
    problem: content.problem?.fields[name],
    ...(hint !== undefined && { hint: words(hint) }),
  };
  switch (input) {
    case 'text':
      return richText(request, one, 8);
    case 'flag':
      return checkField(name, one.label, one.value !== '');
    case 'status':
      return choiceField(one, statusOptions(request, one.value));
    case 'picture':
      return pictureField(request, one, content.picture);
    case 'parent':
      // There are too many to choose from: the number is typed.
      if (content.tree === null) return textField(one, { inputmode: 'numeric' });
      return choiceField(one, [
        ['', words('no_parent')],
        ...flattened(content.tree, content.id).map(
          ({ id, name: term, depth }) => [String(id), `${'– '.repeat(depth)}${term}`] as const,
        ),
      ]);
    default:
      return textField(one, { maxlength: MAX_TYPED, required: isRequired, ...LINES[input] });
  }
}

const STATUSES = ['draft', 'pending', 'publish', 'private'] as const;

/** A state that is none to choose is offered while it is the present one. */
function statusOptions({ words, user }: DeskRequest, value: string) {
  const may = STATUSES.filter((one) => mayPublish(user) || one === 'draft' || one === 'pending' || one === value);
  const present = (['trash', 'future'] as const).filter((one) => one === value);
  return [...may, ...present].map((one) => [one, words(`state_${one}`)] as const);
}

/** Where the place is, as far as it is saved. */
function mapLink({ words }: DeskRequest, values: ResourceValues): Html | false {
  const { address = '', zip = '', city = '', stateprovince = '', country = '', geo_lat: lat, geo_lng: lng } = values;
  const isPlaced = lat !== '' && lng !== '';
  const map = mapAddress({
    address,
    zip,
    city,
    stateprovince,
    country,
    ...(isPlaced && { geo_lat: Number(lat), geo_lng: Number(lng) }),
  });
  return map !== undefined && html`<p><a rel="noopener" href=${map}>${words('on_map')}</a></p>`;
}

function actions(request: DeskRequest, kind: DeskKind, id: string, values: ResourceValues): Html {
  const { words, user } = request;
  const path = `${sectionOf(kind)}/${id}`;
  const isBinned = values.status === 'trash';
  return html`<div class="actions">
    ${values.status === 'publish' && html`<a class="button" href=${publicPath(kind, values.slug ?? '')}>${words('view_public')}</a>`}
    <a class="button" href=${`/desk/events?${kind.kind}=${id}&period=all`}>${words('its_events')}</a>
    <a class="button" href=${`${path}/history`}>${words('history')}</a>
    ${!isBinned && mayMerge(user, kind.kind) && html`<a class="button" href=${`${path}/merge`}>${words('merge_into_another')}</a>`}
    ${kind.isPost && (isBinned ? buttonForm(request, `${path}/restore`, words('restore')) : buttonForm(request, `${path}/bin`, words('to_bin')))}
  </div>
  ${
    !kind.isPost &&
    html`<details class="box"><summary>${words('delete')}</summary>
      <p>${words('delete_text')}</p>
      ${buttonForm(request, `${path}/delete`, words('delete'))}
    </details>`
  }`;
}

const publicPath = ({ kind }: DeskKind, slug: string): string =>
  kind === 'venue' ? venuePath(slug) : organizerPath(slug);

// Merging one into another: which one, what it would do, and, once it is done, the way back.

interface MergeContent {
  readonly from: Named;
  /** Null: it is still to be chosen. */
  readonly into: Named | null;
  /** What it would do; null if it cannot be done. */
  readonly merge: Merge | null;
  /** Those that it could be merged into. */
  readonly candidates: readonly Listed[];
  readonly problem: Problem | null;
}

function mergePage(request: DeskRequest, kind: DeskKind, content: MergeContent): DeskPage {
  const { words } = request;
  const { from, into, merge, problem } = content;
  const path = `${sectionOf(kind)}/${from.id}`;
  const title = words('merge_of', { name: from.name });
  return {
    title,
    section: sectionOf(kind),
    problem,
    main: [
      html`<p><a href=${path}>${words('back_to', { name: from.name })}</a></p>`,
      html`<h1>${title}</h1>`,
      problemNote(problem),
      into !== null && merge !== null && preview(request, sectionOf(kind), [from, into], merge),
      choosing(request, kind, content),
    ],
  };
}

function preview(request: DeskRequest, section: string, [from, into]: readonly [Named, Named], merge: Merge): Html {
  const { words } = request;
  return html`<section class="box" aria-label=${words('what_changes')}>
    <p role="status" class="note">${words('merge_would', { name: from.name, into: into.name, total: merge.events.count })}</p>
    ${
      merge.differences.length > 0 &&
      html`<div class="scroll" role="region" tabindex="0" aria-label=${words('merge_differs')}><table>
        <caption>${words('merge_differs')}</caption>
        <thead><tr><th scope="col">${words('field')}</th><th scope="col">${words('merge_goes')}</th><th scope="col">${words('merge_stays')}</th></tr></thead>
        <tbody>${merge.differences.map(
          ({ field, goes, stays }) => html`<tr>
            <th scope="row">${fieldName(request, field)}</th>
            <td class="text">${valueShown(request, field, goes)}</td>
            <td class="text">${valueShown(request, field, stays)}</td>
          </tr>`,
        )}</tbody></table></div>`
    }
    <form method="post" action=${`${section}/${from.id}/merge`}>
      ${formFields(request)}
      <input type="hidden" name="into" value=${into.id} />
      ${reasonField(request, null)}
      <p class="actions"><button class="main" type="submit">${words('merge')}</button>
        <a href=${address(`${section}/${into.id}/merge`, [['into', from.id]])}>${words('merge_other_way')}</a></p>
    </form>
  </section>`;
}

function choosing(request: DeskRequest, kind: DeskKind, { from, into, candidates }: MergeContent): Html {
  const { words, parameters } = request;
  const path = `${sectionOf(kind)}/${from.id}/merge`;
  const search = textOf(parameters, 'search');
  return html`${filtersForm(request, path, [filterInput('search', words(into === null ? 'merge_choose' : 'merge_choose_other'), search)], [['search', search]])}
    ${
      into === null &&
      results(candidates.length === 0 ? words('none_match') : '', [
        html`<ul class="rows">${candidates.map(
          (
            one,
          ) => html`<li><span>${one.name} <small>${one.place || one.id}</small>${kind.isPost && one.status !== 'publish' && html` ${stateLabel(words, one)}`}</span>
              <a class="button" href=${address(path, [['into', String(one.id)]])}>${words('show_it')}<span class="unseen"> ${one.name}</span></a></li>`,
        )}</ul>`,
      ])
    }`;
}

interface GoneContent {
  readonly from: Named;
  /** The one that stays; null: it was not merged but deleted. */
  readonly into: Named | null;
  /** Where the way back leads; null where there is none. */
  readonly back: number | null;
  readonly problem: Problem | null;
}

/** In place of the form of one that was merged or deleted. */
function gonePage(request: DeskRequest, kind: DeskKind, { from, into, back, problem }: GoneContent): DeskPage {
  const { words } = request;
  const section = sectionOf(kind);
  const path = `${section}/${from.id}`;
  return {
    title: from.name,
    section,
    problem,
    main: [
      html`<h1>${from.name}</h1>`,
      problemNote(problem),
      into === null
        ? html`<p class="note">${words('deleted_text')}</p>`
        : html`<p class="note">${words('merged_text')} <a href=${`${section}/${into.id}`}>${into.name}</a></p>`,
      html`<div class="actions"><a class="button" href=${`${path}/history`}>${words('history')}</a>
        ${back !== null && buttonForm(request, `${path}/back`, words(into === null ? 'bring_back' : 'unmerge'), { revision: String(back) })}</div>`,
      into !== null && back !== null && html`<p class="hint">${words('unmerge_text')}</p>`,
    ],
  };
}
