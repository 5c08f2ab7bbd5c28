// What all pages of the desk have around their content.
import type { DeskWord } from '../../locales/language.ts';
import { ASSETS } from '../assets.ts';
import { type Html, html, modules } from '../html.ts';
import { buttonForm } from './forms.ts';
import { type DeskPage, type DeskRequest, type DeskSurroundings, textOf } from './page.ts';

/** Where anything is looked up. */
export const LOOK_UP = '/desk/find';

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
      ${page.head ?? modules([ASSETS.moments.path])}
    </head>
    <body>
      <a class="skip" href="#main">${words('skip')}</a>
      <header class="desk">
        <p class="name"><a class="site-name" href="/desk">${siteName}</a></p>
        ${'user' in surroundings && [lookUpForm(surroundings), account(surroundings), html`<button type="button" class="menu" popovertarget="menu">${words('menu')}</button>`]}
      </header>
      ${'user' in surroundings && menuOf(surroundings, page)}
      <main id="main">${said(surroundings)}${page.main}</main>
      ${'user' in surroundings && keyList(surroundings)}
    </body>
  </html>`;
}

const account = (request: DeskRequest): Html =>
  html`<div class="account">
    <a href="/">${request.words('to_site')}</a>
    <a href="/desk/account">${request.user.name}</a>
    ${buttonForm(request, '/desk/sign-out', request.words('sign_out'))}
  </div>`;

const lookUpForm = ({ words, parameters }: DeskRequest): Html =>
  html`<form class="look-up" method="get" action=${LOOK_UP} role="search" aria-label=${words('look_up')}>
    <input type="search" name="search" aria-label=${words('look_up')} placeholder=${words('look_up')} aria-keyshortcuts="/" maxlength="200" value=${textOf(parameters, 'search')} />
  </form>`;

/** Beside the page; on a small screen behind a button. */
function menuOf(request: DeskRequest, { section }: DeskPage): Html {
  const { words, menu } = request;
  const current = (path: string) => (section === path ? 'page' : undefined);
  return html`<nav class="desk" id="menu" popover="auto" aria-label=${words('desk')}>
      ${account(request)}
      <p><a href="/desk" aria-current=${current('/desk')}>${words('home')}</a></p>
      ${menu.map(
        ({ word, entries }) => html`<p class="group" id=${word}>${words(word)}</p>
          <ul aria-labelledby=${word}>${entries.map(
            ({ word, path, waiting }) =>
              html`<li><a href=${path} aria-current=${current(path)}>${words(word)}</a>${
                waiting > 0 &&
                html`<span class="count">${waiting}<span class="unseen"> ${words('waiting_there')}</span></span>`
              }</li>`,
          )}</ul>`,
      )}
      <p><button type="button" popovertarget="keys" aria-keyshortcuts="?">${words('keys')}</button></p>
    </nav>`;
}

const KEYS = [
  ['/', 'look_up'],
  ['n', 'key_new'],
  ['?', 'keys'],
] as const;

/** What keys do; single letters can be switched off, since programs that are spoken to type them as well. */
const keyList = ({ words }: DeskRequest): Html =>
  html`<div id="keys" popover="auto" role="dialog" aria-labelledby="keys-title">
    <h2 id="keys-title">${words('keys')}</h2>
    <dl>${KEYS.map(([key, word]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${words(word)}</dd></div>`)}</dl>
    <div class="check" hidden><input type="checkbox" id="keys-on" /><label for="keys-on">${words('keys_on')}</label></div>
    <p class="actions"><button type="button" popovertarget="keys" popovertargetaction="hide">${words('close')}</button></p>
  </div>`;

/** What was carried out before this page was shown. */
function said({ words, parameters, language }: DeskSurroundings): Html | false {
  const word = textOf(parameters, 'said');
  return SAID.test(word) && word in language.desk && html`<p class="said" role="status">${words(word as DeskWord)}</p>`;
}

/** Words that may be shown because the address says so. */
const SAID = /^said_[a-z_]+$/;
