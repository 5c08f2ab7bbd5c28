// Runs of text between blocks; see paragraphs.ts.
import { nextMarkup } from './markup.ts';

/**
 * Placeholders for a line break and a `<br>` while text is gathered; no text contains them, because control characters
 * are removed before.
 */
export const LINE_END = '\u0001';
export const BREAK = '\u0002';

const BLANKS = ' \t\n';
const BREAKS = /[\u0001\u0002](?:[ \t\n]*[\u0001\u0002])*/g;
const MARKS = new Set('a abbr b big del em font i ins mark s small span strike strong u'.split(' '));

/**
 * The paragraphs of a gathered run of text, without blank ones. Two `<br>` in a row separate paragraphs like a blank
 * line; a line break next to a `<br>` adds nothing.
 */
export function paragraphsIn(gathered: string): string[] {
  const found: string[] = [];
  let current: string[] = [];
  let joint = '';
  let position = 0;

  function add(line: string): void {
    if (isBlank(line)) return;
    current.push(current.length === 0 ? line : joint + line);
  }

  for (const { 0: run, index } of gathered.matchAll(BREAKS)) {
    add(withoutTrailingBlanks(gathered.slice(position, index)));
    joint = run.includes(LINE_END) ? '<br />\n' : '<br />';
    position = index + run.length;
    if (run.indexOf(BREAK) === run.lastIndexOf(BREAK)) continue;
    found.push(current.join(''));
    current = [];
  }
  add(gathered.slice(position));
  found.push(current.join(''));
  return found.filter((chunk) => chunk !== '');
}

/** Wraps text in a paragraph, unless it consists of comments and empty tags. */
export function paragraph(chunk: string): string {
  return chunk.startsWith('<') && !hasContent(chunk) ? chunk : `<p>${chunk}</p>`;
}

function hasContent(chunk: string): boolean {
  let position = 0;
  for (let markup = nextMarkup(chunk, 0); markup !== undefined; markup = nextMarkup(chunk, position)) {
    if (!isBlank(chunk.slice(position, markup.start))) return true;
    if (markup.kind !== 'comment' && !MARKS.has(markup.name)) return true;
    position = markup.end;
  }
  return !isBlank(chunk.slice(position));
}

/** Whether it contains only blanks and line breaks; a no-break space is content. */
export function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (!BLANKS.includes(text.charAt(at))) return false;
  }
  return true;
}

function withoutTrailingBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && BLANKS.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
