// Forms that were typed and not saved: what is typed is kept, offered when the form is opened again, and gone once it is saved.
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PICTURE_FORM_LIMIT } from '../../calendar/picture/desk/picture-field.ts';
import { COLLECTIONS } from '../../calendar/resource/domain/collections.ts';
import { MAX_TEXT } from '../../http/parameters/multipart.ts';
import type { ParameterMap } from '../../http/parameters/parameter-map.ts';
import { parseParameters } from '../../http/parameters/query-string.ts';
import {
  type FormPlace,
  isFormPlace,
  type UnsavedForm,
  UnsavedUnavailable,
} from '../../people/unsaved-forms/unsaved-forms.ts';
import { siteMomentText } from '../dates.ts';
import { type Attributes, type Html, html } from '../html.ts';
import { ApiProblem, problemOf } from './api.ts';
import type { Desk } from './dependencies.ts';
import { buttonForm, sentFields } from './forms.ts';
import type { WorkItem } from './home/work.ts';
import { type DeskRequest, textOf } from './page.ts';
import { leadTo } from './show.ts';

const PATH = '/desk/unsaved';

/** What belongs to one opening of a form, and passwords. */
const NEVER_KEPT = /^_(?:csrf|key|form|do)$|password/;

const fieldsOf = (form: ParameterMap): string =>
  String(
    new URLSearchParams(sentFields(form).flatMap(([name, text]) => (NEVER_KEPT.test(name) ? [] : [[name, text]]))),
  );

/** Null: what was sent is no form of this kind. */
function placeOf({ user }: DeskRequest, form: string, key: string): FormPlace | null {
  const place = { user: user.id, form, key };
  return isFormPlace(place) ? place : null;
}

const placeIn = (request: DeskRequest): FormPlace | null =>
  placeOf(request, textOf(request.form, '_form'), textOf(request.form, '_key'));

export function unsavedRoutes(app: FastifyInstance, { unsaved, settings }: Desk): void {
  /** A form that is refused has been typed all the same; what it led to says that it was carried out. */
  app.addHook('onSend', async (request, reply) => {
    const { desk, method, url } = request as Partial<FastifyRequest>; // Before it is admitted it has no desk.
    const place = desk === undefined || method !== 'POST' || url?.startsWith(PATH) ? null : placeIn(desk);
    if (desk === undefined || place === null) return;
    try {
      if (reply.statusCode === 303) await unsaved.end(place, desk.now);
      else await unsaved.put(place, fieldsOf(desk.form), desk.now);
    } catch (error) {
      // The form has its answer.
      settings.report(request, error);
    }
  });

  /** By the script, which is answered in short, or by a button. */
  app.post(PATH, { bodyLimit: PICTURE_FORM_LIMIT }, async (request, reply) => {
    const { desk, headers } = request;
    const place = placeIn(desk);
    if (place === null) return reply.callNotFound();
    const isKept = await unsaved.put(place, fieldsOf(desk.form), desk.now).catch((error: unknown) => {
      if (!(error instanceof UnsavedUnavailable)) throw error;
      settings.report(request, error);
      throw new ApiProblem({ ...problemOf(desk.words('unkept')), status: 503 });
    });
    if (headers.accept?.includes('text/html')) return leadTo(reply, addressOf(place.form), 'said_unsaved');
    // What is typed into a form after it was saved is another one.
    return isKept ? reply.code(204).send() : reply.code(410).type('text/plain').send(randomUUID());
  });

  app.post(`${PATH}/discard`, async ({ desk }, reply) => {
    const place = placeOf(desk, textOf(desk.form, 'form'), textOf(desk.form, 'opening'));
    if (place === null) return reply.callNotFound();
    await unsaved.end(place, desk.now);
    return leadTo(reply, addressOf(place.form));
  });
}

/** Where a form is: that of `event-7` at `/desk/events/7`. */
function addressOf(form: string): string {
  const [kind = '', id] = form.split('-');
  return `/desk/${COLLECTIONS[kind as keyof typeof COLLECTIONS] ?? ''}/${id}`; // Another kind has no address.
}

/** Unsaved forms of a user; none while they cannot be read, so that the page is there. */
export const openOwnUnsaved =
  ({ unsaved }: Pick<Desk, 'unsaved'>, { user, now }: Pick<DeskRequest, 'user' | 'now'>): DeskRequest['unsaved'] =>
  () =>
    unsaved.list(user.id, now).catch((error: unknown) => {
      if (error instanceof UnsavedUnavailable) return [];
      throw error;
    });

/** Attributes of a form whose fields are kept while they are typed. */
export const keptForm = ({ words, form }: DeskRequest): Attributes => ({
  // An answer to the form itself has what was typed.
  'data-typed': Object.keys(form).length > 0 ? '' : undefined,
  'data-unsaved': PATH,
  'data-unkept': words('unkept'),
  'data-sign-in': words('sign_in'),
  'data-max': MAX_TEXT,
  'data-too-large': words('too_large', { limit: '1 MiB' }),
});

/** Keeps what was typed where no script does. */
export const keepButton = ({ words }: DeskRequest): Html =>
  html`<noscript><button type="submit" formaction=${PATH} formnovalidate>${words('keep_typed')}</button></noscript>`;

/** What its user typed into the same form before; nothing where the page has it already. */
export const offersOf = async (request: DeskRequest, form: string): Promise<readonly UnsavedForm[]> =>
  Object.keys(request.form).length > 0 ? [] : (await request.unsaved()).filter((one) => one.form === form);

/** The field that names what a form is about; of others it is `name`. */
const NAMES: { readonly [kind: string]: string } = { event: 'title', venue: 'venue', organizer: 'organizer' };

/** What it is about, as it was typed; '' where nothing was. */
const titleOf = ({ form, fields }: UnsavedForm): string =>
  textOf(parseParameters(fields), NAMES[form.split('-')[0] ?? ''] ?? 'name');

export const offersPart = (request: DeskRequest, offers: readonly UnsavedForm[]): Html | false =>
  offers.length > 0 &&
  html`<div class="note" role="status">
    <p>${request.words('unsaved')}</p>
    <ul class="rows">${offers.map(
      (offer) => html`<li>
        <div>${titleOf(offer) || request.words('untitled')} <small>${siteMomentText(request, offer.at)}</small></div>
        <div class="actions"><a class="button main" href=${continuing(offer)}>${request.words('continue_typed')}</a>
          ${buttonForm(request, `${PATH}/discard`, request.words('discard'), { form: offer.form, opening: offer.key })}</div>
      </li>`,
    )}</ul>
  </div>`;

/** All forms that this user has not saved, as the home page lists them. */
export const unsavedWork = async (request: DeskRequest): Promise<readonly WorkItem[]> =>
  (await request.unsaved()).map((unsaved) => ({
    title: titleOf(unsaved),
    path: continuing(unsaved),
    action: 'home_go_on',
    hint: [siteMomentText(request, unsaved.at)],
    label: { text: request.words('home_unsaved'), tone: 'bad' },
  }));

const continuing = ({ form, key }: UnsavedForm): string => `${addressOf(form)}?continue=${key}`;

/** The request as if its form had just been sent with what was typed before; null: its address names none of it. */
export async function continued(request: DeskRequest, form: string): Promise<DeskRequest | null> {
  const key = textOf(request.parameters, 'continue');
  const offers = key === '' ? [] : await offersOf(request, form);
  const chosen = offers.find((one) => one.key === key);
  const own = new URLSearchParams({ _form: form, _key: key });
  return chosen === undefined ? null : { ...request, form: parseParameters(`${chosen.fields}&${own}`) };
}
