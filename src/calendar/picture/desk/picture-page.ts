// One uploaded picture: what is said about it, and its removal.

import { instantText } from '../../../editorial/proposals/desk/reading.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { buttonForm, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { pathWithin } from '../../../pages/links.ts';
import { nameOf } from './list-page.ts';
import { PICTURES, type Picture, sourceOf } from './reading.ts';

export function picturePage(request: DeskRequest, picture: Picture, problem: Problem | null): DeskPage {
  const { words, site } = request;
  const { id, width, height, author, date, used } = picture;
  return {
    title: nameOf(picture),
    section: PICTURES,
    status: problem?.status ?? 200,
    main: [
      html`<h1>${nameOf(picture)}</h1>`,
      problemNote(problem, { title: words('picture_title'), alt: words('picture_alt') }),
      html`<p><a href=${pathWithin(site, picture.url) ?? picture.url}>
        <img class="shown" src=${sourceOf(site, picture, 'large')} alt=${picture.alt} /></a></p>`,
      html`<dl class="facts">
        <div><dt>${words('picture_use')}</dt><dd>${words('picture_number', { id })}</dd></div>
        <div><dt>${words('picture_size')}</dt><dd>${width} × ${height}</dd></div>
        <div><dt>${words('picture_author')}</dt><dd>${author.name}, ${instantText(request, date)}</dd></div>
        <div><dt>${words('picture_shown_by')}</dt><dd>${used}</dd></div>
      </dl>`,
      wordsForm(request, picture, problem),
      used === 0 && buttonForm(request, `${PICTURES}/${id}/remove`, words('remove_picture')),
    ].filter((part) => part !== false),
  };
}

function wordsForm(request: DeskRequest, { id, title, alt }: Picture, problem: Problem | null): Html {
  const { words, form } = request;
  const value = (name: 'title' | 'alt', present: string): string => (name in form ? textOf(form, name) : present);
  const wrong = problem?.fields ?? {};
  return html`<form class="box fields narrow" method="post" action=${`${PICTURES}/${id}`}>
    ${formFields(request)}
    ${textField({ name: 'alt', label: words('picture_alt'), value: value('alt', alt), hint: words('hint_picture_alt'), problem: wrong.alt }, { maxlength: 1000 })}
    ${textField({ name: 'title', label: words('picture_title'), value: value('title', title), problem: wrong.title }, { maxlength: 1000 })}
    <p class="actions"><button class="main" type="submit">${words('save')}</button></p>
  </form>`;
}
