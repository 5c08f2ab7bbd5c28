// The uploaded pictures, and uploading another one.

import type { Problem } from '../../../pages/desk/api.ts';
import { field, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { filterInput, pagesNav } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { PICTURE_TYPES } from './picture-field.ts';
import { nameOf, PICTURES, type Picture, type PicturesPage, sourceOf } from './reading.ts';

interface PictureListShown {
  readonly list: PicturesPage;
  readonly page: number;
  /** The words that were searched for. */
  readonly search: string;
  readonly problem: Problem | null;
}

export function pictureListPage(request: DeskRequest, { list, page, search, problem }: PictureListShown): DeskPage {
  const { words } = request;
  return {
    title: words('pictures'),
    section: PICTURES,
    status: problem?.status ?? 200,
    main: [
      html`<h1>${words('pictures')}</h1>`,
      problemNote(problem),
      uploadForm(request),
      (list.total > 0 || search !== '') && searchForm(request, search),
      list.total === 0 && html`<p role="status">${words(search === '' ? 'no_pictures' : 'none_match')}</p>`,
      list.total > 0 && html`<ul class="pictures">${list.media.map((picture) => card(request, picture))}</ul>`,
      pagesNav(request, {
        page,
        pages: list.total_pages,
        to: (number) =>
          address(PICTURES, [
            ['search', search],
            ['page', String(number)],
          ]),
      }),
    ],
  };
}

function uploadForm(request: DeskRequest): Html {
  const { words, form } = request;
  const file = { name: 'file', label: words('picture_file'), hint: words('hint_picture_file') };
  return html`<form class="box fields narrow" method="post" action=${PICTURES} enctype="multipart/form-data">
    ${formFields(request)}
    ${field(file, html`<input type="file" id="file" name="file" accept=${PICTURE_TYPES} required aria-describedby="file-hint" />`)}
    ${textField({ name: 'alt', label: words('picture_alt'), value: textOf(form, 'alt'), hint: words('hint_picture_alt') }, { maxlength: 1000 })}
    <p class="actions"><button class="main" type="submit">${words('upload_picture')}</button></p>
  </form>`;
}

const searchForm = ({ words }: DeskRequest, search: string): Html =>
  html`<form class="filters" method="get" action=${PICTURES} role="search">
    ${filterInput('search', words('search'), search, 'text')}
    <p class="actions"><button type="submit">${words('find')}</button>
      ${search !== '' && html`<a href=${PICTURES}>${words('clear_filters')}</a>`}</p>
  </form>`;

const card = ({ words, site }: DeskRequest, picture: Picture): Html =>
  html`<li><a href=${`${PICTURES}/${picture.id}`}>
    <img src=${sourceOf(site, picture, 'thumbnail')} alt="" width="150" height="150" loading="lazy" />
    <span>${nameOf(picture)}</span></a>
    <span class="hint">${words('picture_number', { id: picture.id })}</span></li>`;
