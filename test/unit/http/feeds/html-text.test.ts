import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { lineOfHtml, shortHtml, textOfHtml } from '../../../../src/kernel/text/html-text.ts';

test('paragraphs are apart by an empty line, line breaks begin a line', () => {
  assert.is(textOfHtml('<p>One<br />\ntwo</p>\n<p>three</p>\n'), 'One\ntwo\n\nthree');
  assert.is(textOfHtml('one<br><br>two'), 'one\n\ntwo');
});

test('blocks begin a line, however they are nested', () => {
  assert.is(textOfHtml('<div><div>a</div></div><div>b</div>c'), 'a\nb\nc');
  assert.is(textOfHtml('Bring:<ul><li>a</li>\n<li>b</li></ul>then'), 'Bring:\n\n- a\n- b\n\nthen');
});

test('line ends of the source are blanks', () => {
  assert.is(textOfHtml('a\r\n  b\tc'), 'a b c');
});

test('entities become characters, once', () => {
  assert.is(textOfHtml('Jazz &#038; Wine &amp;lt;b&amp;gt; &#8217;'), 'Jazz & Wine &lt;b&gt; ’');
});

test('elements without prose are left out', () => {
  assert.is(textOfHtml('a<script>alert("<p>1</p>")</script>b<style>p{}</style><!-- c -->d'), 'abd');
});

test('no markup or entity makes a break or a control character that the text does not have', () => {
  assert.is(textOfHtml('a&#1;b\u0002c&#3;d'), 'abcd');
});

test('a title is one line', () => {
  assert.is(lineOfHtml('<p>One</p>\n<em>two</em><br>three'), 'One two three');
});

test('a shortened text ends with no half tag, reference or character', () => {
  assert.is(shortHtml('<p>short</p>', 12), '<p>short</p>');
  assert.is(shortHtml('one two', 3), 'one …');
  assert.is(shortHtml('<b>one</b> two', 8), '<b>one …');
  assert.is(shortHtml('1 &gt; 0', 4), '1  …');
  assert.is(shortHtml('x😀y', 2), 'x …');
});

test.run();
