import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { logDestination, openLog } from '../../../src/observability/log.ts';

const test = suite('log');

function setUp(level = 'trace') {
  const lines: string[] = [];
  return { lines, log: openLog(level, { write: (line) => void lines.push(line) }) };
}

test('of an error it keeps name and message, and nothing that a library has added', () => {
  const { lines, log } = setUp();
  const cause = Object.assign(new Error('the socket closed'), {
    request: { headers: { authorization: 'Bearer secret' } },
  });
  const err = Object.assign(new Error('away', { cause }), { code: 'ECONNRESET', command: { args: ['SET', 'secret'] } });
  log.error({ err, correlationId: 'c' }, 'request failed');
  const told = JSON.parse(lines[0] ?? '');
  assert.equal([told.err.message, told.err.code, told.err.cause.message], ['away', 'ECONNRESET', 'the socket closed']);
  assert.match(told.err.stack, 'log.test.ts');
  assert.not.match(lines[0] ?? '', 'secret');
});

test('causes that go round in a circle come to an end', () => {
  const { lines, log } = setUp();
  const err = new Error('one');
  err.cause = err;
  log.error({ err }, 'failed');
  assert.is(lines.length, 1);
});

test('a thrown value that is no error is not shown', () => {
  const { lines, log } = setUp();
  log.error({ err: 'secret' }, 'failed');
  assert.not.match(lines[0] ?? '', 'secret');
});

test('line ends and signs that move a cursor stay inside their line', () => {
  const { lines, log } = setUp();
  log.warn({ path: '/\u001b[31m\r\nforged' }, 'odd\u0007');
  assert.is(lines.length, 1);
  assert.not.match(lines[0] ?? '', /[\x00-\x1f](?!$)/);
});

test('on a terminal it is for people, and cannot move the cursor', async () => {
  const shown: string[] = [];
  const terminal = { isTTY: true, write: (text: string) => shown.push(text) };
  const log = openLog('info', await logDestination(terminal as unknown as NodeJS.WriteStream)); // It only writes.
  log.warn({ setting: 'DAYBOOK_X', err: new Error('sent \u001b[2J\u0007') }, 'it is set');
  const [text = ''] = shown;
  assert.match(text, /^\[\d\d:\d\d:\d\d\.\d{3}\] WARN: it is set\n/);
  assert.match(text, 'setting: "DAYBOOK_X"');
  assert.not.match(text, /[^\P{Cc}\n]/u);
});

test.run();
