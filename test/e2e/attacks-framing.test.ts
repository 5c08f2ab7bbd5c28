// Forms of requests that two servers may read differently. Slow ones are in test/unit/http/connections.test.ts.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PREFIX } from '../support/service.ts';
import { type Outcome, startUnderAttack, type UnderAttack } from '../support/under-attack.ts';

const test = suite('attacks by framing');

let site: UnderAttack;
test.before(async () => {
  site = await startUnderAttack();
});
test.after(() => site.close());

const TAGS = `${PREFIX}/tags`;
/** Refused as no HTTP, in the envelope; nothing more is read from the connection. */
const NO_HTTP: Outcome = ['400 rest_bad_request', 'closed'];
/** Read as one request with the body `{"a":1}`, which lacks the name of a tag. */
const READ: Outcome = ['400 rest_missing_callback_param', 'kept'];

const SMUGGLED = `GET ${PREFIX}/nothing HTTP/1.1\r\nHost: a\r\n\r\n`;
const CHUNKS = '5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n';

/** A request to create a tag, signed by an editor, up to the headers that frame its body. */
const post = (version = 'HTTP/1.1'): string =>
  `POST ${TAGS} ${version}\r\nHost: a\r\nContent-Type: application/json\r\n` +
  `Authorization: ${site.daybook.authorization('editor')}\r\n`;

type Case = readonly [form: string, framing: string, outcome: Outcome];

const LENGTHS: readonly Case[] = [
  ['two lengths that differ', 'Content-Length: 5\r\nContent-Length: 7\r\n\r\n{"a":1}', NO_HTTP],
  ['two lengths that agree', 'Content-Length: 7\r\nContent-Length: 7\r\n\r\n{"a":1}', NO_HTTP],
  ['a list of lengths', 'Content-Length: 7, 7\r\n\r\n{"a":1}', NO_HTTP],
  ['a length with a plus', 'Content-Length: +7\r\n\r\n{"a":1}', NO_HTTP],
  ['a negative length', 'Content-Length: -7\r\n\r\n{"a":1}', NO_HTTP],
  ['a hexadecimal length', 'Content-Length: 0x7\r\n\r\n{"a":1}', NO_HTTP],
  ['a length with a blank in it', 'Content-Length: 7 0\r\n\r\n{"a":1}', NO_HTTP],
  ['a blank before the colon', 'Content-Length : 7\r\n\r\n{"a":1}', NO_HTTP],
  ['an empty length', 'Content-Length: \r\n\r\n', NO_HTTP],
  ['a length beyond all numbers', `Content-Length: ${'9'.repeat(23)}\r\n\r\n{"a":1}`, NO_HTTP],
  ['a blank behind the length, which HTTP allows', 'Content-Length: 7 \r\n\r\n{"a":1}', READ],
];

const CODINGS: readonly Case[] = [
  ['a length, then chunks', `Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`, NO_HTTP],
  ['chunks, then a length', `Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n${SMUGGLED}`, NO_HTTP],
  ['a coding that looks like chunks', `Transfer-Encoding: xchunked\r\n\r\n${CHUNKS}`, NO_HTTP],
  ['chunks that are not the last coding', `Transfer-Encoding: chunked, identity\r\n\r\n${CHUNKS}`, NO_HTTP],
  ['no chunks at all', `Transfer-Encoding: identity\r\n\r\n${CHUNKS}`, NO_HTTP],
  ['chunks twice', `Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`, NO_HTTP],
  [
    'chunks, and in a second line not',
    `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${CHUNKS}`,
    NO_HTTP,
  ],
  ['a control before the coding', `Transfer-Encoding: \x0bchunked\r\n\r\n${CHUNKS}`, NO_HTTP],
  ['a blank before the colon', `Transfer-Encoding : chunked\r\n\r\n${CHUNKS}`, NO_HTTP],
  ['a coding on a line of its own', `Transfer-Encoding:\r\n chunked\r\n\r\n${CHUNKS}`, NO_HTTP],
  ['a quoted coding', `Transfer-Encoding: "chunked"\r\n\r\n${CHUNKS}`, NO_HTTP],
  ['a tab before the coding, which HTTP allows', `Transfer-Encoding:\tchunked\r\n\r\n${CHUNKS}`, READ],
  ['capitals in the coding, which HTTP allows', `Transfer-Encoding: ChUnKeD\r\n\r\n${CHUNKS}`, READ],
];

const CHUNKED: readonly Case[] = [
  ['a size with 0x', '0x5\r\n{"a":\r\n0\r\n\r\n', NO_HTTP],
  ['a negative size', '-5\r\n{"a":\r\n0\r\n\r\n', NO_HTTP],
  ['a size beyond all numbers', 'fffffffffffffffff\r\n{"a":\r\n0\r\n\r\n', NO_HTTP],
  ['a blank behind a size', '5 \r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n', NO_HTTP],
  ['lines that end without CR', '5\n{"a":\n2\n1}\n0\n\n', NO_HTTP],
  ['more than the size says', '2\r\n{"a":1}\r\n0\r\n\r\n', NO_HTTP],
  ['a length among the trailers', '5\r\n{"a":\r\n2\r\n1}\r\n0\r\nContent-Length: 5\r\n\r\n', NO_HTTP],
  ['an extension as long as a header', `5;a=${'x'.repeat(40_000)}\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n`, NO_HTTP],
  ['short extensions, which HTTP allows', '5;a=b\r\n{"a":\r\n2;c="d"\r\n1}\r\n0\r\n\r\n', READ],
];

for (const [form, framing, outcome] of [...LENGTHS, ...CODINGS])
  test(`${form}: ${outcome.join(', ')}`, async () => {
    assert.equal((await site.send(post() + framing)).outcome, outcome);
  });

for (const [form, chunks, outcome] of CHUNKED)
  test(`in chunks, ${form}: ${outcome.join(', ')}`, async () => {
    assert.equal((await site.send(`${post()}Transfer-Encoding: chunked\r\n\r\n${chunks}`)).outcome, outcome);
  });

/** First line and headers as they are. */
const LINES: readonly Case[] = [
  ['lines that end without CR', `GET ${TAGS} HTTP/1.1\nHost: a\n\n`, NO_HTTP],
  ['one line that ends without CR', `GET ${TAGS} HTTP/1.1\r\nHost: a\nX: y\r\n\r\n`, NO_HTTP],
  ['a CR in a header', `GET ${TAGS} HTTP/1.1\r\nHost: a\rX: y\r\n\r\n`, NO_HTTP],
  ['lines that end without LF', `GET ${TAGS} HTTP/1.1\rHost: a\r\r`, NO_HTTP],
  ['NUL in a header', `GET ${TAGS} HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n`, NO_HTTP],
  ['NUL in a path', `GET ${TAGS}\0 HTTP/1.1\r\nHost: a\r\n\r\n`, NO_HTTP],
  ['a line without a colon', `GET ${TAGS} HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n`, NO_HTTP],
  ['a header without a name', `GET ${TAGS} HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n`, NO_HTTP],
  ['a blank in the path', `GET ${PREFIX}/ta gs HTTP/1.1\r\nHost: a\r\n\r\n`, NO_HTTP],
  ['bytes beyond ASCII in the path', `GET ${TAGS}/\xff HTTP/1.1\r\nHost: a\r\n\r\n`, NO_HTTP],
  ['a small method', `get ${TAGS} HTTP/1.1\r\nHost: a\r\n\r\n`, NO_HTTP],
  ['a version that there is not', `GET ${TAGS} HTTP/1.2\r\nHost: a\r\n\r\n`, NO_HTTP],
  ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', NO_HTTP],
  ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', NO_HTTP],
  ['no host', `GET ${TAGS} HTTP/1.1\r\n\r\n`, ['400', 'kept']],
  ['two hosts', `GET ${TAGS} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`, ['400 rest_invalid_host', 'kept']],
  ['no name for a host', `GET ${TAGS} HTTP/1.1\r\nHost: a/"><script>\r\n\r\n`, ['400 rest_invalid_host', 'kept']],
  ['an authority for a path', 'GET cal.example:80 HTTP/1.1\r\nHost: a\r\n\r\n', NO_HTTP],
  ['another scheme', `GET ftp://other.example${TAGS} HTTP/1.1\r\nHost: a\r\n\r\n`, ['404 rest_no_route', 'kept']],
  ['a tunnel', 'CONNECT cal.example:443 HTTP/1.1\r\nHost: a\r\n\r\n', ['', 'closed']],
  ['an echo', `TRACE ${TAGS} HTTP/1.1\r\nHost: a\r\n\r\n`, ['404 rest_no_route', 'kept']],
  [
    'another protocol',
    `GET ${TAGS} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    ['200', 'kept'],
  ],
  ['an expectation that does not exist', `GET ${TAGS} HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n`, ['417', 'kept']],
  ['HTTP/1.0', `GET ${TAGS} HTTP/1.0\r\n\r\n`, ['200', 'closed']],
  ['HTTP/1.0 that wants to stay', `GET ${TAGS} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`, ['200', 'kept']],
  ['HTTP/0.9', `GET ${TAGS}\r\n\r\n`, ['200', 'closed']],
  ['empty lines first', `\r\n\r\nGET ${TAGS} HTTP/1.1\r\nHost: a\r\n\r\n`, ['200', 'kept']],
];

for (const [form, bytes, outcome] of LINES)
  test(`${form}: ${outcome.join(', ')}`, async () => {
    assert.equal((await site.send(bytes)).outcome, outcome);
  });

test('chunks from a client of HTTP/1.0: read, and the connection is closed', async () => {
  const { outcome } = await site.send(`${post('HTTP/1.0')}Transfer-Encoding: chunked\r\n\r\n${CHUNKS}`);
  assert.equal(outcome, ['400 rest_missing_callback_param', 'closed']);
});

test('an address with another host: the path counts, links keep the host of the header', async () => {
  const { outcome, answers } = await site.send(`GET http://other.example${TAGS} HTTP/1.1\r\nHost: cal.example\r\n\r\n`);
  assert.equal(outcome, ['200', 'kept']);
  assert.match(answers[0]?.text ?? '', 'http://cal.example/');
  assert.not.match(answers[0]?.text ?? '', 'other.example');
});

test('a request in the body of a GET is a body, and gets no answer', async () => {
  const { outcome } = await site.send(
    `GET ${TAGS} HTTP/1.1\r\nHost: a\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
  );
  assert.equal(outcome, ['200', 'kept']);
});

test('requests one behind the other: answered in their order', async () => {
  const [first, second, third] = ['tags', 'nothing', 'categories'].map(
    (path) => `GET ${PREFIX}/${path} HTTP/1.1\r\nHost: a\r\n\r\n`,
  );
  const { outcome } = await site.send(`${first}${second}${third}`, 3);
  assert.equal(outcome, ['200, 404 rest_no_route, 200', 'kept']);
});

test('after invalid HTTP nothing more is answered', async () => {
  const { outcome } = await site.send(`${post()}Content-Length: +7\r\n\r\n{"a":1}${SMUGGLED}`);
  assert.equal(outcome, NO_HTTP);
});

test('two authorizations: neither counts', async () => {
  const both = `Authorization: ${site.daybook.authorization('editor')}\r\nAuthorization: Bearer other\r\n`;
  const { outcome } = await site.send(`GET ${TAGS} HTTP/1.1\r\nHost: a\r\n${both}\r\n`);
  assert.equal(outcome, ['401 incorrect_password', 'kept']);
});

test.run();
