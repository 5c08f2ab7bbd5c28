// The form of an event: a new one, one that exists, or one that others have changed meanwhile.

import { SETS } from '../../../editorial/change-sets/desk/reading.ts';
import { guestsLink } from '../../../editorial/guest-links/desk/guests-link.ts';
import { authorText, type Proposal, REVIEW, wishText } from '../../../editorial/proposals/desk/reading.ts';
import { SCOPES } from '../../../editorial/series/domain/facts.ts';
import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import type { DeskWord } from '../../../locales/language.ts';
import { type EventAnswer, venueNames } from '../../../pages/answers.ts';
import { ASSETS } from '../../../pages/assets.ts';
import { momentText, siteMomentText } from '../../../pages/dates.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { conflictTable, MAX_TYPED, openedFields, reasonField } from '../../../pages/desk/editing.ts';
import type { Conflict } from '../../../pages/desk/form-values.ts';
import {
  checkField,
  choiceField,
  formFields,
  inWordsOf,
  problemNote,
  textArea,
  textField,
  typedField,
} from '../../../pages/desk/forms.ts';
import { isMoment, momentField } from '../../../pages/desk/moments.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { RICH_TEXT_SCRIPTS, richText } from '../../../pages/desk/rich-text.ts';
import { keepButton, keptForm, offersPart } from '../../../pages/desk/unsaved.ts';
import { type Attributes, type Html, html, modules } from '../../../pages/html.ts';
import { eventPath } from '../../../pages/links.ts';
import { mayPublish } from '../../../people/auth/policy.ts';
import type { UnsavedForm } from '../../../people/unsaved-forms/unsaved-forms.ts';
import { type PictureOffer, pictureField } from '../../picture/desk/picture-field.ts';
import { EVENT_STATUSES } from '../domain/event-status.ts';
import { languageNames, languagesShown } from './languages.ts';
import { type LinkFieldsContent, linkFields } from './link-fields.ts';
import type { DeskTerm, EventSteps } from './reading.ts';
import { RECURRENCE_FIELDS, recurrenceAtItsField } from './repeating.ts';
import { scopeField, type Tried, triedPart } from './scope.ts';
import { type SeriesContent, seriesNote } from './series.ts';
import { type EventValues, FIELD_NAMES, type FieldName, linesOf } from './values.ts';
import { unreadAsTyped, whenFields } from './when-fields.ts';

export interface EventForm extends LinkFieldsContent {
  /** Undefined: it is new. */
  readonly id: string | undefined;
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
  readonly duplicates?: readonly EventAnswer[];
  readonly categories: readonly DeskTerm[];
  readonly tags: readonly DeskTerm[];
  readonly picture: PictureOffer;
  readonly steps: EventSteps;
  readonly waiting: readonly Proposal[];
  readonly offers: readonly UnsavedForm[];
  /** Null: it is not a date of one. */
  readonly series: SeriesContent | null;
  /** What saving would do to its other dates, before it is carried out. */
  readonly tried?: Tried;
}

export function eventFormPage(request: DeskRequest, { problem: refusal, ...others }: EventForm): DeskPage {
  const { words } = request;
  const labels = labelsOf(request);
  const problem = inWordsOf(refusal && atItsField(request, others.values, refusal), labels);
  const content = { ...others, problem };
  const { id, values, conflict } = content;
  const isNew = id === undefined;
  const title = isNew ? words('new_event') : values.title || words('untitled');
  return {
    title,
    section: '/desk/events',
    problem,
    // Its row of buttons is at the bottom of the screen, and would move while the rest of it is read.
    head: html`<link rel="expect" href="#end" blocking="render" />${modules([ASSETS.eventForm.path, ...RICH_TEXT_SCRIPTS])}`,
    main: [
      html`<h1>${title}</h1>`,
      content.series !== null && seriesNote(request, content.series),
      waitingNote(request, content),
      offersPart(request, content.offers),
      problemNote(problem, labels),
      conflict && conflictTable(request, conflict, labels, toldWith(request, content)),
      html`<form class="event-form" method="post" enctype="multipart/form-data" action=${isNew ? '/desk/events' : `/desk/events/${id}`} novalidate
          ...${keptForm(request)}>
        ${formFields(request)}
        ${openedFields(formOf(id), content)}
        ${duplicateNote(request, content)}
        ${hiddenPart(request, content)}
        ${content.tried && triedPart(request, content.tried)}
        ${whatFields(request, content)}
        ${whenFields(request, content)}
        ${whereFields(request, content)}
        ${pictureFields(request, content)}
        ${details(request, content)}
        ${audienceFields(request, content)}
        ${!isNew && takingPlace(request, content)}
        ${moreFields(request, content)}
        <div class="beside">
          ${finishing(request, content)}
          ${!isNew && actions(request, id, content)}
        </div>
      </form>
      <div id="end"></div>`,
      !isNew && binForm(request, id, content),
    ],
  };
}

/** The name of the form for what is kept of it. */
export const formOf = (id: string | undefined): string => `event-${id ?? 'new'}`;

/** What others want of it, and when it is to become public. */
const waitingNote = (request: DeskRequest, { waiting, was }: EventForm) =>
  waiting.length > 0 &&
  html`<div class="note"><p>${request.words('waiting_changes')}</p><ul>${waiting.map(
    (
      proposal,
    ) => html`<li><a href=${`${REVIEW}/${proposal.id}`}>${wishText(request, proposal, was.title)}</a> · ${authorText(request, proposal)}, ${siteMomentText(request, proposal.opened)}
      ${proposal.sets.map(({ id, name, at }) => html` · <a href=${`${SETS}/${id}`}>${name}</a>${at !== null && ` (${request.words('set_at', { date: siteMomentText(request, at) })})`}`)}</li>`,
  )}</ul></div>`;

/** Says values as the form shows them: days as they are written, and names for numbers. */
function toldWith(request: DeskRequest, { links, suggested, categories }: EventForm) {
  const known = [...links.venue, ...links.organizer, ...suggested.venue, ...suggested.organizer, ...categories];
  const names = new Map(known.map(({ id, name }) => [String(id), name]));
  return (name: FieldName, value: string): string => {
    if (isMoment(value)) return momentText(request.language.code, value.replace('T', ' '));
    const isByNumber = name === 'venue' || name === 'organizer' || name === 'categories';
    return isByNumber
      ? linesOf(value)
          .map((id) => names.get(id) ?? id)
          .join(', ')
      : value;
  };
}

/** What the API refuses is wrong where it was typed, and said as the form would have it. */
function atItsField(request: DeskRequest, values: EventValues, problem: Problem): Problem {
  const { venue, organizer, ...others } = unreadAsTyped(request, values, problem.fields);
  const fields = {
    ...others,
    ...(venue !== undefined && { venue_add: venue }),
    ...(organizer !== undefined && { organizer_add: organizer }),
  };
  return recurrenceAtItsField(request, { ...problem, fields });
}

/** Where it is one more of the same, saving again creates it all the same. */
const duplicateNote = ({ words, form }: DeskRequest, { duplicates = [] }: EventForm): Html | false => {
  if (duplicates.length === 0)
    return textOf(form, 'duplicate_known') !== '' && html`<input type="hidden" name="duplicate_known" value="1" />`;
  return html`<div class="note">
    <ul>${duplicates.map(
      ({ id, title, venue }) => html`<li><a href=${`/desk/events/${id}`}>${lineOfHtml(title)}</a>
        ${venueNames({ venue }).join(', ')}</li>`,
    )}</ul>
    <div class="check"><input type="checkbox" id="duplicate_known" name="duplicate_known" value="1" />
      <label for="duplicate_known">${words('create_anyway')}</label></div>
  </div>`;
};

/** Where visitors would miss something of it, saving again publishes it all the same. */
const hiddenPart = ({ words }: DeskRequest, { isIncomplete }: EventForm): Html | false =>
  isIncomplete === true && html`<div class="note">${checkField('hidden_known', words('publish_anyway'), false)}</div>`;

const labelsOf = ({ words }: DeskRequest): { readonly [name: string]: string } => ({
  ...Object.fromEntries(FIELD_NAMES.map((name) => [name, words(`field_${name}`)])),
  password: words('field_password'),
  notice: words('field_notice'),
  venue_add: words('field_venue'),
  organizer_add: words('field_organizer'),
  recurrence: words('field_recurrence'),
  ...Object.fromEntries(RECURRENCE_FIELDS.map((name) => [`recurrence_${name}`, words(`repeat_${name}`)])),
  scope: words('scope'),
});

/** What a field is shown with. */
const shownAs = ({ words }: DeskRequest, { values, problem }: EventForm, name: FieldName, hint?: DeskWord) => ({
  name,
  label: words(`field_${name}`),
  value: values[name],
  problem: problem?.fields[name],
  ...(hint !== undefined && { hint: words(hint) }),
});

const input = (
  request: DeskRequest,
  content: EventForm,
  name: FieldName,
  more: Attributes = {},
  hint?: DeskWord,
): Html => textField(shownAs(request, content, name, hint), more);

const area = (request: DeskRequest, content: EventForm, name: FieldName, rows: number, hint: DeskWord): Html =>
  textArea(shownAs(request, content, name, hint), rows);

const check = ({ words }: DeskRequest, { values }: EventForm, name: FieldName): Html =>
  checkField(name, words(`field_${name}`), values[name] !== '');

/** A field that most events leave alone, folded away; open where something in it is wrong. */
function folded({ problem }: EventForm, summary: string, names: readonly string[], content: Html): Html {
  const isWrong = names.some((name) => problem?.fields[name] !== undefined);
  return html`<details class="box" open=${isWrong}>
    <summary>${summary}</summary>
    <div class="fields">${content}</div>
  </details>`;
}

const whatFields = (request: DeskRequest, content: EventForm): Html =>
  html`<div class="fields box">
    ${input(request, content, 'title', { required: true, maxlength: MAX_TYPED })}
    ${richText(request, shownAs(request, content, 'description', 'hint_html'), 7)}
  </div>`;

const whereFields = (request: DeskRequest, content: EventForm): Html =>
  html`<fieldset class="fields box">
    <legend>${request.words('where_and_who')}</legend>
    ${linkFields(request, content, 'venue')}
    ${check(request, content, 'is_virtual')}
    <div class="pair online">
      ${input(request, content, 'virtual_url', { type: 'url', maxlength: MAX_TYPED }, 'hint_virtual_url')}
      ${input(request, content, 'virtual_video_source', { maxlength: MAX_TYPED }, 'hint_virtual_video_source')}
    </div>
    ${linkFields(request, content, 'organizer')}
  </fieldset>`;

const pictureFields = (request: DeskRequest, content: EventForm): Html =>
  html`<div class="box">${pictureField(request, shownAs(request, content, 'image', 'hint_image'), content.picture)}</div>`;

function details(request: DeskRequest, content: EventForm): Html {
  const cost = shownAs(request, content, 'cost', 'hint_cost');
  return html`<fieldset class="fields box">
    <legend>${request.words('details')}</legend>
    <div class="pair">
      ${textField({ ...cost, label: `${cost.label} (${request.currencySign})` }, { maxlength: MAX_TYPED })}
      ${input(request, content, 'website', { type: 'url', maxlength: MAX_TYPED })}
    </div>
    ${input(request, content, 'registration_url', { type: 'url', maxlength: MAX_TYPED })}
    ${categoryChecks(request, content)}
    ${textField(
      {
        ...shownAs(request, content, 'tags', 'hint_tags'),
        value: linesOf(content.values.tags).join(', '),
      },
      { list: 'tag-names', maxlength: MAX_TYPED },
    )}
    <datalist id="tag-names">${content.tags.map(({ name }) => html`<option value=${name}></option>`)}</datalist>
  </fieldset>`;
}

/** By what visitors decide whether they come. */
function audienceFields(request: DeskRequest, content: EventForm): Html {
  const { words, language } = request;
  const languages = shownAs(request, content, 'languages', 'hint_languages');
  return folded(
    content,
    words('audience'),
    ['accessibility', 'age_range', 'languages'],
    html`${check(request, content, 'accessible')}
      ${input(request, content, 'accessibility', { maxlength: MAX_TYPED }, 'hint_accessibility')}
      <div class="pair">
        ${input(request, content, 'age_range', { maxlength: 20 }, 'hint_age_range')}
        ${textField({ ...languages, value: languagesShown(language.code, languages.value) }, { list: 'language-names', maxlength: 200 })}
      </div>
      <datalist id="language-names">${[...languageNames(language.code).keys()].map((name) => html`<option value=${name}></option>`)}</datalist>`,
  );
}

/** What few events need. */
function moreFields(request: DeskRequest, content: EventForm): Html {
  const { words, form } = request;
  const { problem, hasPassword } = content;
  const hint = hasPassword ? 'hint_has_password' : 'hint_password';
  const password = typedField(request, problem, 'password', 'field_password', hint);
  return folded(
    content,
    words('more_fields'),
    ['excerpt', 'slug', 'password', '_reason'],
    html`${area(request, content, 'excerpt', 3, 'hint_excerpt')}
      ${input(request, content, 'slug', { maxlength: MAX_TYPED, spellcheck: 'false' }, 'hint_slug')}
      ${check(request, content, 'featured')}
      ${check(request, content, 'sticky')}
      ${check(request, content, 'hide_from_listings')}
      ${textField(password, { maxlength: 255, autocomplete: 'off' })}
      ${hasPassword && checkField('password_remove', words('remove_password'), textOf(form, 'password_remove') !== '')}
      ${reasonField(request, problem)}`,
  );
}

function categoryChecks({ words }: DeskRequest, { categories, values, problem }: EventForm): Html | false {
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

const STATUSES = ['draft', 'pending', 'publish', 'future', 'private'] as const;

const stepButton = (step: string, label: string, look?: 'main'): Html =>
  html`<button type="submit" name="_do" value=${step} class=${look}>${label}</button>`;

/** The state in which the event is saved, and the buttons for saving, proposing and planning: in sight however long the form is. */
function finishing(request: DeskRequest, content: EventForm): Html {
  const { words, user } = request;
  const { values, problem, series, steps } = content;
  const status = shownAs(request, content, 'status');
  const offered = STATUSES.filter(
    (one) => mayPublish(user) || one === 'draft' || one === 'pending' || one === values.status,
  );
  return html`<div class="finish box">
    ${choiceField(
      status,
      [...offered, ...(values.status === 'trash' ? (['trash'] as const) : [])].map((one) => [
        one,
        words(`state_${one}`),
      ]),
    )}
    ${series !== null && scopeField(request, problem)}
    <p class="actions">
      ${steps.save && stepButton('save', words('save'), 'main')}
      ${stepButton('propose', words('propose'), steps.save ? undefined : 'main')}
      ${keepButton(request)}
    </p>
    ${
      steps.schedule &&
      html`<details class="planned" open=${values.status === 'future' || problem?.fields.date !== undefined}>
        <summary>${words('schedule_it')}</summary>
        ${momentField(request, shownAs(request, content, 'date', 'hint_date'))}
        <p class="actions">${stepButton('schedule', words('schedule_it'))}</p>
      </details>`
    }
  </div>`;
}

/** Whether it takes place, and what the public is told about the change. */
function takingPlace(request: DeskRequest, content: EventForm): Html {
  const { words } = request;
  const status = shownAs(request, content, 'event_status');
  const notice = typedField(request, content.problem, 'notice', 'field_notice', 'hint_notice');
  return folded(
    content,
    words('cancel_or_postpone'),
    ['event_status', 'notice'],
    html`${choiceField(
      status,
      EVENT_STATUSES.map((one) => [one, words(`takes_place_${one}`)]),
    )}
    ${textField(notice, { maxlength: MAX_TYPED })}`,
  );
}

const BIN = 'bin-form';

/** What else can be done with it. A form cannot be inside of another one: the buttons of the bin name theirs. */
const actions = (request: DeskRequest, id: string, { values: { status, slug }, series }: EventForm): Html =>
  html`<p class="actions">
    ${status === 'publish' && html`<a class="button" href=${eventPath(slug)}>${request.words('view_public')}</a>`}
    <a class="button" href=${`/desk/events/${id}/preview`}>${request.words('preview')}</a>
    ${guestsLink(request, 'event', id)}
    <a class="button" href=${`/desk/events/${id}/history`}>${request.words('history')}</a>
    <a class="button" href=${`/desk/events/new?copy=${id}`}>${request.words('duplicate')}</a>
    ${
      status === 'trash'
        ? html`<button type="submit" form=${BIN}>${request.words('restore')}</button>`
        : series === null
          ? html`<button type="submit" form=${BIN}>${request.words('to_bin')}</button>`
          : SCOPES.map(
              (scope) =>
                html`<button type="submit" form=${BIN} name="scope" value=${scope}>${request.words(`bin_${scope}`)}</button>`,
            )
    }
  </p>`;

const binForm = (request: DeskRequest, id: string, { values: { status } }: EventForm): Html =>
  html`<form id=${BIN} method="post" action=${`/desk/events/${id}/${status === 'trash' ? 'restore' : 'bin'}`}>
    ${formFields({ ...request, form: {} })}
  </form>`;
