// The form of a venue, an organizer, a category or a tag, by the fields of its kind.

import type { Problem } from '../../../pages/desk/api.ts';
import { conflictTable, MAX_TYPED, openedFields, reasonField } from '../../../pages/desk/editing.ts';
import type { Conflict } from '../../../pages/desk/form-values.ts';
import {
  buttonForm,
  checkField,
  described,
  field,
  formFields,
  inWordsOf,
  problemNote,
  textArea,
  textField,
} from '../../../pages/desk/forms.ts';
import type { DeskPage, DeskRequest } from '../../../pages/desk/page.ts';
import { keepButton, keptForm, offersPart } from '../../../pages/desk/unsaved.ts';
import { type Attributes, type Html, html } from '../../../pages/html.ts';
import { organizerPath, venuePath } from '../../../pages/links.ts';
import { mapOf } from '../../../pages/maps.ts';
import { mayMerge, mayPublish } from '../../../people/auth/policy.ts';
import type { UnsavedForm } from '../../../people/unsaved-forms/unsaved-forms.ts';
import { type PictureOffer, pictureField } from '../../picture/desk/picture-field.ts';
import { type DeskKind, type FormField, type FormPart, fieldsOf, sectionOf } from './kinds.ts';
import { stateLabel } from './list-page.ts';
import { type Branch, flattened, type Listed } from './reading.ts';
import type { ResourceValues } from './values.ts';

export interface ResourceFormShown {
  /** Absent: it is new. */
  readonly id?: string;
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

export function resourceFormPage(
  request: DeskRequest,
  kind: DeskKind,
  { problem: refusal, ...others }: ResourceFormShown,
): DeskPage {
  const { words } = request;
  const labels = Object.fromEntries(fieldsOf(kind).map(({ name, label }) => [name, words(label)]));
  const problem = inWordsOf(refusal, labels);
  const shown = { ...others, problem };
  const { id, values, conflict, same = [] } = shown;
  const section = sectionOf(kind);
  const title = id === undefined ? words(kind.newOne) : values[kind.name] || words('untitled');
  const [first, ...parts] = kind.parts;
  return {
    title,
    section,
    problem,
    main: [
      html`<h1>${title}</h1>`,
      offersPart(request, shown.offers),
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
        ${openedFields(formOf(kind, id), shown)}
        <div class="fields">
          ${first && html`<div class="fields box">${inputsOf(request, shown, first)}</div>`}
          ${parts.map(
            (part) =>
              html`<fieldset class="fields box"><legend>${words(part.legend)}</legend>${inputsOf(request, shown, part)}</fieldset>`,
          )}
        </div>
        <aside class="fields box">
          ${kind.aside.map((one) => inputOf(request, shown, one))}
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
export const formOf = ({ kind }: DeskKind, id: string | undefined): string => `${kind}-${id ?? 'new'}`;

const inputsOf = (request: DeskRequest, shown: ResourceFormShown, { fields, isPlace }: FormPart): Html =>
  html`${fields.map((one) => inputOf(request, shown, one))}${isPlace && mapLink(request, shown.values)}`;

/** Attributes of inputs of one line. */
const LINES: { readonly [Input in FormField['input']]?: Attributes } = {
  url: { type: 'url' },
  email: { type: 'email' },
  tel: { type: 'tel' },
  decimal: { inputmode: 'decimal' },
};

function inputOf(request: DeskRequest, shown: ResourceFormShown, of: FormField): Html {
  const { words } = request;
  const { name, input, hint, isRequired } = of;
  const one = {
    name,
    label: words(of.label),
    value: shown.values[name] ?? '',
    problem: shown.problem?.fields[name],
    ...(hint !== undefined && { hint: words(hint) }),
  };
  switch (input) {
    case 'text':
      return textArea(one, 8);
    case 'flag':
      return checkField(name, one.label, one.value !== '');
    case 'status':
      return field(
        one,
        html`<select id=${name} name=${name} ...${described(one)}>${statusOptions(request, one.value)}</select>`,
      );
    case 'picture':
      return pictureField(request, one, shown.picture);
    case 'parent':
      // Of too many to choose from, the number is typed.
      if (shown.tree === null) return textField(one, { inputmode: 'numeric' });
      return field(
        one,
        html`<select id=${name} name=${name} ...${described(one)}>
          <option value="">${words('no_parent')}</option>
          ${flattened(shown.tree, shown.id).map(
            ({ id, name: term, depth }) =>
              html`<option value=${id} selected=${String(id) === one.value}>${`${'– '.repeat(depth)}${term}`}</option>`,
          )}
        </select>`,
      );
    default:
      return textField(one, { maxlength: MAX_TYPED, required: isRequired, ...LINES[input] });
  }
}

const STATUSES = ['draft', 'pending', 'publish', 'private'] as const;

/** A state that is none to choose is offered while it is the present one. */
function statusOptions({ words, user }: DeskRequest, value: string): Html {
  const may = STATUSES.filter((one) => mayPublish(user) || one === 'draft' || one === 'pending' || one === value);
  const present = (['trash', 'future'] as const).filter((one) => one === value);
  return html`${[...may, ...present].map(
    (one) => html`<option value=${one} selected=${one === value}>${words(`state_${one}`)}</option>`,
  )}`;
}

/** Where the place is, as far as it is saved. */
function mapLink({ words }: DeskRequest, values: ResourceValues): Html | false {
  const { address = '', zip = '', city = '', stateprovince = '', country = '', geo_lat: lat, geo_lng: lng } = values;
  const isPlaced = lat !== '' && lng !== '';
  const map = mapOf({
    address,
    zip,
    city,
    stateprovince,
    country,
    show_map: true,
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
    <a class="button" href=${`/desk/events?${FILTERS[kind.kind]}=${id}&period=all`}>${words('its_events')}</a>
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

/** The filters of the list of events. */
const FILTERS = { venue: 'venue', organizer: 'organizer', category: 'category', tag: 'tag' } as const;

const publicPath = ({ kind }: DeskKind, slug: string): string =>
  kind === 'venue' ? venuePath(slug) : organizerPath(slug);
