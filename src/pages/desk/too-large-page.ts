// In place of a form that is larger than allowed: what the limit is, and how to get back what was typed.
import { html } from '../html.ts';
import type { DeskPage, DeskSurroundings } from './page.ts';

const MIB = 1_048_576;

interface TooLarge {
  /** Bytes that the form may have. */
  readonly limit: number;
  /** The page that the form is on. */
  readonly back: string;
}

export function tooLargePage({ words }: DeskSurroundings, { limit, back }: TooLarge): DeskPage {
  return {
    title: words('problem'),
    status: 413,
    main: html`<div class="narrow">
      <h1>${words('problem')}</h1>
      <p class="problems" role="alert">${words('too_large', { limit: `${Math.floor(limit / MIB)} MiB` })}</p>
      <p>${words('too_large_back')}</p>
      <p><a class="button" href=${back}>${words('back_to_form')}</a></p>
    </div>`,
  };
}

/** The path of the page that a request comes from; the desk itself if that is not known, or not of this site. */
export function pageBefore(referer: string | undefined, site: string): string {
  if (referer === undefined || !URL.canParse(referer)) return '/desk';
  const { host, pathname, search } = new URL(referer);
  return host === new URL(site).host && pathname.startsWith('/desk') ? pathname + search : '/desk';
}
