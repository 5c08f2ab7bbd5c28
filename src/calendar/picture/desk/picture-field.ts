// The picture of an event, a venue or an organizer in its form: the number of an uploaded one, an address elsewhere, or a
// file that is uploaded along with the form.

import type { Problem } from '../../../pages/desk/api.ts';
import { MAX_TYPED } from '../../../pages/desk/editing.ts';
import { described, type Field, field, textField, typedField } from '../../../pages/desk/forms.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { mayUpload } from '../../../people/auth/policy.ts';
import { PICTURE_TYPES } from '../domain/picture.ts';
import { nameOf, type Picture, type PicturesPage, sourceOf } from './reading.ts';

/** What the form offers beside the value. */
export interface PictureOffer {
  /** The uploaded picture that the value names; null for another one, and for users who may not see all of them. */
  readonly picture: Picture | null;
  readonly newest: readonly Picture[];
}

export const NO_PICTURES: PictureOffer = { picture: null, newest: [] };
const NEWEST = 24;
/** The most that the API can be set to take, with the fields of the form. */
export const PICTURE_FORM_LIMIT = 102 * 1_048_576;
/** As an input of files takes them. */
export const ACCEPTED_TYPES = PICTURE_TYPES.join();

export async function pictureOffer({ api, user }: DeskRequest, value: string): Promise<PictureOffer> {
  if (!mayUpload(user)) return NO_PICTURES;
  const [{ media }, named] = await Promise.all([
    api.read<PicturesPage>('/media', { per_page: NEWEST }),
    /^\d+$/.test(value) ? api.ask<Picture>(`/media/${value}`) : null,
  ]);
  return { picture: named?.problem === null ? named.body : null, newest: media };
}

export function pictureField(request: DeskRequest, control: Field, { picture, newest }: PictureOffer): Html {
  const { words, user, site, file } = request;
  // Where a file was sent, it is what is wrong.
  const [ofFile, problem] = file === null ? [undefined, control.problem] : [control.problem];
  return html`<fieldset class="fields"><legend>${control.label}</legend>
    ${picture && html`<img class="chosen" src=${sourceOf(site, picture, 'thumbnail')} alt=${picture.alt || nameOf(picture)} />`}
    ${mayUpload(user) && uploadFields(request, ofFile)}
    ${newest.length > 0 && library(request, newest)}
    <details open=${problem !== undefined || !mayUpload(user)}>
      <summary>${words('picture_elsewhere')}</summary>
      ${textField({ ...control, problem }, { maxlength: MAX_TYPED, autocomplete: 'off' })}
    </details></fieldset>`;
}

/** Scripts let a file be dropped there, and show it before the form is submitted. */
function uploadFields(request: DeskRequest, problem: string | undefined): Html {
  const file = { ...typedField(request, null, 'image_file', 'picture_upload', 'hint_picture_file'), problem };
  return html`<div class="pair drop">
    ${field(file, html`<input type="file" id="image_file" name="image_file" accept=${ACCEPTED_TYPES} ...${described(file)} />`)}
    ${textField(typedField(request, null, 'image_alt', 'picture_alt', 'hint_picture_alt'), { maxlength: 1000 })}
    ${textField(typedField(request, null, 'image_credit', 'picture_credit', 'hint_picture_credit'), { maxlength: 200 })}
  </div>`;
}

/** One of the pictures that are there already takes the place of the present one. */
function library({ words, site }: DeskRequest, newest: readonly Picture[]): Html {
  const option = (value: string | number, label: Html | string): Html =>
    html`<li><label class="check"><input type="radio" name=${CHOSEN} value=${value} checked=${value === ''} /> ${label}</label></li>`;
  return html`<details class="library">
    <summary>${words('picture_library')}</summary>
    <ul class="pictures">
      ${option('', words('picture_unchanged'))}
      ${newest.map((one) =>
        option(
          one.id,
          html`<img src=${sourceOf(site, one, 'thumbnail')} alt="" width="150" height="150" loading="lazy" /><span>${nameOf(one)}</span>`,
        ),
      )}
    </ul>
  </details>`;
}

const CHOSEN = 'image_chosen';

/**
 * The picture that a form has chosen beside its field, if any: its file, which is uploaded, or one that is there already.
 * It is the value of the field from now on, also where the form is shown again. The problem is that of the field.
 */
export async function pickedWith({
  api,
  form,
  file,
}: DeskRequest): Promise<{ readonly image?: string; readonly problem: Problem | null }> {
  const choice = textOf(form, CHOSEN);
  if (file === null) return { ...(choice !== '' && { image: choice }), problem: null };
  const members = new FormData();
  members.set('alt', textOf(form, 'image_alt'));
  members.set('credit', textOf(form, 'image_credit'));
  members.set('file', file, file.name);
  const { body, problem } = await api.upload<Picture>('/media', members);
  if (problem === null) return { image: String(body.id), problem };
  return { problem: { ...problem, fields: { image: problem.message } } };
}
