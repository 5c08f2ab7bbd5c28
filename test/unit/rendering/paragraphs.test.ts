import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { displayText, drawAhead, keepingLongTexts, LONG_TEXT } from '../../../src/kernel/text/paragraphs.ts';
import { MAX_SET } from '../../../src/kernel/text/typography.ts';

const paragraphs = suite('paragraphs');

const examples: readonly (readonly [string, string, string])[] = [
  ['nothing stays nothing', '', ''],
  ['blanks are nothing', ' \n\t\n ', ''],
  ['one line is a paragraph', 'one line', '<p>one line</p>'],
  ['a line end is a break', 'one\ntwo', '<p>one<br />\ntwo</p>'],
  ['a blank line parts paragraphs', 'one\n \n\ntwo', '<p>one</p>\n<p>two</p>'],
  ['line ends of any system count', 'a\r\nb\r\n\r\nc\rd', '<p>a<br />\nb</p>\n<p>c<br />\nd</p>'],
  ['typography applies', '"a" & b', '<p>&#8220;a&#8221; &#038; b</p>'],
  ['control characters go', 'a\u0000\u0001b\u0002', '<p>ab</p>'],
  ['a paragraph is not wrapped', '<p class="x">a</p>', '<p class="x">a</p>'],
  ['a division is not wrapped', '<div>a</div>', '<div>a</div>'],
  ['a heading is not wrapped', '<h3>a</h3>', '<h3>a</h3>'],
  ['blocks stand on lines of their own', '<h2>H</h2><p>t</p>rest', '<h2>H</h2>\n<p>t</p>\n<p>rest</p>'],
  [
    'list items stand on lines of their own',
    't\n\n<ul><li>1</li><li>2</li></ul>',
    '<p>t</p>\n<ul>\n<li>1</li>\n<li>2</li>\n</ul>',
  ],
  [
    'a nested list stays in its item',
    '<ol><li>a<ul><li>b</li></ul></li></ol>',
    '<ol>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ol>',
  ],
  ['an indented list stays a list', '<ul>\n  <li>1</li>\n</ul>', '<ul>\n<li>1</li>\n</ul>'],
  ['a table keeps its cells', '<table><tr><td>1</td></tr></table>', '<table>\n<tr>\n<td>1</td>\n</tr>\n</table>'],
  ['a quotation holds paragraphs', '<blockquote>q</blockquote>', '<blockquote><p>q</p></blockquote>'],
  ['blank lines in a division part paragraphs', '<div>a\n\nb</div>', '<div>\n<p>a</p>\n<p>b</p>\n</div>'],
  ['blank lines in a paragraph part it', '<p class="x">a\n\nb</p>', '<p class="x">a</p>\n<p>b</p>'],
  ['an unclosed paragraph is closed', '<p>a<p>b', '<p>a</p>\n<p>b</p>'],
  ['an empty paragraph goes', '<p> </p>a', '<p>a</p>'],
  ['a rule parts paragraphs', 'a<hr />b', '<p>a</p>\n<hr />\n<p>b</p>'],
  ['a single break stays, two part paragraphs', 'a<br>b<br>\nc<br/><br/>d', '<p>a<br />b<br />\nc</p>\n<p>d</p>'],
  ['preformatted text is untouched', 'a\n<pre>x\n\n"y"</pre>\nb', '<p>a</p>\n<pre>x\n\n"y"</pre>\n<p>b</p>'],
  ['a script keeps its lines', '<script>\n\nf("x")\n</script>', '<p><script>\n\nf("x")\n</script></p>'],
  ['inline markup runs along', 'a <b>b</b>\n<i>c</i>', '<p>a <b>b</b><br />\n<i>c</i></p>'],
  ['a tag may span lines', '<a\n\nhref="/x">l</a>', '<p><a\n\nhref="/x">l</a></p>'],
  ['a comment alone is no paragraph', '<!-- c -->\n\na', '<!-- c -->\n<p>a</p>'],
  ['a stray closing tag harms nothing', 'a</p></div>b', '<p>a</p>\n</div>\n<p>b</p>'],
  [
    'a figure keeps its caption',
    '<figure><img src="/a.png"><figcaption>c</figcaption></figure>',
    '<figure><img src="/a.png">\n<figcaption>c</figcaption>\n</figure>',
  ],
];

for (const [rule, text, expected] of examples) {
  paragraphs(rule, () => {
    assert.is(displayText(text), expected);
  });
}

paragraphs('the last long texts are drawn once, short ones and earlier ones anew', () => {
  const drawn: string[] = [];
  const draw = keepingLongTexts((text) => {
    drawn.push(text.charAt(0));
    return text.slice(1);
  });
  const long = (letter: string): string => letter.repeat(LONG_TEXT);
  for (const letter of ['a', 'b', 'a', 'c', 'a', 'd', 'e', 'a', 'b'])
    assert.is(draw(long(letter)), long(letter).slice(1));
  assert.is(drawn.join(''), 'abcdeb');
  for (const _ of [1, 2]) assert.is(draw('short'), 'hort');
  assert.is(drawn.join(''), 'abcdebss');
});

paragraphs('others have their turn before each long text that is drawn ahead, and behind the last', async () => {
  let turns = 0;
  const turn = () => {
    turns += 1;
    return undefined;
  };
  await drawAhead(['x'.repeat(LONG_TEXT), 'short', null, 'y'.repeat(LONG_TEXT)], turn);
  assert.is(turns, 3);
});

paragraphs('a text that has its paragraphs already stays as it is', () => {
  for (const [, , shown] of examples) {
    if (!shown.includes('<blockquote>')) assert.is(displayText(shown), shown);
  }
});

const markup = fc.string({
  unit: fc.constantFrom(
    ...['a', '"', ' ', '\n', '\n\n', '<p>', '</p>', '<div>', '</div>', '<ul>', '<li>', '</ul>', '<br>', '<b>', '</b>'],
    ...['<pre>', '</pre>', '<!--', '-->', '<hr>', '<h2>', '</h2>', '<td>', '<', '>', '=', "'", '&', '<script>'],
  ),
  maxLength: 60,
});

paragraphs('any text can be shown, and none of its letters gets lost', () => {
  fc.assert(
    fc.property(markup, (text) => {
      const letters = (html: string) => html.replace(/<\/?[a-z][a-z0-9]*|&#?\w+;/g, '').replace(/[^a]/g, '').length;
      assert.is(letters(displayText(text).replaceAll('<br />', ' ')), letters(text.replaceAll('<br>', ' ')));
    }),
    { numRuns: 500 },
  );
});

paragraphs('plain lines are all there, each in a paragraph', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',') });
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const shown = displayText(lines.join('\n\n'));
      const wanted = lines.filter((text) => text.trim() !== '').map((text) => `<p>${text}</p>`);
      assert.is(shown, wanted.join('\n'));
    }),
  );
});

paragraphs('long hostile texts are set to the end', () => {
  const n = 20_000;
  const hostile = [
    ...[
      '<',
      '"',
      "'",
      '<div>',
      '</div>',
      '<b>',
      '<br>',
      '<p>',
      '\n ',
      '\n\n',
      'a\n\n',
      'a<br><br>',
      '<!--',
      '<!-- -->',
    ],
    ...['<pre>', '<script>', '<a b="', '</', '=" '],
  ].map((unit) => unit.repeat(n));
  for (const text of [...hostile, '<div>'.repeat(n) + '</p>'.repeat(n) + '</div>'.repeat(n), ' '.repeat(5 * n)]) {
    assert.type(displayText(text), 'string');
  }
});

paragraphs(
  'of a text with thousands of signs, lines or tags the first ones are set, the others stay as they were written',
  () => {
    const beyond = (unit: string): string => displayText(unit.repeat(MAX_SET + 3)).slice(-3 * unit.length);
    assert.is(displayText("it's ".repeat(MAX_SET + 1)).match(/it's/g)?.length, 1);
    assert.is(beyond('a\n\n'), 'a\n\na\n\na\n\n');
    assert.is(beyond('a<br>'), 'a<br>a<br>a<br>');
    assert.match(displayText('a\n'.repeat(MAX_SET - 1)), /a<br \/>\na<\/p>$/);
  },
);

paragraphs.run();
