// The routes of uploaded pictures.
import type { FastifyReply } from 'fastify';
import { ID } from '../../../http/plugins/routing.ts';
import { siteMomentText } from '../../../pages/dates.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { buttonForm, field, formFields, problemNote, textField, typedField } from '../../../pages/desk/forms.ts';
import { filterInput, filtersForm, pageIn, pagesNav, results } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { type ById, formsOf } from '../../../pages/desk/section-kit.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { pathWithin } from '../../../pages/links.ts';
import { focusClass } from '../../../pages/public/picture.ts';
import { mayUpload } from '../../../people/auth/policy.ts';
import { ACCEPTED_TYPES, PICTURE_FORM_LIMIT } from './picture-field.ts';
import { nameOf, PICTURES, type Picture, type PicturesPage, sourceOf } from './reading.ts';

const PER_PAGE = 24;

export const pictureSection: DeskSection = {
  word: 'pictures',
  path: PICTURES,
  may: mayUpload,
  routes(app) {
    app.get(PICTURES, (_request, reply) => showList(reply, null));
    app.post(PICTURES, { bodyLimit: PICTURE_FORM_LIMIT }, async ({ desk, upload }, reply) => {
      const { body, problem } = await desk.api.upload<Picture>('/media', formWith(desk, upload?.file));
      return problem ? showList(reply, problem) : leadTo(reply, `${PICTURES}/${body.id}`, 'said_uploaded');
    });
    app.get<ById>(`${PICTURES}/${ID}`, ({ params }, reply) => showPicture(reply, params.id, null));
    const form = formsOf(app, PICTURES, showPicture);
    form('', 'said_saved', ({ api, form: body }, id) =>
      api.send('PATCH', `/media/${id}`, Object.fromEntries(WORDS.map((name) => [name, textOf(body, name)]))),
    );
    form('remove', 'said_picture_removed', ({ api }, id) => api.send('DELETE', `/media/${id}`), PICTURES);
  },
};

const WORDS = ['alt', 'credit', 'title', 'focus_x', 'focus_y'] as const;

async function showList(reply: FastifyReply, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const search = textOf(desk.parameters, 'search').trim();
  const list = await desk.api.read<PicturesPage>('/media', {
    page: pageIn(desk),
    per_page: PER_PAGE,
    ...(search !== '' && { search }),
  });
  const { words } = desk;
  return show(reply, {
    title: words('pictures'),
    section: PICTURES,
    problem,
    main: [
      html`<h1>${words('pictures')}</h1>`,
      problemNote(problem),
      html`<details class="upload" open=${problem !== null || list.total === 0}>
        <summary class="button main">${words('upload_picture')}</summary>${uploadForm(desk)}</details>`,
      (list.total > 0 || search !== '') &&
        filtersForm(desk, PICTURES, [filterInput('search', words('search'), search)], [['search', search]]),
      ...results(list.total > 0 ? '' : words(search === '' ? 'no_pictures' : 'none_match'), [
        list.total > 0 && html`<ul class="pictures">${list.media.map((picture) => card(desk, picture))}</ul>`,
        pagesNav(desk, list.total_pages, PICTURES, [['search', search]]),
      ]),
    ],
  });
}

async function showPicture(reply: FastifyReply, id: string, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  return show(reply, picturePage(desk, await desk.api.read<Picture>(`/media/${id}`), problem));
}

function formWith({ form }: DeskRequest, file?: File | null): FormData {
  const members = new FormData();
  for (const name of ['alt', 'credit']) members.set(name, textOf(form, name));
  if (file) members.set('file', file);
  return members;
}

// One uploaded picture: what is said about it, and its removal.

function picturePage(request: DeskRequest, picture: Picture, problem: Problem | null): DeskPage {
  const { words, site } = request;
  const { id, width, height, author, date, used } = picture;
  return {
    title: nameOf(picture),
    section: PICTURES,
    problem,
    main: [
      html`<h1>${nameOf(picture)}</h1>`,
      problemNote(problem, Object.fromEntries(WORDS.map((name) => [name, words(`picture_${name}`)]))),
      html`<dl class="facts">
        <div><dt>${words('picture_use')}</dt><dd>${words('picture_number', { id })}</dd></div>
        <div><dt>${words('picture_size')}</dt><dd><a href=${pathWithin(site, picture.url) ?? picture.url}>${width} × ${height}</a></dd></div>
        <div><dt>${words('picture_author')}</dt><dd>${author.name}, ${siteMomentText(request, date)}</dd></div>
        <div><dt>${words('picture_shown_by')}</dt><dd>${used}</dd></div>
      </dl>`,
      wordsForm(request, picture, problem),
      !used && buttonForm(request, `${PICTURES}/${id}/remove`, words('remove_picture')),
    ],
  };
}

function wordsForm(request: DeskRequest, picture: Picture, problem: Problem | null): Html {
  const { words, form, site } = request;
  const { id, focus_x: focusX, focus_y: focusY } = picture;
  const about = (name: (typeof WORDS)[number]) => ({
    name,
    label: words(`picture_${name}`),
    value: name in form ? textOf(form, name) : String(picture[name]),
    problem: problem?.fields[name],
  });
  const range = { type: 'range', min: 0, max: 100 };
  return html`<form class="box fields narrow" method="post" action=${`${PICTURES}/${id}`}>
    ${formFields(request)}
    <div class="focal">
      <div class="whole"><img class="shown" src=${sourceOf(site, picture, 'large')} alt=${picture.alt} /><span class="point" hidden></span></div>
      <img class=${`cut${focusClass({ focusX, focusY })}`} src=${sourceOf(site, picture, 'large')} alt="" />
    </div>
    <fieldset><legend>${words('picture_focus')}</legend>
      <p class="hint">${words('hint_picture_focus')}</p>
      <div class="pair">${textField(about('focus_x'), range)}${textField(about('focus_y'), range)}</div>
    </fieldset>
    ${textField({ ...about('alt'), hint: words('hint_picture_alt') }, { maxlength: 1000 })}
    ${textField({ ...about('credit'), hint: words('hint_picture_credit') }, { maxlength: 200 })}
    ${textField(about('title'), { maxlength: 1000 })}
    <p class="actions"><button class="main" type="submit">${words('save')}</button></p>
  </form>`;
}

function uploadForm(request: DeskRequest): Html {
  const { words } = request;
  return html`<form class="box fields narrow" method="post" action=${PICTURES} enctype="multipart/form-data">
    ${formFields(request)}
    ${field({ name: 'file', label: words('picture_file'), hint: words('hint_picture_file') }, html`<input type="file" id="file" name="file" accept=${ACCEPTED_TYPES} required aria-describedby="file-hint" />`)}
    ${textField(typedField(request, null, 'alt', 'picture_alt', 'hint_picture_alt'), { maxlength: 1000 })}
    <p class="actions"><button class="main" type="submit">${words('upload_picture')}</button></p>
  </form>`;
}

const card = ({ words, site }: DeskRequest, picture: Picture): Html =>
  html`<li><a href=${`${PICTURES}/${picture.id}`}>
    <img src=${sourceOf(site, picture, 'thumbnail')} alt="" width="150" height="150" loading="lazy" />
    <span>${nameOf(picture)}</span></a>
    <span class="hint">${words('picture_number', { id: picture.id })}</span></li>`;
