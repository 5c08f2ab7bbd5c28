// What all pages of the desk have around their content.
import type { DeskWord } from '../../locales/language.ts';
import { ASSETS } from '../assets.ts';
import { type Html, html } from '../html.ts';
import { buttonForm } from './forms.ts';
import { type DeskPage, type DeskRequest, type DeskSurroundings, textOf } from './page.ts';

export function deskLayout(surroundings: DeskSurroundings | DeskRequest, page: DeskPage): Html {
  const { siteName, language, words } = surroundings;
  return html`<html lang=${language.code}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>${`${page.title} – ${words('desk')} – ${siteName}`}</title>
      <link rel="icon" href=${ASSETS.icon.path} />
      <link rel="stylesheet" href=${ASSETS.deskStyle.path} />
      <script src=${ASSETS.deskScript.path} defer></script>
    </head>
    <body>
      <a class="skip" href="#main">${words('skip')}</a>
      <header class="desk">
        <p class="name"><a class="site-name" href="/desk">${siteName}</a></p>
        ${'user' in surroundings && account(surroundings)}
      </header>
      ${'user' in surroundings && menuOf(surroundings, page)}
      <main id="main">${said(surroundings)}${page.main}</main>
    </body>
  </html>`;
}

const account = (request: DeskRequest): Html =>
  html`<div class="account">
    <a href="/">${request.words('to_site')}</a>
    <a href="/desk/account">${request.user.name}</a>
    ${buttonForm(request, '/desk/sign-out', request.words('sign_out'))}
  </div>`;

const menuOf = ({ words, menu }: DeskRequest, { section }: DeskPage): Html =>
  html`<nav class="desk" aria-label=${words('desk')}><ul>${menu.map(
    ({ word, path }) =>
      html`<li><a href=${path} aria-current=${section === path ? 'page' : undefined}>${words(word)}</a></li>`,
  )}</ul></nav>`;

/** What was carried out before this page was shown. */
function said({ words, sent, language }: DeskSurroundings): Html | false {
  const word = textOf(sent, 'said');
  return SAID.test(word) && word in language.desk && html`<p class="said" role="status">${words(word as DeskWord)}</p>`;
}

/** Words that may be shown because the address says so. */
const SAID = /^said_[a-z_]+$/;
