// Finds tags and comments in a text.

/** A tag or comment inside a text: `html.slice(start, end)`. `name` is in lower case, empty for comments. */
export type Markup = {
  readonly kind: 'open' | 'close' | 'comment';
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** False if the text ends before the tag or comment does. */
  readonly complete: boolean;
};

/**
 * The first tag or comment at or after `from`, or undefined. A `<` that cannot begin one (`5 < 6`, `<3`) is text.
 * Calling this repeatedly with `end` reads a text in linear time, however hostile it is.
 */
export function nextMarkup(html: string, from: number): Markup | undefined {
  // Most `<` begin a tag, and looking for one sign is several times cheaper than a pattern.
  const first = html.indexOf('<', from);
  if (first === -1) return undefined;
  if (isLetter(html.charCodeAt(first + 1))) return markupAt(html, first);
  BEGINNING.lastIndex = first;
  return BEGINNING.test(html) ? markupAt(html, BEGINNING.lastIndex - BEGINNING_LENGTH) : undefined;
}

/** A pattern finds possible starts, because a text may have a `<` in every place. */
const BEGINNING = /<(?=\/?[a-z!?])/gi;
const BEGINNING_LENGTH = 1;

/**
 * The end of the element `name` whose opening tag ended at `from`: after its first closing tag, or the end of the text.
 * For elements whose content is neither markup nor prose (`script`, `pre`).
 */
export function elementEnd(html: string, name: string, from: number): number {
  let closing = html.indexOf('</', from);
  while (closing !== -1) {
    if (isClosingTag(html, name, closing)) return tagEnd(html, closing + name.length + 2).end;
    closing = html.indexOf('</', closing + 2);
  }
  return html.length;
}

function isClosingTag(html: string, name: string, at: number): boolean {
  const after = at + 2 + name.length;
  if (html.slice(at + 2, after).toLowerCase() !== name) return false;
  return after >= html.length || ' \t\n\r\f/>'.includes(html.charAt(after));
}

function markupAt(html: string, start: number): Markup {
  const mark = html.charCodeAt(start + 1);
  if (html.startsWith('!--', start + 1)) return commentAt(html, start);
  if (mark === 0x21 || mark === 0x3f) return declarationAt(html, start);
  const closing = mark === 0x2f;
  // Browsers treat `</!` and `</?` as comments.
  if (closing && '!?'.includes(html.charAt(start + 2) || ' ')) return declarationAt(html, start);
  const nameStart = closing ? start + 2 : start + 1;
  let nameEnd = nameStart + 1;
  while (isNamePart(html.charCodeAt(nameEnd))) nameEnd++;
  const { end, complete } = tagEnd(html, nameEnd);
  return { kind: closing ? 'close' : 'open', name: html.slice(nameStart, nameEnd).toLowerCase(), start, end, complete };
}

function commentAt(html: string, start: number): Markup {
  const close = html.indexOf('-->', start + 4);
  const complete = close !== -1;
  return { kind: 'comment', name: '', start, end: complete ? close + 3 : html.length, complete };
}

function declarationAt(html: string, start: number): Markup {
  const close = html.indexOf('>', start);
  const complete = close !== -1;
  return { kind: 'comment', name: '', start, end: complete ? close + 1 : html.length, complete };
}

const QUOTE_OR_END = /=\s*(["'])|>/g;
/** Most tags without attributes are shorter. */
const SHORT = 16;

/** A `>` inside a quoted attribute value does not end the tag; a quote that never closes is an ordinary character. */
function tagEnd(html: string, from: number): { end: number; complete: boolean } {
  const first = html.indexOf('>', from);
  if (first !== -1 && first - from < SHORT && !html.slice(from, first).includes('='))
    return { end: first + 1, complete: true };
  QUOTE_OR_END.lastIndex = from;
  for (let match = QUOTE_OR_END.exec(html); match !== null; match = QUOTE_OR_END.exec(html)) {
    const quote = match[1];
    if (quote === undefined) return { end: match.index + 1, complete: true };
    const close = html.indexOf(quote, QUOTE_OR_END.lastIndex);
    if (close !== -1) QUOTE_OR_END.lastIndex = close + 1;
  }
  return { end: html.length, complete: false };
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isNamePart(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x3a;
}

// Which HTML elements are inline and which are blocks; see paragraphs.ts.

/** Elements within a line; all others interrupt it. */
const INLINE = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark output q s samp small span strike ' +
    'strong sub sup time tt u var'
  ).split(' '),
);

/** How text directly inside a block element is set. */
export type BlockKind =
  /** In paragraphs, unless there is only one run of text. */
  | 'container'
  /** Always in paragraphs. */
  | 'quotation'
  /** The first run of text stays bare; text after other blocks is put in paragraphs. */
  | 'item'
  /** Never in paragraphs: the element is itself a line of text. */
  | 'line'
  /** Never in paragraphs: the element may only contain certain other elements. */
  | 'structure'
  /** An element without content. */
  | 'void';

const BLOCKS: ReadonlyMap<string, BlockKind> = new Map([
  ...kinds(
    'container',
    'article aside center details dialog div fieldset footer form header hgroup main nav search section address',
  ),
  ...kinds('quotation', 'blockquote'),
  ...kinds('item', 'dd figcaption figure li td th'),
  ...kinds('line', 'caption dt h1 h2 h3 h4 h5 h6 legend summary'),
  ...kinds('structure', 'colgroup dl map menu ol table tbody tfoot thead tr ul'),
  ...kinds('void', 'area col hr'),
]);

function kinds(kind: BlockKind, names: string): [string, BlockKind][] {
  return names.split(' ').map((name) => [name, kind]);
}

/** Undefined for inline elements (`p` and `pre` are handled separately). */
export function blockKind(name: string): BlockKind | undefined {
  return BLOCKS.get(name);
}

/** Whether text before and after the tag belongs together: `<b>x</b>'s`. */
export function isInline(name: string): boolean {
  return INLINE.has(name);
}
