// Writes the parts of a text as paragraphs; see paragraphs.ts.
import { BREAK, LINE_END, paragraph, paragraphsIn } from './chunks.ts';
import { type BlockKind, blockKind } from './elements.ts';

/** Takes the parts of a text in order and returns the text with its paragraphs and line breaks. */
export type BlockWriter = ReturnType<typeof blockWriter>;

/** What follows a run of text. */
type Follower = 'close' | 'other';

const BLANK_LINES = /\n[ \t\n]*\n/;
const PLAIN_BREAK = /^<br\s*\/?>$/i;

/**
 * A writer serves one text. Text, inline tags and line breaks are gathered; the next block tag, or the end, decides how
 * the gathered paragraphs are written.
 */
export function blockWriter() {
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
