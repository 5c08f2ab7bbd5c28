// Templates of pages: htm's tagged templates over Preact, rendered to text on the server. Values are escaped unless they
// are elements; the only way around that is `Markup`, which safe-html.ts makes of cleaned texts.
import { html as template } from 'htm/preact';
import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { pathOfSite } from '../http/base-url.ts';

export type Html = VNode | VNode[];

/** Cleaned HTML for `dangerouslySetInnerHTML`. */
export interface Markup {
  readonly __html: string;
}

/** To be spread into an element: `<input ...${attributes} />`. */
export interface Attributes {
  readonly [name: string]: string | number | boolean | undefined;
}

type Part = Html | Markup | Attributes | string | number | boolean | null | undefined | readonly Part[];

/** A template: `html\`<p class="when">${text}</p>\``. Absent, null and false attributes and children are left out. */
export const html: (strings: TemplateStringsArray, ...values: readonly Part[]) => Html = template;

/** Attributes with an address below the root; in texts quotation marks are escaped. */
const ROOTED = / (?:href|src|action|formaction|data-[a-z-]+)="(?=\/(?!\/))/g;

/** The text of a piece of a page. Pages name each other below the root: their addresses get the path that the site is under. */
export function pieceText(piece: Html, site: string): string {
  const text = renderToString(h('div', null, piece)).slice(5, -6);
  const path = pathOfSite(site);
  return path === '' ? text : text.replace(ROOTED, (attribute) => attribute + path);
}

/** The text of a whole page. */
export const pageText = (page: Html, site: string): string => `<!doctype html>\n${pieceText(page, site)}\n`;

/** Scripts of a page, which run in this order behind it. */
export const modules = (paths: readonly string[]): Html =>
  html`${paths.map((path) => html`<script type="module" src=${path}></script>`)}`;
