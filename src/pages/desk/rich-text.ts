// A text with its formatting: a text area, over which a script puts an editor. Texts that the editor would not keep as they
// are stay in the text area.
import { withParagraphs } from '../../kernel/text/paragraphs.ts';
import type { DeskWord } from '../../locales/language.ts';
import { ASSETS } from '../assets.ts';
import { type Html, html } from '../html.ts';
import { described, type Field, field } from './forms.ts';
import type { DeskRequest } from './page.ts';

export const RICH_TEXT_SCRIPTS = [ASSETS.trix.path, ASSETS.richText.path];

/** Longer texts are edited as they are: no browser formats them while it is typed. */
const MAX_FORMATTED = 100_000;

interface Tool {
  readonly word: DeskWord;
  readonly sign: string;
  /** With Control. */
  readonly key?: string;
}

const FORMATS: { readonly [format: string]: Tool } = {
  bold: { word: 'rich_bold', sign: 'B', key: 'b' },
  italic: { word: 'rich_italic', sign: 'I', key: 'i' },
  href: { word: 'rich_link', sign: '↗', key: 'k' },
  heading1: { word: 'rich_heading', sign: 'H' },
  heading2: { word: 'rich_subheading', sign: 'h' },
  bullet: { word: 'rich_bullets', sign: '•' },
  number: { word: 'rich_numbers', sign: '1.' },
  quote: { word: 'rich_quote', sign: '❝' },
};

/** The text area with the formatted text beside it, and the tools of the editor, which are hidden until it is there. */
export function richText(request: DeskRequest, shown: Field, rows: number): Html {
  const { words } = request;
  const { name, value } = shown;
  const isFormatted = value.length <= MAX_FORMATTED;
  return field(
    shown,
    html`${
      isFormatted &&
      html`<trix-toolbar id=${`${name}-tools`} data-text=${name} data-formatted=${withParagraphs(value)} role="toolbar" aria-label=${words('rich_tools')} hidden>
        ${Object.entries(FORMATS).map(
          ([format, { word, sign, key }]) =>
            html`<button type="button" class=${format} data-trix-attribute=${format} data-trix-key=${key} title=${words(word)}
              aria-label=${words(word)} data-sign=${sign}></button>`,
        )}
        <div data-trix-dialogs><div data-trix-dialog="href" data-trix-dialog-attribute="href">
          <input type="url" name="href" disabled data-trix-input placeholder="https://" aria-label=${words('rich_address')} />
          <button type="button" data-trix-method="setAttribute">${words('rich_link')}</button>
          <button type="button" data-trix-method="removeAttribute">${words('rich_unlink')}</button>
        </div></div>
      </trix-toolbar>`
    }
    <textarea id=${name} name=${name} rows=${rows} ...${described(shown)}>${value}</textarea>`,
  );
}
