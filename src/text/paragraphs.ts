// Paragraphs and line breaks of descriptions.
// COMPAT: imitates `wpautop` of WordPress.
import { type BlockWriter, blockWriter } from './block-writer.ts';
import { isBlank } from './chunks.ts';
import { blockKind } from './elements.ts';
import { elementEnd, type Markup, nextMarkup } from './markup.ts';
import { withoutControls } from './plain-text.ts';
import { MAX_SET, texturize } from './typography.ts';

/**
 * A description or an excerpt as HTML: typography, blank lines as paragraphs, line breaks as `<br />`. Block elements
 * keep their place and are not wrapped. `''` stays `''`.
 */
export function displayText(text: string): string {
  const lines = withoutControls(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);
  const html = texturize(lines);
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
