// Typographic quotes, dashes and signs in text and HTML.
// COMPAT: imitates `wptexturize` of WordPress, which renders the texts of the API that this one replaces.
import { elementEnd, isInline, type Markup, nextMarkup } from './markup.ts';
import { withoutControls } from './plain-text.ts';

/**
 * Most signs, tags and lines of one text that are processed; few descriptions have a tenth of that. The rest stays as
 * written: a megabyte of quotes must not block the process.
 */
export const MAX_SET = 5_000;

const NEEDS_WORK = /[&"'`<]|\.\.\.|--|(?:^|[\s\u00a0])-(?:[\s\u00a0]|$)|\dx\d|\([tT][mM]\)/;

/** Elements whose content is literal: no typography inside. */
const LITERAL = new Set(['pre', 'code', 'kbd', 'style', 'script', 'tt', 'samp', 'textarea', 'svg']);

/** The title of an event, or the name of a venue or organizer, as HTML. Its markup is kept. */
export function displayTitle(text: string): string {
  return texturize(withoutControls(text)).trim();
}

/**
 * Replaces straight quotes, dashes, dots and products by typographic entities and encodes a bare `&`. Tags, comments
 * and literal elements (`<code>`, `<script>`, …) are unchanged, except for a bare `&` in tags. `text` has no control
 * characters.
 */
export function texturize(text: string): string {
  if (!NEEDS_WORK.test(text)) return text;
  const setter = typesetter();
  const pieces: string[] = [];
  let position = 0;
  for (let markup = nextMarkup(text, 0); markup !== undefined; markup = nextMarkup(text, position)) {
    if (setter.isDone()) break;
    pieces.push(setter.set(text.slice(position, markup.start)));
    position = afterLiteral(text, markup);
    pieces.push(markupText(text, markup, position));
    if (markup.kind === 'comment') setter.meetComment();
    else setter.meetTag(markup.name);
  }
  pieces.push(setter.set(text.slice(position)));
  return pieces.join('');
}

function afterLiteral(text: string, markup: Markup): number {
  const isLiteral = markup.kind === 'open' && LITERAL.has(markup.name);
  return isLiteral ? elementEnd(text, markup.name, markup.end) : markup.end;
}

function markupText(text: string, markup: Markup, end: number): string {
  if (markup.kind === 'comment') return text.slice(markup.start, end);
  const tag = text.slice(markup.start, markup.end);
  const safe = tag.includes('&') ? tag.replace(BARE_AMPERSAND, '&#038;') : tag;
  return end === markup.end ? safe : safe + text.slice(markup.end, end);
}

const BARE_AMPERSAND = /&(?!(?:#(?:\d+|x[\da-f]+)|[a-z][a-z\d]{1,31});)/gi;
const SPECIAL = /&|["'`]|\.\.\.|-+|\dx(?=\d)| \([tT][mM]\)/g;
const ENTITY = /&(?:#(?:\d+|x[\da-f]+)|[a-z][a-z\d]{1,31});/iy;
const YEAR = /'\d\d(?![%\d]|[.,]\d)/y;
const CLIPPED_WORD = /'(?:tain't|twere|twas|tis|twill|til|bout|nuff|round|cause|em)\b/iy;
const QUOTED_NUMBER = /'\d[.,\d]*'/y;

const OPENS_AFTER = /[\s\u00a0([{-]/;
const ENDS_A_WORD = /[\s\u00a0.,:;!?"'(){}[\]-]/;
const BLANK = /[\s\u00a0]/;
const WORD = /\w/;

/**
 * Processes one text piece by piece. It remembers the character before each piece and which quotes are open, so that
 * `"<em>x</em>"` is quoted like `"x"`.
 */
function typesetter() {
  let previous = '';
  let openDouble = false;
  let openSingle = false;
  let lastProductEnd = -1;
  let text = '';
  let at = 0;
  let left = MAX_SET;

  const isDone = (): boolean => left <= 0;

  function set(piece: string): string {
    if (piece === '') return '';
    text = piece;
    lastProductEnd = -1;
    const pieces: string[] = [];
    let position = 0;
    SPECIAL.lastIndex = 0;
    for (let match = SPECIAL.exec(text); match !== null && !isDone(); match = SPECIAL.exec(text)) {
      left -= 1;
      at = match.index;
      if (at > position) previous = text.charAt(at - 1);
      const end = replacedUntil(match[0]);
      pieces.push(text.slice(position, at), replacement(match[0], end));
      position = end;
      SPECIAL.lastIndex = end;
    }
    if (position < text.length) previous = text.charAt(text.length - 1);
    pieces.push(text.slice(position));
    return pieces.join('');
  }

  function meetComment(): void {
    left -= 1;
  }

  function meetTag(name: string): void {
    left -= 1;
    if (isInline(name)) return;
    previous = '';
    openDouble = false;
    openSingle = false;
  }

  function replacedUntil(special: string): number {
    if (special === '&') return at + (entityAt()?.length ?? 1);
    const isDoubled = (special === '`' || special === "'") && text.charAt(at + 1) === special;
    return at + (isDoubled ? 2 : special.length);
  }

  function entityAt(): string | undefined {
    ENTITY.lastIndex = at;
    return ENTITY.exec(text)?.[0];
  }

  function replacement(special: string, end: number): string {
    const next = text.charAt(end);
    if (special === '&') return ampersand(text.slice(at, end));
    if (special === '"') return doubleQuote(next);
    if (special === "'") return end - at === 2 ? closedDouble() : singleQuote(next);
    if (special === '`') return end - at === 2 ? openedDouble() : remember('`', '`');
    if (special === '...') return remember('.', '&#8230;');
    if (special.startsWith('-')) return dashes(special.length, next);
    if (special.startsWith(' ')) return remember(')', ' &#8482;');
    return product(end);
  }

  function remember(last: string, output: string): string {
    previous = last;
    return output;
  }

  function ampersand(entity: string): string {
    if (entity.length === 1) return remember('&', '&#038;');
    const name = entity.toLowerCase();
    if (name === '&nbsp;' || name === '&#160;') return remember(' ', entity);
    return remember(name === '&lt;' ? '(' : ';', entity);
  }

  function openedDouble(): string {
    openDouble = true;
    return remember('“', '&#8220;');
  }

  function closedDouble(): string {
    openDouble = false;
    return remember('"', '&#8221;');
  }

  function doubleQuote(next: string): string {
    const startsWord = previous === '' || previous === '‘' || OPENS_AFTER.test(previous);
    if (startsWord && !(next !== '' && BLANK.test(next))) return openedDouble();
    if (isDigit(previous) && !(openDouble && !closesLater())) return remember('"', '&#8243;');
    return closedDouble();
  }

  /** Whether a later quote closes the open one, so that this one, after a digit, is a double prime. */
  function closesLater(): boolean {
    const other = text.indexOf('"', at + 1);
    if (other === -1) return false;
    const character = text.charAt(other - 1);
    return !OPENS_AFTER.test(character) || BLANK.test(text.charAt(other + 1) || 'x');
  }

  function singleQuote(next: string): string {
    if (matchesHere(YEAR) && !isDigit(previous)) return remember("'", '&#8217;');
    const startsWord = previous === '' || previous === '“' || previous === '"' || OPENS_AFTER.test(previous);
    if (startsWord) return startOfWord();
    if (next !== '' && !ENDS_A_WORD.test(next) && !followsMarkupSign()) return remember("'", '&#8217;');
    if (isDigit(previous) && !openSingle) return remember("'", '&#8242;');
    openSingle = false;
    return remember("'", '&#8217;');
  }

  function startOfWord(): string {
    if (matchesHere(CLIPPED_WORD) && !matchesHere(QUOTED_NUMBER)) return remember("'", '&#8217;');
    openSingle = true;
    return remember('‘', '&#8216;');
  }

  function matchesHere(pattern: RegExp): boolean {
    pattern.lastIndex = at;
    return pattern.test(text);
  }

  function followsMarkupSign(): boolean {
    return text.startsWith('&lt;', at + 1) || text.startsWith('&gt;', at + 1);
  }

  function dashes(count: number, next: string): string {
    const isApart = isBlankOrEdge(previous) && isBlankOrEdge(next);
    const isDomainPrefix = count === 2 && text.slice(Math.max(0, at - 2), at).toLowerCase() === 'xn';
    previous = '-';
    if (count === 1) return isApart ? '&#8211;' : '-';
    if (count === 2 && !isApart) return isDomainPrefix ? '--' : '&#8211;';
    return '&#8212;'.repeat(Math.max(1, Math.floor(count / 3))) + '-'.repeat(count > 3 ? count % 3 : 0);
  }

  /** `5x5`, but not `0x1F` or `a5x5b`: both sides must be whole numbers. */
  function product(end: number): string {
    const digit = text.charAt(at);
    previous = 'x';
    let start = at;
    while (isNumberPart(text.charAt(start - 1))) start--;
    let stop = end;
    while (isNumberPart(text.charAt(stop))) stop++;
    const isChained = start === lastProductEnd;
    const isWhole = isChained || !WORD.test(text.charAt(start - 1));
    const continues = text.charAt(stop) === 'x' && isDigit(text.charAt(stop + 1));
    if (!isWhole || (WORD.test(text.charAt(stop)) && !continues)) return `${digit}x`;
    if (text.slice(start, end) === '0x') return `${digit}x`;
    lastProductEnd = end;
    return `${digit}&#215;`;
  }

  return { set, meetTag, meetComment, isDone };
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function isNumberPart(character: string): boolean {
  return isDigit(character) || character === '.' || character === ',';
}

function isBlankOrEdge(character: string): boolean {
  return character === '' || BLANK.test(character);
}
