import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  decodeEntities,
  oneLine,
  stripTags,
  termDescription,
  termName,
  withoutControls,
} from '../../../src/kernel/text/plain-text.ts';

const plainText = suite('plain text');

plainText('stripping tags keeps the text between them, that of a script too', () => {
  assert.is(stripTags('a <b class="x>y">c</b><!-- d --> <script>e</script>'), 'a c e');
});

plainText('a less-than sign that begins no tag is text', () => {
  assert.is(stripTags('5 < 6 and <3'), '5 < 6 and <3');
  assert.is(oneLine('5 < 6'), '5 < 6');
});

plainText('a tag that never ends is dropped to the end', () => {
  assert.is(stripTags('a <img src=x onerror=y'), 'a ');
  assert.is(stripTags('a <b title="x> c'), 'a  c');
});

plainText('dropping a tag never makes a new one', () => {
  assert.is(stripTags('<<b>script>x'), 'script>x');
  assert.is(stripTags('</</<i>b>x'), 'b>x');
  assert.is(oneLine('<\u0000img src=x>y'), 'y');
});

plainText('a contact field loses tags, scripts with their content, line ends and outer blanks', () => {
  assert.is(
    oneLine('  12 <b>High</b>\r\n\tStreet  <script>alert(1)</script><STYLE>p{}</STYLE>\u0000 '),
    '12 High Street',
  );
  assert.is(oneLine('x<script>never closed'), 'x');
  assert.is(oneLine('+1 555 0100'), '+1 555 0100');
});

plainText('a term name loses its tags and encodes what HTML would read', () => {
  assert.is(termName('<i>Arts</i> & Crafts'), 'Arts &amp; Crafts');
  assert.is(termName('Arts &amp; Crafts &#38; &eacute;'), 'Arts &amp; Crafts &#38; &eacute;');
  assert.is(termName('1 < 2'), '1 &lt; 2');
  assert.is(termName('say "hi"'), 'say "hi"');
});

plainText('a term description keeps simple inline markup and only harmless attributes', () => {
  assert.is(termDescription('Good <b>food</b>'), 'Good <b>food</b>');
  assert.is(termDescription('<p onclick="x">a & b</p>'), 'a &amp; b');
  assert.is(
    termDescription(`<a href="https://a.example/?b=1&c=2" onclick='x' title='"q"'>l</a>`),
    '<a href="https://a.example/?b=1&amp;c=2" title="&quot;q&quot;">l</a>',
  );
  assert.is(termDescription('<A HREF="java&#115;cript:alert(1)">l</A>'), '<a>l</a>');
  assert.is(termDescription('<a href=" java\nscript:alert(1)">l</a>'), '<a>l</a>');
  assert.is(termDescription('<a href="/events">l</a>'), '<a href="/events">l</a>');
});

plainText('entities are decoded, unknown and impossible ones stay', () => {
  assert.is(decodeEntities('&lt;&amp;&#8211;&#x1F388;&eacute;&Uuml;&nbsp;'), '<&–🎈éÜ\u00a0');
  assert.is(decodeEntities('&bogus; &#0; &#xD800; &#9999999; & &;'), '&bogus; &#0; &#xD800; &#9999999; & &;');
  assert.is(decodeEntities('&constructor; &toString;'), '&constructor; &toString;');
});

plainText('control characters go, tabs and line ends stay', () => {
  assert.is(withoutControls('a\u0000\u0007\tb\r\n\u007fc'), 'a\tb\r\nc');
});

const hostile = fc.string({
  unit: fc.constantFrom(
    '<',
    '>',
    '/',
    '"',
    "'",
    '=',
    '!--',
    '-->',
    'script',
    'style',
    'b',
    'a href',
    ' ',
    '\n',
    '&',
    '\u0000',
  ),
  maxLength: 120,
});

plainText('what closes no tag is a comment, too', () => {
  assert.is(stripTags('a</!---->b'), 'ab');
  assert.is(stripTags('a</?php>b'), 'ab');
});

plainText('nothing that a browser could read as a tag is left in a contact field or a term name', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      assert.not.match(stripTags(text), /<\/?[a-z!?][^>]*>/i);
      assert.not.match(oneLine(text), /<\/?[a-z!?][^>]*>/i);
      assert.not.match(termName(text), /[<>]/);
      assert.not.match(oneLine(text), /[\n\t]|^ | $/);
    }),
    { numRuns: 500 },
  );
});

plainText('a term description holds no tags beyond the permitted ones', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const [tag] of termDescription(text).matchAll(/<[^>]*>/g))
        assert.match(tag, /^<\/?[ab](?: href="[^"]*")?>$/);
    }),
    { numRuns: 500 },
  );
});

plainText('the beginning of a text without tags is that of the whole', () => {
  const parts = fc.constantFrom('<', '<b>', '</', 'script>', '<!-- x -->', 'word ', '>', '&lt;', '"');
  fc.assert(
    fc.property(fc.array(parts), fc.nat(20), (some, enough) => {
      const [whole, beginning] = [stripTags(some.join('')), stripTags(some.join(''), enough)];
      assert.ok(whole.startsWith(beginning));
      assert.ok(beginning.length >= Math.min(enough, whole.length));
    }),
  );
});

plainText.run();
