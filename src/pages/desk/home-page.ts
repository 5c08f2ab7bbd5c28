// Where the desk begins.
import { html } from '../html.ts';
import type { DeskPage, DeskRequest } from './page.ts';

export const homePage = ({ words, user, menu }: DeskRequest): DeskPage => ({
  title: words('desk'),
  main: html`<h1>${words('welcome', { name: user.name })}</h1>
    <ul class="cards">${menu.map(({ word, path }) => html`<li><a href=${path}>${words(word)}</a></li>`)}</ul>`,
});
