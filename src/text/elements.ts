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
