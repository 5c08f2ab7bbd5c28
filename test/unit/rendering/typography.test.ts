import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { displayTitle, texturize } from '../../../src/kernel/text/typography.ts';

const typography = suite('typography');

const examples: readonly (readonly [string, string])[] = [
  ['Plain title', 'Plain title'],
  ['  outer blanks  ', 'outer blanks'],
  ['Arts & Crafts', 'Arts &#038; Crafts'],
  ['Arts &amp; Crafts &#38; &nbsp;', 'Arts &amp; Crafts &#38; &nbsp;'],
  ['say "hi"', 'say &#8220;hi&#8221;'],
  ["'hi' there", '&#8216;hi&#8217; there'],
  ["it's the kids' day", 'it&#8217;s the kids&#8217; day'],
  [`("a" ['b'])`, '(&#8220;a&#8221; [&#8216;b&#8217;])'],
  [`"'a' b"`, '&#8220;&#8216;a&#8217; b&#8221;'],
  ["``quoted''", '&#8220;quoted&#8221;'],
  ["back in the '90s, 'tis", 'back in the &#8217;90s, &#8217;tis'],
  [`6'2" tall`, '6&#8217;2&#8243; tall'],
  ["7' wall", '7&#8242; wall'],
  ['from "the 90"', 'from &#8220;the 90&#8221;'],
  ['"a 12" board"', '&#8220;a 12&#8243; board&#8221;'],
  ['wait...', 'wait&#8230;'],
  ['a -- b', 'a &#8212; b'],
  ['a---b', 'a&#8212;b'],
  ['a--b', 'a&#8211;b'],
  ['a - b', 'a &#8211; b'],
  ['well-known', 'well-known'],
  ['xn--caf-dma', 'xn--caf-dma'],
  ['a 5x5 game, 3x4x5', 'a 5&#215;5 game, 3&#215;4&#215;5'],
  ['0x1F and a5x5', '0x1F and a5x5'],
  ['Brand (tm)', 'Brand &#8482;'],
  ['«Łódź» 🎈', '«Łódź» 🎈'],
  ['5 < 6, <3', '5 < 6, <3'],
  ['a\u0000b\u0007', 'ab'],
];

for (const [text, expected] of examples) {
  typography(`${JSON.stringify(text)} is shown as ${expected}`, () => {
    assert.is(displayTitle(text), expected);
  });
}

typography('markup stays markup, and only a bare ampersand is encoded in it', () => {
  assert.is(
    displayTitle(`<a href="/x?a='1'&b=2" title='"t"'>"x"</a>`),
    `<a href="/x?a='1'&#038;b=2" title='"t"'>&#8220;x&#8221;</a>`,
  );
  assert.is(displayTitle('a <!-- "c" -- & --> b'), 'a <!-- "c" -- & --> b');
});

typography('quotes are matched across inline markup', () => {
  assert.is(displayTitle(`"<em>x</em>" and <b>Bo</b>'s`), '&#8220;<em>x</em>&#8221; and <b>Bo</b>&#8217;s');
});

typography('a new block begins a new sentence', () => {
  assert.is(texturize('<p>x</p><p>"y"</p>'), '<p>x</p><p>&#8220;y&#8221;</p>');
});

typography('code, preformatted text and scripts are left as they are', () => {
  const literal = `<code>"a" -- b</code><pre>it's <b>"x"</b></pre><script>a && "b"</script>`;
  assert.is(texturize(literal), literal);
  assert.is(texturize('<code>"never closed"'), '<code>"never closed"');
});

const hostile = fc.string({
  unit: fc.constantFrom('"', "'", '-', '.', '`', 'x', '1', '&', ';', '<', '>', 'b', '/', ' ', '(tm)', 'code', '='),
  maxLength: 100,
});

typography('no straight quote outside markup is left, and letters keep their order', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', "'", '-', '.', ' ', 'a', '7', '&', '(') }), (text) => {
      const shown = texturize(text);
      assert.not.match(shown, /["']/);
      assert.not.match(shown, /&(?!#\d+;)/);
      assert.is(shown.replace(/&#\d+;/g, '').replace(/[^a7]/g, ''), text.replace(/[^a7]/g, ''));
    }),
    { numRuns: 300 },
  );
});

typography('setting a text that is already set changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', "'", 'a', 'b', ' ', '&', '...'), maxLength: 60 }), (text) => {
      const once = texturize(text);
      assert.is(texturize(once), once);
    }),
  );
});

typography('any text can be shown', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), hostile), (text) => {
      assert.type(displayTitle(text), 'string');
    }),
    { numRuns: 500 },
  );
});

typography('long hostile titles are set to the end', () => {
  for (const unit of ['<', '"', "'", '-', '1x', '1.', '&', '<!--', '<b a="', '</', '<code>', '"1']) {
    assert.ok(displayTitle(unit.repeat(50_000)).length >= unit.length);
  }
});

typography.run();
