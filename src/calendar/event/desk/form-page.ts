// The form of an event: a new one, one that exists, or one that others have changed meanwhile.

import { SCOPES } from '../../../editorial/series/domain/facts.ts';
import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import type { DeskWord } from '../../../locales/language.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { conflictTable, keptAs, MAX_TYPED, openedFields, reasonField } from '../../../pages/desk/editing.ts';
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
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Attributes, type Html, html } from '../../../pages/html.ts';
import { eventPath } from '../../../pages/links.ts';
import { venuesOf } from '../../../pages/shown.ts';
import { mayPublish } from '../../../people/auth/policy.ts';
import { type PictureOffer, pictureField } from '../../picture/desk/picture-field.ts';
import { EVENT_STATUSES } from '../domain/event-status.ts';
import { type LinkFieldsShown, linkFields } from './link-fields.ts';
import type { DeskTerm, ListedEvent } from './reading.ts';
import { atItsField, RECURRENCE_FIELDS, recurrenceFields } from './repeating.ts';
import { scopeField, type Tried, triedPart } from './scope.ts';
import { type ShownSeries, seriesNote } from './series.ts';
import { type EventValues, FIELD_NAMES, type FieldName, linesOf } from './values.ts';

export interface EventFormShown extends LinkFieldsShown {
  /** Absent: it is new. */
  readonly id?: string;
  readonly values: EventValues;
  /** The values when the form was opened: only what differs is written. */
  readonly was: EventValues;
  readonly etag: string;
  readonly hasPassword: boolean;
  readonly problem: Problem | null;
  readonly conflict?: Conflict<FieldName>;
  /** Whether visitors would miss venues or organizers of it, as its problem says. */
  readonly isIncomplete?: true;
  /** Events that look like this new one. */
  readonly duplicates?: readonly ListedEvent[];
  readonly categories: readonly DeskTerm[];
  readonly tags: readonly DeskTerm[];
  readonly picture: PictureOffer;
  /** Null: it is not a date of one. */
  readonly series: ShownSeries | null;
  /** What saving would do to its other dates, before it is carried out. */
  readonly tried?: Tried;
}

export function eventFormPage(request: DeskRequest, { problem: refusal, ...others }: EventFormShown): DeskPage {
  const { words } = request;
  const labels = labelsOf(request);
  const problem = inWordsOf(refusal && atItsField(request, refusal), labels);
  const shown = { ...others, problem };
  const { id, values, conflict } = shown;
  const isNew = id === undefined;
  const title = isNew ? words('new_event') : values.title || words('untitled');
  return {
    title,
    section: '/desk/events',
    status: problem?.status ?? 200,
    main: [
      html`<h1>${title}</h1>`,
      shown.series !== null && seriesNote(request, shown.series),
      problemNote(problem, labels),
      conflict && conflictTable(request, conflict, labels),
      html`<form class="editor" method="post" enctype="multipart/form-data" action=${isNew ? '/desk/events' : `/desk/events/${id}`} novalidate
          ...${keptAs(request, `event ${id ?? 'new'}`)}>
        ${formFields(request)}
        ${openedFields(shown)}
        ${duplicateNote(request, shown)}
        ${hiddenPart(request, shown)}
        ${shown.tried && triedPart(request, shown.tried)}
        <div class="fields">${texts(request, shown)}${times(request, shown)}${relations(request, shown)}${details(request, shown)}</div>
        <aside class="fields box">${publication(request, shown)}</aside>
      </form>`,
      !isNew && actions(request, id, shown),
    ].filter((part) => part !== undefined && part !== false),
  };
}

/** Where it is one more of the same, saving again creates it all the same. */
const duplicateNote = ({ words, form }: DeskRequest, { duplicates = [] }: EventFormShown): Html | false => {
  if (duplicates.length === 0)
    return textOf(form, 'duplicate_known') !== '' && html`<input type="hidden" name="duplicate_known" value="1" />`;
  return html`<div class="note whole">
    <ul>${duplicates.map(
      ({ id, title, venue }) => html`<li><a href=${`/desk/events/${id}`}>${lineOfHtml(title)}</a>
        ${venuesOf({ venue })
          .map((one) => lineOfHtml(one.venue))
          .join(', ')}</li>`,
    )}</ul>
    <div class="check"><input type="checkbox" id="duplicate_known" name="duplicate_known" value="1" />
      <label for="duplicate_known">${words('create_anyway')}</label></div>
  </div>`;
};

/** Where visitors would miss something of it, saving again publishes it all the same. */
const hiddenPart = ({ words }: DeskRequest, { isIncomplete }: EventFormShown): Html | false =>
  isIncomplete === true &&
  html`<div class="note whole">${checkField('hidden_known', words('publish_anyway'), false)}</div>`;

const labelsOf = ({ words }: DeskRequest): { readonly [name: string]: string } => ({
  ...Object.fromEntries(FIELD_NAMES.map((name) => [name, words(`field_${name}`)])),
  password: words('field_password'),
  notice: words('field_notice'),
  ...{ venue_add: words('field_venue'), organizer_add: words('field_organizer') },
  recurrence: words('field_recurrence'),
  ...Object.fromEntries(RECURRENCE_FIELDS.map((name) => [`recurrence_${name}`, words(`repeat_${name}`)])),
  scope: words('scope'),
});

/** What a field is shown with. */
const shownAs = ({ words }: DeskRequest, { values, problem }: EventFormShown, name: FieldName, hint?: DeskWord) => ({
  name,
  label: words(`field_${name}`),
  value: values[name],
  problem: problem?.fields[name],
  ...(hint !== undefined && { hint: words(hint) }),
});

const input = (
  request: DeskRequest,
  shown: EventFormShown,
  name: FieldName,
  more: Attributes = {},
  hint?: DeskWord,
): Html => textField(shownAs(request, shown, name, hint), more);

const area = (request: DeskRequest, shown: EventFormShown, name: FieldName, rows: number, hint: DeskWord): Html =>
  textArea(shownAs(request, shown, name, hint), rows);

const check = ({ words }: DeskRequest, { values }: EventFormShown, name: FieldName): Html =>
  checkField(name, words(`field_${name}`), values[name] !== '');

const texts = (request: DeskRequest, shown: EventFormShown): Html =>
  html`<div class="fields box">
    ${input(request, shown, 'title', { required: true, maxlength: MAX_TYPED })}
    ${area(request, shown, 'description', 12, 'hint_html')}
    ${area(request, shown, 'excerpt', 3, 'hint_excerpt')}
  </div>`;

function times(request: DeskRequest, shown: EventFormShown): Html {
  const zone = shownAs(request, shown, 'timezone');
  const zones = Intl.supportedValuesOf('timeZone');
  const offered = zones.includes(zone.value) || zone.value === '' ? zones : [zone.value, ...zones];
  const wall = { type: 'datetime-local', step: 60, required: true };
  return html`<fieldset class="fields box">
    <legend>${request.words('when')}</legend>
    <div class="pair">
      ${input(request, shown, 'start_date', wall)}
      ${input(request, shown, 'end_date', wall)}
    </div>
    ${check(request, shown, 'all_day')}
    ${field(
      zone,
      html`<select id="timezone" name="timezone" ...${described(zone)}>
        ${offered.map((name) => html`<option selected=${name === zone.value}>${name}</option>`)}
      </select>`,
    )}
    ${
      (shown.id === undefined || shown.series !== null) &&
      recurrenceFields(request, { series: shown.series, problems: shown.problem?.fields ?? {} })
    }
  </fieldset>`;
}

const relations = (request: DeskRequest, shown: EventFormShown): Html =>
  html`<fieldset class="fields box">
    <legend>${request.words('where_and_who')}</legend>
    ${linkFields(request, shown, 'venue')}
    ${check(request, shown, 'is_virtual')}
    <div class="pair">
      ${input(request, shown, 'virtual_url', { type: 'url', maxlength: MAX_TYPED }, 'hint_virtual_url')}
      ${input(request, shown, 'virtual_video_source', { maxlength: MAX_TYPED }, 'hint_virtual_video_source')}
    </div>
    ${linkFields(request, shown, 'organizer')}
  </fieldset>
  <fieldset class="fields box">
    <legend>${request.words('topics')}</legend>
    ${categoryChecks(request, shown)}
    ${textField(
      {
        ...shownAs(request, shown, 'tags', 'hint_tags'),
        value: linesOf(shown.values.tags).join(', '),
      },
      { list: 'tag-names', maxlength: MAX_TYPED },
    )}
    <datalist id="tag-names">${shown.tags.map(({ name }) => html`<option value=${name}></option>`)}</datalist>
  </fieldset>`;

function categoryChecks({ words }: DeskRequest, { categories, values, problem }: EventFormShown): Html | false {
  const chosen = linesOf(values.categories);
  return (
    categories.length > 0 &&
    html`<fieldset>
      <legend>${words('field_categories')}</legend>
      <ul class="checks">${categories.map(
        ({ id, name }) => html`<li class="check">
          <input type="checkbox" id=${`category-${id}`} name="categories[]" value=${id} checked=${chosen.includes(String(id))} />
          <label for=${`category-${id}`}>${name}</label>
        </li>`,
      )}</ul>
      ${problem?.fields.categories && html`<p class="problem">${problem.fields.categories}</p>`}
    </fieldset>`
  );
}

const details = (request: DeskRequest, shown: EventFormShown): Html =>
  html`<fieldset class="fields box">
    <legend>${request.words('details')}</legend>
    <div class="pair">
      ${input(request, shown, 'cost', { maxlength: MAX_TYPED }, 'hint_cost')}
      ${input(request, shown, 'website', { type: 'url', maxlength: MAX_TYPED })}
    </div>
    ${pictureField(request, shownAs(request, shown, 'image', 'hint_image'), shown.picture)}
    ${input(request, shown, 'slug', { maxlength: MAX_TYPED, spellcheck: 'false' }, 'hint_slug')}
    ${check(request, shown, 'featured')}
    ${check(request, shown, 'sticky')}
    ${check(request, shown, 'hide_from_listings')}
  </fieldset>`;

const STATUSES = ['draft', 'pending', 'publish', 'future', 'private'] as const;

function publication(request: DeskRequest, shown: EventFormShown): Html {
  const { words, user, form } = request;
  const { values, problem, hasPassword, id } = shown;
  const status = shownAs(request, shown, 'status');
  const offered = STATUSES.filter(
    (one) => mayPublish(user) || one === 'draft' || one === 'pending' || one === values.status,
  );
  const password = {
    name: 'password',
    label: words('field_password'),
    value: textOf(form, 'password'),
    hint: words(hasPassword ? 'hint_has_password' : 'hint_password'),
    problem: problem?.fields.password,
  };
  return html`${field(
    status,
    html`<select id="status" name="status" ...${described(status)}>
        ${offered.map((one) => html`<option value=${one} selected=${one === values.status}>${words(`state_${one}`)}</option>`)}
        ${values.status === 'trash' && html`<option value="trash" selected>${words('state_trash')}</option>`}
      </select>`,
  )}
    ${mayPublish(user) && input(request, shown, 'date', { type: 'datetime-local', step: 60 }, 'hint_date')}
    ${id !== undefined && takingPlace(request, shown)}
    ${textField(password, { maxlength: 255, autocomplete: 'off' })}
    ${
      hasPassword &&
      html`<div class="check"><input type="checkbox" id="password_remove" name="password_remove" value="1" />
        <label for="password_remove">${words('remove_password')}</label></div>`
    }
    ${shown.series !== null && scopeField(request, problem)}
    ${reasonField(request, problem)}
    <p class="actions"><button type="submit" class="main">${words('save')}</button></p>`;
}

/** Whether it takes place, and what the public is told about the change. */
function takingPlace(request: DeskRequest, shown: EventFormShown): Html {
  const { words, form } = request;
  const status = shownAs(request, shown, 'event_status');
  const notice = {
    name: 'notice',
    label: words('field_notice'),
    value: textOf(form, 'notice'),
    hint: words('hint_notice'),
    problem: shown.problem?.fields.notice,
  };
  return html`${field(
    status,
    html`<select id="event_status" name="event_status" ...${described(status)}>
        ${EVENT_STATUSES.map(
          (one) => html`<option value=${one} selected=${one === status.value}>${words(`takes_place_${one}`)}</option>`,
        )}
      </select>`,
  )}
    ${textField(notice, { maxlength: MAX_TYPED })}`;
}

const actions = (request: DeskRequest, id: string, { values: { status, slug }, series }: EventFormShown): Html =>
  html`<div class="actions">
    ${status === 'publish' && html`<a class="button" href=${eventPath(slug)}>${request.words('view_public')}</a>`}
    <a class="button" href=${`/desk/events/${id}/history`}>${request.words('history')}</a>
    <a class="button" href=${`/desk/events/new?copy=${id}`}>${request.words('duplicate')}</a>
    ${
      status === 'trash'
        ? buttonForm(request, `/desk/events/${id}/restore`, request.words('restore'))
        : series === null
          ? buttonForm(request, `/desk/events/${id}/bin`, request.words('to_bin'))
          : SCOPES.map((scope) =>
              buttonForm(request, `/desk/events/${id}/bin`, request.words(`bin_${scope}`), { scope }),
            )
    }
  </div>`;
