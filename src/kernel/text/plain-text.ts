// Text without markup, on one line or several.

import { escapeHtml } from './escape-html.ts';
import { elementEnd, type Markup, nextMarkup } from './markup.ts';

const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const CONTROLS_EVERYWHERE = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+/g;
const BLANKS_TO_JOIN = /[\t\n\r]| {2}|^ | $/;

/** Removes NUL and other control characters; tabs and line ends stay. */
export function withoutControls(text: string): string {
  return CONTROLS.test(text) ? text.replace(CONTROLS_EVERYWHERE, '') : text;
}

/**
 * The text without its tags and comments. Text between tags stays, that of a `<script>` too. With `enough`, the beginning
 * is enough that has so many characters.
 */
export function stripTags(text: string, enough = Number.POSITIVE_INFINITY): string {
  if (!text.includes('<')) return text;
  return withoutMarkup(text, (markup) => markup.end, enough);
}

/**
 * A contact field (address, phone, cost, …): one line of plain text. Tags, line breaks, surrounding and repeated blanks
 * are removed, and so are `<script>` and `<style>` with their content.
 */
export function oneLine(text: string): string {
  const plain = withoutElements(withoutControls(text));
  return BLANKS_TO_JOIN.test(plain) ? plain.replace(/[ \t\n\r]+/g, ' ').replace(/^ | $/g, '') : plain;
}

/**
 * The name of a category or tag as stored: one line without tags, as HTML. `&` becomes `&amp;` unless it already begins
 * an entity.
 */
export function termName(text: string): string {
  return escapeText(oneLine(text));
}

const INLINE_TAGS = new Set('a abbr acronym b blockquote cite code del em i q s strike strong'.split(' '));
const CITING_TAGS = new Set(['blockquote', 'q']);
const HARMLESS_ADDRESS = /^(?:https?:|mailto:|tel:|ftp:|[/#?]|[^:]*$)/i;

/**
 * The description of a category or tag as stored: simple inline markup stays, with only a harmless `href`, `title`,
 * `cite` or `datetime`; other tags are removed and their text stays.
 */
export function termDescription(text: string): string {
  const clean = withoutControls(text).trim();
  if (!clean.includes('<') && !clean.includes('&') && !clean.includes('>')) return clean;
  const pieces: string[] = [];
  let position = 0;
  for (let markup = nextMarkup(clean, 0); markup !== undefined; markup = nextMarkup(clean, position)) {
    pieces.push(escapeText(clean.slice(position, markup.start)), inlineTag(clean, markup));
    position = markup.end;
  }
  pieces.push(escapeText(clean.slice(position)));
  return pieces.join('').trim();
}

function inlineTag(html: string, markup: Markup): string {
  if (!INLINE_TAGS.has(markup.name) || !markup.complete) return '';
  if (markup.kind === 'close') return `</${markup.name}>`;
  const attributes = html.slice(markup.start + 1 + markup.name.length, markup.end - 1);
  return `<${markup.name}${keptAttributes(markup.name, attributes)}>`;
}

const ATTRIBUTE = /([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/gi;

function keptAttributes(tag: string, attributes: string): string {
  if (!attributes.includes('=')) return '';
  const pairs: string[] = [];
  for (const [, name = '', double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    const value = decodeEntities(double ?? single ?? bare ?? '').trim();
    if (isKept(tag, name.toLowerCase(), value)) pairs.push(` ${name.toLowerCase()}="${escapeHtml(value)}"`);
  }
  return pairs.join('');
}

function isKept(tag: string, name: string, value: string): boolean {
  if (name === 'title') return tag === 'a' || tag === 'abbr' || tag === 'acronym';
  if (name === 'datetime') return tag === 'del';
  const isAddress = (name === 'href' && tag === 'a') || (name === 'cite' && CITING_TAGS.has(tag));
  return isAddress && HARMLESS_ADDRESS.test(value.replace(/[\x00-\x20]+/g, ''));
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  iexcl: '¡',
  cent: '¢',
  pound: '£',
  yen: '¥',
  sect: '§',
  copy: '©',
  laquo: '«',
  raquo: '»',
  reg: '®',
  deg: '°',
  middot: '·',
  iquest: '¿',
  times: '×',
  frac12: '½',
  shy: '\u00ad',
  euro: '€',
  trade: '™',
  hellip: '…',
  bull: '•',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  lsaquo: '‹',
  rsaquo: '›',
  szlig: 'ß',
  aelig: 'æ',
  AElig: 'Æ',
  oslash: 'ø',
  Oslash: 'Ø',
  aring: 'å',
  Aring: 'Å',
  oelig: 'œ',
  OElig: 'Œ',
  eth: 'ð',
  ETH: 'Ð',
  thorn: 'þ',
  THORN: 'Þ',
};
const ACCENTS: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  cedil: '\u0327',
  caron: '\u030c',
};
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,7}));/gi;

/** Decodes numeric entities and the common named ones; unknown ones stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (whole: string, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return namedCharacter(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number.parseInt(decimal, 10);
    return isCharacter(code) ? String.fromCodePoint(code) : whole;
  });
}

function namedCharacter(name: string): string | undefined {
  if (Object.hasOwn(NAMED, name)) return NAMED[name];
  const accent = ACCENTS[name.slice(1)];
  if (accent === undefined) return undefined;
  const composed = (name.charAt(0) + accent).normalize('NFC');
  return composed.length === 1 ? composed : undefined;
}

function isCharacter(code: number): boolean {
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/** Plain text as HTML. */
export const textAsHtml = (text: string): string => escapeText(text);

const BARE_AMPERSAND = /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)/gi;

function escapeText(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return text.replace(BARE_AMPERSAND, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function withoutElements(text: string): string {
  if (!text.includes('<')) return text;
  return withoutMarkup(text, (markup) => {
    const isWhole = markup.kind === 'open' && (markup.name === 'script' || markup.name === 'style');
    return isWhole ? elementEnd(text, markup.name, markup.end) : markup.end;
  });
}

function withoutMarkup(
  html: string,
  resumeAfter: (markup: Markup) => number,
  enough = Number.POSITIVE_INFINITY,
): string {
  const pieces: string[] = [];
  let position = 0;
  let length = 0;
  for (let markup = nextMarkup(html, 0); markup !== undefined; markup = nextMarkup(html, position)) {
    const piece = html.slice(position, endOfText(html, position, markup.start));
    pieces.push(piece);
    length += piece.length;
    if (length >= enough) return pieces.join('');
    position = resumeAfter(markup);
  }
  pieces.push(html.slice(position));
  return pieces.join('');
}

/** A `<` directly before a removed tag would form a new tag with what follows (`<<b>script>`), so it is removed too. */
function endOfText(html: string, start: number, end: number): number {
  let last = end;
  while (last > start && (html.charAt(last - 1) === '<' || html.startsWith('</', last - 2))) last--;
  return last;
}
