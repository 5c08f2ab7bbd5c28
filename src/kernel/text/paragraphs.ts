// Paragraphs and line breaks of descriptions.
// COMPAT: imitates `wpautop` of WordPress.
import { type BlockKind, blockKind, elementEnd, type Markup, nextMarkup } from './markup.ts';
import { withoutControls } from './plain-text.ts';
import { MAX_SET, texturize } from './typography.ts';

/** Characters of a text that takes some milliseconds. */
export const LONG_TEXT = 32_768;
/** Long texts whose drawing is kept; each has up to some 600 kB with it. */
const MAX_KEPT = 4;

/** Draws as `draw` does, and keeps what it made of the last long texts: the same ones are drawn for several documents. */
export function keepingLongTexts(draw: (text: string) => string): (text: string) => string {
  const drafts = new Map<string, string>();
  return (text) => {
    if (text.length < LONG_TEXT) return draw(text);
    const html = drafts.get(text) ?? draw(text);
    drafts.delete(text);
    drafts.set(text, html);
    for (const oldest of drafts.keys()) if (drafts.size > MAX_KEPT) drafts.delete(oldest);
    return html;
  };
}

/**
 * A description or an excerpt as HTML: typography, blank lines as paragraphs, line breaks as `<br />`. Block elements
 * keep their place and are not wrapped. `''` stays `''`.
 */
export const displayText = keepingLongTexts((text) => {
  const lines = withoutControls(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);
  return withParagraphs(texturize(lines));
});

/** Draws the long ones of these texts, each in a turn of its own, before a document is made of them in one go. */
export async function drawAhead(texts: Iterable<unknown>, turn: () => Promise<void> | undefined): Promise<void> {
  for (const text of texts) {
    if (typeof text !== 'string' || text.length < LONG_TEXT) continue;
    await turn();
    displayText(text);
  }
  await turn();
}

/** HTML whose blank lines are paragraphs, and its line breaks `<br />`. */
export function withParagraphs(html: string): string {
  if (!html.includes('<') && !html.includes('\n')) return singleParagraph(html);
  return arranged(html);
}

function singleParagraph(text: string): string {
  return isBlank(text) ? '' : `<p>${text}</p>`;
}

/** Inline elements whose content is not split into lines. */
const VERBATIM = new Set(['script', 'svg', 'textarea', 'select', 'math', 'noscript']);
/** Blocks whose content is not split into lines. */
const VERBATIM_BLOCKS = new Set(['pre', 'style']);

function arranged(html: string): string {
  const writer = blockWriter();
  const lastLine = endOfLines(html, MAX_SET);
  let position = 0;
  let tags = 0;
  for (let markup = nextMarkup(html, 0); markup !== undefined; markup = nextMarkup(html, position)) {
    if (markup.start > lastLine) break;
    if (tags === MAX_SET) return writer.finish() + html.slice(position);
    tags += 1;
    writer.text(html.slice(position, markup.start));
    position = place(html, markup, writer);
  }
  const end = Math.max(position, lastLine);
  writer.text(html.slice(position, end));
  return writer.finish() + html.slice(end);
}

/** Where the first `count` lines of a text end. */
function endOfLines(text: string, count: number): number {
  let end = -1;
  for (let line = 0; line < count; line++) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) return text.length;
  }
  return end;
}

/** Passes one tag or comment to the writer and returns where to continue. */
function place(html: string, markup: Markup, writer: BlockWriter): number {
  const { kind, name, end } = markup;
  const tag = html.slice(markup.start, end);
  if (kind === 'open' && (VERBATIM.has(name) || VERBATIM_BLOCKS.has(name))) return placeVerbatim(html, markup, writer);
  if (name === 'br') writer.lineBreak(tag);
  else if (name === 'p') placeParagraph(kind, tag, writer);
  else if (kind === 'comment' || blockKind(name) === undefined) writer.inline(tag);
  else if (kind === 'close') writer.close(name, tag);
  else writer.open(name, tag);
  return end;
}

function placeParagraph(kind: Markup['kind'], tag: string, writer: BlockWriter): void {
  if (kind === 'open') writer.startParagraph(tag);
  else writer.endParagraph();
}

function placeVerbatim(html: string, markup: Markup, writer: BlockWriter): number {
  const end = elementEnd(html, markup.name, markup.end);
  const element = html.slice(markup.start, end);
  if (VERBATIM_BLOCKS.has(markup.name)) writer.block(element);
  else writer.inline(element);
  return end;
}

// Writes the parts of a text as paragraphs; see paragraphs.ts.

/** Takes the parts of a text in order and returns the text with its paragraphs and line breaks. */
type BlockWriter = ReturnType<typeof blockWriter>;

/** What follows a run of text. */
type Follower = 'close' | 'other';

const BLANK_LINES = /\n[ \t\n]*\n/;
const PLAIN_BREAK = /^<br\s*\/?>$/i;

/**
 * A writer serves one text. Text, inline tags and line breaks are gathered; the next block tag, or the end, decides how
 * the gathered paragraphs are written.
 */
function blockWriter() {
  const output: string[] = [];
  const openNames: string[] = [];
  const openCounts = new Map<string, number>();
  let finished: string[] = [];
  let pieces: string[] = [];
  let paragraphTag: string | undefined;
  /** After an opening tag, or text directly after one, the next part may follow on the same line. */
  let last: 'nothing' | 'open' | 'tight' | 'block' = 'nothing';

  function text(part: string): void {
    const [first = '', ...others] = part.includes('\n') ? part.split(BLANK_LINES) : [part];
    pieces.push(first.replaceAll('\n', LINE_END));
    for (const other of others) {
      endGathered();
      pieces.push(other.replaceAll('\n', LINE_END));
    }
  }

  function inline(part: string): void {
    pieces.push(part);
  }

  function lineBreak(tag: string): void {
    pieces.push(PLAIN_BREAK.test(tag) ? BREAK : tag);
  }

  /** A new paragraph ends an open one. */
  function startParagraph(tag: string): void {
    flush('other');
    paragraphTag = tag;
  }

  function endParagraph(): void {
    flush('other');
  }

  function open(name: string, tag: string): void {
    block(tag);
    if (blockKind(name) === 'void') return;
    openNames.push(name);
    openCounts.set(name, (openCounts.get(name) ?? 0) + 1);
    last = 'open';
  }

  function close(name: string, tag: string): void {
    flush('close');
    if (last === 'open' || last === 'tight') output.push(tag);
    else onNewLine(tag);
    last = 'block';
    leave(name);
  }

  /**
   * Closes the innermost open element of that name and all inside it; a closing tag without an opening one closes
   * nothing.
   */
  function leave(name: string): void {
    if ((openCounts.get(name) ?? 0) === 0) return;
    let left = openNames.pop();
    while (left !== undefined) {
      openCounts.set(left, (openCounts.get(left) ?? 1) - 1);
      if (left === name) return;
      left = openNames.pop();
    }
  }

  /** A part on lines of its own. */
  function block(part: string): void {
    flush('other');
    onNewLine(part);
    last = 'block';
  }

  function finish(): string {
    flush('other');
    return output.join('');
  }

  function endGathered(): void {
    if (pieces.length === 0) return;
    for (const chunk of paragraphsIn(pieces.join(''))) finished.push(chunk);
    pieces = [];
  }

  function flush(follower: Follower): void {
    endGathered();
    const chunks = finished;
    const tag = paragraphTag;
    finished = [];
    paragraphTag = undefined;
    if (tag !== undefined) setMarked(chunks, tag);
    else if (chunks.length > 0) setUnmarked(chunks, follower);
  }

  /** The content of a `<p>`: blank lines in it start further paragraphs; an empty one without attributes is dropped. */
  function setMarked(chunks: readonly string[], tag: string): void {
    const [first, ...others] = chunks;
    if (first === undefined && tag.length === '<p>'.length) return;
    onNewLine(`${tag}${first ?? ''}</p>`);
    for (const chunk of others) onNewLine(`<p>${chunk}</p>`);
    last = 'block';
  }

  function setUnmarked(chunks: readonly string[], follower: Follower): void {
    const name = openNames.at(-1);
    const kind = name === undefined ? undefined : blockKind(name);
    if (isTight(kind, chunks.length, follower)) {
      setTight(kind === 'quotation' ? chunks.map(paragraph) : chunks);
      return;
    }
    for (const chunk of chunks) onNewLine(kind === 'structure' ? chunk : paragraph(chunk));
    last = 'block';
  }

  function setTight(chunks: readonly string[]): void {
    const line = chunks.join('<br />\n');
    if (last === 'open') output.push(line);
    else onNewLine(line);
    last = 'tight';
  }

  function isTight(kind: BlockKind | undefined, count: number, follower: Follower): boolean {
    if (kind === 'line') return true;
    if (last !== 'open' || count > 1) return false;
    if (kind === 'item') return true;
    return follower === 'close' && (kind === 'container' || kind === 'quotation');
  }

  function onNewLine(part: string): void {
    output.push(last === 'nothing' ? part : `\n${part}`);
    if (last === 'nothing') last = 'block';
  }

  return { text, inline, lineBreak, startParagraph, endParagraph, open, close, block, finish };
}

// Runs of text between blocks; see paragraphs.ts.

/**
 * Placeholders for a line break and a `<br>` while text is gathered; no text contains them, because control characters
 * are removed before.
 */
const LINE_END = '\u0001';
const BREAK = '\u0002';

const BLANKS = ' \t\n';
const BREAKS = /[\u0001\u0002](?:[ \t\n]*[\u0001\u0002])*/g;
const MARKS = new Set('a abbr b big del em font i ins mark s small span strike strong u'.split(' '));

/**
 * The paragraphs of a gathered run of text, without blank ones. Two `<br>` in a row separate paragraphs like a blank
 * line; a line break next to a `<br>` adds nothing.
 */
function paragraphsIn(gathered: string): string[] {
  const paragraphs: string[] = [];
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
    paragraphs.push(current.join(''));
    current = [];
  }
  add(gathered.slice(position));
  paragraphs.push(current.join(''));
  return paragraphs.filter(Boolean);
}

/** Wraps text in a paragraph, unless it consists of comments and empty tags. */
function paragraph(chunk: string): string {
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
function isBlank(text: string): boolean {
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
