import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cleanHtml } from '../../../src/kernel/text/clean-html.ts';

const clean = suite('clean html');

clean('plain text is untouched', () => {
  for (const text of ['', 'Jazz > Rock', ' "quotes"\r\n\r\nand\tlines\u0000 ', 'é 🎈'])
    assert.is(cleanHtml(text), text);
});

clean('a bare ampersand and a bare less-than sign are encoded, an entity is not encoded twice', () => {
  assert.is(cleanHtml('a & b &amp; c < d'), 'a &amp; b &amp; c &lt; d');
});

const examples: readonly (readonly [string, string, string])[] = [
  ['tags of scripts go, their text stays', '<b>B</b><script>go(1)</script>', '<b>B</b>go(1)'],
  ['what stands in a script is cleaned too', '<script><img src="/a.png" onerror="x"></script>', '<img src="/a.png" />'],
  ['a tag cannot be assembled from parts', '<<script>script>x<</script>/script>', '&lt;script&gt;x&lt;/script&gt;'],
  ['styles and forms go, their text stays', '<style>p{}</style><form><input name="a">t</form>', 'p{}t'],
  ['frames and embedded objects go', '<iframe src="https://a.example"></iframe><object>o</object><embed src="x">', 'o'],
  ['event handlers go', '<p onclick="x()" OnLoad=y>a</p>', '<p>a</p>'],
  ['script addresses go, the link text stays', '<a href="javascript:x">a</a>', '<a>a</a>'],
  ['disguised script addresses go', '<a href=" java&#115;cr\nipt:x">a</a>', '<a>a</a>'],
  ['data addresses go', '<a href="data:text/html,x">a</a><img src="data:image/svg+xml,x">', '<a>a</a><img />'],
  ['comments go', 'a<!-- c -->b', 'ab'],
  ['vector drawings go', '<svg><a xlink:href="javascript:x">a</a></svg>', '<a>a</a>'],
  ['open elements are closed', '<p><b>a', '<p><b>a</b></p>'],
  ['closing tags that close nothing go', 'a</div></p>b', 'ab'],
];

for (const [rule, text, expected] of examples) {
  clean(rule, () => {
    assert.is(cleanHtml(text), expected);
  });
}

clean('ordinary HTML of editors is kept', () => {
  const kept = [
    '<p class="lead" style="text-align:center">a</p>',
    '<h2 id="top">H</h2><ul><li>1</li></ul><hr />',
    '<a href="https://a.example/?b=1&amp;c=2" target="_blank" rel="noopener" title="t">l</a>',
    '<a href="mailto:a@b.example">m</a><a href="tel:+15550100">t</a><a href="/events">e</a>',
    '<figure><img src="/a.png" alt="A" width="10" height="20" /><figcaption>c</figcaption></figure>',
    '<table><thead><tr><th scope="col" colspan="2">h</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>',
    '<blockquote cite="https://a.example">q</blockquote><pre><code>x</code></pre>',
  ];
  for (const html of kept) assert.is(cleanHtml(html), html);
});

clean('harmless styles stay, those that load or cover something go', () => {
  assert.is(
    cleanHtml('<p style="color:rgb(1, 2, 3);position:fixed;background:url(x);width:expression(x)">a</p>'),
    '<p style="color:rgb(1, 2, 3)">a</p>',
  );
});

const SCHEMES = [
  'java\tscript:x',
  'java&#x09;script:x',
  'java&NewLine;script:x',
  '&#106;avascript:x',
  '\u0001javascript:x',
  'JaVaScRiPt:x',
  'javascript&colon;x',
  '&Tab;javascript:x',
  'vbscript:x',
  'data:text/html;base64,x',
  'feed:javascript:x',
];

clean('no address runs a script, however and wherever it is written', () => {
  for (const address of SCHEMES) {
    assert.is(cleanHtml(`<a href="${address}">a</a>`), '<a>a</a>', address);
    assert.is(cleanHtml(`<img src="${address}">`), '<img />', address);
    assert.not.match(cleanHtml(`<img srcset="${address} 1x, /ok.png 2x">`), /script|data/i, address);
    assert.is(cleanHtml(`<video poster="${address}" src="${address}"></video>`), '<video></video>', address);
    assert.is(cleanHtml(`<blockquote cite="${address}">q</blockquote>`), '<blockquote>q</blockquote>', address);
  }
});

clean('an invalid list of sources is removed, and nothing is written to standard output', () => {
  const { log } = console;
  const told: unknown[] = [];
  console.log = (text) => told.push(text);
  for (const srcset of ['a b', 'a 1x 2x', 'a 0w', 'a 1q', 'a -1x', 'secret (', ',', 'a,,'])
    assert.is(cleanHtml(`<img srcset="${srcset}">`), '<img />', srcset);
  for (const srcset of [
    '/a.png',
    '/a.png 1x, /b.png 1.5x',
    '/a.png 100w, /b.png 200w',
    'https://a.example/w_1,h_1/a.png 2x',
  ])
    assert.is(cleanHtml(`<img srcset="${srcset}">`), `<img srcset="${srcset}" />`);
  console.log = log;
  assert.equal(told, []);
});

const CLASSICS: readonly (readonly [string, string])[] = [
  ['<svg/onload=x>', ''],
  ['<svg><animate onbegin=x attributeName=x>', ''],
  ['<math><mtext><table><mglyph><style><img src=x onerror=x>', '<table><img src="x" /></table>'],
  ['<form><form action="javascript:x"><input type=submit></form></form>', ''],
  ['<button formaction="javascript:x">b</button>', 'b'],
  ['<base href="javascript:x"><meta http-equiv=refresh content="0;url=javascript:x"><link rel=stylesheet href=x>', ''],
  ['<iframe srcdoc="<script>x</script>"></iframe>', ''],
  ['<!--[if IE]><script>x</script><![endif]-->', ''],
  ['<!-- --!><img src=x onerror=x>-->', ''],
  ['<![CDATA[<script>x</script>]]>', 'x]]&gt;'],
  ['<?xml version=1?><script>x</script>', 'x'],
  [
    '<noscript><p title="</noscript><img src=x onerror=x>">',
    '<p title="&lt;/noscript&gt;&lt;img src=x onerror=x&gt;"></p>',
  ],
  ['<p style="color:expr\\65ssion(x)">a</p>', '<p>a</p>'],
  ['<p style="background-image:\\75rl(x)">a</p>', '<p>a</p>'],
  ['<p style="behavior:url(x)">a</p>', '<p>a</p>'],
  ['<details open ontoggle=x>d</details>', '<details open>d</details>'],
  ['<a href="https://a.example" ping="https://b.example">a</a>', '<a href="https://a.example">a</a>'],
  [
    '<a href="https://a.example" target="_blank" rel="OPENER nofollow">a</a>',
    '<a href="https://a.example" target="_blank" rel="nofollow">a</a>',
  ],
  ['<table background="javascript:x"><tr><td background=x></table>', '<table><tr><td></td></tr></table>'],
  ['<template><script>x</script></template>', 'x'],
  ['<textarea><script>x</script></textarea>', 'x'],
  ['<scr<script>ipt>x</scr</script>ipt>', 'ipt&gt;xipt&gt;'],
  ['<p\u0000onclick=x>a', 'a'],
  ['<a\fhref="javascript:x">a</a>', '<a>a</a>'],
  ['<p onclick', ''],
];

for (const [text, expected] of CLASSICS)
  clean(`${JSON.stringify(text)} is made harmless`, () => {
    assert.is(cleanHtml(text), expected);
  });

const hostile = fc.string({
  unit: fc.constantFrom(
    ...[
      '<',
      '>',
      '</',
      '"',
      "'",
      '=',
      ' ',
      '/',
      '!--',
      '-->',
      '&',
      '&lt;',
      'script',
      'style',
      'svg',
      'a href',
      'img src',
    ],
    ...['onerror', 'javascript:', 'x', '\u0000', '\n', 'textarea', 'title', 'p', 'xmp', 'style="color:'],
  ),
  maxLength: 80,
});
const TAG = /<\/?[a-z][^>]*>/gi;

clean('whatever is written, no script, handler or script address comes out, and cleaning twice changes nothing', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const result = cleanHtml(text);
      for (const [tag] of result.includes('<') ? result.matchAll(TAG) : []) {
        assert.not.match(tag, /^<\/?(?:script|style|svg|textarea|title|xmp)/i);
        assert.not.match(tag.replace(/"[^"]*"/g, '""'), /\son\w+/i);
        assert.not.match(tag, /(?:href|src)="[\s\u0000]*javascript:/i);
      }
      if (/[<&]/.test(text)) assert.is(cleanHtml(result), result);
    }),
    { numRuns: 500 },
  );
});

clean('literal signs are written as references, wherever they are', () => {
  assert.is(cleanHtml('a < b && c <3 &'), 'a &lt; b &amp;&amp; c &lt;3 &amp;');
  assert.is(cleanHtml('<b>1 < 2 & 3</b>&amp;&lt;'), '<b>1 &lt; 2 &amp; 3</b>&amp;&lt;');
  assert.is(
    cleanHtml('a\u0001b\u0002 < c'),
    'ab &lt; c',
    'what stands in for them is nothing that an author may write',
  );
});

clean('tags nested beyond all sense are cleaned to the end', () => {
  const n = 20_000;
  for (const text of ['<b>'.repeat(n) + '</i>'.repeat(n), '<<script>b>'.repeat(n), '<a b="'.repeat(n), '<'.repeat(n)]) {
    assert.type(cleanHtml(text), 'string');
  }
});

clean.run();
