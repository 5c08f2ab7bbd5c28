// Texts written into HTML, XML and addresses.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { escapeHtml } from '../../../src/kernel/text/escape-html.ts';
import { queryText } from '../../../src/kernel/text/query-text.ts';

test('every sign that begins markup or ends an attribute is escaped, once', () =>
  assert.is(escapeHtml('<a title="x">&amp;</a>'), '&lt;a title=&quot;x&quot;&gt;&amp;amp;&lt;/a&gt;'));

test('pairs are encoded in their order, and none leave no question mark', () => {
  const pairs = [
    ['search', 'a&b c'],
    ['tags[]', 'x'],
    ['tags[]', 'y'],
  ] as const;
  assert.is(queryText(pairs), '?search=a%26b+c&tags%5B%5D=x&tags%5B%5D=y');
  assert.is(queryText([]), '');
});

test.run();
