// Texts of people, cleaned when they are shown, those of administrators too (unless [a setting](raw-html.ts) says otherwise): an allow-list of elements without styles, scripts and
// pictures from elsewhere, so that a page with a strict policy shows them as they are.
import type { IOptions } from 'sanitize-html';
import { openTurns } from '../kernel/event-loop/turns.ts';
import { sanitized } from '../kernel/text/sanitizer.ts';
import type { Markup } from './html.ts';

const TAGS = (
  'a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure ' +
  'h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td ' +
  'tfoot th thead time tr u ul var wbr'
).split(' ');

/** What is let through of every author. */
export const CLEANED = {
  allowedTags: TAGS,
  allowedAttributes: {
    '*': ['dir', 'lang', 'title'],
    a: ['href', 'rel'],
    col: ['span'],
    details: ['open'],
    ol: ['start', 'reversed'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
    time: ['datetime'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'noopener nofollow' } }),
    // The page has its own heading.
    h1: 'h2',
  },
} satisfies IOptions;

/** Characters that are cleaned in some milliseconds. */
const PIECE = 12_000;

/** Cleans a text. Others have their turn between the pieces of a long one. */
export async function safeHtml(text: string, options: IOptions = CLEANED): Promise<Markup> {
  const cleaned: string[] = [];
  const turn = openTurns();
  for (const piece of piecesOf(text)) {
    await turn();
    cleaned.push(sanitized(piece, options));
  }
  return { __html: cleaned.join('') };
}

/** Ends of blocks, where a long text may be cut. */
const BLOCK_END = /<\/(?:p|div|ul|ol|table|h[1-6]|blockquote)>/gi;

function* piecesOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > PIECE) {
    const end = cutOf(text, start);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** Behind the last block that ends within a piece; within a text without blocks before a tag, or anywhere. */
function cutOf(text: string, start: number): number {
  const piece = text.slice(start, start + PIECE);
  const last = [...piece.matchAll(BLOCK_END)].at(-1);
  if (last) return start + last.index + last[0].length;
  const tag = piece.lastIndexOf('<');
  if (tag > 0) return start + tag;
  const blank = piece.lastIndexOf(' ');
  return start + (blank > 0 ? blank : PIECE);
}
