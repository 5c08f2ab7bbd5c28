// COMPAT: allows what WordPress's `wp_kses_post` allows.
import type { Attributes, IOptions } from 'sanitize-html';
import { elementEnd, type Markup, nextMarkup } from './markup.ts';
import { sanitized } from './sanitizer.ts';

const TAGS = (
  'a abbr acronym address article aside audio b bdi bdo big blockquote br caption center cite code col colgroup dd del ' +
  'details dfn div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd ' +
  'label legend li main mark menu nav ol p picture pre q rp rt ruby s samp section small source span strike strong sub ' +
  'summary sup table tbody td tfoot th thead time tr track tt u ul var video wbr'
).split(' ');

const ATTRIBUTES: Record<string, string[]> = {
  '*': ['class', 'id', 'style', 'title', 'dir', 'lang', 'align', 'role', 'aria-*', 'data-*', 'hidden'],
  a: ['href', 'name', 'target', 'rel', 'hreflang', 'download'],
  img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'border', 'hspace', 'vspace'],
  source: ['src', 'srcset', 'sizes', 'type', 'media'],
  track: ['src', 'kind', 'label', 'srclang', 'default'],
  audio: ['src', 'controls', 'loop', 'muted', 'preload'],
  video: ['src', 'controls', 'loop', 'muted', 'preload', 'poster', 'width', 'height', 'playsinline'],
  blockquote: ['cite'],
  q: ['cite'],
  del: ['cite', 'datetime'],
  ins: ['cite', 'datetime'],
  time: ['datetime'],
  font: ['color', 'face', 'size'],
  ol: ['start', 'type', 'reversed'],
  ul: ['type'],
  li: ['value'],
  details: ['open'],
  table: ['border', 'cellpadding', 'cellspacing', 'width', 'summary', 'bgcolor'],
  col: ['span', 'width'],
  colgroup: ['span', 'width'],
  td: ['colspan', 'rowspan', 'headers', 'valign', 'width', 'height', 'bgcolor', 'nowrap'],
  th: ['colspan', 'rowspan', 'headers', 'scope', 'abbr', 'valign', 'width', 'height', 'bgcolor', 'nowrap'],
  tr: ['valign', 'bgcolor'],
};

/** Values without functions, addresses and escapes, except notations of colours. */
const STYLE_VALUE = [/^(?:[\w\s#%.,'"!/-]|\b(?:rgba?|hsla?)\([\d\s.,%/]*\))*$/i];
const STYLES = (
  'background-color border border-bottom border-collapse border-color border-left border-radius border-right ' +
  'border-spacing border-style border-top border-width clear color direction display float font font-family font-size ' +
  'font-style font-variant font-weight height letter-spacing line-height list-style list-style-type margin ' +
  'margin-bottom margin-left margin-right margin-top max-height max-width min-height min-width padding padding-bottom ' +
  'padding-left padding-right padding-top text-align text-decoration text-indent text-transform vertical-align ' +
  'white-space width word-spacing'
).split(' ');

const OPTIONS: IOptions = {
  allowedTags: TAGS,
  allowedAttributes: ATTRIBUTES,
  allowedStyles: { '*': Object.fromEntries(STYLES.map((name) => [name, STYLE_VALUE])) },
  allowedSchemes: ['http', 'https', 'ftp', 'mailto', 'tel', 'sms', 'webcal'],
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster'],
  disallowedTagsMode: 'discard',
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: rewritten(attribs, 'rel', withoutOpener) }),
    img: (tagName, attribs) => ({ tagName, attribs: rewritten(attribs, 'srcset', plainSources) }),
    source: (tagName, attribs) => ({ tagName, attribs: rewritten(attribs, 'srcset', plainSources) }),
  },
};

/** What other programs format by: no styles, fonts or pictures of theirs. */
const RICH_TEXT: IOptions = {
  ...OPTIONS,
  allowedTags: (
    'a abbr b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i ins li ol p pre s strong sub sup table ' +
    'tbody td th thead tr u ul'
  ).split(' '),
  allowedAttributes: { a: ['href'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan'] },
};

/** Replaces the value of an attribute, or removes it if nothing is left. */
function rewritten(attributes: Attributes, name: string, rewrite: (value: string) => string): Attributes {
  const value = attributes[name];
  if (value === undefined) return attributes;
  const { [name]: _former, ...others } = attributes;
  const rest = rewrite(value);
  if (rest === value) return attributes;
  return rest === '' ? others : { ...others, [name]: rest };
}

/** A page opened in another window must not navigate this one, whatever the link says. */
const withoutOpener = (rel: string): string =>
  rel
    .split(/\s+/)
    .filter((word) => word.toLowerCase() !== 'opener')
    .join(' ');

const SOURCE = /^\S+(?:\s+(?:[1-9]\d*w|\d+(?:\.\d+)?x))?$/;

/** Addresses with a width or density at most: the parser reports anything else on standard output. */
const plainSources = (srcset: string): string =>
  srcset.split(',').every((source) => SOURCE.test(source.trim())) ? srcset : '';

/** Removed before parsing, so that their content is cleaned like any other text. */
const RAW_TEXT = new Set(['script', 'style', 'textarea', 'option', 'xmp', 'noscript', 'title', 'plaintext']);
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Far deeper than people nest; bounds the work that unclosed tags can cause. */
const DEEPEST = 500;
const MARKUP = /[<&]/;
/** What the parser changes, once bare signs have their stand-ins. */
const LEFT = /[<>&]/;

/**
 * Cleans the text of callers without the right to raw HTML (authors and contributors): an allow-list of elements,
 * attributes and addresses stays; other tags are removed and their text stays. Plain text is unchanged.
 */
export function cleanHtml(html: string): string {
  if (!MARKUP.test(html)) return html;
  const text = withoutExcess(html.replace(STAND_INS, ''), NONE);
  return withSigns(LEFT.test(text) ? sanitized(text, OPTIONS) : text);
}

/**
 * HTML of other programs with its paragraphs, lists, links and emphasis, and nothing else: no looks, and no text that is
 * not shown, such as that of a head or a style.
 */
export const cleanRichText = (html: string): string =>
  withSigns(sanitized(withoutExcess(html.replace(STAND_INS, ''), UNSEEN), RICH_TEXT));

const NONE: ReadonlySet<string> = new Set();
const UNSEEN: ReadonlySet<string> = new Set(['head', 'script', 'style', 'title', 'template', 'svg', 'math']);

/**
 * Placeholders for literal `<` and `&` while the text is parsed: each costs a parser as much as a tag, and a text may
 * have a megabyte of them.
 */
const LESS_THAN = '\u0001';
const AMPERSAND = '\u0002';
const STAND_INS = /[\u0001\u0002]/g;
const BARE_AMPERSAND = /&(?![a-z#])/gi;

const withSigns = (clean: string): string => clean.replace(/\u0001/g, '&lt;').replace(/\u0002/g, '&amp;');

/**
 * Removes comments, raw text elements, closing tags that close nothing, and absurdly nested tags; `unseen` with their
 * content.
 */
function withoutExcess(html: string, unseen: ReadonlySet<string>): string {
  const pieces: string[] = [];
  const openCounts = new Map<string, number>();
  let depth = 0;
  let position = 0;
  for (let markup = nextMarkup(html, 0); markup !== undefined; markup = nextMarkup(html, position)) {
    pieces.push(bareSigns(html.slice(position, markup.start)));
    const isUnseen = markup.kind === 'open' && unseen.has(markup.name);
    position = isUnseen ? elementEnd(html, markup.name, markup.end) : markup.end;
    if (isUnseen) continue;
    const change = depthChange(markup);
    const count = (openCounts.get(markup.name) ?? 0) + change;
    if (isDropped(markup) || count < 0 || depth + change > DEEPEST) continue;
    openCounts.set(markup.name, count);
    depth += change;
    pieces.push(html.slice(markup.start, markup.end));
  }
  pieces.push(bareSigns(html.slice(position)));
  return pieces.join('');
}

function isDropped(markup: Markup): boolean {
  return markup.kind === 'comment' || RAW_TEXT.has(markup.name);
}

function depthChange(markup: Markup): number {
  if (VOID.has(markup.name)) return 0;
  return markup.kind === 'open' ? 1 : -1;
}

/** A `<` that begins no tag must not form one with what follows a removed tag. */
function bareSigns(text: string): string {
  return text.replace(/</g, LESS_THAN).replace(BARE_AMPERSAND, AMPERSAND);
}
