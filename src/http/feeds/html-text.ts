// HTML as plain text, for formats that know no markup.
import { elementEnd, nextMarkup } from '../../text/markup.ts';
import { decodeEntities, withoutControls } from '../../text/plain-text.ts';

/** What is inside them is no prose. */
const SILENT = new Set(['script', 'style', 'template', 'svg', 'math']);
/** Between them and what stands beside them an empty line belongs. */
const PARAGRAPHS = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre table section article header footer hr figure'.split(' '),
);
/** They begin a line, and so does what follows them. */
const LINES = new Set('div li dt dd tr address figcaption main nav aside form fieldset details summary'.split(' '));

/**
 * Stand for breaks until blanks have been joined: no text has them, for controls are dropped. A line end, of which two
 * make an empty line; an empty line; and the edge of a block, however many of which meet.
 */
const LINE = '\u0001';
const PARAGRAPH = '\u0002';
const EDGE = '\u0003';

/**
 * The text of HTML with its lines and paragraphs (`\n`, `\n\n`), entities as the characters that they stand for. What
 * comes out may look like markup and is none: put into HTML it has to be escaped.
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

/** Of what a longer text is cut down to: a tag, a reference or half a character that does not end within it. */
const UNENDED = /(?:<[^>]*|&[^;&\s]{0,40}|[\ud800-\udbff])$/;

/** The first `length` characters of HTML and an ellipsis, where it is longer. What they open may stay open. */
export const shortHtml = (html: string, length: number): string =>
  html.length <= length ? html : `${html.slice(0, length).replace(UNENDED, '')} …`;

/** The text of HTML on one line. */
export const lineOfHtml = (html: string): string => textOfHtml(html).replace(/\s+/g, ' ');

const textOf = (text: string): string => withoutControls(decodeEntities(text));

function breakAt(kind: 'open' | 'close', name: string): string {
  if (name === 'br') return LINE;
  if (PARAGRAPHS.has(name)) return PARAGRAPH;
  if (!LINES.has(name)) return '';
  return name === 'li' && kind === 'open' ? `${EDGE}- ` : EDGE;
}

const BREAKS = / *[\u0001-\u0003][ \u0001-\u0003]*/g;
const EMPTY_LINE = /\u0002|\u0001[^\u0001]*\u0001/;

/** HTML has its own line ends for layout only; those of the text are where the markup says. */
const joinedBlanks = (text: string): string =>
  text
    .replace(/[ \t\r\n]+/g, ' ')
    .replace(BREAKS, (breaks) => (EMPTY_LINE.test(breaks) ? '\n\n' : '\n'))
    .trim();
