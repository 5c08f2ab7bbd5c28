// Texts of people as pages show them.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { safeHtml } from '../../../src/pages/safe-html.ts';

const test = suite('shown HTML');

const shown = async (text: string): Promise<string> => (await safeHtml(text)).__html;

const CASES: readonly (readonly [what: string, text: string, expected: string])[] = [
  ['plain markup stays', '<p>A <em>good</em> <b>day</b></p>', '<p>A <em>good</em> <b>day</b></p>'],
  ['scripts go with their text', '<p>a</p><script>alert(1)</script>', '<p>a</p>'],
  ['handlers go', '<p onclick="alert(1)">a</p>', '<p>a</p>'],
  ['styles, classes and ids go', '<p style="color:red" class="site" id="main">a</p>', '<p>a</p>'],
  ['pictures from elsewhere go', '<img src="https://t.example/pixel.gif" alt="x">a', 'a'],
  ['frames, forms and objects go', '<iframe src="/"></iframe><form><input></form><object></object>a', 'a'],
  ['addresses of scripts go', '<a href="javascript:alert(1)">a</a>', '<a rel="noopener nofollow">a</a>'],
  ['links stay', '<a href="https://a.example/">a</a>', '<a href="https://a.example/" rel="noopener nofollow">a</a>'],
  ['a heading of the page itself is one below', '<h1>a</h1>', '<h2>a</h2>'],
  ['what is left open is closed', '<p><b>a', '<p><b>a</b></p>'],
];
for (const [what, text, expected] of CASES) test(what, async () => assert.is(await shown(text), expected));

test('a long text is cleaned in pieces, to the same text', async () => {
  const paragraph = `<p>${'word '.repeat(200)}<script>x</script><b>end</b></p>`;
  const long = await shown(paragraph.repeat(100));
  assert.is(long, `<p>${'word '.repeat(200)}<b>end</b></p>`.repeat(100));
});

test('a long text without blocks is cleaned, too, wherever it is cut', async () => {
  for (const text of ['a'.repeat(50_000), '<i>a</i>'.repeat(10_000), 'a <script>b</script> '.repeat(5_000)]) {
    const cleaned = await shown(text);
    assert.not.match(cleaned, /script/);
    assert.is(cleaned.replace(/<[^>]*>/g, '').length, text.replace(/<script>b<\/script>|<[^>]*>/g, '').length);
  }
});

test.run();
