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
  /** The lines of its icon, in a square of 24. */
  readonly icon: string;
  /** With Control. */
  readonly key?: string;
}

const FORMATS: { readonly [format: string]: Tool } = {
  bold: { word: 'rich_bold', icon: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zm0 7h7a3.5 3.5 0 0 1 0 7H7z', key: 'b' },
  italic: { word: 'rich_italic', icon: 'M10 5h8M6 19h8M14 5l-4 14', key: 'i' },
  href: {
    word: 'rich_link',
    icon: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7m2 3a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17',
    key: 'k',
  },
  heading1: { word: 'rich_heading', icon: 'M4 5v14m8-14v14m-8-7h8m4-1 3-2v10' },
  heading2: { word: 'rich_subheading', icon: 'M4 5v14m8-14v14m-8-7h8m3.5 0a2.2 2.2 0 0 1 4.4 0c0 2.5-4.4 4-4.4 7H20' },
  bullet: { word: 'rich_bullets', icon: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01' },
  number: {
    word: 'rich_numbers',
    icon: 'M11 6h9m-9 6h9m-9 6h9M4 5l1.5-1v5M4 15.4a1.5 1.5 0 0 1 3 0c0 1.6-3 2.4-3 4.1h3',
  },
  quote: { word: 'rich_quote', icon: 'M4 17c3-1 4-3 4-7H4v5h4m5 2c3-1 4-3 4-7h-4v5h4' },
};

/** The text area with the formatted text beside it, and the tools of the editor, which are hidden until it is there. */
export function richText(request: DeskRequest, props: Field, rows: number): Html {
  const { words } = request;
  const { name, value } = props;
  const isFormatted = value.length <= MAX_FORMATTED;
  return field(
    props,
    html`${
      isFormatted &&
      html`<trix-toolbar id=${`${name}-tools`} data-text=${name} data-formatted=${withParagraphs(value)} role="toolbar" aria-label=${words('rich_tools')} hidden>
        ${Object.entries(FORMATS).map(
          ([format, { word, icon, key }]) =>
            html`<button type="button" data-trix-attribute=${format} data-trix-key=${key} title=${words(word)}
              aria-label=${words(word)}><svg viewBox="0 0 24 24" aria-hidden="true"><path d=${icon} /></svg></button>`,
        )}
        <div data-trix-dialogs><div data-trix-dialog="href" data-trix-dialog-attribute="href">
          <input type="url" name="href" disabled data-trix-input placeholder="https://" aria-label=${words('rich_address')} />
          <button type="button" data-trix-method="setAttribute">${words('rich_link')}</button>
          <button type="button" data-trix-method="removeAttribute">${words('rich_unlink')}</button>
        </div></div>
      </trix-toolbar>`
    }
    <textarea id=${name} name=${name} rows=${rows} ...${described(props)}>${value}</textarea>`,
  );
}
