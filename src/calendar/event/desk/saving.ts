// Saving the form of an event: what was typed, names of venues and organizers, and what the API says to it.

import { SETS, type TriedSet } from '../../../editorial/change-sets/desk/reading.ts';
import { REVIEW } from '../../../editorial/proposals/desk/reading.ts';
import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import { toInstant } from '../../../kernel/time/zone.ts';
import { type ApiAnswer, type Problem, problemOf } from '../../../pages/desk/api.ts';
import { differing, mergedValues, openedWith } from '../../../pages/desk/form-values.ts';
import { isMoment, notAMoment } from '../../../pages/desk/moments.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { offersOf } from '../../../pages/desk/unsaved.ts';
import { mayListUnpublished, mayPublish } from '../../../people/auth/policy.ts';
import { pickedWith, pictureOffer } from '../../picture/desk/picture-field.ts';
import { isToBePublic, noteOf } from '../../resource/desk/hidden-links.ts';
import { type EventForm, formOf } from './form-page.ts';
import { type LinkQuestion, NEW_VENUE } from './link-fields.ts';
import {
  type DeskLink,
  type DeskTerm,
  type EventSource,
  type EventsPage,
  findLinks,
  isProtected,
  type LinkKind,
  linksOf,
  sourceOf,
  stepsFor,
  termsOf,
  waitingFor,
} from './reading.ts';
import { recurrenceProblems, typedRecurrence } from './repeating.ts';
import { scopeOf, type TriedAnswer, unseen } from './scope.ts';
import { seriesOf } from './series.ts';
import { type EventValues, FIELD_NAMES, linesOf, membersOf, NO_VALUES, toInput, typedValues } from './values.ts';

interface SavedEvent {
  readonly status?: string;
  readonly id: number;
  readonly slug?: string;
  readonly series?: { readonly id: number };
}

/** A form that was saved, has led to a proposal or a set, or is shown again. */
type Saved = { readonly answer: ApiAnswer<SavedEvent> } | { readonly led: string } | { readonly again: EventForm };

const STEPS = ['save', 'propose', 'schedule'] as const;

/** What the form is sent for: by which of its buttons. */
const stepOf = (form: DeskRequest['form']) => STEPS.find((step) => step === textOf(form, '_do')) ?? 'save';

interface Resolved {
  readonly values: EventValues;
  /** Venues and organizers that are created along with the event. */
  readonly created: { readonly [Kind in LinkKind]?: object };
  readonly questions: { readonly [Kind in LinkKind]?: LinkQuestion };
}

/** What the form offers beside its values. */
export async function formSurroundings(
  request: DeskRequest,
  values: Pick<EventValues, LinkKind | 'image' | 'status'>,
  id: string | undefined,
) {
  const { api } = request;
  const [categories, tags, venue, organizer, venues, organizers, picture, series, steps, waiting, hasPassword, offers] =
    await Promise.all([
      termsOf(api, 'categories'),
      termsOf(api, 'tags'),
      linksOf(api, 'venue', values.venue),
      linksOf(api, 'organizer', values.organizer),
      findLinks(api, 'venue', ''),
      findLinks(api, 'organizer', ''),
      pictureOffer(request, values.image),
      id === undefined ? null : seriesOf(api, id),
      stepsFor(request, id, values.status),
      id === undefined ? [] : waitingFor(api, id),
      id !== undefined && isProtected(api, id),
      offersOf(request, formOf(id)),
    ]);
  return {
    categories,
    tags,
    links: { venue, organizer },
    suggested: { venue: venues, organizer: organizers },
    picture,
    series,
    steps,
    waiting,
    hasPassword,
    offers,
    questions: {},
  };
}

/** The form as it was typed. */
export const typedForm = async (request: DeskRequest, id: string | undefined): Promise<EventForm> =>
  formWith(request, id, await withNames(request, typedValues(request)));

/** The form with these values; `known`: what is otherwise than it was typed. */
async function formWith(
  request: DeskRequest,
  id: string | undefined,
  { values, questions }: Resolved,
  known: Partial<EventForm> = {},
): Promise<EventForm> {
  const { form } = request;
  return {
    id,
    ...(await formSurroundings(request, known.values ?? values, id)),
    values,
    questions,
    was: openedWith(form, NO_VALUES),
    etag: textOf(form, '_etag'),
    problem: null,
    ...known,
  };
}

/** Saves a new event, or the fields of one that differ from what the form was opened with. */
export async function saveEvent(request: DeskRequest, id: string | undefined): Promise<Saved> {
  const { api, form, words } = request;
  const tags = await termsOf(api, 'tags');
  const was = openedWith(form, NO_VALUES);
  const picked = await pickedWith(request);
  const step = stepOf(form);
  const isPublic = was.status === 'publish' || was.status === 'private';
  const input = {
    ...typedValues(request),
    ...(picked.image !== undefined && { image: picked.image }),
    // What is not public yet is published then.
    ...(step === 'schedule' && !isPublic && { status: 'future' }),
  };
  const resolved = await withNames(request, input);
  const { values, questions } = resolved;
  const etag = textOf(form, '_etag');
  const again = async (problem: Problem | null, known: Partial<EventForm> = {}): Promise<Saved> => ({
    again: await formWith(request, id, resolved, { problem, ...known }),
  });
  const conflictWith = (source: EventSource, problem: Problem): Promise<Saved> => {
    const { values: merged, theirs } = mergedValues(was, values, source.values);
    const conflict = { base: was, now: source.values, input: values, theirs };
    return again(problem, { values: merged, was: source.values, etag: source.etag, conflict });
  };
  if (picked.problem) return again(picked.problem);
  if (Object.values(questions).length > 0) return again(problemOf(words('name_unclear')));
  if (linesOf(values.tags).some((tag) => /^\d+$/.test(tag) && !tags.some(({ name }) => isSame(name, tag))))
    return again(problemOf(words('tag_of_digits'), { tags: words('tag_of_digits') }));
  const wrong = {
    ...wrongTimes(request, id, values),
    ...(step === 'schedule' && wrongInstant(request, values.date)),
  };
  if (Object.keys(wrong).length > 0) return again(problemOf(words('wrong_fields'), wrong));
  if (id === undefined && textOf(form, 'duplicate_known') === '') {
    const duplicates = await duplicatesOf(request, values);
    if (duplicates.length > 0) return again(problemOf(words('looks_like')), { duplicates });
  }
  const hidden = await hiddenWith(request, id === undefined ? NO_VALUES : was, values);
  if (hidden !== null && textOf(form, 'hidden_known') === '') return again(problemOf(hidden), { isIncomplete: true });
  const members = writtenMembers(request, { id, was, tags, resolved });
  const terms = { ifMatch: etag, reason: textOf(form, '_reason') };
  const path = id === undefined ? '/events' : `/events/${id}`;
  if (step === 'propose' || (step === 'schedule' && isPublic)) {
    const source = id === undefined || etag === '' ? null : await sourceOf(api, id, tags);
    if (source !== null && source.etag !== etag) return conflictWith(source, problemOf(words('others_changed')));
    const { date: _date, ...proposed } = members as { readonly date?: string };
    const answer = await proposeEvent(request, id, {
      ...proposed,
      ...(textOf(form, '_reason') !== '' && { note: textOf(form, '_reason') }),
    });
    if (answer.problem) return again(answer.problem);
    if (step === 'propose') return { led: `${REVIEW}/${answer.body.id}` };
    const set = await planned(request, answer.body, { ...values, title: was.title });
    return set.problem ? again(set.problem) : { led: `${SETS}/${set.body.id}` };
  }
  if (scopeOf(request) !== 'this') {
    const dry = await api.send<TriedAnswer>('PATCH', path, { ...members, dry_run: true }, { ifMatch: etag });
    const tried = unseen(request, dry);
    if (tried) return again(null, { tried });
  }
  const answer = await api.send<SavedEvent>(id === undefined ? 'POST' : 'PATCH', path, members, terms);
  if (answer.problem === null) return { answer };
  if (answer.status !== 412 || id === undefined) return again(answer.problem);
  const source = await sourceOf(api, id, tags);
  // A double click: the first one has saved all of this.
  if (differing(values, source.values).length === 0)
    return { answer: { ...answer, status: 200, body: { id: Number(id) } } };
  return conflictWith(source, answer.problem);
}

const proposeEvent = (request: DeskRequest, id: string | undefined, members: object) =>
  request.api.send<Proposed>('POST', id === undefined ? '/events/proposals' : `/events/${id}/proposals`, members);

interface Proposed {
  readonly id: number;
}

/**
 * Puts a proposal into a set of its own that becomes public then. What is refused, or cannot be done now, is told at the form: sent
 * again, it finds what was made of it already by the key of the form, and goes on from there.
 */
async function planned(
  { api, words }: DeskRequest,
  proposed: Proposed,
  { title, date }: EventValues,
): Promise<ApiAnswer<Proposed>> {
  const members = { name: words('set_of_event', { title }), proposals: [proposed.id] };
  const opened = await api.send<Proposed>('POST', '/sets', members);
  if (opened.problem) return opened;
  const { problem } = await api.send('POST', `/sets/${opened.body.id}/schedule`, { at: date.replace('T', ' ') });
  if (problem === null) return opened;
  const { problems = [] } = problem.data as Partial<Pick<TriedSet, 'problems'>>; // As a set that does not fit is refused.
  const [reason] = problems;
  return { ...opened, problem: reason ? { ...problem, message: reason.problem } : problem };
}

/** Events of the same title that start at the same time, as far as this user may find them. */
async function duplicatesOf({ api, user }: DeskRequest, { title, start_date: start }: EventValues) {
  if (title === '' || start === '') return [];
  const query = { search: title, start_date: start.slice(0, 10), end_date: '9999-12-31', per_page: 50 };
  const status = mayListUnpublished(user) ? { status: 'any' } : {};
  const { body, problem } = await api.ask<EventsPage>('/events', { ...query, ...status });
  if (problem) return [];
  return body.events.filter((event) => isSame(lineOfHtml(event.title), title) && toInput(event.start_date) === start);
}

/** An instant to come. */
function wrongInstant(request: DeskRequest, date: string): Problem['fields'] {
  const { words, now, siteZone } = request;
  if (!isMoment(date)) return { date: date === '' ? words('missing_field') : notAMoment(request) };
  return toInstant(`${date.replace('T', ' ')}:00`, siteZone) > now ? {} : { date: words('has_passed') };
}

/** The API begins and ends what ends before it begins at once; here it was typed in error. */
function wrongTimes(
  request: DeskRequest,
  id: string | undefined,
  { start_date: start, end_date: end, all_day }: EventValues,
) {
  const length = all_day === '' ? undefined : DAY_LENGTH;
  const isBefore = isMoment(start) && isMoment(end) && end.slice(0, length) < start.slice(0, length);
  return {
    ...(isBefore && { end_date: request.words('end_before_start') }),
    ...recurrenceProblems(request, id, start),
  };
}

const DAY_LENGTH = '2027-03-01'.length;

/** What visitors would miss of an event that is published by this, or is public and gets these links. */
export async function hiddenWith(
  { api, words }: DeskRequest,
  was: EventValues,
  values: EventValues,
): Promise<string | null> {
  const isSame = ([...LINK_KINDS, 'status'] as const).every((name) => was[name] === values[name]);
  if (isSame || !isToBePublic(values.status)) return null;
  const links = await Promise.all(LINK_KINDS.map((kind) => linksOf(api, kind, values[kind])));
  return noteOf(words, links.flat());
}

interface Writing {
  readonly id: string | undefined;
  readonly was: EventValues;
  readonly tags: readonly DeskTerm[];
  readonly resolved: Resolved;
}

/** The members to send: of a new event everything that is not empty, of another one what differs. */
function writtenMembers(request: DeskRequest, { id, was, tags, resolved: { values, created } }: Writing): object {
  const { form } = request;
  const byName = new Map(tags.map((tag) => [tag.name.toLowerCase(), tag.id]));
  const names = id === undefined ? FIELD_NAMES.filter((name) => values[name] !== '') : differing(was, values);
  const written = names.filter((name) => id !== undefined || name !== 'event_status');
  const members: { [member: string]: unknown } = {
    ...membersOf(values, written, (name) => byName.get(name.toLowerCase())),
  };
  for (const kind of LINK_KINDS) {
    const link = created[kind];
    if (link) members[kind] = [...values[kind].split('\n').filter(Boolean).map(Number), link];
  }
  const [password, notice] = [textOf(form, 'password'), textOf(form, 'notice')];
  if (password !== '') members.password = password;
  else if (textOf(form, 'password_remove') !== '') members.password = '';
  if (notice.trim() !== '') members.notice = notice;
  const recurrence = typedRecurrence(request, values.start_date);
  const scope = scopeOf(request);
  if (scope !== 'this') members.scope = scope;
  if (recurrence !== null) members.recurrence = recurrence;
  return members;
}

const LINK_KINDS: readonly LinkKind[] = ['venue', 'organizer'];

/** The values with venues and organizers that were typed by their names. */
async function withNames(request: DeskRequest, input: EventValues): Promise<Resolved> {
  const { api, form, words } = request;
  let values = input;
  const [created, questions]: [{ [Kind in LinkKind]?: object }, { [Kind in LinkKind]?: LinkQuestion }] = [{}, {}];
  for (const kind of LINK_KINDS) {
    const name = textOf(form, `${kind}_add`).trim();
    if (name === '') continue;
    const links = await findLinks(api, kind, name);
    const same = links.filter((one) => isSame(one.name, name));
    const [only] = same;
    if (only && same.length === 1) values = { ...values, [kind]: [values[kind], only.id].filter(Boolean).join('\n') };
    else if (same.length > 1) questions[kind] = { candidates: without(same, values[kind]) };
    else if (textOf(form, `${kind}_create`) !== '') created[kind] = newLink(request, kind, name);
    else questions[kind] = { candidates: without(links, values[kind]), problem: words(`no_such_${kind}`) };
  }
  return { values, created, questions };
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const without = (links: readonly DeskLink[], ids: string): readonly DeskLink[] =>
  links.filter(({ id }) => !ids.split('\n').includes(String(id))).slice(0, MAX_CANDIDATES);

const MAX_CANDIDATES = 12;

/** Published where its creator may do so: the event would not show it otherwise. */
const newLink = ({ user, form }: DeskRequest, kind: LinkKind, name: string): object => ({
  [kind]: name,
  ...(kind === 'venue' &&
    Object.fromEntries(
      NEW_VENUE.map((part) => [part, textOf(form, `venue_${part}`).trim()]).filter(([, text]) => text),
    )),
  ...(mayPublish(user) && { status: 'publish' }),
});
