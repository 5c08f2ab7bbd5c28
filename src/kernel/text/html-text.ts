// HTML as plain text, for formats without markup.
import { elementEnd, nextMarkup } from './markup.ts';
import { decodeEntities, withoutControls } from './plain-text.ts';

/** Their content is no prose. */
const SILENT = new Set(['script', 'style', 'template', 'svg', 'math']);
/** Separated from their neighbours by an empty line. */
const PARAGRAPHS = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre table section article header footer hr figure'.split(' '),
);
/** They begin a line, and so does what follows them. */
const LINES = new Set('div li dt dd tr address figcaption main nav aside form fieldset details summary'.split(' '));

/**
 * Placeholders of breaks until blanks have been collapsed: no text contains them, because control characters are
 * removed. A line end, of which two make an empty line; an empty line; and the edge of a block, of which any number
 * collapse.
 */
const LINE = '\u0001';
const PARAGRAPH = '\u0002';
const EDGE = '\u0003';

/**
 * The text of HTML with its lines and paragraphs (`\n`, `\n\n`), entities decoded. The result may look like markup:
 * escape it in HTML.
 */
export function textOfHtml(html: string): string {
  const source = withoutControls(html);
  const pieces: string[] = [];
  let position = 0;
  for (let markup = nextMarkup(source, 0); markup !== undefined; markup = nextMarkup(source, position)) {
    const { kind, name, start, end } = markup;
    pieces.push(textOf(source.slice(position, start)), kind === 'comment' ? '' : breakAt(kind, name));
    position = kind === 'open' && SILENT.has(name) ? elementEnd(source, name, end) : end;
  }
  pieces.push(textOf(source.slice(position)));
  return joinedBlanks(pieces.join(''));
}

/** At the cut of a longer text: an unfinished tag, reference or surrogate pair. */
const UNENDED = /(?:<[^>]*|&[^;&\s]{0,40}|[\ud800-\udbff])$/;

/** The first `length` characters of HTML and an ellipsis, if it is longer. Elements may stay open. */
export const shortHtml = (html: string, length: number): string =>
  html.length <= length ? html : `${html.slice(0, length).replace(UNENDED, '')} …`;

/** Words with one blank between them, which is what most names are. */
const PLAIN_LINE = /^[^\s<&\p{Cc}]+(?: [^\s<&\p{Cc}]+)*$/u;

/** The text of HTML on one line. */
export const lineOfHtml = (html: string): string =>
  PLAIN_LINE.test(html) ? html : textOfHtml(html).replace(/\s+/g, ' ');

const textOf = (text: string): string => withoutControls(decodeEntities(text));

function breakAt(kind: 'open' | 'close', name: string): string {
  if (name === 'br') return LINE;
  if (PARAGRAPHS.has(name)) return PARAGRAPH;
  if (!LINES.has(name)) return '';
  return name === 'li' && kind === 'open' ? `${EDGE}- ` : EDGE;
}

const BREAKS = / *[\u0001-\u0003][ \u0001-\u0003]*/g;
const EMPTY_LINE = /\u0002|\u0001[^\u0001]*\u0001/;

/** Line ends in HTML are layout only; those of the text come from the markup. */
const joinedBlanks = (text: string): string =>
  text
    .replace(/[ \t\r\n]+/g, ' ')
    .replace(BREAKS, (breaks) => (EMPTY_LINE.test(breaks) ? '\n\n' : '\n'))
    .trim();
